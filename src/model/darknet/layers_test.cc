// Each kind of section: the nodes it becomes and the shapes it gives.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "model/darknet/builder.h"
#include "model/test_models.h"

namespace tessera {
namespace {

using testing::ElementsAre;

std::string with_net(std::string_view layers, int h = 16, int w = 12, int c = 3) {
  return text("[net]\nheight=", h, "\nwidth=", w, "\nchannels=", c, "\n", layers);
}

/// "conv_0 batch_norm ..." of all nodes behind the input.
std::vector<std::string> names(const Model& model) {
  std::vector<std::string> out;
  for (const Node& node : model.graph.nodes) out.push_back(node.name);
  return out;
}

class Layers : public testing::Test {
 protected:
  const Graph& load(std::string_view layers, std::size_t numbers, int h = 16, int w = 12, int c = 3) {
    auto model = load_cfg(with_net(layers, h, w, c), numbers);
    EXPECT_TRUE(model.has_value()) << model.error().message;
    if (model) model_ = std::move(*model);
    return model_.graph;
  }
  Shape out_shape() const { return model_.graph.value(model_.graph.outputs.at(0)).spec.shape; }
  template <class A>
  const A& attrs(std::string_view name) const {
    for (const Node& node : model_.graph.nodes) {
      if (node.name == name) return std::get<A>(node.attrs);
    }
    ADD_FAILURE() << "no node " << name;
    static const A none{};
    return none;
  }
  Model model_;
};

TEST_F(Layers, ConvolutionTakesItsNumbersInFileOrder) {
  load("[convolutional]\nfilters=2\nsize=3\nstride=2\npad=1\nbatch_normalize=1\nactivation=leaky\n", 4 * 2 + 2 * 27);
  EXPECT_THAT(names(model_), ElementsAre("input", "conv_0", "conv_0.bn", "conv_0.leaky"));
  EXPECT_EQ(out_shape(), (Shape{1, 8, 6, 2}));
  const auto& bn = attrs<BatchNormAttrs>("conv_0.bn");
  EXPECT_THAT(*bn.beta, ElementsAre(1, 2));
  EXPECT_THAT(*bn.gamma, ElementsAre(3, 4));
  EXPECT_THAT(*bn.mean, ElementsAre(5, 6));
  EXPECT_THAT(*bn.variance, ElementsAre(7, 8));
  EXPECT_EQ(bn.epsilon, 1e-6f);
  const auto& conv = attrs<ConvAttrs>("conv_0");
  EXPECT_EQ(conv.bias, nullptr);
  EXPECT_EQ(conv.weights->front(), 9);
  EXPECT_EQ(conv.weights->back(), 62);
  EXPECT_EQ(attrs<ActivationAttrs>("conv_0.leaky").act, (ActivationSpec{Activation::leaky, 0.1f}));
}

TEST_F(Layers, ConvolutionWithoutBatchNormHasABias) {
  load("[convolutional]\nfilters=3\nactivation=linear\n", 3 + 9);
  EXPECT_THAT(names(model_), ElementsAre("input", "conv_0"));
  EXPECT_THAT(*attrs<ConvAttrs>("conv_0").bias, ElementsAre(1, 2, 3));
  EXPECT_THAT(*attrs<ConvAttrs>("conv_0").weights, ElementsAre(4, 5, 6, 7, 8, 9, 10, 11, 12));
}

TEST_F(Layers, ConvolutionStridesGroupsPaddingDilation) {
  load("[convolutional]\nfilters=6\nsize=5\nstride_x=2\nstride_y=3\npadding=1\ngroups=3\nactivation=linear\n",
       6 + 6 * 25);
  const auto& conv = attrs<ConvAttrs>("conv_0");
  EXPECT_EQ(std::tie(conv.sh, conv.sw, conv.groups), std::make_tuple(3, 2, 3));
  EXPECT_EQ(conv.pad, (Padding{1, 1, 1, 1}));
  EXPECT_EQ(out_shape(), (Shape{1, 5, 5, 6}));  // (16 + 2 - 5) / 3 + 1, (12 + 2 - 5) / 2 + 1
  load("[convolutional]\nsize=3\npad=1\ndilation=2\nactivation=linear\n", 1 + 27);
  EXPECT_EQ(attrs<ConvAttrs>("conv_0").pad, (Padding{2, 2, 2, 2}));
  EXPECT_EQ(out_shape(), (Shape{1, 16, 12, 1}));
}

TEST_F(Layers, ConvolutionOfEvenSizeGrowsByItsFlagPadding) {
  load("[convolutional]\nsize=2\npad=1\nactivation=linear\n", 1 + 12);  // size/2 = 1 on both sides
  EXPECT_EQ(out_shape(), (Shape{1, 17, 13, 1}));
}

TEST_F(Layers, ActivationsByDarknetsWords) {
  const std::pair<const char*, Activation> words[] = {{"relu", Activation::relu},
                                                      {"relu6", Activation::relu6},
                                                      {"leaky", Activation::leaky},
                                                      {"mish", Activation::mish},
                                                      {"hard_mish", Activation::hard_mish},
                                                      {"swish", Activation::silu},
                                                      {"silu", Activation::silu},
                                                      {"logistic", Activation::logistic},
                                                      {"hard_swish", Activation::hard_swish},
                                                      {"hardswish", Activation::hard_swish},
                                                      {"tanh", Activation::tanh}};
  for (const auto& [word, kind] : words) {
    load(text("[convolutional]\nactivation=", word, "\n"), 1 + 3);
    EXPECT_EQ(attrs<ActivationAttrs>(text("conv_0.", to_string(kind))).act.kind, kind) << word;
  }
  load("[convolutional]\n", 1 + 3);
  EXPECT_EQ(attrs<ActivationAttrs>("conv_0.logistic").act.kind, Activation::logistic) << "Darknet's default";
}

TEST_F(Layers, BatchnormAloneAndActivationAlone) {
  load("[batchnorm]\n[activation]\nactivation=mish\n[activation]\nactivation=linear\n", 12);
  EXPECT_THAT(names(model_), ElementsAre("input", "bn_0", "mish_1"));
  EXPECT_THAT(*attrs<BatchNormAttrs>("bn_0").variance, ElementsAre(10, 11, 12));
}

struct PoolCase {
  const char* keys;
  int in, out, before, after;
};
TEST_F(Layers, MaxpoolFollowsDarknet) {
  // out = (in + padding - size) / stride + 1, padding = size - 1 by default, the first window at -padding / 2
  const PoolCase cases[] = {{"size=2\nstride=2", 8, 4, 0, 0},
                            {"size=2\nstride=2", 7, 4, 0, 1},
                            {"size=2\nstride=1", 13, 13, 0, 1},
                            {"size=5\nstride=1", 10, 10, 2, 2},
                            {"size=3\nstride=2", 8, 4, 1, 0},
                            {"size=3\nstride=2", 7, 4, 1, 1},
                            {"size=2\nstride=2\npadding=0", 7, 3, 0, 0},
                            {"stride=3", 10, 4, 1, 1}};
  for (const PoolCase& one : cases) {
    load(text("[maxpool]\n", one.keys, "\n"), 0, one.in, one.in);
    EXPECT_EQ(out_shape(), (Shape{1, one.out, one.out, 3})) << one.keys;
    EXPECT_EQ(attrs<PoolAttrs>("maxpool_0").pad, (Padding{one.before, one.before, one.after, one.after})) << one.keys;
  }
  load("[maxpool]\nsize=2\nstride_x=1\nstride_y=2\n", 0, 8, 8);
  EXPECT_EQ(out_shape(), (Shape{1, 4, 8, 3}));
}

TEST_F(Layers, LocalAvgpoolAvgpoolUpsample) {
  load("[local_avgpool]\nsize=2\nstride=2\n[upsample]\nstride=3\nscale=0.5\n[avgpool]\n", 0, 4, 4);
  EXPECT_THAT(names(model_), ElementsAre("input", "avgpool_0", "upsample_1", "avgpool_2"));
  EXPECT_EQ(attrs<PoolAttrs>("avgpool_0").kind, PoolAttrs::Kind::average);
  EXPECT_EQ(attrs<UpsampleAttrs>("upsample_1").factor_h, 3);
  EXPECT_EQ(attrs<UpsampleAttrs>("upsample_1").scale, 0.5f);
  EXPECT_EQ(out_shape(), (Shape{1, 1, 1, 3}));
}

TEST_F(Layers, RouteOfOneIsANameOfManyAConcat) {
  const Graph& graph = load(
      "[maxpool]\nsize=2\nstride=2\n[maxpool]\nsize=5\nstride=1\n[route]\nlayers=-2\n[route]\nlayers=1,-1, 0\n", 0);
  EXPECT_THAT(names(model_), ElementsAre("input", "maxpool_0", "maxpool_1", "concat_3"));
  EXPECT_THAT(graph.nodes.back().inputs, ElementsAre(2, 1, 1));
  EXPECT_EQ(out_shape(), (Shape{1, 8, 6, 9}));
}

TEST_F(Layers, RouteGroupsSliceEachInput) {
  load(
      "[convolutional]\nfilters=8\nactivation=linear\n[route]\nlayers=-1\ngroups=2\ngroup_id=1\n"
      "[route]\nlayers=-1,0\ngroups=4\ngroup_id=3\n",
      8 + 24);
  EXPECT_THAT(names(model_), ElementsAre("input", "conv_0", "slice_1", "slice_2", "slice_2.1", "concat_2"));
  EXPECT_EQ(attrs<SliceAttrs>("slice_1").begin, 4);
  EXPECT_EQ(attrs<SliceAttrs>("slice_1").count, 4);
  EXPECT_EQ(attrs<SliceAttrs>("slice_2").begin, 3);    // of 4 channels, group 3 of 4
  EXPECT_EQ(attrs<SliceAttrs>("slice_2.1").begin, 6);  // of 8
  EXPECT_EQ(out_shape(), (Shape{1, 16, 12, 3}));
}

TEST_F(Layers, ShortcutAddsOneOrSeveral) {
  const Graph& graph = load(
      "[dropout]\n[maxpool]\nsize=3\nstride=1\n[maxpool]\nsize=5\nstride=1\n"
      "[shortcut]\nfrom=-2, 0\nactivation=relu\n",
      0);
  EXPECT_THAT(names(model_), ElementsAre("input", "maxpool_1", "maxpool_2", "add_3"));
  EXPECT_THAT(graph.nodes.back().inputs, ElementsAre(2, 1, 0));
  EXPECT_EQ(attrs<AddAttrs>("add_3").act.kind, Activation::relu);
}

TEST_F(Layers, ShortcutOfMoreChannelsTakesTheFirst) {
  const Graph& graph = load(
      "[convolutional]\nfilters=5\nactivation=linear\n[convolutional]\nfilters=2\nactivation=linear\n"
      "[shortcut]\nfrom=0\nactivation=leaky\n",
      5 + 15 + 2 + 10);
  EXPECT_THAT(names(model_), ElementsAre("input", "conv_0", "conv_1", "slice_2", "add_2.1"));
  EXPECT_EQ(attrs<SliceAttrs>("slice_2").count, 2);
  EXPECT_THAT(graph.nodes.back().inputs, ElementsAre(2, 3));
  EXPECT_EQ(attrs<AddAttrs>("add_2.1").act.kind, Activation::leaky);
  EXPECT_EQ(out_shape(), (Shape{1, 16, 12, 2}));
}

TEST_F(Layers, ShortcutOfFewerChannelsLeavesTheRest) {
  const Graph& graph = load(
      "[convolutional]\nfilters=2\nactivation=linear\n[convolutional]\nfilters=5\nactivation=linear\n"
      "[shortcut]\nfrom=0\nactivation=mish\n",
      2 + 6 + 5 + 10);
  EXPECT_THAT(names(model_),
              ElementsAre("input", "conv_0", "conv_1", "slice_2", "add_2.1", "slice_2.2", "concat_2.3", "mish_2.4"));
  EXPECT_EQ(attrs<SliceAttrs>("slice_2.2").begin, 2);
  EXPECT_EQ(attrs<SliceAttrs>("slice_2.2").count, 3);
  EXPECT_EQ(attrs<AddAttrs>("add_2.1").act.kind, Activation::linear)
      << "the activation runs over all channels, at the end";
  EXPECT_THAT(graph.nodes[6].inputs, ElementsAre(4, 5));
  EXPECT_EQ(out_shape(), (Shape{1, 16, 12, 5}));
}

TEST_F(Layers, ScaleChannelsAndSam) {
  const Graph& graph = load("[maxpool]\nsize=3\nstride=1\n[avgpool]\n[scale_channels]\nfrom=-2\n", 0);
  EXPECT_THAT(names(model_), ElementsAre("input", "maxpool_0", "avgpool_1", "mul_2"));
  EXPECT_THAT(graph.nodes.back().inputs, ElementsAre(1, 2)) << "features first, factors second";
  EXPECT_EQ(out_shape(), (Shape{1, 16, 12, 3}));
  load(
      "[maxpool]\nsize=3\nstride=1\n[convolutional]\nfilters=1\nactivation=logistic\n"
      "[scale_channels]\nfrom=0\nscale_wh=1\nactivation=relu\n",
      1 + 3);
  EXPECT_EQ(attrs<MulAttrs>("mul_2").act.kind, Activation::relu);
  EXPECT_EQ(out_shape(), (Shape{1, 16, 12, 3}));
  load("[maxpool]\nsize=3\nstride=1\n[activation]\nactivation=logistic\n[sam]\nfrom=0\n", 0);
  EXPECT_EQ(out_shape(), (Shape{1, 16, 12, 3}));
}

TEST_F(Layers, SoftmaxOverChannelsAndLayersThatDoNothing) {
  load("[avgpool]\n[dropout]\nprobability=.5\n[softmax]\ngroups=1\n[cost]\ntype=sse\n[empty]\n", 0);
  EXPECT_THAT(names(model_), ElementsAre("input", "avgpool_0", "softmax_2"));
  load("[softmax]\nspatial=1\n", 0);
  EXPECT_EQ(out_shape(), (Shape{1, 16, 12, 3}));
}

TEST_F(Layers, YoloMakesTheLayerBeforeAnOutput) {
  load(
      "[maxpool]\nsize=2\nstride=2\n[convolutional]\nfilters=14\nactivation=linear\n"
      "[yolo]\nmask=2,0\nanchors=1,2, 3,4, 5,6\nnum=3\nclasses=2\nscale_x_y=1.2\nnew_coords=1\nnms_threshold=0.6\n"
      "[route]\nlayers=0\n[convolutional]\nfilters=7\nactivation=logistic\n[yolo]\nmask=1\nanchors=1,2, 3,4, "
      "5,6\nnum=3\nclasses=2\n",
      14 + 42 + 7 + 21);
  const auto& detector = model_.detector.value();
  EXPECT_EQ(detector.family, "anchor-grid");
  EXPECT_EQ(detector.classes, 2);
  EXPECT_EQ(detector.nms_iou, 0.6f);
  ASSERT_EQ(detector.heads.size(), 2u);
  EXPECT_EQ(detector.heads[0].anchors, (std::vector<std::array<float, 2>>{{5, 6}, {1, 2}}));
  EXPECT_EQ(detector.heads[0].scale_xy, 1.2f);
  EXPECT_TRUE(detector.heads[0].new_coords);
  EXPECT_EQ(detector.heads[1].anchors, (std::vector<std::array<float, 2>>{{3, 4}}));
  EXPECT_EQ(detector.heads[1].scale_xy, 1.0f);
  EXPECT_FALSE(detector.heads[1].new_coords);
  EXPECT_EQ(model_.graph.producer(model_.graph.outputs[0]).name, "conv_1");
  EXPECT_EQ(model_.graph.producer(model_.graph.outputs[1]).name, "conv_4.logistic")
      << "the head's own activation belongs to it";
}

TEST_F(Layers, NetGivesThePreprocessingContract) {
  load("[maxpool]\nstride=2\n", 0, 16, 12, 1);
  EXPECT_EQ(model_.preprocess.height, 16);
  EXPECT_EQ(model_.preprocess.width, 12);
  EXPECT_EQ(model_.preprocess.channels, 1);
  EXPECT_EQ(model_.preprocess.resize, ResizeMode::stretch);
  const auto boxed = load_cfg("[net]\nheight=4\nwidth=4\nletter_box=1\n[maxpool]\nstride=2\n", 0);
  ASSERT_TRUE(boxed.has_value());
  EXPECT_EQ(boxed->preprocess.resize, ResizeMode::letterbox);
  EXPECT_EQ(boxed->preprocess.channels, 3);
}

TEST(LayerKinds, AreSortedByNameWithSortedKeys) {
  const auto name = [](const darknet::LayerKind* kind) { return std::string_view(kind->name); };
  EXPECT_TRUE(std::ranges::is_sorted(darknet::layer_kinds(), {}, name));
  for (const darknet::LayerKind* kind : darknet::layer_kinds()) {
    EXPECT_TRUE(std::ranges::is_sorted(kind->keys, {}, &darknet::Key::name)) << kind->name;
  }
}

struct Wrong {
  const char *layers, *error;
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.error; }
class LayerError : public testing::TestWithParam<Wrong> {};

TEST_P(LayerError, NamesSectionLineFactAndWish) {
  EXPECT_EQ(load_error(with_net(GetParam().layers)), text("t.cfg: ", GetParam().error));
}

// Line 5 is the first line after [net] and its three keys.
constexpr Wrong kWrongs[] = {
    {"", "[net] alone, no layer"},
    {"[convolutionl]\n",
     "[convolutionl] 0, line 5: section 'convolutionl' is not known; did you mean 'convolutional'?"},
    {"[region]\n", "[region] 0, line 5: section 'region' is not known"},
    {"[convolutional]\nfliters=3\n",
     "[convolutional] 0, line 6: key 'fliters' is not known here; did you mean 'filters'?"},
    {"[convolutional]\nzzzzzz=3\n", "[convolutional] 0, line 6: key 'zzzzzz' is not known here"},
    {"[convolutional]\nxnor=1\n", "[convolutional] 0, line 6: key 'xnor' is '1'; only '0' is supported"},
    {"[convolutional]\nshare_index=3\n", "[convolutional] 0, line 6: key 'share_index' is '3'; it is not supported"},
    {"[convolutional]\ndontload=1\n", "[convolutional] 0, line 6: key 'dontload' is '1'; only '0' is supported"},
    {"[convolutional]\nfilters=0\n",
     "[convolutional] 0, line 6: key 'filters' is '0', want a whole number from 1 to 65536"},
    {"[convolutional]\nfilters=9999999999\n",
     "[convolutional] 0, line 6: key 'filters' is '9999999999', want a whole number from 1 to 65536"},
    {"[convolutional]\nsize=3x\n", "[convolutional] 0, line 6: key 'size' is '3x', want a whole number from 1 to 1024"},
    {"[convolutional]\nstride=\n", "[convolutional] 0, line 6: key 'stride' is '', want a whole number from 1 to 1024"},
    {"[convolutional]\nstride=0\n",
     "[convolutional] 0, line 6: key 'stride' is '0', want a whole number from 1 to 1024"},
    {"[convolutional]\nbatch_normalize=2\n",
     "[convolutional] 0, line 6: key 'batch_normalize' is '2', want a whole number from 0 to 1"},
    {"[convolutional]\nsize=3\npad=3\n",
     "[convolutional] 0, line 7: pad=3 would be taken as the flag for size/2 = 1; write padding=3"},
    {"[convolutional]\nsize=3\npad=1\npadding=2\n",
     "[convolutional] 0, line 8: padding=2 contradicts pad=1, which means size/2 = 1; keep one"},
    {"[convolutional]\ngroups=2\nfilters=4\n",
     "[convolutional] 0, line 6: groups=2 must divide both the 3 input channels and filters=4"},
    {"[convolutional]\nactivation=elu\n",
     "[convolutional] 0, line 6: activation 'elu' is not supported; did you mean 'relu'?"},
    {"[convolutional]\nsize=17\nactivation=linear\n",
     "[convolutional] 0, line 5: the output would be 0x0x1; the input is smaller than the kernel"},
    {"[maxpool]\nsize=2\npadding=7\n",
     "[maxpool] 0, line 7: padding=7 gives windows of size 2 that see nothing but padding"},
    {"[maxpool]\nmaxpool_depth=1\n", "[maxpool] 0, line 6: key 'maxpool_depth' is '1'; only '0' is supported"},
    {"[upsample]\nstride=-2\n", "[upsample] 0, line 6: key 'stride' is '-2', want a whole number from 1 to 1024"},
    {"[upsample]\nscale=inf\n", "[upsample] 0, line 6: key 'scale' is 'inf', want a number from -1e+06 to 1e+06"},
    {"[upsample]\nscale=nan\n", "[upsample] 0, line 6: key 'scale' is 'nan', want a number from -1e+06 to 1e+06"},
    {"[upsample]\nstride=1024\n[upsample]\nstride=1024\n",
     "[upsample] 1, line 7: the output would be 16777216x12582912x3, more than 2147483648 elements"},
    {"[route]\n", "[route] 0, line 5: lacks the key 'layers'; name the layers to read, as in layers=-1,8"},
    {"[route]\nlayers=-1\n",
     "[route] 0, line 6: key 'layers' points to layer -1 (-1); no layer stands before this one"},
    {"[dropout]\n[route]\nlayers=-1,1\n",
     "[route] 1, line 7: key 'layers' points to layer 1 (1); want one of the layers before, 0 to 0"},
    {"[dropout]\n[route]\nlayers=-2\n",
     "[route] 1, line 7: key 'layers' points to layer -1 (-2); want one of the layers before, 0 to 0"},
    {"[dropout]\n[route]\nlayers=-1,\n",
     "[route] 1, line 7: key 'layers' is '', want a whole number from -1000000 to 1000000"},
    {"[maxpool]\nstride=2\n[dropout]\n[upsample]\n[route]\nlayers=-1,0\n",
     "[route] 3, line 10: layer 0 is 8x6, the first one 16x12; concatenated layers must agree (is the input "
     "size a "
     "multiple of the strides?)"},
    {"[dropout]\n[route]\nlayers=0\ngroups=2\n",
     "[route] 1, line 8: groups=2 does not divide the 3 channels of layer 0"},
    {"[dropout]\n[route]\nlayers=0\ngroups=3\ngroup_id=3\n",
     "[route] 1, line 9: group_id=3 is out of range; with groups=3 want 0 to 2"},
    {"[dropout]\n[shortcut]\n", "[shortcut] 1, line 6: lacks the key 'from'; name the layer to add, as in from=-3"},
    {"[dropout]\n[maxpool]\nstride=2\n[shortcut]\nfrom=0\n",
     "[shortcut] 2, line 9: adds layer 0 of 16x12x3 to 8x6x3; only equal heights and widths are supported"},
    {"[dropout]\n[shortcut]\nfrom=0\nweights_type=per_channel\n",
     "[shortcut] 1, line 8: key 'weights_type' is 'per_channel'; only 'none' is supported"},
    {"[dropout]\n[scale_channels]\nfrom=0\n",
     "[scale_channels] 1, line 7: multiplies 16x12x3 with 16x12x3; want one factor per channel, as after "
     "[avgpool]"},
    {"[dropout]\n[avgpool]\n[scale_channels]\nfrom=0\nscale_wh=1\n",
     "[scale_channels] 2, line 8: multiplies 16x12x3 with 1x1x3; want one factor per place (scale_wh=1)"},
    {"[dropout]\n[avgpool]\n[sam]\nfrom=0\n", "[sam] 2, line 8: multiplies 16x12x3 with 1x1x3; want equal shapes"},
    {"[sam]\n", "[sam] 0, line 5: lacks the key 'from'; name the layer to multiply with, as in from=-4"},
    {"[softmax]\n", "[softmax] 0, line 5: softmax over a whole 16x12 grid; only 1x1, or spatial=1, is supported"},
    {"[softmax]\ntemperature=2\n", "[softmax] 0, line 6: key 'temperature' is '2'; only '1' is supported"},
    {"[yolo]\nclasses=1\n", "[yolo] 0, line 5: lacks the key 'anchors'; the head's boxes are relative to them"},
    {"[yolo]\nanchors=1,2,3\nnum=2\n", "[yolo] 0, line 6: anchors has 3 numbers, num=2 wants 4"},
    {"[yolo]\nanchors=1,0\n", "[yolo] 0, line 6: key 'anchors' is '0', want a number from 0.001 to 1e+06"},
    {"[yolo]\nmask=1\nanchors=1,2\n", "[yolo] 0, line 6: key 'mask' is '1', want a whole number from 0 to 0"},
    {"[yolo]\nanchors=1,2\nclasses=4\n",
     "[yolo] 0, line 5: the layer before has 3 channels; 1 anchors of 4 classes + 5 want filters=9"},
    {"[convolutional]\nfilters=7\nactivation=linear\n[yolo]\nanchors=1,2\nclasses=2\n[dropout]\n",
     "[dropout] 2, line 11: reads layer 1, a [yolo]; its boxes cannot be a layer's input"},
    {"[convolutional]\nfilters=7\nactivation=linear\n[yolo]\nanchors=1,2\nclasses=2\n[route]\nlayers=1\n",
     "[route] 2, line 12: reads layer 1, a [yolo]; its boxes cannot be a layer's input"},
    {"[convolutional]\nfilters=7\nactivation=linear\n[yolo]\nanchors=1,2\nclasses=2\n[route]\nlayers=0\n"
     "[convolutional]\nfilters=6\nactivation=linear\n[yolo]\nanchors=1,2\nclasses=1\n",
     "[yolo] 4, line 18: classes=1, the head before has 2; all must agree"},
};
INSTANTIATE_TEST_SUITE_P(Messages, LayerError, testing::ValuesIn(kWrongs));

TEST(NetErrors, NameTheKey) {
  EXPECT_EQ(load_error("[net]\nwidth=3\n[dropout]"),
            "t.cfg: [net], line 1: lacks the key 'height'; the network needs an input size");
  EXPECT_EQ(load_error("[net]\nwidth=3\nheight=0\n"),
            "t.cfg: [net], line 3: key 'height' is '0', want a whole number from 1 to 16384");
  EXPECT_EQ(load_error("[net]\nwidht=3\n"),
            "t.cfg: [net], line 2: key 'widht' is not known here; did you mean 'width'?");
  EXPECT_EQ(load_error("[net]\nwidth=3\nheight=99999\n"),
            "t.cfg: [net], line 3: key 'height' is '99999', want a whole number from 1 to 16384");
}

}  // namespace
}  // namespace tessera
