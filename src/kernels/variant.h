#pragma once
// One implementation of a kernel contract. A family lists its variants once, best first, reference last;
// dispatch, tests and benchmarks read that one list.

#include <span>
#include <string_view>
#include <vector>

#include "base/cpu_features.h"

namespace tessera {

template <class Function>
struct Variant {
  const char* name;
  Isa isa;
  Function* run;
};

/// The variants this processor can run, in order.
template <class Function>
std::vector<Variant<Function>> supported(std::span<const Variant<Function>> all, const CpuInfo& cpu) {
  std::vector<Variant<Function>> out;
  for (const auto& variant : all) {
    if (cpu.supports(variant.isa)) out.push_back(variant);
  }
  return out;
}

/// The best variant this processor can run (the reference needs nothing, so there is one).
template <class Function>
const Variant<Function>& best(std::span<const Variant<Function>> all, const CpuInfo& cpu) {
  for (const auto& variant : all) {
    if (cpu.supports(variant.isa)) return variant;
  }
  return all.back();
}

}  // namespace tessera
