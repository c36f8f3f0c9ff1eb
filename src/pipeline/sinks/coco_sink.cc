#include <utility>

#include "base/text.h"
#include "pipeline/sink.h"

namespace tessera {
namespace {

class CocoSink final : public Sink {
 public:
  CocoSink(TextOut out, CategoryIds categories, ImageIds images)
      : out_(std::move(out)), categories_(std::move(categories)), images_(std::move(images)) {}

  Status check(const PhotoResult& result) const override {
    const auto id = image_id(result);
    if (!id) return id.error();
    return {};
  }
  Status photo(const PhotoResult& result) override {
    const auto id = image_id(result);
    if (!id) return id.error();
    line_.clear();
    for (const Detection& d : result.detections) {
      append_text(line_, text(begun_ ? ",\n" : "[\n", "{\"image_id\":", *id,
                              ",\"category_id\":", categories_[d.class_id], ",\"bbox\":[", d.x1, ',', d.y1, ',',
                              d.x2 - d.x1, ',', d.y2 - d.y1, "],\"score\":", d.score, '}'));
      begun_ = true;
    }
    return out_.write(line_);
  }

  Status finish() override {
    TESSERA_TRY(out_.write(begun_ ? "\n]\n" : "[]\n"));
    return out_.close();
  }

 private:
  Result<std::int64_t> image_id(const PhotoResult& result) const {
    if (result.frame != nullptr) return result.frame->index;
    return images_.find(result.name);
  }

  TextOut out_;
  CategoryIds categories_;
  ImageIds images_;
  std::string line_;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Sink> make_coco_sink(TextOut out, CategoryIds categories, ImageIds images) {
  return std::make_unique<CocoSink>(std::move(out), std::move(categories), std::move(images));
}

}  // namespace tessera
