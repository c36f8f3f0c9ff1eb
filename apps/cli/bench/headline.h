#pragma once
// What every report of a network's time begins with: configuration, median and spread, size.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bench/measure.h"

namespace tessera::cli {

/// A finished measurement and what it was of.
struct Subject {
  std::string label;
  const Executable& executable;
  int threads;
  CpuInfo cpu;  ///< as --isa limits it
};
/// The processor as these options let the engine use it.
CpuInfo limited_cpu(const PrepareOptions& options);

std::string headline_text(const Measured& measured, const Subject& subject);
nlohmann::ordered_json headline_json(const Measured& measured, const Subject& subject);

}  // namespace tessera::cli
