#pragma once
// When each stage worked on what: one line per piece of work, for chrome://tracing or ui.perfetto.dev.

#include <tessera/result.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "pipeline/text_out.h"

namespace tessera {

/// Any thread may add spans; write when all are done. 40 bytes a span are kept.
class Trace {
 public:
  Trace() : start_(std::chrono::steady_clock::now()) {}

  /// The time from construction to destruction. A null trace costs nothing.
  class Span {
   public:
    /// stage: a literal ("decode"). number: the photo, counted from 0, or the first photo of a pass.
    Span(Trace* trace, const char* stage, std::size_t number) noexcept : trace_(trace), stage_(stage), number_(number) {
      if (trace_ != nullptr) begin_ = std::chrono::steady_clock::now();
    }
    ~Span() {
      if (trace_ != nullptr) trace_->add(stage_, number_, begin_, std::chrono::steady_clock::now());
    }
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;

   private:
    Trace* trace_;
    const char* stage_;
    std::size_t number_;
    std::chrono::steady_clock::time_point begin_;
  };

  /// Seconds that each stage worked, summed over threads.
  std::map<std::string, double> seconds_by_stage() const;
  /// The Trace Event Format: {"traceEvents":[{"name","cat","ph":"X","ts","dur","pid","tid","args":{"photo"}}]}.
  Status write(TextOut out) const;

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Event {
    const char* stage;
    std::size_t number;
    std::int64_t begin_ns, end_ns;
    int thread;
  };
  void add(const char* stage, std::size_t number, Time begin, Time end);

  Time start_;
  mutable std::mutex mutex_;
  std::vector<Event> events_;
  std::map<std::thread::id, int> threads_;  // numbered as they come
};

}  // namespace tessera
