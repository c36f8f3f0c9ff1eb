#include "pipeline/source.h"

#include <algorithm>
#include <array>
#include <deque>
#include <istream>
#include <set>
#include <system_error>

#include "base/text.h"
#include "pipeline/folder.h"
#include "pipeline/stdin_photos.h"

namespace tessera {
namespace fs = std::filesystem;

struct PhotoSource::State {
  std::vector<std::string> arguments;
  SourceOptions options;
  std::size_t at = 0;                 // next argument
  std::deque<PhotoFile> ready;        // found, not yet given out
  std::vector<fs::path> folders;      // still to be listed; the next one is the last
  std::string folder_argument;        // which argument the folders belong to
  std::size_t found_in_argument = 0;  // pictures and errors that this argument has yielded
  std::set<FolderId> visited;         // of this argument
  std::optional<StdinPhotos> stdin_photos;
  std::unique_ptr<FrameSource> video;
  std::string video_argument;
  std::int64_t frames = 0;   // what `video` has yielded, errors included
  std::int64_t dropped = 0;  // by the live sources before `video`

  void open(const std::string& argument);
  void open_pattern(const std::string& argument);
  void open_video(const std::string& argument);
  std::optional<PhotoFile> next_frame();
  void list_next_folder();
  void start_folder(const fs::path& folder);
  void fail(const std::string& name, Code code, std::string message) {
    ready.push_back({name, {}, {}, Error{code, std::move(message)}, {}});
  }
};

void PhotoSource::State::start_folder(const fs::path& folder) {
  folder_argument = folder.string();
  found_in_argument = 0;
  visited.clear();
  folders.push_back(folder);
}

void PhotoSource::State::open(const std::string& argument) {
  if (argument == "-") {
    if (!options.input) return fail(argument, Code::invalid_argument, "-: standard input is already taken");
    stdin_photos.emplace(*options.input);
    options.input = nullptr;
    return;
  }
  std::error_code ignored;
  const fs::path path(argument);
  if (source_kind(argument) != SourceKind::photo) return open_video(argument);
  if (fs::is_directory(path, ignored)) return start_folder(path);
  if (fs::exists(path, ignored)) return ready.push_back({argument, path, {}, {}, {}});
  if (is_pattern(argument)) return open_pattern(argument);
  fail(argument, Code::not_found, text(argument, ": no such file or folder"));
}

void PhotoSource::State::open_pattern(const std::string& argument) {
  const auto matches = expand_pattern(argument);
  if (!matches) return fail(argument, matches.error().code, matches.error().message);
  // Put in the arguments' place, so that a folder among the matches is walked like a named one.
  arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(at), matches->begin(), matches->end());
}

void PhotoSource::State::open_video(const std::string& argument) {
  if (!options.open_video) {
    return fail(argument, Code::unsupported, text(argument, ": a video, and nothing here reads videos"));
  }
  auto opened = options.open_video(argument, options.video);
  if (!opened) return fail(argument, opened.error().code, opened.error().message);
  video = std::move(*opened);
  video_argument = argument;
  frames = 0;
}

/// nullopt at the end of the video.
std::optional<PhotoFile> PhotoSource::State::next_frame() {
  auto frame = video->next();
  if (!frame) {
    ++frames;
    return PhotoFile{video_argument, {}, {}, frame.error(), {}};
  }
  if (*frame) {
    ++frames;
    std::string name = frame_name(video_argument, (*frame)->info.index);
    return PhotoFile{std::move(name), {}, {}, {}, std::move(**frame)};
  }
  dropped += video->dropped();
  video.reset();
  const bool stopped = options.video.stopped && options.video.stopped();
  if (frames == 0 && !stopped) {
    fail(video_argument, Code::not_found, text(video_argument, ": the video holds no frame that was asked for"));
  }
  return std::nullopt;
}

void PhotoSource::State::list_next_folder() {
  const fs::path folder = folders.back();
  folders.pop_back();
  const auto id = folder_id(folder);
  if (id && !visited.insert(*id).second) return;  // a link back: listed already
  auto listing = list_folder(folder);
  if (!listing) {
    ++found_in_argument;
    return fail(folder.string(), listing.error().code, listing.error().message);
  }
  found_in_argument += listing->files.size();
  for (fs::path& file : listing->files) ready.push_back({file.string(), file, {}, {}, {}});
  if (options.recursive) folders.insert(folders.end(), listing->folders.rbegin(), listing->folders.rend());
  if (folders.empty() && found_in_argument == 0) {
    const char* hint =
        !options.recursive && !listing->folders.empty() ? ": look into its folders with --recursive" : "";
    fail(folder_argument, Code::not_found, text(folder_argument, ": the folder holds no picture", hint));
  }
}

PhotoSource::PhotoSource(std::vector<std::string> arguments, const SourceOptions& options)
    : state_(std::make_unique<State>()) {
  state_->arguments = std::move(arguments);
  state_->options = options;
}
PhotoSource::PhotoSource(PhotoSource&&) noexcept = default;
PhotoSource& PhotoSource::operator=(PhotoSource&&) noexcept = default;
PhotoSource::~PhotoSource() = default;

std::optional<PhotoFile> PhotoSource::next() {
  State& s = *state_;
  while (true) {
    if (!s.ready.empty()) {
      PhotoFile file = std::move(s.ready.front());
      s.ready.pop_front();
      return file;
    }
    if (s.video) {
      if (auto frame = s.next_frame()) return frame;
    } else if (s.stdin_photos) {
      auto file = s.stdin_photos->next();
      if (!file) {
        s.stdin_photos.reset();
      } else if (!file->path.empty() && source_kind(file->name) != SourceKind::photo) {
        s.open_video(file->name);
      } else {
        return file;
      }
    } else if (!s.folders.empty()) {
      s.list_next_folder();
    } else if (s.at < s.arguments.size()) {
      const std::string argument = s.arguments[s.at++];
      s.open(argument);
    } else {
      return std::nullopt;
    }
  }
}

std::int64_t PhotoSource::dropped() const { return state_->dropped + (state_->video ? state_->video->dropped() : 0); }

namespace {

/// Gives nothing out: tells how many frames there would be.
class Uncounted final : public FrameSource {
 public:
  Result<std::optional<Frame>> next() override { return std::optional<Frame>{}; }
  std::optional<std::size_t> total() const override { return 0; }
};

}  // namespace

std::optional<std::size_t> count_photos(const std::vector<std::string>& arguments, bool recursive,
                                        const VideoOpener& open_video, const VideoOptions& video) {
  if (std::ranges::find(arguments, "-") != arguments.end()) return std::nullopt;
  std::size_t count = 0;
  bool known = true;
  SourceOptions options{.recursive = recursive};
  options.video = video;
  options.video.stopped = [] { return true; };  // a video without frames is no failure here: they are counted, not read
  options.open_video = [&](const std::string& name, const VideoOptions& o) -> Result<std::unique_ptr<FrameSource>> {
    if (o.live || source_kind(name) == SourceKind::live) known = false;
    if (!open_video || !known) return std::unique_ptr<FrameSource>(std::make_unique<Uncounted>());
    auto opened = open_video(name, video);
    if (!opened) return opened.error();
    const auto total = (*opened)->total();
    known = known && total.has_value();
    count += total.value_or(0);
    return std::unique_ptr<FrameSource>(std::make_unique<Uncounted>());
  };
  PhotoSource source(arguments, options);
  while (source.next()) ++count;
  return known ? std::optional(count) : std::nullopt;
}

}  // namespace tessera
