// The stages on oneTBB:
//   name the next photo -> read and decode it (parallel) -> gather a chunk -> compute it (parallel with several
//   detectors) -> write its photos
// Single stages keep the order of the source; the number of tokens bounds what is in memory.

#include "pipeline/photo_run.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/cpu_features.h"
#include "base/text.h"

namespace tessera {
namespace {

/// The message begins with the photo's name, once.
Error named(const std::string& name, const Error& error) {
  if (error.message.rfind(name, 0) == 0) return error;
  return {error.code, text(name, ": ", error.message)};
}

Result<Image> read_photo(PhotoFile& file, const DecodeOptions& options) {
  if (file.error) return *file.error;
  if (file.frame) {
    auto image = file.frame->pixels();
    file.frame->pixels = {};
    if (!image) return named(file.name, image.error());
    return image;
  }
  if (!file.path.empty()) {
    auto bytes = read_file(file.path, options.limits.max_file_bytes);
    if (!bytes) return named(file.name, bytes.error());
    file.bytes = std::move(*bytes);
  }
  auto image = decode_image(file.bytes, options);
  if (!image) return named(file.name, image.error());
  return image;
}

Error out_of_memory() { return {Code::limit_exceeded, "out of memory"}; }

/// One photo on its way. A stage sees what the stage before it wrote: oneTBB promises it.
struct Photo {
  std::size_t number = 0;
  PhotoFile file;
  Result<Image> image = Image{};
};
using PhotoPtr = std::unique_ptr<Photo>;

/// The photos handed to a detector at once, unreadable ones among them in their order.
struct Chunk {
  std::vector<PhotoPtr> photos;
  std::size_t readable = 0;
  Status status;
  std::vector<std::vector<Detection>> found;  // of the readable ones
};
using ChunkPtr = std::unique_ptr<Chunk>;

/// Detectors that are not at work. Never more takers than detectors.
class Detectors {
 public:
  static Result<std::unique_ptr<Detectors>> create(Detector& first, int workers) {
    auto made = std::make_unique<Detectors>();
    made->idle_.push_back(&first);
    for (int i = 1; i < workers; ++i) {
      auto shared = first.share();
      if (!shared) return shared.error();
      made->owned_.push_back(std::make_unique<Detector>(std::move(*shared)));
      made->idle_.push_back(made->owned_.back().get());
    }
    return made;
  }
  Detector& take() {
    const std::scoped_lock lock(mutex_);
    Detector* detector = idle_.back();
    idle_.pop_back();
    return *detector;
  }
  void give_back(Detector& detector) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(&detector);
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Detector>> owned_;
  std::vector<Detector*> idle_;
};

class Run {
 public:
  Run(PhotoSource& source, Detectors& detectors, const Chunks& chunks, std::span<const std::unique_ptr<Sink>> sinks,
      const RunOptions& options)
      : source_(source), detectors_(detectors), chunks_(chunks), sinks_(sinks), options_(options) {}

  /// nullptr at the end, when the user stops the run, or when a sink cannot go on.
  PhotoPtr next() {
    if (stopped()) return nullptr;
    auto photo = std::make_unique<Photo>();
    auto file = source_.next();
    if (!file || stopped()) return nullptr;
    photo->file = std::move(*file);
    photo->number = numbered_++;
    return photo;
  }

  void decode(Photo& photo) const {
    if (stopped()) return;
    const Trace::Span span(options_.trace, "decode", photo.number);
    try {
      photo.image = read_photo(photo.file, options_.decode);
    } catch (const std::bad_alloc&) {
      photo.image = named(photo.file.name, out_of_memory());
    }
    photo.file.bytes = {};
  }

  /// The chunk that is complete with this photo, or nullptr.
  ChunkPtr gather(PhotoPtr photo) {
    if (!open_) {
      open_ = std::make_unique<Chunk>();
      wanted_ = chunks_.next(gathered_);
    }
    ++gathered_;
    open_->readable += photo->image.has_value();
    open_->photos.push_back(std::move(photo));
    // Failures alone wait for nothing.
    return open_->readable == wanted_ || open_->readable == 0 ? std::exchange(open_, nullptr) : nullptr;
  }
  ChunkPtr rest() { return std::exchange(open_, nullptr); }

  void compute(Chunk& chunk) const {
    if (stopped() || chunk.readable == 0) return;
    const Trace::Span span(options_.trace, "detect", chunk.photos.front()->number);
    std::vector<PhotoView> views;
    for (const PhotoPtr& photo : chunk.photos) {
      if (const auto& image = photo->image) views.push_back({image->view(), image->full_width, image->full_height});
    }
    Detector& detector = detectors_.take();
    try {
      chunk.status = detector.detect_many(views, chunk.found);
    } catch (const std::bad_alloc&) {
      chunk.status = out_of_memory();
    }
    detectors_.give_back(detector);
  }

  void write(Chunk& chunk) {
    std::size_t tile = 0;
    for (const PhotoPtr& photo : chunk.photos) {
      if (stopped()) return;  // what is on its way is dropped: results are those of the first photos
      const Trace::Span span(options_.trace, "write", photo->number);
      status_ = photo->image ? write(*photo, chunk, tile++) : fail(photo->file.name, photo->image.error());
      const std::scoped_lock ask(callback_mutex_);
      if (!status_) over_ = true;
      if (status_ && options_.on_progress) options_.on_progress(summary_);
    }
  }

  /// Photos on their way are lost, the results of those before them stay.
  void break_off(Error why) {
    if (status_) status_ = std::move(why);
  }

  Result<RunSummary> finish() {
    summary_.stopped = status_.has_value() && stopped();
    for (const auto& sink : sinks_) {
      if (auto done = sink->finish(); !done && status_) status_ = std::move(done);
    }
    if (!status_) return status_.error();
    return summary_;
  }

 private:
  /// The user has stopped the run, or a sink has ended it. Once true it stays true, so a stage that skipped its work
  /// knows that the stages after it will.
  bool stopped() const {
    const std::scoped_lock lock(callback_mutex_);
    if (!over_) over_ = options_.stopped && options_.stopped();
    return over_;
  }

  Status write(const Photo& photo, const Chunk& chunk, std::size_t tile) {
    const std::string& name = photo.file.name;
    if (!chunk.status) return fail(name, named(name, chunk.status.error()));
    const auto& found = chunk.found[tile];
    const auto given = give(result_of(photo, found));
    if (!given && given.error().code == Code::io) return given.error();
    if (!given) return fail(name, named(name, given.error()));
    ++summary_.photos;
    summary_.detections += found.size();
    return {};
  }
  static PhotoResult result_of(const Photo& photo, std::span<const Detection> found) {
    PhotoResult result{photo.file.name, photo.image->view(), found, photo.image->full_width, photo.image->full_height};
    if (!photo.file.frame) return result;
    result.frame = &photo.file.frame->info;
    if (const auto captured = result.frame->captured) {
      result.age_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - *captured).count();
    }
    return result;
  }
  /// To all sinks, or to none when one refuses it.
  Status give(const PhotoResult& result) const {
    try {
      for (const auto& sink : sinks_) TESSERA_TRY(sink->check(result));
      for (const auto& sink : sinks_) TESSERA_TRY(sink->photo(result));
      return {};
    } catch (const std::bad_alloc&) {
      return out_of_memory();
    }
  }
  Status fail(const std::string& name, const Error& error) {
    ++summary_.failed;
    if (options_.on_failed) {
      const std::scoped_lock lock(callback_mutex_);
      options_.on_failed(name, error);
    }
    for (const auto& sink : sinks_) TESSERA_TRY(sink->failed(name, error));
    return {};
  }

  PhotoSource& source_;
  Detectors& detectors_;
  Chunks chunks_;
  std::span<const std::unique_ptr<Sink>> sinks_;
  const RunOptions& options_;

  std::size_t numbered_ = 0;
  std::size_t gathered_ = 0;
  ChunkPtr open_;
  std::size_t wanted_ = 0;  // readable photos of the open chunk
  RunSummary summary_;
  Status status_;                      // of the sinks
  mutable std::mutex callback_mutex_;  // the user's functions are called one at a time
  mutable bool over_ = false;
};

/// A thread per worker; one worker gets a second one, to decode and write beside it, where its detector leaves a
/// processor free. (Where it does not, the second one would take turns with threads that wait for each other: measured
/// on two processors, a third slower than no overlap at all.)
int stage_threads(int workers, int detector_threads) {
  return workers == 1 && detector_threads < allowed_cpus() ? 2 : workers;
}

void run_stages(Run& run, const RunOptions& options, std::size_t ahead, int threads) {
  namespace tbb = oneapi::tbb;
  using Mode = tbb::filter_mode;
  const Mode compute = options.workers == 1 ? Mode::serial_in_order : Mode::parallel;
  // Tokens are owning pointers: what fits a pointer, oneTBB hands on without memory of its own.
  const auto stages =
      tbb::make_filter<void, Photo*>(Mode::serial_in_order,
                                     [&run](tbb::flow_control& control) {
                                       PhotoPtr photo = run.next();
                                       if (!photo) control.stop();
                                       return photo.release();
                                     }) &
      tbb::make_filter<Photo*, Photo*>(Mode::parallel,
                                       [&run](Photo* photo) {
                                         run.decode(*photo);
                                         return photo;
                                       }) &
      tbb::make_filter<Photo*, Chunk*>(Mode::serial_in_order,
                                       [&run](Photo* photo) { return run.gather(PhotoPtr(photo)).release(); }) &
      tbb::make_filter<Chunk*, Chunk*>(compute,
                                       [&run](Chunk* chunk) {
                                         if (chunk != nullptr) run.compute(*chunk);
                                         return chunk;
                                       }) &
      tbb::make_filter<Chunk*, void>(Mode::serial_in_order, [&run](Chunk* chunk) {
        const ChunkPtr owned(chunk);
        if (owned) run.write(*owned);
      });
  // More workers than processors are the caller's wish; without this oneTBB would refuse them on stderr.
  const tbb::global_control room(tbb::global_control::max_allowed_parallelism,
                                 static_cast<std::size_t>(std::max(threads, allowed_cpus())));
  tbb::task_arena arena(threads);
  const std::size_t tokens = options.serial ? 1 : static_cast<std::size_t>(options.workers) + ahead;
  arena.execute([&] { tbb::parallel_pipeline(tokens, stages); });
}

}  // namespace

Result<RunSummary> detect_photos(PhotoSource& source, Detector& detector, std::span<const std::unique_ptr<Sink>> sinks,
                                 const RunOptions& options) {
  const auto detectors = Detectors::create(detector, options.workers);
  if (!detectors) return detectors.error();
  const Chunks chunks(options.chunks, static_cast<std::size_t>(detector.photos_per_pass()));
  const std::size_t two_each = 2 * static_cast<std::size_t>(options.workers) * chunks.largest();
  Run run(source, **detectors, chunks, sinks, options);
  const std::size_t ahead = options.newest ? 0 : options.ahead > 0 ? options.ahead : two_each;
  try {
    run_stages(run, options, ahead, stage_threads(options.workers, detector.threads()));
    if (const ChunkPtr rest = run.rest()) {
      run.compute(*rest);
      run.write(*rest);
    }
  } catch (const std::bad_alloc&) {  // between photos; inside one it is that photo's failure
    run.break_off(out_of_memory());
  } catch (const std::runtime_error& error) {  // oneTBB, when the system refuses a thread
    run.break_off({Code::limit_exceeded, text("the run broke off with ", options.workers, " workers: ", error.what())});
  }
  return run.finish();
}

}  // namespace tessera
