#include <cmath>
#include <utility>

#include "base/text.h"
#include "pipeline/json_text.h"
#include "pipeline/sink.h"

namespace tessera {
namespace {

class JsonSink final : public Sink {
 public:
  JsonSink(TextOut out, std::vector<std::string> names) : out_(std::move(out)), names_(std::move(names)) {}

  Status photo(const PhotoResult& result) override {
    line_ = text(begun_ ? ",\n" : "{\"photos\":[\n", "{\"file\":", json_string(result.name));
    append_frame(result);
    append_text(line_, text(",\"width\":", result.width(), ",\"height\":", result.height(), ",\"detections\":["));
    begun_ = true;
    const char* separator = "";
    for (const Detection& d : result.detections) {
      append_text(line_, separator);
      append_detection(d);
      separator = ",";
    }
    line_ += "]}";
    TESSERA_TRY(out_.write(line_));
    return out_.flush();
  }

  Status failed(std::string_view name, const Error& error) override {
    append_text(failed_, text(failed_.empty() ? "\n" : ",\n", "{\"file\":", json_string(name), ",\"code\":\"",
                              to_string(error.code), "\",\"error\":", json_string(error.message), '}'));
    return {};
  }

  Status finish() override {
    TESSERA_TRY(out_.write(text(begun_ ? "\n],\"failed\":[" : "{\"photos\":[],\"failed\":[", failed_,
                                failed_.empty() ? "]}\n" : "\n]}\n")));
    return out_.close();
  }

 private:
  void append_frame(const PhotoResult& result) {
    if (result.frame == nullptr) return;
    const FrameInfo& f = *result.frame;
    append_text(line_, text(",\"frame\":", f.index, ",\"time\":", rounded(f.seconds, 1e6)));
    if (result.age_ms) {
      append_text(line_, text(",\"dropped\":", f.dropped, ",\"age_ms\":", rounded(*result.age_ms, 1e3)));
    }
  }
  static double rounded(double value, double parts) { return std::round(value * parts) / parts; }
  void append_detection(const Detection& d) {
    append_text(line_, text("{\"class\":", json_string(class_label(names_, d.class_id)), ",\"class_id\":", d.class_id,
                            ",\"score\":", d.score, ",\"box\":[", d.x1, ',', d.y1, ',', d.x2, ',', d.y2, "]}"));
  }

  TextOut out_;
  std::vector<std::string> names_;
  std::string line_;
  std::string failed_;  // the only part that grows, with the photos that failed
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Sink> make_json_sink(TextOut out, std::vector<std::string> names) {
  return std::make_unique<JsonSink>(std::move(out), std::move(names));
}

}  // namespace tessera
