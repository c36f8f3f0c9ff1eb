#include "pipeline/photo_run.h"

#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "base/text.h"
#include "pipeline/handover.h"

namespace tessera {
namespace {

struct DecodedPhoto {
  std::string name;
  Result<Image> image;
};

/// The message begins with the photo's name, once.
Error named(const std::string& name, const Error& error) {
  if (error.message.rfind(name, 0) == 0) return error;
  return {error.code, text(name, ": ", error.message)};
}

Result<Image> read_photo(PhotoFile& file, const DecodeOptions& options) {
  if (file.error) return *file.error;
  if (!file.path.empty()) {
    auto bytes = read_file(file.path, options.limits.max_file_bytes);
    if (!bytes) return named(file.name, bytes.error());
    file.bytes = std::move(*bytes);
  }
  auto image = decode_image(file.bytes, options);
  if (!image) return named(file.name, image.error());
  return image;
}

void read_all(PhotoSource& source, const DecodeOptions& options, Handover<DecodedPhoto>& out) {
  while (auto file = source.next()) {
    auto image = read_photo(*file, options);
    if (!out.give({std::move(file->name), std::move(image)})) return;
  }
  out.end();
}

class Run {
 public:
  Run(Detector& detector, std::span<const std::unique_ptr<Sink>> sinks, const RunOptions& options)
      : detector_(detector), sinks_(sinks), options_(options) {}

  /// Takes one photo; a pass is run when its canvas is full. The error of a sink that cannot go on.
  Status photo(DecodedPhoto photo) {
    readable_ += photo.image.has_value();
    waiting_.push_back(std::move(photo));
    return readable_ == static_cast<std::size_t>(detector_.photos_per_pass()) || readable_ == 0 ? flush() : Status{};
  }
  /// Runs the pass of the photos that wait, if any, and writes them in order.
  Status flush() {
    views_.clear();
    for (const DecodedPhoto& photo : waiting_) {
      if (photo.image) views_.push_back(photo.image->view());
    }
    const Status pass = views_.empty() ? Status{} : detector_.detect_many(views_, detections_);
    Status status;
    std::size_t tile = 0;
    for (const DecodedPhoto& photo : waiting_) {
      status = photo.image ? write(photo, pass, tile++) : fail(photo.name, photo.image.error());
      if (!status) break;
      if (options_.on_progress) options_.on_progress(summary_);
    }
    waiting_.clear();
    readable_ = 0;
    return status;
  }

  Status finish() {
    Status first;
    for (const auto& sink : sinks_) {
      if (auto done = sink->finish(); !done && first) first = std::move(done);
    }
    return first;
  }
  RunSummary& summary() noexcept { return summary_; }

 private:
  Status write(const DecodedPhoto& photo, const Status& pass, std::size_t tile) {
    if (!pass) return fail(photo.name, named(photo.name, pass.error()));
    const auto& found = detections_[tile];
    for (const auto& sink : sinks_) {
      const auto written = sink->photo({photo.name, photo.image->view(), found});
      if (written) continue;
      if (written.error().code == Code::io) return written.error();
      return fail(photo.name, named(photo.name, written.error()));
    }
    ++summary_.photos;
    summary_.detections += found.size();
    return {};
  }
  Status fail(const std::string& name, const Error& error) {
    ++summary_.failed;
    if (options_.on_failed) options_.on_failed(name, error);
    for (const auto& sink : sinks_) TESSERA_TRY(sink->failed(name, error));
    return {};
  }

  Detector& detector_;
  std::span<const std::unique_ptr<Sink>> sinks_;
  const RunOptions& options_;
  RunSummary summary_;
  std::deque<DecodedPhoto> waiting_;  // of the next pass, unreadable ones among them in their order
  std::size_t readable_ = 0;
  std::vector<ImageView> views_;
  std::vector<std::vector<Detection>> detections_;
};

}  // namespace

Result<RunSummary> detect_photos(PhotoSource& source, Detector& detector, std::span<const std::unique_ptr<Sink>> sinks,
                                 const RunOptions& options) {
  const auto stopped = [&] { return options.stopped && options.stopped(); };
  Handover<DecodedPhoto> decoded(options.ahead);
  std::jthread reader([&] { read_all(source, options.decode, decoded); });
  Run run(detector, sinks, options);
  Status status;
  while (auto photo = decoded.take(stopped)) {
    status = run.photo(std::move(*photo));
    if (!status) break;
  }
  if (status) status = run.flush();
  decoded.leave();
  run.summary().stopped = stopped();
  auto finished = run.finish();
  if (!status) return status.error();
  if (!finished) return finished.error();
  return run.summary();
}

}  // namespace tessera
