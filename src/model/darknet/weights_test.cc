#include "model/darknet/weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/text.h"
#include "model/test_models.h"

namespace tessera {
namespace {

constexpr std::string_view kCfg =
    "[net]\nwidth=4\nheight=4\nchannels=1\n[convolutional]\nbatch_normalize=1\nfilters=2\nactivation=linear\n"
    "[convolutional]\nactivation=linear\n";
constexpr std::size_t kNumbers = 4 * 2 + 2 + 1 + 2;

Result<Model> load(std::string_view weights) {
  return load_model(ModelBytes{
      .name = "t.cfg", .model = as_bytes(kCfg), .weights = as_bytes(weights), .names = {}, .size = {}, .log = {}});
}
std::string error_of(std::string_view weights) {
  const auto model = load(weights);
  return model ? "no error" : model.error().message;
}
std::string with(std::size_t index, float value) {
  auto numbers = counting(kNumbers);
  numbers[index] = value;
  return darknet_weights(numbers);
}

TEST(Weights, LengthMustBeExact) {
  const std::string right = darknet_weights(counting(kNumbers));
  EXPECT_TRUE(load(right).has_value());
  EXPECT_EQ(error_of(right + "abcd"),
            "weights for t.cfg: 72 bytes expected, 76 found, 4 too many; they belong to another cfg");
  EXPECT_EQ(error_of(right.substr(0, 71)),
            "weights for t.cfg: 72 bytes expected, 71 found; they end inside t.cfg: [convolutional] 1, "
            "line 9 (truncated, or of another cfg)");
  EXPECT_EQ(error_of(right.substr(0, 58)),
            "weights for t.cfg: 72 bytes expected, 58 found; they end inside t.cfg: [convolutional] 0, "
            "line 5 (truncated, or of another cfg)");
  EXPECT_EQ(error_of(right.substr(0, 15)), "weights for t.cfg: 15 bytes, too few for the header of 16 or 20");
  EXPECT_EQ(error_of(""), "weights for t.cfg: 0 bytes, too few for the header of 16 or 20");
}

TEST(Weights, VersionDecidesTheHeader) {
  std::string old = darknet_weights(counting(kNumbers));
  old[4] = 1;  // version 0.1: images seen in four bytes
  old.erase(16, 4);
  const auto model = load(old);
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_THAT(*std::get<BatchNormAttrs>(model->graph.nodes[2].attrs).beta, testing::ElementsAre(1, 2));
  old[1] = 4;  // version 1024.1
  EXPECT_EQ(error_of(old),
            "weights for t.cfg: version 1024.1 stores matrices transposed; save them with version 0.2 first");
  old[3] = '\x80';
  EXPECT_THAT(error_of(old), testing::HasSubstr("; not a Darknet weights file"));
}

TEST(Weights, NumbersMustBeUsable) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error_of(with(1, inf)),
            "weights for t.cfg: [convolutional] 0, line 5: bias 1 is inf, want a finite number");
  EXPECT_EQ(error_of(with(2, -inf)),
            "weights for t.cfg: [convolutional] 0, line 5: scale 0 is -inf, want a finite number");
  EXPECT_EQ(error_of(with(5, inf)),
            "weights for t.cfg: [convolutional] 0, line 5: mean 1 is inf, want a finite number");
  EXPECT_EQ(error_of(with(7, -0.5f)), "weights for t.cfg: [convolutional] 0, line 5: variance 1 is -0.5, below 0");
  EXPECT_EQ(error_of(with(12, std::nanf(""))),
            "weights for t.cfg: [convolutional] 1, line 9: weight 1 is nan, want a finite number");
  EXPECT_EQ(error_of(with(6, -7e-44f)), "no error") << "published weights have such variances in dead channels";
  EXPECT_EQ(error_of(with(6, 0.0f)), "no error");
}

TEST(Weights, DeadChannelsAreToldOf) {
  std::vector<std::string> told;
  const std::string weights = with(6, -7e-44f);
  const auto model = load_model(ModelBytes{.name = "t.cfg",
                                           .model = as_bytes(kCfg),
                                           .weights = as_bytes(weights),
                                           .names = {},
                                           .size = {},
                                           .log = [&](LogLevel level, std::string_view line) {
                                             told.push_back(text(level == LogLevel::warning ? "warning: " : "", line));
                                           }});
  ASSERT_TRUE(model.has_value());
  EXPECT_THAT(told, testing::ElementsAre(
                        "warning: t.cfg: [convolutional] 0, line 5: 1 channels have a variance of 0 or below; taken as "
                        "epsilon 1e-06"));
}

TEST(Weights, ACfgCannotAskForMoreThanTheLimit) {
  const auto one_too_large =
      load_cfg("[net]\nwidth=1024\nheight=1024\nchannels=1\n[convolutional]\nfilters=65536\nsize=1024\n", 1);
  ASSERT_FALSE(one_too_large.has_value());
  EXPECT_EQ(one_too_large.error().code, Code::limit_exceeded);
  EXPECT_EQ(one_too_large.error().message,
            "t.cfg: [convolutional] 0, line 5: wants 65536 kernels of 1x1024x1024 weights, more than "
            "8589934592 bytes");
  // Each layer within the limit, their sum beyond it; nothing is allocated for either.
  std::string many = "[net]\nwidth=1\nheight=1\nchannels=1024\n[convolutional]\nfilters=32768\nactivation=linear\n";
  for (int i = 0; i < 3; ++i) many += "[convolutional]\nfilters=32768\nactivation=linear\n";
  const auto sum_too_large = load_cfg(many, 1);
  ASSERT_FALSE(sum_too_large.has_value());
  EXPECT_EQ(sum_too_large.error().code, Code::limit_exceeded);
  EXPECT_EQ(sum_too_large.error().message,
            "t.cfg: [convolutional] 2, line 11: the network wants more than 8589934592 bytes of weights");
}

TEST(Weights, EpsilonStandsInsideTheRoot) {
  // In healthy channels the two forms differ by less than the half of 1e-6 / variance, relatively.
  for (const float variance : {0.25f, 1.0f, 100.0f}) {
    const double inside = 1.0 / std::sqrt(double{variance} + darknet::kBatchNormEpsilon);
    const double outside = 1.0 / (std::sqrt(double{variance}) + 1e-6);
    EXPECT_LT(std::abs(inside / outside - 1.0), 1e-6) << variance;
  }
}

}  // namespace
}  // namespace tessera
