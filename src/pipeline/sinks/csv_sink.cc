#include <utility>

#include "base/text.h"
#include "pipeline/sink.h"

namespace tessera {
namespace {

/// A field as RFC 4180 wants it: in quotes, with quotes doubled, when it holds a separator.
std::string field(std::string_view bytes) {
  if (bytes.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(bytes);
  std::string quoted = "\"";
  for (const char c : bytes) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

class CsvSink final : public Sink {
 public:
  CsvSink(TextOut out, std::vector<std::string> names) : out_(std::move(out)), names_(std::move(names)) {}

  Status photo(const PhotoResult& result) override {
    TESSERA_TRY(begin());
    line_.clear();
    const std::string front = text(field(result.name), ',', result.width(), ',', result.height(), ',');
    for (const Detection& d : result.detections) {
      append_text(line_, text(front, d.class_id, ',', field(class_label(names_, d.class_id)), ',', d.score, ',', d.x1,
                              ',', d.y1, ',', d.x2, ',', d.y2, "\r\n"));
    }
    TESSERA_TRY(out_.write(line_));
    return out_.flush();
  }
  Status finish() override {
    TESSERA_TRY(begin());
    return out_.close();
  }

 private:
  Status begin() {
    if (std::exchange(begun_, true)) return {};
    return out_.write("file,width,height,class_id,class,score,x1,y1,x2,y2\r\n");
  }

  TextOut out_;
  std::vector<std::string> names_;
  std::string line_;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Sink> make_csv_sink(TextOut out, std::vector<std::string> names) {
  return std::make_unique<CsvSink>(std::move(out), std::move(names));
}

}  // namespace tessera
