#pragma once
// Which instruction sets this processor (and operating system) can run, and the levels kernels are written for.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tessera {

/// What a kernel variant needs. Levels of one architecture are ordered: a higher one implies the lower ones.
enum class Isa : std::uint8_t {
  none,         ///< plain C++
  avx2,         ///< AVX2 + FMA + F16C
  avx512,       ///< + AVX-512 F, BW, DQ, VL, CD
  avx512_vnni,  ///< + AVX512_VNNI
  avx512_bf16,  ///< + AVX512_BF16
  neon,         ///< AArch64 Advanced SIMD
};
const char* to_string(Isa isa) noexcept;
/// "scalar" (none), "avx2", "avx512", "avx512_vnni", "avx512_bf16", "neon"; nullopt for other words.
std::optional<Isa> parse_isa(std::string_view name) noexcept;

/// The best level to use: what the processor has, capped by the caller's wish.
class CpuInfo {
 public:
  static CpuInfo detect();                    ///< asks the processor
  CpuInfo limited_to(Isa cap) const;          ///< the same processor, pretending to stop at `cap`
  CpuInfo with_l2(std::int64_t bytes) const;  ///< the same processor, pretending to have another cache
  bool supports(Isa isa) const noexcept { return (mask_ >> static_cast<unsigned>(isa)) & 1u; }
  Isa best() const noexcept;
  std::string_view name() const noexcept { return name_; }  ///< "Intel(R) Xeon(R) Processor"
  std::int64_t l2_bytes() const noexcept { return l2_bytes_; }

 private:
  std::uint32_t mask_ = 1;
  std::int64_t l2_bytes_ = 1 << 20;
  char name_[64] = "unknown";
};

/// Processors this process may use: the affinity mask and the cgroup quota, rounded up; at least 1.
int allowed_cpus();

}  // namespace tessera
