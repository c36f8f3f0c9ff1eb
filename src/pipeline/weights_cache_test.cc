// DetectorOptions::weights_cache: the same boxes from mapped weights as from packed ones, on a published model too.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tessera/detector.h>

#include <cstdlib>

#include "pipeline/test_detector.h"

namespace tessera {
namespace {

using test::Picture;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::filesystem::path published() {
  const char* set = std::getenv("TESSERA_DATA");
  return std::filesystem::path(set != nullptr ? set : TESSERA_DATA_DEFAULT) / "models" / "darknet" /
         "MobileNetV2-YOLOv3-Nano-coco.cfg";
}

/// Any picture will do: scores of all places that are not quite impossible.
std::vector<Detection> found_by(const DetectorOptions& options, const Picture& picture) {
  auto detector = Detector::load(options);
  EXPECT_TRUE(detector.has_value()) << detector.error().message;
  if (!detector) return {};
  const auto found = detector->detect(picture.view());
  EXPECT_TRUE(found.has_value());
  return found ? *found : std::vector<Detection>{};
}

TEST(WeightsCache, FindsTheSameObjectsInPublishedModels) {
  if (!std::filesystem::exists(published()))
    GTEST_SKIP() << "no " << published() << "; TESSERA_DATA says where models are";
  Picture picture(64, 64, 0);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) picture.pixels[i] = static_cast<std::uint8_t>(i * i >> 7);
  const test::TempFolder folder;
  DetectorOptions options{.model = published(), .threshold = 1e-4f};
  const auto want = found_by(options, picture);
  EXPECT_THAT(want, Not(IsEmpty()));
  options.weights_cache = folder.path() / "cache";
  EXPECT_EQ(found_by(options, picture), want) << "packed and written";
  EXPECT_FALSE(std::filesystem::is_empty(folder.path() / "cache"));
  EXPECT_EQ(found_by(options, picture), want) << "mapped";
}

TEST(WeightsCache, WhatIsWrongWithItIsToldAndNoError) {
  if (!std::filesystem::exists(published()))
    GTEST_SKIP() << "no " << published() << "; TESSERA_DATA says where models are";
  std::string told;
  DetectorOptions options{.model = published()};
  options.weights_cache = published() / "no folder";
  options.warn = [&](std::string_view line) { told.append(line).append("\n"); };
  EXPECT_TRUE(Detector::load(options).has_value());
  EXPECT_THAT(told, HasSubstr("packed weights are not kept: "));
}

}  // namespace
}  // namespace tessera
