#include "model/native/native.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/text.h"
#include "model/native/crc32.h"
#include "model/test_models.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Constant constant(std::size_t count, float first) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = first + static_cast<float>(i) * 0.37f;
  return std::make_shared<const std::vector<float>>(std::move(values));
}

/// Every general tensor operator, from a value of 1x2x3x4; gives the last value.
ValueId add_tensor_operators(Graph& g, ValueId x) {
  const Shape4 same{1, 2, 3, 4};
  const ValueId number = g.add("number", ConstantAttrs{constant(1, -2.5f), {1, 1, 1, 1}}, {});
  const ValueId flat = g.add("flat", ReshapeAttrs{{1, 1, 1, 24}}, {x});
  const ValueId back = g.add("back", RearrangeAttrs{{2, 12}, {-12, 1}, 12, same}, {flat});
  const ValueId less =
      g.add("less", BinaryAttrs{BinaryKind::less, {Activation::leaky, 0.5f}, {24}, {1}, {0}, same}, {back, number});
  const ValueId elu = g.add("elu", UnaryAttrs{UnaryKind::hard_sigmoid, 0.2f, 0.5f}, {back});
  const ValueId pick = g.add("pick", SelectAttrs{{24}, {1}, {0}, {1}, same}, {less, number, elu});
  const ValueId product = g.add("product", MatMulAttrs{{2}, {12}, {0}, 3, 4, 2, {1, 2, 3, 2}}, {pick, pick});
  const ValueId last =
      g.add("last", ReduceAttrs{ReduceKind::argmax, true, {2}, {6}, {6}, {1}, {1, 1, 1, 2}}, {product});
  const ValueId few = g.add("few", TopKAttrs{2, false, true}, {product});
  const ValueId rows = g.add("rows", GatherAttrs{1, 2, 6, true, {1, 2, 3, 2}}, {few, product});
  const ValueId taken = g.add("taken", GatherAttrs{2, 3, 2, false, {1, 2, 2, 2}}, {rows, last});
  const ValueId large =
      g.add("large",
            ResizeAttrs{
                ResizeKind::linear, {0, 0, 1}, {1, 1, 1}, {1, 0}, {1, 0}, {0, 0.5f, 0.25f}, {0.125f, 0}, {1, 3, 2, 2}},
            {taken});
  const ValueId wide = g.add("wide", PadAttrs{PadMode::edge, {0, 1, 0, 2}, {0, 0, 3, 0}, 1.5f}, {large});
  return g.add("joined", ConcatDimsAttrs{2, {40, 6}, {1, 2, 1, 46}}, {wide, large});
}

/// Every operator, no attribute at its default, two inputs, shared constants, names with blanks and commas.
Model every_operator() {
  Model model;
  model.name = "every operator, 100% of them";
  Graph& g = model.graph;
  const ValueId a = g.add_input("first input", {1, 12, 10, 4}), b = g.add_input("b", {1, 12, 10, 4});
  ConvAttrs conv{.oc = 8, .kh = 3, .kw = 2, .sh = 2, .sw = 1, .dh = 1, .dw = 2, .groups = 2, .pad = {1, 0, 2, 3}};
  conv.weights = constant(8 * 2 * 3 * 2, 0.1f);
  conv.bias = constant(8, -1.0f / 3.0f);
  conv.epilogue.act = {Activation::leaky, 0.25f};
  const ValueId c = g.add("a,b=c", conv, {a});
  BatchNormAttrs bn{constant(8, 1), constant(8, 2), constant(8, 3), constant(8, 4), 1e-5f};
  const ValueId d = g.add("bn", bn, {c});
  conv = {.oc = 8,
          .weights = constant(64, 0.5f),
          .bias = conv.bias,
          .epilogue = {{Activation::mish, 0.1f}, true, {Activation::relu, 0.1f}}};
  const ValueId e = g.add("residual", conv, {d, c});
  const ValueId f = g.add("act", ActivationAttrs{{Activation::hard_swish, 0.1f}}, {e});
  const ValueId h = g.add("sum", AddAttrs{{Activation::tanh, 0.1f}}, {f, e, d});
  const ValueId i = g.add("gap", GlobalAveragePoolAttrs{}, {h});
  const ValueId j = g.add("scaled", MulAttrs{{Activation::silu, 0.1f}}, {h, i});
  const ValueId k = g.add("slice", SliceAttrs{3, 4}, {j});
  const ValueId l = g.add("pool", PoolAttrs{PoolAttrs::Kind::average, 3, 2, 1, 2, {1, 0, 1, 1}}, {k});
  const ValueId m = g.add("up", UpsampleAttrs{2, 3, 0.5f}, {l});
  const ValueId n = g.add("id", IdentityAttrs{}, {m});
  const ValueId o = g.add("both", ConcatAttrs{}, {n, n});
  const ValueId p = g.add("soft", SoftmaxAttrs{}, {o});
  const ValueId q = g.add("other", ConvAttrs{.oc = 1, .weights = constant(4, 2)}, {b});
  const ValueId r = g.add("wide pool", PoolAttrs{PoolAttrs::Kind::average, 2, 2, 9, 4, {0, 0, 0, 0}, 2, 1, true}, {b});
  const ValueId bytes = g.add_input("bytes", {1, 2, 3, 2}, DType::UInt8);
  const ValueId s = g.add("numbers", FromBytesAttrs{{1 / 255.0f, -0.5f}, {0, 1e-9f}}, {bytes});
  g.outputs = {q, p, add_tensor_operators(g, r), s};
  const auto inferred = infer_shapes(g);
  EXPECT_TRUE(inferred.has_value()) << inferred.error().message;
  EXPECT_TRUE(verify(g).has_value());
  return model;
}

Model small_detector() {
  auto model = load_cfg(
      "[net]\nwidth=8\nheight=4\n[convolutional]\nfilters=14\nactivation=linear\n"
      "[yolo]\nanchors=1.5,2,3,4.25\nnum=2\nclasses=2\nscale_x_y=1.05\nnew_coords=1\n",
      14 + 42, "traffic light\nPlüschtier\n");
  EXPECT_TRUE(model.has_value()) << model.error().message;
  return *model;
}

Result<Model> read(std::string_view file, std::optional<InputSize> size = {}) {
  return load_model(
      ModelBytes{.name = "t.tessera", .model = as_bytes(file), .weights = {}, .names = {}, .size = size, .log = {}});
}

std::string error_of(std::string_view file) {
  const auto model = read(file);
  return model ? "no error" : model.error().message;
}

/// The file with a part of its header replaced and the header's checksum made right again.
std::string edited(std::string file, std::string_view from, std::string_view to) {
  const auto at = file.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  file.replace(at, from.size(), to);
  const auto end = file.find("\nend crc32=") + 1, blob = file.find_first_not_of('\n', end + 18);
  const std::string constants = blob == std::string::npos ? "" : file.substr(blob);
  file.resize(end);
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", native::crc32(as_bytes(file)));
  file += text("end crc32=", std::string_view(digits), "\n");
  file.resize((file.size() + 63) / 64 * 64, '\n');
  return file + constants;
}

TEST(Native, EveryOperatorSurvivesWritingAndReading) {
  const Model model = every_operator();
  const std::string file = native_bytes(model);
  const auto again = read(file);
  ASSERT_TRUE(again.has_value()) << again.error().message << "\n" << file.substr(0, file.find("\nend"));
  EXPECT_EQ(again->name, model.name);
  EXPECT_EQ(again->format, "native");
  ASSERT_EQ(again->graph.nodes.size(), model.graph.nodes.size());
  for (std::size_t i = 0; i < model.graph.nodes.size(); ++i) {
    EXPECT_EQ(again->graph.nodes[i].name, model.graph.nodes[i].name);
    EXPECT_EQ(again->graph.nodes[i].attrs.index(), model.graph.nodes[i].attrs.index());
    EXPECT_EQ(again->graph.nodes[i].inputs, model.graph.nodes[i].inputs);
    EXPECT_EQ(again->graph.values[i].spec, model.graph.values[i].spec) << model.graph.nodes[i].name;
  }
  EXPECT_EQ(again->graph.inputs, model.graph.inputs);
  EXPECT_EQ(again->graph.outputs, model.graph.outputs);
  // The same bytes when written again: no attribute and no constant was lost or changed.
  EXPECT_EQ(native_bytes(*again), file);
}

TEST(Native, AttributesKeepTheirValues) {
  const auto again = read(native_bytes(every_operator()));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  const auto& conv = std::get<ConvAttrs>(again->graph.nodes[2].attrs);
  EXPECT_EQ(std::tie(conv.oc, conv.kh, conv.kw, conv.sh, conv.sw, conv.dh, conv.dw, conv.groups),
            std::make_tuple(8, 3, 2, 2, 1, 1, 2, 2));
  EXPECT_EQ(conv.pad, (Padding{1, 0, 2, 3}));
  EXPECT_EQ(conv.epilogue.act, (ActivationSpec{Activation::leaky, 0.25f}));
  EXPECT_EQ(conv.bias->front(), -1.0f / 3.0f);
  const auto& residual = std::get<ConvAttrs>(again->graph.nodes[4].attrs);
  EXPECT_TRUE(residual.epilogue.residual);
  EXPECT_EQ(residual.epilogue.post_act.kind, Activation::relu);
  EXPECT_EQ(residual.bias, conv.bias) << "a shared constant is one object again";
  const auto& pool = std::get<PoolAttrs>(again->graph.nodes[10].attrs);
  EXPECT_EQ(pool.kind, PoolAttrs::Kind::average);
  EXPECT_EQ(pool.pad, (Padding{1, 0, 1, 1}));
}

TEST(Native, DetectorPreprocessingAndNamesSurvive) {
  Model model = small_detector();
  model.preprocess.resize = ResizeMode::letterbox;
  model.preprocess.order = ColorOrder::bgr;
  model.preprocess.fill = 114;
  model.preprocess.mean = {0.485f, 0.456f, 0.406f};
  model.preprocess.std = {0.229f, 0.224f, 0.225f};
  model.detector->nms_iou = 0.6f;
  const auto again = read(native_bytes(model));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->preprocess.resize, ResizeMode::letterbox);
  EXPECT_EQ(again->preprocess.order, ColorOrder::bgr);
  EXPECT_EQ(again->preprocess.fill, 114);
  EXPECT_EQ(again->preprocess.scale, model.preprocess.scale);
  EXPECT_EQ(again->preprocess.mean, model.preprocess.mean);
  EXPECT_EQ(again->preprocess.std, model.preprocess.std);
  EXPECT_EQ(again->detector->nms_iou, 0.6f);
  ASSERT_EQ(again->detector->heads.size(), 1u);
  EXPECT_EQ(again->detector->heads[0].output, again->graph.outputs[0]);
  EXPECT_EQ(again->detector->heads[0].anchors, model.detector->heads[0].anchors);
  EXPECT_EQ(again->detector->heads[0].scale_xy, 1.05f);
  EXPECT_TRUE(again->detector->heads[0].new_coords);
  EXPECT_THAT(again->class_names, ElementsAre("traffic light", "Plüschtier"));
  EXPECT_EQ(native_bytes(*again), native_bytes(model));
}

TEST(Native, HeaderIsReadableAndTheBlobAligned) {
  const std::string file = native_bytes(small_detector());
  EXPECT_THAT(
      file,
      StartsWith("tessera-model 1\nmodel name=t.cfg\npreprocess width=8 height=4 channels=3 resize=stretch fill=128 "
                 "order=rgb scale=0.003921569 mean=0,0,0 std=1,1,1\n"
                 "detector family=anchor-grid classes=2 nms_iou=0.45\n"
                 "head output=conv_0 anchors=1.5,2,3,4.25 scale_xy=1.05 new_coords=1\n"
                 "class name=traffic%20light\nclass name=Plüschtier\n"
                 "input name=input shape=1,4,8,3\n"
                 "conv name=conv_0 inputs=input oc=14 kernel=1,1 stride=1,1 dilation=1,1 groups=1 pad=0,0,0,0 "
                 "weights=0 bias=1\n"
                 "graph inputs=input outputs=conv_0\n"
                 "constant index=0 type=f32 offset=0 count=42\n"
                 "constant index=1 type=f32 offset=192 count=14\nblob bytes=248 crc32="));
  const std::size_t blob = file.size() - 248;
  EXPECT_EQ(blob % 64, 0u);
  float first = 0, last = 0;
  std::memcpy(&first, file.data() + blob, 4);  // the first weight: the bias stands before it in a Darknet file
  std::memcpy(&last, file.data() + file.size() - 4, 4);  // the last bias
  EXPECT_EQ(first, 15.0f);
  EXPECT_EQ(last, 14.0f);
}

TEST(Native, ReadsWhatThePythonOfItsDocumentWrote) {
  // testdata/models/tiny.tessera: the program in docs/native-format.md, run on the lines of that test file.
  const auto model = load_model(LoadOptions{.model = TESSERA_TESTDATA "/models/tiny.tessera"});
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(model->name, "tiny");
  const auto& conv = std::get<ConvAttrs>(model->graph.nodes[1].attrs);
  EXPECT_EQ(conv.epilogue.act, (ActivationSpec{Activation::leaky, 0.1f}));
  EXPECT_EQ((*conv.weights)[17], 17.0f);
  EXPECT_THAT(*conv.bias, ElementsAre(1, 2));
  EXPECT_EQ(model->graph.value(model->graph.outputs[0]).spec.shape, (Shape{1, 4, 4, 2}));
}

TEST(Native, TakesAnotherInputSize) {
  const auto model = read(native_bytes(small_detector()), InputSize{6, 12});
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(model->graph.value(model->graph.outputs[0]).spec.shape, (Shape{1, 6, 12, 14}));
  EXPECT_EQ(model->preprocess.width, 12);
}

TEST(Native, EveryShorterFileIsAnError) {
  const std::string file = native_bytes(small_detector());
  for (std::size_t size = 1; size < file.size(); ++size) {
    EXPECT_NE(error_of(std::string_view(file).substr(0, size)), "no error") << size << " bytes";
  }
  EXPECT_THAT(error_of(file.substr(0, file.size() - 1)), HasSubstr("a blob of 248 bytes expected, 247 found"));
  EXPECT_THAT(error_of(file + "x"), HasSubstr("a blob of 248 bytes expected, 249 found"));
  EXPECT_THAT(error_of(file.substr(0, 100)), HasSubstr("no line 'end crc32='"));
}

TEST(Native, EveryFlippedByteIsAnError) {
  const std::string file = native_bytes(small_detector());
  for (std::size_t i = 0; i < file.size(); ++i) {
    std::string changed = file;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    EXPECT_NE(error_of(changed), "no error") << "byte " << i;
  }
}

struct Edit {
  const char *from, *to, *error;
};
void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.to; }
class NativeEdit : public testing::TestWithParam<Edit> {};

TEST_P(NativeEdit, IsReported) {
  const Edit& edit = GetParam();
  EXPECT_THAT(error_of(edited(native_bytes(small_detector()), edit.from, edit.to)), HasSubstr(edit.error));
}

constexpr Edit kEdits[] = {
    {"tessera-model 1", "tessera-model 2", "this is 'tessera-model 2', want 'tessera-model 1'"},
    {"conv name", "convolve name", "header line 9: 'convolve' is neither an operator nor another word of this format"},
    {" bias=1", " bia=1", "header line 9: key 'bia' is not known here"},
    {" bias=1", " bias=2", "header line 9: key 'bias' cannot be '2'; constants run up to 2"},
    {" bias=1", " bias=", "header line 9: key 'bias' has no value"},
    {" bias=1", " bias", "header line 9: 'bias' is not key=value"},
    {" bias=1", " weights=1", "header line 9: key 'weights' is given twice"},
    {"pad=0,0,0,0", "pad=0,0,0", "header line 9: key 'pad' cannot be '0,0,0'; want 4 values with commas between them"},
    {"kernel=1,1", "kernel=1,x", "header line 9: key 'kernel' cannot be '1,x'"},
    {"inputs=input oc", "inputs=inpt oc", "key 'inputs' cannot be 'inpt'; want names of nodes in earlier lines"},
    {"name=conv_0 ", "name=input ", "a second node is called 'input'"},
    {"conv name=conv_0 ", "conv ", "header line 9: lacks the key 'name'"},
    {"graph inputs=input", "graph inputs=conv_0", "its value must stand once among the graph's inputs"},
    {"resize=stretch", "resize=squash", "header line 3: key 'resize' cannot be 'squash'"},
    {"preprocess width=8", "preprocess width=9", "preprocessing makes 4x9x3, the graph takes 4x8x3"},
    {"std=1,1,1", "std=1,0,1", "scale and std must be finite and not 0"},
    {"std=1,1,1", "std=1,nan,1", "key 'std' cannot be '1,nan,1'"},
    {"classes=2", "classes=3", "head 0: has 14 channels, 2 anchors and 3 classes want 16"},
    {"classes=2", "classes=0", "detector of 0 classes; want 1 to 65536"},
    {"nms_iou=0.45", "nms_iou=1.5", "nms_iou must be from 0 to 1"},
    {"anchors=1.5", "anchors=-1.5", "head 0: anchors must be positive"},
    {"anchors=1.5,2", "anchors=1.5", "key 'anchors' cannot be"},
    {"scale_xy=1.05", "scale_xy=0", "head 0: scale_xy must be positive"},
    {"head output=conv_0", "head output=input", "head 0: is not the graph's output of the same number"},
    {"class name=traffic%20light\n", "", "1 class names for 2 classes"},
    {"class name=traffic%20light", "class name=traffic%0alight", "a class name is not UTF-8 text"},
    {"class name=traffic%20light", "class name=traffic%2", "key 'name' cannot be 'traffic%2'"},
    {"detector family=anchor-grid classes=2 nms_iou=0.45\n", "", "head without a detector line"},
    {"detector family=anchor-grid", "detector\ndetector family=anchor-grid", "second detector; a model has one"},
    {"constant index=1", "constant index=2", "the next constant is index=1 at offset=192"},
    {"offset=192", "offset=128", "the next constant is index=1 at offset=192"},
    {"type=f32", "type=f16", "want 'constant index=I type=f32 offset=N count=N'"},
    {"count=14\n", "count=15\n", "constant of '15' numbers; the blob has 14 left"},
    {"count=14\n", "count=18446744073709551615\n", "numbers; the blob has 14 left"},
    {"count=14\n", "count=13\n", "the constants take 244 bytes, the blob has 248"},
    {"count=42\n", "count=41\n", "weights"},
    {"blob bytes=248", "blob size=248", "want 'blob bytes=N crc32=XXXXXXXX'"},
    {"blob bytes", "constant index=2 type=f32 offset=256 count=0\nblob bytes", "the constants take 256 bytes"},
    {"graph inputs", "blob bytes=0 crc32=00000000\ngraph inputs", "want one line 'blob'"},
    {"graph inputs", "\ngraph inputs", "header line 10: begins with no word"},
};
INSTANTIATE_TEST_SUITE_P(Messages, NativeEdit, testing::ValuesIn(kEdits));

TEST(Native, NumbersMustBeFinite) {
  Model model = small_detector();
  auto& conv = std::get<ConvAttrs>(model.graph.nodes[1].attrs);
  std::vector<float> weights(conv.weights->begin(), conv.weights->end());
  weights[7] = std::numeric_limits<float>::infinity();
  conv.weights = std::make_shared<const std::vector<float>>(weights);
  EXPECT_THAT(error_of(native_bytes(model)), HasSubstr("number 7 is inf, want a finite one"));
}

TEST(Native, WritesFiles) {
  const auto path = std::filesystem::temp_directory_path() / text("tessera_native_test_", ::getpid(), ".tessera");
  ASSERT_TRUE(write_native(small_detector(), path).has_value());
  const auto again = load_model(LoadOptions{.model = path});
  std::filesystem::remove(path);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->class_names.size(), 2u);
  const auto nowhere = write_native(small_detector(), "/nonexistent-folder/x.tessera");
  ASSERT_FALSE(nowhere.has_value());
  EXPECT_EQ(nowhere.error().message, "model '/nonexistent-folder/x.tessera': cannot be written");
  EXPECT_EQ(nowhere.error().code, Code::io);
}

TEST(Crc32, EqualsThePublishedCheckValue) {
  EXPECT_EQ(native::crc32(as_bytes("123456789")), 0xcbf43926u);  // ISO 3309 / ITU-T V.42 check value
  EXPECT_EQ(native::crc32({}), 0u);
}

TEST(Crc32, EightBytesAtATimeEqualOneAtATime) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) {
    std::uint32_t crc = 0xffffffffu;  // the definition, bit by bit
    for (char c : bytes) {
      crc ^= static_cast<unsigned char>(c);
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
    }
    EXPECT_EQ(native::crc32(as_bytes(bytes)), ~crc) << i << " bytes";
    bytes += static_cast<char>(i * 37 + 11);
  }
}

TEST(Crc32, FoldingEqualsTheTablesAtAnyLengthAndPlace) {
  std::string bytes(1000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i * 31 + i * 7 + 5);
  for (std::size_t from = 0; from < 20; ++from) {
    for (std::size_t size = 0; from + size <= bytes.size(); size += size < 200 ? 1 : 67) {
      const auto part = as_bytes(std::string_view(bytes).substr(from, size));
      EXPECT_EQ(native::crc32(part), native::crc32_by_tables(part)) << size << " bytes from " << from;
    }
  }
}

TEST(Crc32, GoesOnWhereItStopped) {
  const std::string bytes(300, 'a');
  const std::uint32_t whole = native::crc32(as_bytes(bytes));
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const auto all = as_bytes(bytes);
    EXPECT_EQ(native::crc32(all.subspan(cut), native::crc32(all.first(cut))), whole) << cut;
  }
}

TEST(NativeFile, AnInfiniteWeightIsRefusedBeforeAFileIsWritten) {
  Model model;
  model.name = "m";
  model.graph.add_input("x", {1, 1, 1, 1});
  ConvAttrs conv;
  conv.oc = 1;
  conv.weights = std::make_shared<const std::vector<float>>(1, INFINITY);
  model.graph.outputs = {model.graph.add("y", conv, {0})};
  ASSERT_TRUE(infer_shapes(model.graph).has_value());
  const std::string path = ::testing::TempDir() + "infinite.tessera";
  const auto written = write_native(model, path);
  ASSERT_FALSE(written.has_value());
  EXPECT_NE(written.error().message.find("cannot be stored"), std::string::npos) << written.error().message;
  EXPECT_FALSE(std::ifstream(path).good());
}

}  // namespace
}  // namespace tessera
