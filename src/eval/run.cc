#include "eval/run.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "pipeline/category_ids.h"
#include "pipeline/folder.h"
#include "pipeline/sink.h"
#include "pipeline/source.h"

namespace tessera::eval {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

bool leads_out(const fs::path& name) {
  return name.is_absolute() || std::any_of(name.begin(), name.end(), [](const fs::path& part) { return part == ".."; });
}

/// Finds one photo after another in one folder.
class Folder {
 public:
  static Result<Folder> open(const fs::path& folder) {
    const auto listing = list_folder(folder);
    if (!listing) return listing.error();
    Folder out(folder);
    for (const fs::path& file : listing->files) out.by_stem_.emplace(file.stem().string(), file);
    return out;
  }
  /// The path, or empty.
  fs::path find(const std::string& name) const {
    std::error_code ignored;
    const fs::path file(name);
    if (file.empty()) return {};
    if (!leads_out(file) && fs::is_regular_file(folder_ / file, ignored)) return folder_ / file;
    if (fs::is_regular_file(folder_ / file.filename(), ignored)) return folder_ / file.filename();
    const auto same_stem = by_stem_.find(file.stem().string());
    return same_stem == by_stem_.end() ? fs::path() : same_stem->second;
  }

 private:
  explicit Folder(fs::path folder) : folder_(std::move(folder)) {}
  fs::path folder_;
  std::map<std::string, fs::path> by_stem_;
};

/// The double that reading the float's shortest text gives.
double as_written(float value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  double out = 0;
  std::from_chars(buffer, end, out);
  return out;
}

/// Keeps what the detector says.
class Collector final : public Sink {
 public:
  Collector(std::map<std::string, std::int32_t, std::less<>> photos, const ClassMap& classes, Detections& out)
      : photos_(std::move(photos)), classes_(classes), out_(out) {}

  Status photo(const PhotoResult& result) override {
    const auto found = photos_.find(result.name);
    if (found == photos_.end()) return Error{Code::invalid_argument, text(result.name, ": is no photo of the set")};
    out_.seen[static_cast<std::size_t>(found->second)] = true;
    for (const Detection& d : result.detections) {
      const std::int32_t category = classes_.category[static_cast<std::size_t>(d.class_id)];
      if (category < 0) {
        ++out_.left_out;
        continue;
      }
      const Box box{as_written(d.x1), as_written(d.y1), as_written(d.x2 - d.x1), as_written(d.y2 - d.y1)};
      out_.boxes.push_back({found->second, category, box, as_written(d.score)});
    }
    return {};
  }

 private:
  std::map<std::string, std::int32_t, std::less<>> photos_;
  const ClassMap& classes_;
  Detections& out_;
};

}  // namespace

Result<PhotoFiles> find_photos(const Dataset& dataset, const fs::path& folder) {
  const auto in = Folder::open(folder);
  if (!in) return in.error();
  PhotoFiles out;
  for (std::size_t i = 0; i < dataset.photos.size(); ++i) {
    const fs::path path = in->find(dataset.photos[i].file);
    if (path.empty()) {
      ++out.absent;
      continue;
    }
    out.paths.push_back(path.string());
    out.photos.push_back(static_cast<std::int32_t>(i));
  }
  if (!out.paths.empty()) return out;
  return Error{Code::not_found, text(folder.string(), ": holds none of the ", dataset.photos.size(),
                                     " photos that the annotations list")};
}

Result<ClassMap> map_classes(const Dataset& dataset, const std::vector<std::string>& names) {
  if (names.empty()) return Error{Code::invalid_argument, "the model has no class names to compare: give --names"};
  CocoIndex index;
  for (const Category& category : dataset.categories) index.categories.emplace(category.name, category.id);
  ClassMap out;
  for (const std::string& name : names) {
    const auto id = CategoryIds::create(std::span(&name, 1), 1, &index);
    out.category.push_back(id ? dataset.category_with((*id)[0]).value_or(-1) : -1);
    if (!id) ++out.unknown;
  }
  if (out.unknown < names.size()) return out;
  return Error{Code::invalid_argument, text("annotations: none of the model's ", names.size(), " classes ('", names[0],
                                            "' ...) is a category there")};
}

double TimedRun::ms_per_photo() const noexcept {
  const std::size_t done = photos + failed;
  return done > 0 ? seconds * 1e3 / static_cast<double>(done) : 0;
}
double TimedRun::steady_ms_per_photo() const noexcept {
  const std::size_t done = photos + failed;
  if (done < 2) return first_photo_ms();
  return (seconds - first_seconds) * 1e3 / static_cast<double>(done - 1);
}

Result<TimedRun> run_detector(const Dataset& dataset, const PhotoFiles& files, const ClassMap& classes,
                              Detector& detector, RunOptions options) {
  TimedRun out;
  out.detections.seen.assign(dataset.photos.size(), false);
  std::map<std::string, std::int32_t, std::less<>> photos;
  for (std::size_t i = 0; i < files.paths.size(); ++i) photos.emplace(files.paths[i], files.photos[i]);
  std::vector<std::unique_ptr<Sink>> sinks;
  sinks.push_back(std::make_unique<Collector>(std::move(photos), classes, out.detections));
  PhotoSource source(files.paths, {});
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const auto told = std::move(options.on_progress);
  options.on_progress = [&](const RunSummary& summary) {
    if (out.first_seconds == 0) out.first_seconds = elapsed();
    if (told) told(summary);
  };
  const auto summary = detect_photos(source, detector, sinks, options);
  out.seconds = elapsed();
  if (!summary) return summary.error();
  out.photos = summary->photos;
  out.failed = summary->failed;
  out.stopped = summary->stopped;
  return out;
}

}  // namespace tessera::eval
