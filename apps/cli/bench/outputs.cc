#include "bench/outputs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tessera::cli {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<float> copied(const TensorRef& t) {
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(t.n * t.h * t.w * t.c));
  for (std::int64_t pixel = 0; pixel < t.n * t.h * t.w; ++pixel) {
    const float* at = t.data + pixel * t.pixel_stride;
    out.insert(out.end(), at, at + t.c);
  }
  return out;
}

// Floats in order as integers: neighbours differ by one, the two zeros are one.
std::int64_t position(float v) {
  const auto bits = std::bit_cast<std::int32_t>(v);
  return bits < 0 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} - bits : bits;
}

bool comparable(float a, float b) { return std::isfinite(a) && std::isfinite(b); }
bool agree(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void compare(float expected, float got, Difference& worst) {
  if (std::bit_cast<std::uint32_t>(expected) == std::bit_cast<std::uint32_t>(got)) return;
  worst.same_bits = false;
  if (agree(expected, got)) return;
  if (!comparable(expected, got)) {
    worst.absolute = kInfinite;
    worst.ulps = std::numeric_limits<std::int64_t>::max();
    return;
  }
  worst.absolute = std::max(worst.absolute, std::abs(static_cast<double>(expected) - got));
  worst.ulps = std::max(worst.ulps, std::abs(position(expected) - position(got)));
}

double largest_magnitude(const std::vector<float>& values) {
  double largest = 0;
  for (const float v : values) {
    if (std::isfinite(v)) largest = std::max(largest, std::abs(static_cast<double>(v)));
  }
  return largest;
}

Difference difference_of_one(const std::vector<float>& expected, const std::vector<float>& got) {
  Difference out;
  for (std::size_t i = 0; i < expected.size(); ++i) compare(expected[i], got[i], out);
  const double scale = largest_magnitude(expected);
  if (out.absolute > 0) out.relative = scale > 0 ? out.absolute / scale : kInfinite;
  return out;
}

}  // namespace

Outputs read_outputs(const Executable& executable, const ExecutionContext& context) {
  Outputs out;
  for (std::size_t i = 0; i < executable.graph().outputs.size(); ++i) out.push_back(copied(context.output(i)));
  return out;
}

Difference difference(const Outputs& expected, const Outputs& got) {
  Difference out;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Difference one = difference_of_one(expected[i], got[i]);
    out.same_bits = out.same_bits && one.same_bits;
    out.absolute = std::max(out.absolute, one.absolute);
    out.relative = std::max(out.relative, one.relative);
    out.ulps = std::max(out.ulps, one.ulps);
  }
  return out;
}

}  // namespace tessera::cli
