// The address formula of blocked tensors against the enumeration of their bytes in storage order.

#include "boxdecode/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "boxdecode/testing/choices.h"

namespace tessera::boxdecode::testing {
namespace {

BlockedAddress blocked(std::int64_t h, std::int64_t w, std::int64_t c, MlaCBlocked tile, std::int64_t element) {
  return {h, w, c, element, std::min(tile.tile_h, h), std::min(tile.tile_w, w), std::min(tile.tile_c, c)};
}

std::int64_t low_byte(const BlockedAddress& a, std::int64_t y, std::int64_t x, std::int64_t c) {
  const ChannelPlace place = a.place(c);
  return a.group(place, y, x) + place.lane;
}

// Walks storage with a running offset, in the declared (unclamped) tiles; every element must lie where it is met.
// Each offset is met once, so no two elements share a byte. Returns the number of bytes, or -1 at the first difference.
std::int64_t enumerate(const BlockedAddress& a, MlaCBlocked tile) {
  std::int64_t at = 0;
  for (std::int64_t c0 = 0; c0 < a.c; c0 += tile.tile_c) {
    const std::int64_t tc = std::min(tile.tile_c, a.c - c0);
    for (std::int64_t h0 = 0; h0 < a.h; h0 += tile.tile_h) {
      for (std::int64_t w0 = 0; w0 < a.w; w0 += tile.tile_w) {
        for (std::int64_t k = 0; k < tc; k += 16) {
          for (std::int64_t y = h0; y < std::min(h0 + tile.tile_h, a.h); ++y) {
            for (std::int64_t x = w0; x < std::min(w0 + tile.tile_w, a.w); ++x, at += 16 * a.element) {
              for (std::int64_t lane = 0; lane < std::min<std::int64_t>(16, tc - k); ++lane) {
                if (low_byte(a, y, x, c0 + k + lane) != at + lane) return -1;
              }
            }
          }
        }
      }
    }
  }
  return at;
}

TEST(BoxDecodeLayout, EqualsTheEnumerationOverTheAdversarialGrid) {
  static constexpr std::int64_t kExtents[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33};
  static constexpr std::int64_t kChannels[] = {1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 34, 48, 79, 80, 81, 255, 256};
  int cases = 0;
  SeededChoices choices(31);
  SCOPED_TRACE(choices.where());
  for (const std::int64_t h : kExtents) {
    for (const std::int64_t c : kChannels) {
      for (const std::int64_t tile_c :
           {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{15}, std::int64_t{16}, std::int64_t{17},
            std::int64_t{31}, std::int64_t{32}, std::int64_t{33}, std::int64_t{48}, std::int64_t{64}, c, c + 1,
            std::int64_t{1024}}) {
        // Every h, c and tile_c; widths and spatial tiles drawn, all of them within a run.
        const std::int64_t w = choices.pick(kExtents);
        const MlaCBlocked tile{choices.between(1, static_cast<std::int32_t>(h) + 2),
                               choices.between(1, static_cast<std::int32_t>(w) + 2), tile_c};
        for (const std::int64_t element : {1, 2}) {
          const BlockedAddress a = blocked(h, w, c, tile, element);
          ASSERT_EQ(enumerate(a, tile), a.bytes()) << h << "x" << w << "x" << c << " tile " << tile.tile_h << ","
                                                   << tile.tile_w << "," << tile.tile_c << " element " << element;
          ++cases;
        }
      }
    }
  }
  RecordProperty("cases", cases);
  EXPECT_EQ(cases, 15 * 18 * 14 * 2);
}

TEST(BoxDecodeLayout, EqualsTheEnumerationForRandomGeometries) {
  SeededChoices choices(32);
  SCOPED_TRACE(choices.where());
  for (int i = 0; i < 10'000; ++i) {
    const std::int64_t h = choices.between(1, 12), w = choices.between(1, 12), c = choices.between(1, 70);
    const MlaCBlocked tile{choices.between(1, 14), choices.between(1, 14), choices.between(1, 80)};
    const BlockedAddress a = blocked(h, w, c, tile, choices.one_in(2) ? 1 : 2);
    ASSERT_EQ(enumerate(a, tile), a.bytes()) << "case " << i;
  }
}

TEST(BoxDecodeLayout, PublishedOffsets) {
  const BlockedAddress s8 = blocked(5, 7, 37, {2, 3, 20}, 1), bf16 = blocked(5, 7, 37, {2, 3, 20}, 2);
  EXPECT_EQ(s8.bytes(), 2'240);
  EXPECT_EQ(bf16.bytes(), 4'480);
  static constexpr std::int64_t kRows[][5] = {{0, 0, 0, 0, 0},      {0, 0, 15, 15, 15},     {0, 0, 16, 96, 192},
                                              {0, 0, 19, 99, 195},  {0, 0, 20, 1120, 2240}, {0, 2, 0, 32, 64},
                                              {0, 3, 0, 192, 384},  {0, 6, 0, 384, 768},    {1, 0, 0, 48, 96},
                                              {1, 2, 17, 177, 353}, {2, 0, 0, 448, 896},    {3, 4, 25, 1829, 3653},
                                              {4, 0, 0, 896, 1792}, {4, 6, 19, 1107, 2211}, {4, 6, 36, 2224, 4448}};
  for (const auto& [y, x, c, byte, low] : kRows) {
    EXPECT_EQ(low_byte(s8, y, x, c), byte) << y << "," << x << "," << c;
    EXPECT_EQ(low_byte(bf16, y, x, c), low) << y << "," << x << "," << c;
  }
}

// Every pixel once, groups adjacent and where `group` puts them, numbered without gaps.
TEST(BoxDecodeLayout, RunsCoverAWindow) {
  SeededChoices choices(33);
  SCOPED_TRACE(choices.where());
  for (int i = 0; i < 2'000; ++i) {
    const std::int32_t h = choices.between(1, 9), w = choices.between(1, 90);
    const BlockedAddress a =
        blocked(h, w, 40, {choices.between(1, 10), choices.between(1, 100), choices.between(7, 33)}, 2);
    Window window;
    if (choices.one_in(3)) {
      window = {0, 0, h, w};
    } else {
      window.y = choices.between(0, h - 1);
      window.x = choices.between(0, w - 1);
      window.h = choices.between(1, h - window.y);
      window.w = choices.between(1, w - window.x);
    }
    const std::int32_t most = choices.one_in(2) ? 64 : kWholeRuns;
    const ChannelPlace place = a.place(choices.between(0, 39));
    std::vector<int> visits(static_cast<std::size_t>(h * w));
    std::int64_t next = 0;
    for_each_group_run(a, window, most, [&](const GroupRun& run) {
      ASSERT_EQ(run.index, next);
      ASSERT_LE(run.count, most);
      for (int k = 0; k < run.count; ++k) {
        const auto [y, x] = run.pixel(k);
        ASSERT_EQ(a.group(place, y, x), group_of(a, place, run) + k * 32) << y << "," << x;
        ASSERT_TRUE(y >= window.y && y < window.y + window.h && x >= window.x && x < window.x + window.w);
        ASSERT_EQ(++visits[static_cast<std::size_t>(y * w + x)], 1);
      }
      next += run.count;
    });
    ASSERT_EQ(next, std::int64_t{window.h} * window.w);
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
