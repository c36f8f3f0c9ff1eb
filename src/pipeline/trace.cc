#include "pipeline/trace.h"

#include "base/text.h"

namespace tessera {

void Trace::add(const char* stage, std::size_t number, Time begin, Time end) {
  const auto since_start = [this](Time t) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(t - start_).count();
  };
  const std::scoped_lock lock(mutex_);
  const int next = static_cast<int>(threads_.size()) + 1;
  const int thread = threads_.try_emplace(std::this_thread::get_id(), next).first->second;
  events_.push_back({stage, number, since_start(begin), since_start(end), thread});
}

std::map<std::string, double> Trace::seconds_by_stage() const {
  const std::scoped_lock lock(mutex_);
  std::map<std::string, double> seconds;
  for (const Event& event : events_) seconds[event.stage] += static_cast<double>(event.end_ns - event.begin_ns) * 1e-9;
  return seconds;
}

Status Trace::write(TextOut out) const {
  const std::scoped_lock lock(mutex_);
  TESSERA_TRY(out.write("{\"traceEvents\":[\n"));
  const char* separator = "";
  for (const Event& event : events_) {
    TESSERA_TRY(out.write(text(separator, "{\"name\":\"", event.stage, "\",\"cat\":\"run\",\"ph\":\"X\",\"ts\":",
                               event.begin_ns / 1000, ",\"dur\":", (event.end_ns - event.begin_ns) / 1000,
                               ",\"pid\":1,\"tid\":", event.thread, ",\"args\":{\"photo\":", event.number, "}}")));
    separator = ",\n";
  }
  TESSERA_TRY(out.write("\n],\"displayTimeUnit\":\"ms\"}\n"));
  return out.close();
}

}  // namespace tessera
