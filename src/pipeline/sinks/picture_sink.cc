#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "image/draw.h"
#include "pipeline/output_names.h"
#include "pipeline/sink.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

PixelRect pixels_of(const Detection& d) {
  return {static_cast<int>(std::floor(d.x1)), static_cast<int>(std::floor(d.y1)), static_cast<int>(std::ceil(d.x2)),
          static_cast<int>(std::ceil(d.y2))};
}

std::string percent(float score) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, 100.0f * score, std::chars_format::fixed, 0).ptr;
  return text(std::string_view(buffer, end), '%');
}

void copy_pixels(const ImageView& from, Image& to) {
  if (to.width != from.width || to.height != from.height) to = Image(from.width, from.height);
  for (int y = 0; y < from.height; ++y) std::memcpy(to.row(y), from.row(y), to.row_bytes());
}

class PictureSink final : public Sink {
 public:
  PictureSink(OutputNames outputs, std::vector<std::string> names, const PictureOptions& options)
      : outputs_(std::move(outputs)), names_(std::move(names)), options_(options) {}

  Status check(const PhotoResult& result) const override { return check_apart(result.name); }
  Status photo(const PhotoResult& result) override {
    copy_pixels(result.photo, picture_);
    const DrawStyle style = draw_style(picture_.width, picture_.height);
    for (auto d = result.detections.rbegin(); d != result.detections.rend(); ++d) {  // the best one lies on top
      const std::string label = options_.labels ? text(class_label(names_, d->class_id), ' ', percent(d->score)) : "";
      draw_labeled_box(picture_, pixels_of(*d), label, class_color(d->class_id), style);
    }
    const bool png = options_.format == PictureFormat::png;
    const auto bytes = png ? encode_png(picture_.view()) : encode_jpeg(picture_.view(), options_.quality);
    if (!bytes) return Error{bytes.error().code, text(result.name, ": ", bytes.error().message)};
    return write_file(outputs_.next(result.name, result.frame, png ? ".png" : ".jpg"), *bytes);
  }

 private:
  Status check_apart(std::string_view name) const {
    std::error_code ignored;
    const fs::path folder = fs::path(name).parent_path();
    if (name == "-" || !fs::equivalent(folder.empty() ? fs::path(".") : folder, outputs_.folder(), ignored)) return {};
    return Error{
        Code::invalid_argument,
        text(name, ": lies in the output folder, where pictures could replace photos: choose another --output")};
  }

  OutputNames outputs_;
  std::vector<std::string> names_;
  PictureOptions options_;
  Image picture_;
};

}  // namespace

Result<std::unique_ptr<Sink>> make_picture_sink(const fs::path& folder, std::vector<std::string> names,
                                                const PictureOptions& options) {
  auto outputs = OutputNames::create(folder);
  if (!outputs) return outputs.error();
  return std::unique_ptr<Sink>(std::make_unique<PictureSink>(std::move(*outputs), std::move(names), options));
}

}  // namespace tessera
