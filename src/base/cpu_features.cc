#include "base/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

namespace tessera {
namespace {

constexpr std::pair<Isa, const char*> kNames[] = {
    {Isa::none, "scalar"},
    {Isa::avx2, "avx2"},
    {Isa::avx512, "avx512"},
    {Isa::avx512_vnni, "avx512_vnni"},
    {Isa::avx512_bf16, "avx512_bf16"},
    {Isa::neon, "neon"},
};

constexpr std::uint32_t bit(Isa isa) { return 1u << static_cast<unsigned>(isa); }

#if defined(__x86_64__)
/// Asked from the processor itself: clang 14's __builtin_cpu_supports does not know the word.
bool has_f16c() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}
#endif

std::uint32_t detect_mask() {
  std::uint32_t mask = bit(Isa::none);
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
  if (avx2) mask |= bit(Isa::avx2);
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512cd");
  if (avx512) mask |= bit(Isa::avx512);
  const bool vnni = avx512 && __builtin_cpu_supports("avx512vnni");
  if (vnni) mask |= bit(Isa::avx512_vnni);
  if (vnni && __builtin_cpu_supports("avx512bf16")) mask |= bit(Isa::avx512_bf16);
#elif defined(__aarch64__)
  mask |= bit(Isa::neon);  // Advanced SIMD is part of the base architecture
#endif
  return mask;
}

void read_model_name(char (&name)[64]) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) std::snprintf(name, sizeof name, "%s", line.c_str() + colon + 2);
    return;
  }
}

/// CPUs granted by the cgroup quota (version 2 or 1), or a large number without one.
double quota_cpus() {
  double quota = -1, period = 100000;
  if (std::ifstream v2("/sys/fs/cgroup/cpu.max"); v2) {
    std::string first;
    v2 >> first >> period;
    quota = first == "max" || first.empty() ? -1 : std::strtod(first.c_str(), nullptr);
  } else if (std::ifstream v1("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"); v1) {
    v1 >> quota;
    std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? quota / period : 1e9;
}

}  // namespace

const char* to_string(Isa isa) noexcept {
  for (const auto& [value, name] : kNames) {
    if (value == isa) return name;
  }
  return "unknown";
}

std::optional<Isa> parse_isa(std::string_view name) noexcept {
  for (const auto& [value, known] : kNames) {
    if (name == known) return value;
  }
  return std::nullopt;
}

CpuInfo CpuInfo::detect() {
  CpuInfo info;
  info.mask_ = detect_mask();
  read_model_name(info.name_);
#if defined(_SC_LEVEL2_CACHE_SIZE)
  if (const long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE); l2 > 0) info.l2_bytes_ = l2;
#endif
  return info;
}

CpuInfo CpuInfo::limited_to(Isa cap) const {
  CpuInfo limited = *this;
  if (cap == Isa::neon) {
    limited.mask_ &= bit(Isa::none) | bit(Isa::neon);
  } else {
    limited.mask_ &= (bit(cap) << 1) - 1;
  }
  return limited;
}

CpuInfo CpuInfo::with_l2(std::int64_t bytes) const {
  CpuInfo other = *this;
  other.l2_bytes_ = bytes;
  return other;
}

Isa CpuInfo::best() const noexcept {
  for (Isa isa : {Isa::neon, Isa::avx512_bf16, Isa::avx512_vnni, Isa::avx512, Isa::avx2}) {
    if (supports(isa)) return isa;
  }
  return Isa::none;
}

int allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  int count = 1;
  if (sched_getaffinity(0, sizeof set, &set) == 0) count = std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::min(static_cast<double>(count), std::ceil(quota_cpus()))));
}

}  // namespace tessera
