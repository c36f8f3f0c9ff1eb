#include <charconv>
#include <utility>

#include "base/text.h"
#include "pipeline/sink.h"

namespace tessera {
namespace {

class TextSink final : public Sink {
 public:
  TextSink(TextOut out, std::vector<std::string> names) : out_(std::move(out)), names_(std::move(names)) {}

  Status photo(const PhotoResult& result) override {
    line_ = text(result.name, "  ", result.width(), 'x', result.height(), "  ", result.detections.size());
    const char* separator = ": ";
    for (const Detection& d : result.detections) {
      append_text(line_, text(separator, class_label(names_, d.class_id), ' '));
      append_score(d.score);
      separator = ", ";
    }
    line_ += '\n';
    TESSERA_TRY(out_.write(line_));
    return out_.flush();  // a reader of the pipe sees each photo when it is done
  }
  Status finish() override { return out_.close(); }

 private:
  void append_score(float score) {
    char buffer[32];
    line_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, score, std::chars_format::fixed, 2).ptr);
  }

  TextOut out_;
  std::vector<std::string> names_;
  std::string line_;
};

}  // namespace

std::string class_label(std::span<const std::string> names, std::int32_t class_id) {
  const auto index = static_cast<std::size_t>(class_id);
  return class_id >= 0 && index < names.size() ? names[index] : text("class ", class_id);
}

std::unique_ptr<Sink> make_text_sink(TextOut out, std::vector<std::string> names) {
  return std::make_unique<TextSink>(std::move(out), std::move(names));
}

}  // namespace tessera
