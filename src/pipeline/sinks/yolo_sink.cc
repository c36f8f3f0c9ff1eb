#include <charconv>
#include <utility>

#include "base/text.h"
#include "pipeline/output_names.h"
#include "pipeline/sink.h"

namespace tessera {
namespace {

void append_number(std::string& line, double value) {
  char buffer[64];
  line += ' ';
  line.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 6).ptr);
}

class YoloSink final : public Sink {
 public:
  YoloSink(OutputNames names, bool scores) : names_(std::move(names)), scores_(scores) {}

  Status photo(const PhotoResult& result) override {
    lines_.clear();
    const double w = result.width(), h = result.height();
    for (const Detection& d : result.detections) {
      append_text(lines_, d.class_id);
      append_number(lines_, (double{d.x1} + d.x2) / 2 / w);
      append_number(lines_, (double{d.y1} + d.y2) / 2 / h);
      append_number(lines_, (double{d.x2} - d.x1) / w);
      append_number(lines_, (double{d.y2} - d.y1) / h);
      if (scores_) append_number(lines_, d.score);
      lines_ += '\n';
    }
    return write_file(names_.next(result.name, result.frame, ".txt"), std::as_bytes(std::span(lines_)));
  }

 private:
  OutputNames names_;
  bool scores_;
  std::string lines_;
};

}  // namespace

Result<std::unique_ptr<Sink>> make_yolo_sink(const std::filesystem::path& folder, bool scores) {
  auto names = OutputNames::create(folder);
  if (!names) return names.error();
  return std::unique_ptr<Sink>(std::make_unique<YoloSink>(std::move(*names), scores));
}

}  // namespace tessera
