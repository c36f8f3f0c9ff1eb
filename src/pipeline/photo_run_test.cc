#include "pipeline/photo_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <utility>

#include "pipeline/test_detector.h"

namespace tessera {
namespace {

using test::Picture;
using test::TempFolder;
using testing::ElementsAre;

/// Remembers what it is told; refuses one name, and has no room after `room` photos.
class Recorder final : public Sink {
 public:
  explicit Recorder(std::vector<std::string>& log, std::size_t room = 1000) : log_(log), room_(room) {}
  Status photo(const PhotoResult& result) override {
    if (result.name.find("refused") != std::string_view::npos) return Error{Code::invalid_argument, "not this one"};
    if (room_-- == 0) return Error{Code::io, "out: no room"};
    log_.push_back(std::filesystem::path(result.name).filename().string() + " " +
                   std::to_string(result.detections.size()));
    return {};
  }
  Status failed(std::string_view name, const Error&) override {
    log_.push_back(std::filesystem::path(name).filename().string() + " failed");
    return {};
  }
  Status finish() override {
    log_.push_back("finish");
    return {};
  }

 private:
  std::vector<std::string>& log_;
  std::size_t room_;
};

class PhotoRun : public testing::Test {
 protected:
  Result<RunSummary> run(const RunOptions& options = {}, std::size_t room = 1000) {
    std::vector<std::unique_ptr<Sink>> sinks;
    sinks.push_back(std::make_unique<Recorder>(log_, room));
    return run(options, sinks);
  }
  Result<RunSummary> run(const RunOptions& options, std::span<const std::unique_ptr<Sink>> sinks) {
    auto detector = Detector::load(test::tiny_options());
    PhotoSource source({t_.path().string()}, {});
    return detect_photos(source, *detector, sinks, options);
  }
  void white(const std::string& name) { t_.write(name, Picture(8, 8, 255).ppm()); }
  TempFolder t_;
  std::vector<std::string> log_;
};

TEST_F(PhotoRun, KeepsOrderAndGoesOnAfterFailures) {
  for (int i = 0; i < 12; ++i) white(std::to_string(i) + ".ppm");
  t_.write("3.ppm", "P6\n8 8\n255\ncut");
  t_.write("black.ppm", Picture(3, 3, 0).ppm());
  white("refused.ppm");
  std::vector<std::string> messages;
  RunOptions options;
  options.on_failed = [&](std::string_view, const Error& error) { messages.push_back(error.message); };
  const auto summary = run(options);
  ASSERT_TRUE(summary.has_value()) << summary.error().message;
  EXPECT_THAT(log_,
              ElementsAre("0.ppm 4", "1.ppm 4", "2.ppm 4", "3.ppm failed", "4.ppm 4", "5.ppm 4", "6.ppm 4", "7.ppm 4",
                          "8.ppm 4", "9.ppm 4", "10.ppm 4", "11.ppm 4", "black.ppm 0", "refused.ppm failed", "finish"));
  EXPECT_EQ(summary->photos, 12u);
  EXPECT_EQ(summary->failed, 2u);
  EXPECT_EQ(summary->detections, 44u);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_THAT(messages[0], testing::StartsWith((t_.path() / "3.ppm: ").string()));
  EXPECT_EQ(messages[1], (t_.path() / "refused.ppm: not this one").string());
}

TEST_F(PhotoRun, MosaicsKeepOrderAndTheLastOneMayBePartlyEmpty) {
  for (int i = 0; i < 7; ++i) white(std::to_string(i) + ".ppm");
  t_.write("1.ppm", "no photo");
  t_.write("6.ppm", Picture(3, 3, 0).ppm());
  t_.write("7.ppm", "P6\n8 8\n255\ncut");
  DetectorOptions tiny = test::tiny_options();
  tiny.width = tiny.height = 128;
  tiny.mosaic = {2, 2};
  auto detector = Detector::load(tiny);
  ASSERT_TRUE(detector.has_value()) << detector.error().message;
  std::vector<std::unique_ptr<Sink>> sinks;
  sinks.push_back(std::make_unique<Recorder>(log_));
  PhotoSource source({t_.path().string()}, {});
  const auto summary = detect_photos(source, *detector, sinks, {});
  ASSERT_TRUE(summary.has_value()) << summary.error().message;
  EXPECT_THAT(log_, ElementsAre("0.ppm 4", "1.ppm failed", "2.ppm 4", "3.ppm 4", "4.ppm 4", "5.ppm 4", "6.ppm 0",
                                "7.ppm failed", "finish"));
  EXPECT_EQ(summary->photos, 6u);
  EXPECT_EQ(summary->failed, 2u);
}

TEST_F(PhotoRun, StopsBetweenPhotosAndFinishes) {
  for (int i = 0; i < 9; ++i) white(std::to_string(i) + ".ppm");
  std::size_t done = 0;
  RunOptions options;
  options.on_progress = [&](const RunSummary& s) { done = s.photos; };
  options.stopped = [&] { return done == 3; };
  const auto summary = run(options);
  ASSERT_TRUE(summary.has_value());
  EXPECT_TRUE(summary->stopped);
  EXPECT_THAT(log_, ElementsAre("0.ppm 4", "1.ppm 4", "2.ppm 4", "finish"));
}

TEST_F(PhotoRun, APlaceThatIsFullEndsTheRun) {
  for (int i = 0; i < 9; ++i) white(std::to_string(i) + ".ppm");
  const auto summary = run({}, 2);
  ASSERT_FALSE(summary.has_value());
  EXPECT_EQ(summary.error().message, "out: no room");
  EXPECT_THAT(log_, ElementsAre("0.ppm 4", "1.ppm 4", "finish"));
}

// Workers take whole passes beside each other; the order, the results and the failures are those of one.
/// Refuses what Recorder refuses, but when it is asked; has no memory for one name.
class Choosy final : public Sink {
 public:
  Status check(const PhotoResult& result) const override {
    if (result.name.find("7.ppm") != std::string_view::npos) return Error{Code::invalid_argument, "no sevens"};
    return {};
  }
  Status photo(const PhotoResult& result) override {
    if (result.name.find("large") != std::string_view::npos) throw std::bad_alloc();
    return {};
  }
};

TEST_F(PhotoRun, WhatOneSinkRefusesNoSinkTakes) {
  for (const char* name : {"6.ppm", "7.ppm", "8.ppm", "large.ppm"}) white(name);
  std::vector<std::string> messages;
  RunOptions options;
  options.on_failed = [&](std::string_view, const Error& error) { messages.push_back(error.message); };
  std::vector<std::unique_ptr<Sink>> sinks;
  sinks.push_back(std::make_unique<Choosy>());
  sinks.push_back(std::make_unique<Recorder>(log_));
  sinks.push_back(std::make_unique<Choosy>());
  const auto summary = run(options, sinks);
  ASSERT_TRUE(summary.has_value()) << summary.error().message;
  EXPECT_THAT(log_, ElementsAre("6.ppm 4", "7.ppm failed", "8.ppm 4", "large.ppm failed", "finish"));
  EXPECT_EQ(summary->photos, 2u);
  EXPECT_EQ(summary->failed, 2u);
  EXPECT_THAT(messages, ElementsAre((t_.path() / "7.ppm: no sevens").string(),
                                    (t_.path() / "large.ppm: out of memory").string()));
}

TEST_F(PhotoRun, WhatEndsTheRunLeavesWholeResults) {
  white("1.ppm");
  RunOptions options;
  options.on_progress = [](const RunSummary&) { throw std::bad_alloc(); };
  const auto summary = run(options);
  ASSERT_FALSE(summary.has_value());
  EXPECT_EQ(summary.error().message, "out of memory");
  EXPECT_THAT(log_, ElementsAre("1.ppm 4", "finish"));
}

TEST_F(PhotoRun, WorkersKeepOrderAndResults) {
  for (int i = 0; i < 60; ++i) {
    if (i % 7 == 3) {
      t_.write(std::to_string(i) + ".ppm", "broken");
    } else {
      t_.write(std::to_string(i) + ".ppm", Picture(8 + i, 9, i % 2 == 0 ? 255 : 0).ppm());
    }
  }
  const auto one = run();
  ASSERT_TRUE(one.has_value());
  const std::vector<std::string> want = std::exchange(log_, {});
  for (const int workers : {2, 3, 5}) {
    RunOptions options;
    options.workers = workers;
    options.ahead = 5;
    const auto summary = run(options);
    ASSERT_TRUE(summary.has_value()) << summary.error().message;
    EXPECT_EQ(std::exchange(log_, {}), want) << workers << " workers";
    EXPECT_EQ(summary->photos, one->photos);
    EXPECT_EQ(summary->failed, one->failed);
  }
}

TEST_F(PhotoRun, ChunksKeepOrderAndResults) {
  for (int i = 0; i < 41; ++i) {
    t_.write(std::to_string(i) + ".ppm", i % 9 == 4 ? "broken" : Picture(8 + i, 9, i % 2 == 0 ? 255 : 0).ppm());
  }
  ASSERT_TRUE(run().has_value());
  const std::vector<std::string> want = std::exchange(log_, {});
  for (const int workers : {1, 3}) {
    RunOptions options;
    options.workers = workers;
    options.chunks = {8, 3, 41};
    const auto summary = run(options);
    ASSERT_TRUE(summary.has_value()) << summary.error().message;
    EXPECT_EQ(std::exchange(log_, {}), want) << workers << " workers";
  }
}

TEST_F(PhotoRun, SerialRunsGiveTheSame) {
  for (int i = 0; i < 9; ++i) white(std::to_string(i) + ".ppm");
  ASSERT_TRUE(run().has_value());
  const std::vector<std::string> want = std::exchange(log_, {});
  RunOptions options;
  options.serial = true;
  Trace trace;
  options.trace = &trace;
  ASSERT_TRUE(run(options).has_value());
  EXPECT_EQ(log_, want);
}

TEST_F(PhotoRun, WorkersStopAtAPrefix) {
  for (int i = 0; i < 40; ++i) white(std::to_string(i) + ".ppm");
  std::size_t done = 0;
  RunOptions options;
  options.workers = 3;
  options.on_progress = [&](const RunSummary& s) { done = s.photos; };
  options.stopped = [&] { return done == 5; };
  const auto summary = run(options);
  ASSERT_TRUE(summary.has_value());
  EXPECT_THAT(log_, ElementsAre("0.ppm 4", "1.ppm 4", "2.ppm 4", "3.ppm 4", "4.ppm 4", "finish"));
}

TEST_F(PhotoRun, TraceHasEveryPhotoInEveryStage) {
  for (int i = 0; i < 6; ++i) white(std::to_string(i) + ".ppm");
  Trace trace;
  RunOptions options;
  options.workers = 2;
  options.trace = &trace;
  ASSERT_TRUE(run(options).has_value());
  const auto path = t_.path() / "trace.json";
  ASSERT_TRUE(trace.write(*TextOut::file(path)).has_value());
  const std::string json = t_.read("trace.json");
  for (const char* stage : {"decode", "detect", "write"}) {
    for (int i = 0; i < 6; ++i) {
      std::size_t spans = 0;  // one line each
      std::istringstream lines(json);
      for (std::string line; std::getline(lines, line);) {
        spans += line.find("\"" + std::string(stage) + "\"") != std::string::npos &&
                 line.find("{\"photo\":" + std::to_string(i) + "}") != std::string::npos;
      }
      EXPECT_EQ(spans, 1u) << stage << " of photo " << i;
    }
    EXPECT_GT(trace.seconds_by_stage().at(stage), 0.0);
  }
}

}  // namespace
}  // namespace tessera
