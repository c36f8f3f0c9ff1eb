#include "plan/offsets.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

namespace tessera {
namespace {

bool alive_together(const Buffer& a, const Buffer& b) { return a.first <= b.last && b.first <= a.last; }

// The start of the smallest sufficient gap between those of `placed` (ascending offsets) that live with `buffer`;
// without one, their end.
std::int64_t best_fit(std::span<const Buffer> buffers, const std::vector<std::size_t>& placed, const Buffer& buffer) {
  std::int64_t end = 0, best = -1, best_gap = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i : placed) {
    const Buffer& other = buffers[i];
    if (!alive_together(other, buffer)) continue;
    if (const std::int64_t gap = other.offset - end; gap >= buffer.bytes && gap < best_gap) {
      best_gap = gap;
      best = end;
    }
    end = std::max(end, other.offset + other.bytes);
  }
  return best >= 0 ? best : end;
}

std::int64_t place_in_order(std::span<Buffer> buffers, const std::vector<std::size_t>& order) {
  std::vector<std::size_t> placed;
  std::int64_t arena = 0;
  for (std::size_t i : order) {
    buffers[i].offset = best_fit(buffers, placed, buffers[i]);
    arena = std::max(arena, buffers[i].offset + buffers[i].bytes);
    const auto by_offset = [&buffers](std::size_t a, std::size_t b) { return buffers[a].offset < buffers[b].offset; };
    placed.insert(std::ranges::upper_bound(placed, i, by_offset), i);
  }
  return arena;
}

using Key = std::tuple<std::int64_t, std::int64_t>;
constexpr Key (*kOrders[])(const Buffer&) = {
    [](const Buffer& b) {
      return Key{-b.bytes, b.first};
    },
    [](const Buffer& b) {
      return Key{std::int64_t{b.first} - b.last, -b.bytes};
    },
    [](const Buffer& b) {
      return Key{b.first, -b.bytes};
    },
};

}  // namespace

std::int64_t assign_offsets(std::span<Buffer> buffers) {
  const std::int64_t bound = largest_live_sum(buffers);
  std::vector<Buffer> best;
  std::int64_t best_arena = std::numeric_limits<std::int64_t>::max();
  for (const auto key : kOrders) {
    std::vector<std::size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return key(buffers[i]); });
    const std::int64_t arena = place_in_order(buffers, order);
    if (arena < best_arena) {
      best_arena = arena;
      best.assign(buffers.begin(), buffers.end());
    }
    if (arena == bound) break;
  }
  std::ranges::copy(best, buffers.begin());
  return best_arena;
}

std::int64_t assign_offsets_without_reuse(std::span<Buffer> buffers) {
  std::int64_t end = 0;
  for (Buffer& buffer : buffers) {
    buffer.offset = end;
    end += buffer.bytes;
  }
  return end;
}

std::int64_t largest_live_sum(std::span<const Buffer> buffers) {
  std::map<std::int32_t, std::int64_t> change;  // at a node: bytes that appear less bytes that have gone
  for (const Buffer& buffer : buffers) {
    change[buffer.first] += buffer.bytes;
    change[buffer.last + 1] -= buffer.bytes;
  }
  std::int64_t live = 0, largest = 0;
  for (const auto& [node, bytes] : change) largest = std::max(largest, live += bytes);
  return largest;
}

}  // namespace tessera
