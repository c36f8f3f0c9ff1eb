// Kernel choices through a file.

#include "pipeline/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/load.h"
#include "pipeline/prepare.h"

namespace tessera {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Choices : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const char* name) const { return (folder_ / name).string(); }
  std::string write(const std::string& content) const {
    std::ofstream(file("written.json")) << content;
    return file("written.json");
  }
  fs::path folder_;
};

Result<std::shared_ptr<const Executable>> nano(DetectorOptions options, int size = 160) {
  LoadOptions load;
  load.model = TESSERA_TESTDATA "/../models/tessera-nano/tessera-nano.cfg";
  load.size = InputSize{size, size};
  auto model = load_model(load);
  if (!model) return model.error();
  if (options.threads == 0) options.threads = 1;
  return prepare_graph(std::move(model->graph), options);
}

DetectorOptions with(const std::string& choices) {
  DetectorOptions options;
  options.choices = choices;
  return options;
}
std::string error_of(const DetectorOptions& options, int size = 160) {
  const auto exec = nano(options, size);
  return exec ? "no error" : exec.error().message;
}

std::vector<std::string> kernels(const Executable& executable) {
  std::vector<std::string> out;
  for (const NodeChoice& choice : executable.choices()) out.push_back(choice.impl);
  return out;
}

TEST_F(Choices, MeasuredOnesAreSavedAndTakenAgain) {
  DetectorOptions options;
  options.choose_measured = true;
  options.save_choices = file("c.json");
  const auto measured = nano(options);
  ASSERT_TRUE(measured.has_value()) << measured.error().message;
  const auto again = nano(with(file("c.json")));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(kernels(**again), kernels(**measured));
}

// Every convolution turned round: no accident of the model gives the same.
TEST_F(Choices, TheFileDecides) {
  DetectorOptions save;
  save.save_choices = file("c.json");
  ASSERT_EQ(error_of(save), "no error");
  std::ifstream in(file("c.json"));
  nlohmann::json json = nlohmann::json::parse(in);
  int turned = 0;
  for (auto& node : json["nodes"]) {
    const auto kernel = node["kernel"].get<std::string>();
    if (kernel.find("winograd") == std::string::npos) continue;
    node["kernel"] = "conv_gemm" + kernel.substr(kernel.rfind('_'));
    ++turned;
  }
  ASSERT_GT(turned, 3);
  DetectorOptions exact;
  exact.exact = true;
  const auto taken = nano(with(write(json.dump())));
  ASSERT_TRUE(taken.has_value()) << taken.error().message;
  EXPECT_EQ(kernels(**taken), kernels(**nano(exact)));
}

TEST_F(Choices, ADifferentProcessorAndNumberOfThreadsIsToldADifferentIsaRefused) {
  DetectorOptions save;
  save.save_choices = file("c.json");
  ASSERT_EQ(error_of(save), "no error");
  std::ifstream in(file("c.json"));
  nlohmann::json json = nlohmann::json::parse(in);
  json["processor"] = "Z80";
  std::vector<std::string> told;
  DetectorOptions options = with(write(json.dump()));
  options.threads = 2;
  options.log = [&told](std::string_view line) { told.emplace_back(line); };
  ASSERT_EQ(error_of(options), "no error");
  EXPECT_THAT(told, testing::Contains(HasSubstr("made for Z80, here is ")));
  EXPECT_THAT(told, testing::Contains(HasSubstr("made for 1 threads, here is 2")));
  json["isa"] = "sse9";
  EXPECT_THAT(error_of(with(write(json.dump()))), AllOf(HasSubstr("made for isa sse9, here is "), HasSubstr("want")));
}

TEST_F(Choices, OfAnotherSizeAreRefused) {
  DetectorOptions save;
  save.save_choices = file("c.json");
  ASSERT_EQ(error_of(save), "no error");
  EXPECT_THAT(error_of(with(file("c.json")), 192), AllOf(HasSubstr("for node '"), HasSubstr("at this size")));
}

TEST_F(Choices, FilesThatAreNone) {
  EXPECT_THAT(error_of(with(file("absent.json"))), HasSubstr("absent.json"));
  const auto refused = [&](const char* content) { return error_of(with(write(content))); };
  EXPECT_THAT(refused("{"), HasSubstr("written.json: is no JSON"));
  EXPECT_THAT(refused("[]"), HasSubstr("is no file of choices; want \"tessera_choices\": 1"));
  EXPECT_THAT(refused(R"({"tessera_choices": 1})"), HasSubstr("has no text \"processor\""));
  EXPECT_THAT(refused(R"({"tessera_choices": 1, "processor": "p", "isa": "i"})"),
              HasSubstr("has no number \"threads\""));
  EXPECT_THAT(refused(R"({"tessera_choices": 1, "processor": "p", "isa": "i", "threads": 1})"),
              HasSubstr("has no list \"nodes\""));
  EXPECT_THAT(refused(R"({"tessera_choices": 1, "processor": "p", "isa": "i", "threads": 1, "nodes": [{"node": 3}]})"),
              HasSubstr("nodes[0]: want texts"));
  DetectorOptions save;
  save.save_choices = file("no/folder.json");
  EXPECT_THAT(error_of(save), HasSubstr("no/folder.json"));
}

}  // namespace
}  // namespace tessera
