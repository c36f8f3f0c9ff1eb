#include "eval/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "base/cpu_features.h"
#include "base/text.h"
#include "common/interrupt.h"
#include "common/model_options.h"
#include "common/progress.h"
#include "eval/read/readers.h"
#include "eval/tune/record.h"
#include "image/image.h"
#include "report/frontier_page.h"
#include "verbs.h"

namespace tessera::cli {
namespace {

namespace fs = std::filesystem;
using namespace eval;

constexpr const char* kFooter =
    "Every point runs over the photos --rounds times, point after point, so that a slow minute hits all alike. Time "
    "is\n"
    "wall time per photo, the median of rounds; accuracy is mAP@50 on every second photo, and the others are held "
    "out:\n"
    "what they say of the chosen point is printed, and not used.\n"
    "\n"
    "Examples:\n"
    "  tessera tune --images val/ --annotations val.json --floor 0.45      the fastest point that reaches it\n"
    "  tessera tune --images val/ --annotations val.json --budget 20       the most accurate in 20 ms per photo\n"
    "  tessera tune ... --sizes 256,320,384 --mosaics 1x1,2x2 --box-steps single,multi,v2\n"
    "  tessera tune ... --save tuning.json --html tuning.html              go on after a stop; a page to explore";

struct TuneOptions {
  ModelOptions model;
  std::string images, annotations;
  std::vector<std::string> sizes, mosaics, box_steps{"multi"}, fits{"stretch"}, splits, without;
  bool flip = false;
  int rounds = 3;
  std::optional<double> floor, budget;
  double margin = 0.005;
  std::string save, html;
  bool json = false;
};

CLI::Option* add_words(CLI::App& app, const char* name, std::vector<std::string>& words, const char* help) {
  return app.add_option(name, words, help)->delimiter(',')->expected(1, -1)->type_name("LIST")->group("The grid");
}

std::string check_pair(const std::string& word) {
  const auto cross = word.find('x');
  const auto whole = [](const std::string& s) {
    return !s.empty() && s.size() < 4 && std::ranges::all_of(s, [](char c) { return c >= '0' && c <= '9'; }) &&
           s != "0";
  };
  if (cross != std::string::npos && whole(word.substr(0, cross)) && whole(word.substr(cross + 1))) return "";
  return text("'", word, "': want two whole numbers, as in 2x2");
}

/// Canvas and mosaic of one point.
struct Canvas {
  Size size;
  MosaicGrid mosaic;
};

/// The six named operating points, or sizes x mosaics as asked.
std::vector<Canvas> canvases(const TuneOptions& o) {
  if (o.sizes.empty() && o.mosaics.empty()) {
    return {{{512, 512}, {2, 2}}, {{640, 640}, {2, 2}}, {{320, 320}, {}},
            {{384, 384}, {}},     {{512, 512}, {}},     {{640, 640}, {}}};
  }
  std::vector<Canvas> out;
  for (const std::string& size : o.sizes.empty() ? std::vector<std::string>{"320", "384", "512", "640"} : o.sizes) {
    for (const std::string& grid : o.mosaics.empty() ? std::vector<std::string>{"1x1"} : o.mosaics) {
      const Size pair = parse_size(grid);  // "RxC" as width x height
      out.push_back({parse_size(size), {pair.width, pair.height}});
    }
  }
  return out;
}

constexpr bool kFlips[] = {false, true};

/// Every point once with each of the choices, points outermost.
template <class Choices, class Set>
void cross(std::vector<OperatingPoint>& points, const Choices& choices, const Set& set) {
  std::vector<OperatingPoint> out;
  for (const OperatingPoint& point : points) {
    for (const auto& choice : choices) {
      out.push_back(point);
      set(out.back(), choice);
    }
  }
  points = std::move(out);
}

std::vector<MeasuredPoint> grid(const TuneOptions& o) {
  std::vector<std::vector<std::string>> off{{}};
  for (const std::string& name : o.without) off.push_back({name});
  std::vector<std::string> splits = o.splits;
  if (splits.empty()) splits.push_back(text(allowed_cpus(), "x1"));
  std::vector<OperatingPoint> points(1);
  cross(points, canvases(o), [](OperatingPoint& p, const Canvas& canvas) {
    p.width = canvas.size.width;
    p.height = canvas.size.height;
    p.mosaic = canvas.mosaic;
  });
  cross(points, o.box_steps, [](OperatingPoint& p, const std::string& step) { set_box_step(p, step); });
  cross(points, o.fits, [](OperatingPoint& p, const std::string& fit) { p.letterbox = fit == "letterbox"; });
  cross(points, splits, [](OperatingPoint& p, const std::string& split) {
    const Size work = parse_size(split);
    p.workers = work.width;
    p.threads = work.height;
  });
  cross(points, off, [](OperatingPoint& p, const std::vector<std::string>& disabled) { p.disabled = disabled; });
  cross(points, std::span(kFlips, o.flip ? 2 : 1), [](OperatingPoint& p, bool flip) { p.flip = flip; });
  std::vector<MeasuredPoint> out;
  for (OperatingPoint& point : points) out.push_back({std::move(point), {}, {}, {}, 0, 0, {}});
  return out;
}

std::string machine() {
  const CpuInfo cpu = CpuInfo::detect();
  return text(allowed_cpus(), allowed_cpus() == 1 ? " processor, " : " processors, ", to_string(cpu.best()));
}

std::string fingerprint(const TuneOptions& o, const Dataset& dataset) {
  std::error_code ignored;
  const auto bytes = [&](const std::string& path) {
    return fs::is_regular_file(path, ignored) ? fs::file_size(path, ignored) : 0;
  };
  return text("tessera ", TESSERA_VERSION, ", ", model_label(o.model), " (",
              bytes(o.model.model) + bytes(o.model.weights), " bytes), ", o.annotations, ", ", dataset.photos.size(),
              " photos, ", dataset.objects.size(), " objects, ", machine());
}

std::string table(const std::vector<MeasuredPoint>& points, const Choice& choice) {
  std::string out = fmt::format("  {:34s} {:>9s} {:>9s} {:>8s} {:>8s} {:>8s}\n", "point", "ms", "fastest", "mAP@50",
                                "held out", "50:95");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const MeasuredPoint& p = points[i];
    const Verdict& verdict = choice.verdicts[i];
    const char mark = verdict.chosen ? '*' : (verdict.on_frontier ? '+' : ' ');
    if (p.ran()) {
      out += fmt::format("{} {:34s} {:9.3f} {:9.3f} {:8.4f} {:8.4f} {:8.4f}", mark, p.point.name(), p.median_ms(),
                         p.fastest_ms(), p.tuned.map_50, p.held_out.map_50, p.tuned.map_50_95);
    } else {
      out += fmt::format("{} {:34s}", mark, p.point.name());
    }
    out += verdict.reason.empty() ? "\n" : "  " + verdict.reason + "\n";
  }
  return out + "* chosen  + on the frontier: nothing is both faster and more accurate\n" + choice.summary + "\n";
}

class Tuner {
 public:
  Tuner(const TuneOptions& o, Io& io) : o_(o), io_(io), rule_{o.floor, o.margin, o.budget} {}

  int run() {
    auto base = detector_options(o_.model, io_);
    if (!base) return io_.failed(base.error());
    auto dataset = read_annotations(o_.annotations, {o_.images, {}});
    if (!dataset) return io_.failed(dataset.error());
    const auto files = find_photos(*dataset, o_.images);
    if (!files) return io_.failed(files.error());
    points_ = grid(o_);
    header_ = {model_label(o_.model), o_.images, fingerprint(o_, *dataset), machine(), files->paths.size(), o_.rounds};
    if (const auto resumed = resume(); !resumed) return io_.failed(resumed.error());
    const Status done = measure(*dataset, *files, *base);
    if (!done && done.error().code != Code::cancelled) return io_.failed(done.error());
    if (!done) io_.error(o_.save.empty() ? "stopped" : text("stopped; the same command goes on from ", o_.save));
    const int told = tell();
    return done ? told : kFailed;
  }

 private:
  Status resume() {
    std::error_code ignored;
    if (o_.save.empty() || !fs::exists(o_.save, ignored)) return {};
    const auto bytes = read_file(o_.save);
    if (!bytes) return bytes.error();
    const auto taken = take_over(*bytes, header_.fingerprint, points_);
    if (!taken) return Error{taken.error().code, text(o_.save, ": ", taken.error().message)};
    io_.note(text(o_.save, ": goes on from ", *taken, " runs"));
    return {};
  }

  std::string json() const { return tune_json(header_, points_, rule_, choose(points_, rule_)); }
  /// Beside it first, then in its place: a stop in between loses nothing.
  static Status replace(const std::string& path, const std::string& bytes) {
    const std::string beside = path + ".part";
    TESSERA_TRY(write_file(beside, std::as_bytes(std::span(bytes))));
    std::error_code failed;
    fs::rename(beside, path, failed);
    if (failed) return Error{Code::io, text(path, ": ", failed.message())};
    return {};
  }

  Status measure(const Dataset& dataset, const PhotoFiles& files, const DetectorOptions& base) {
    const double runs = static_cast<double>(points_.size()) * o_.rounds,
                 photos = static_cast<double>(files.paths.size());
    Progress progress(io_, "photos", runs * photos);
    double before = 0;
    TuneHooks hooks;
    hooks.stopped = interrupted;
    hooks.starts = [&](std::size_t point, int round) {
      before = (static_cast<double>(round) * static_cast<double>(points_.size()) + static_cast<double>(point)) * photos;
    };
    hooks.photo = [&](std::size_t done, std::size_t failed) {
      progress.update(before + static_cast<double>(done), failed);
    };
    std::vector<std::string> named;
    hooks.failed = [&](std::string_view name, const Error& error) {  // once, not in every run
      if (std::ranges::find(named, name) != named.end()) return;
      named.emplace_back(name);
      io_.error(error.message);
    };
    hooks.measured = [&](const std::vector<MeasuredPoint>&) {
      return o_.save.empty() ? Status{} : replace(o_.save, json());
    };
    return tune(dataset, files, base, o_.rounds, points_, hooks);
  }

  int tell() {
    if (!o_.html.empty()) {
      if (const auto written = replace(o_.html, report::frontier_page(json())); !written)
        return io_.failed(written.error());
      io_.note(text("page: ", o_.html));
    }
    const Choice choice = choose(points_, rule_);
    const int printed = io_.print(o_.json ? json() : table(points_, choice));
    const bool wanted = o_.floor || o_.budget;
    return printed == kOk && wanted && !choice.chosen ? kFailed : printed;
  }

  const TuneOptions& o_;
  Io& io_;
  ChoiceRule rule_;
  TuneHeader header_;
  std::vector<MeasuredPoint> points_;
};

void add_grid(CLI::App& app, TuneOptions& o) {
  add_words(app, "--sizes", o.sizes, "Canvas sizes: 320,640x384 (default: six named points, see docs/throughput.md)")
      ->check(check_size);
  add_words(app, "--mosaics", o.mosaics, "Photos per pass: 1x1,2x2")->check(check_pair);
  add_words(app, "--box-steps", o.box_steps, "single, multi (multi-label), v2 (power rank, voting, edge penalty)")
      ->check(CLI::IsMember({"single", "multi", "v2"}).description(""))
      ->capture_default_str();
  add_words(app, "--fits", o.fits, "stretch, letterbox")
      ->check(CLI::IsMember({"stretch", "letterbox"}).description(""))
      ->capture_default_str();
  add_words(app, "--splits", o.splits, "Workers x threads: 2x1,1x2 (default: all processors as workers)")
      ->check(check_pair);
  app.add_flag("--flip", o.flip, "Adds every point once more with the mirrored photo looked at too")->group("The grid");
  add_words(app, "--without", o.without, "Each adds every point once more with this pass or implementation left out");
}

}  // namespace

Run add_tune(CLI::App& app) {
  const auto options = std::make_shared<TuneOptions>();
  TuneOptions& o = *options;
  app.add_option("--images", o.images, "Folder of photos")->type_name("DIR")->required();
  app.add_option("--annotations", o.annotations, "COCO JSON, or a folder of VOC XML or YOLO text")
      ->type_name("PATH")
      ->required();
  add_model_options(app, o.model, false);
  app.remove_option(app.get_option("--size"));  // the grid's
  add_grid(app, o);
  app.add_option("--rounds", o.rounds, "Times each point is run")
      ->check(CLI::Range(1, 1000).description(""))
      ->capture_default_str();
  auto* floor = app.add_option("--floor", o.floor, "Choose the fastest point with this mAP@50")
                    ->type_name("MAP")
                    ->check(CLI::Range(0.0, 1.0).description(""));
  app.add_option("--margin", o.margin, "How far above the floor a point must be")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->capture_default_str();
  app.add_option("--budget", o.budget, "Choose the most accurate point of at most so many ms per photo")
      ->type_name("MS")
      ->check(CLI::PositiveNumber.description(""))
      ->excludes(floor);
  app.add_option("--save", o.save, "Write after every run; the same command goes on from there")->type_name("FILE");
  app.add_option("--html", o.html, "One page with the plot; select a point to see its figures and its command")
      ->type_name("FILE");
  app.add_flag("--json", o.json, "The whole tuning as JSON to stdout");
  app.footer(kFooter);
  return [options](Io& io) { return Tuner(*options, io).run(); };
}

}  // namespace tessera::cli
