#include "model/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "model/formats.h"
#include "model/input_size.h"
#include "model/native/native.h"
#include "model/test_models.h"

namespace tessera {
namespace {

constexpr std::string_view kCfg = "[net]\nwidth=8\nheight=8\n[convolutional]\nactivation=linear\n";

class LoadFiles : public testing::Test {
 protected:
  LoadFiles() : folder_(std::filesystem::temp_directory_path() / text("tessera_load_test_", ::getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~LoadFiles() override { std::filesystem::remove_all(folder_); }
  std::string put(const char* name, std::string_view bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  std::string at(const char* name) const { return folder_ / name; }
  static std::string error_of(const LoadOptions& options) {
    const auto model = load_model(options);
    return model ? "no error" : model.error().message;
  }
  std::filesystem::path folder_;
};

TEST_F(LoadFiles, WeightsStandBesideTheCfgOrWhereOneSays) {
  const auto cfg = put("a.cfg", kCfg);
  EXPECT_EQ(error_of({.model = cfg}), text("file '", at("a.weights"), "': not there"));
  put("a.weights", darknet_weights(counting(4)));
  EXPECT_EQ(error_of({.model = cfg}), "no error");
  EXPECT_EQ(error_of({.model = cfg, .weights = put("b.bin", darknet_weights(counting(4)))}), "no error");
}

// Their numbers stay in the mapped file.
TEST_F(LoadFiles, ModelsOutliveTheirFiles) {
  const auto cfg = put("a.cfg", kCfg), weights = put("a.weights", darknet_weights(counting(4)));
  const auto darknet = load_model(LoadOptions{.model = cfg});
  ASSERT_TRUE(darknet.has_value()) << darknet.error().message;
  ASSERT_TRUE(write_native(*darknet, at("a.tessera")).has_value());
  const auto native = load_model(LoadOptions{.model = at("a.tessera")});
  ASSERT_TRUE(native.has_value()) << native.error().message;
  for (const auto& path : {cfg, weights, at("a.tessera")}) std::filesystem::remove(path);
  for (const auto* model : {&*darknet, &*native}) {
    const auto& conv = std::get<ConvAttrs>(model->graph.nodes[1].attrs);
    EXPECT_THAT(*conv.bias, testing::ElementsAre(1));
    EXPECT_THAT(*conv.weights, testing::ElementsAre(2, 3, 4));
  }
}

TEST_F(LoadFiles, FilesThatCannotBeReadAreNamed) {
  EXPECT_EQ(error_of({.model = at("no.cfg")}), text("file '", at("no.cfg"), "': not there"));
  EXPECT_EQ(error_of({.model = folder_}), text("file '", folder_.string(), "': not a plain file"));
  EXPECT_EQ(error_of({.model = put("empty.cfg", "")}), text("file '", at("empty.cfg"), "': empty"));
  put("a.weights", darknet_weights(counting(4)));
  EXPECT_EQ(error_of({.model = put("a.cfg", kCfg), .names = at("no.names")}),
            text("file '", at("no.names"), "': not there"));
  const auto missing = load_model(LoadOptions{.model = at("no.cfg")});
  EXPECT_EQ(missing.error().code, Code::not_found);
}

TEST_F(LoadFiles, TextFilesHaveALimit) {
  put("a.weights", darknet_weights(counting(4)));
  const auto names = put("big.names", "x");
  std::filesystem::resize_file(names, kMaxTextBytes + 1);
  EXPECT_EQ(error_of({.model = put("a.cfg", kCfg), .names = names}),
            text("file '", names, "': 16777217 bytes; at most 16777216 are read"));
}

TEST_F(LoadFiles, AForeignFileListsTheFormats) {
  EXPECT_EQ(error_of({.model = put("x.pt", "PK\x03\x04pytorch")}),
            "model 'x.pt': its bytes are of no format known here: darknet (.cfg), native (.tessera), onnx (.onnx)");
}

TEST_F(LoadFiles, ANativeModelTakesNoWeights) {
  const auto model = load_cfg(kCfg, 4);
  ASSERT_TRUE(model.has_value());
  const auto path = put("m.tessera", native_bytes(*model));
  EXPECT_EQ(error_of({.model = path}), "no error");
  EXPECT_EQ(error_of({.model = path, .weights = at("w")}),
            text("model '", path, "': a native model holds its weights; drop '", at("w"), "'"));
}

TEST(Formats, AreSortedAndTheirNamesDiffer) {
  const auto name = [](const Format* format) { return std::string_view(format->name); };
  EXPECT_TRUE(std::ranges::is_sorted(formats(), {}, name));
  EXPECT_EQ(std::ranges::adjacent_find(formats(), {}, name), formats().end());
}

// Two halvings and one doubling: the coarsest grid decides.
constexpr std::string_view kStrides =
    "[net]\nwidth=8\nheight=8\n[maxpool]\nstride=2\n[maxpool]\nsize=2\nstride_x=2\nstride_y=4\n[upsample]\n[avgpool]\n";

TEST(InputSize, MultipleIsTheCoarsestStride) {
  const auto model = load_cfg(kStrides, 0);
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(size_multiple(model->graph).height, 8);
  EXPECT_EQ(size_multiple(model->graph).width, 4);
}

TEST(InputSize, IsCheckedAtLoadAndAfterwards) {
  const auto load = [](InputSize size) { return load_cfg(kStrides, 0, {}, size); };
  const auto error = [&](InputSize size) { return load(size) ? "no error" : load(size).error().message; };
  EXPECT_EQ(error({16, 12}), "no error");
  constexpr auto wish = ": the network wants the height a multiple of 8, the width of 4, at most 16384";
  EXPECT_EQ(error({12, 12}), text("input size 12x12 (height x width)", wish));
  EXPECT_EQ(error({0, 8}), text("input size 0x8 (height x width)", wish));
  EXPECT_EQ(error({8, -4}), text("input size 8x-4 (height x width)", wish));
  EXPECT_EQ(error({16392, 8}), text("input size 16392x8 (height x width)", wish));

  auto model = load({8, 8});
  ASSERT_TRUE(model.has_value());
  EXPECT_EQ(set_input_size(*model, {10, 8}).error().message, text("input size 10x8 (height x width)", wish));
  EXPECT_EQ(model->preprocess.height, 8) << "a refused size changes nothing";
  EXPECT_TRUE(set_input_size(*model, {24, 4}).has_value());
  EXPECT_EQ(model->preprocess.height, 24);
  EXPECT_EQ(model->graph.values[1].spec.shape, (Shape{1, 12, 2, 3}));
}

TEST(InputSize, AnOwnSizeThatDoesNotFitCanBeReplaced) {
  // 6 -> 3 -> 6 meets 6, but 5 -> 3 -> 6 does not meet 5.
  constexpr std::string_view cfg =
      "[net]\nwidth=5\nheight=5\n[dropout]\n[maxpool]\nstride=2\n[upsample]\n[route]\nlayers=-1,0\n";
  EXPECT_THAT(load_error(cfg), testing::HasSubstr("layer 0 is 5x5, the first one 6x6"));
  const auto model = load_cfg(cfg, 0, {}, InputSize{6, 8});
  ASSERT_TRUE(model.has_value()) << model.error().message;
}

TEST(InputSize, NeedsOneInput) {
  Model model{.name = "two"};
  model.graph.add_input("a", {1, 4, 4, 1});
  model.graph.add_input("b", {1, 4, 4, 1});
  EXPECT_EQ(set_input_size(model, {8, 8}).error().message, "model 'two': 2 inputs; a size can be set for one only");
}

}  // namespace
}  // namespace tessera
