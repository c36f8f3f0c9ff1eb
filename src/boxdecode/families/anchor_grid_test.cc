// Worked examples of the combined families, bit for bit.

#include "boxdecode/families/anchor_grid.h"

#include <gtest/gtest.h>

#include <array>

namespace tessera::boxdecode {
namespace {

using Bits = std::array<std::uint32_t, 4>;

AnchorGrid grid_of(const FixedLevel& level) {
  AnchorGrid grid{level.formula, false, level.scale, level.offset, 3, {}};
  for (int i = 0; i < 3; ++i) {
    grid.anchors[i][0] = level.anchors[i][0];
    grid.anchors[i][1] = level.anchors[i][1];
  }
  return grid;
}

Box decode(const FixedLevel& level, int slot, std::array<float, 4> t, float col, float row, float stride) {
  const float raw[4] = {t[0], t[1], t[2], t[3]};
  return decode_anchor_grid(grid_of(level), slot, raw, col, row, stride);
}

Bits bits(const Box& b) {
  return {std::bit_cast<std::uint32_t>(b.x1), std::bit_cast<std::uint32_t>(b.y1), std::bit_cast<std::uint32_t>(b.x2),
          std::bit_cast<std::uint32_t>(b.y2)};
}
/// The corners of a box given by the bits of centre and size.
Bits corners_of(const Bits& cxcywh) {
  float v[4];
  for (std::size_t i = 0; i < 4; ++i) v[i] = std::bit_cast<float>(cxcywh[i]);
  return bits(corners(v[0], v[1], v[2], v[3]));
}

TEST(BoxDecodeAnchorGrid, YoloV5ZeroLogits) {
  const Box b = decode(kYoloV5Levels[0], 0, {0, 0, 0, 0}, 10, 20, 8);
  EXPECT_EQ(b.x1, 79.0f);
  EXPECT_EQ(b.y1, 157.5f);
  EXPECT_EQ(b.x2, 89.0f);
  EXPECT_EQ(b.y2, 170.5f);
}

TEST(BoxDecodeAnchorGrid, YoloV5Example) {
  const Box b = decode(kYoloV5Levels[1], 1, {0.5f, -0.25f, 1, -1}, 3, 4, 16);
  EXPECT_EQ(bits(b), (Bits{0xC0CB4930, 0x427E00B7, 0x42FC6153, 0x42990A3E}));
  EXPECT_EQ(bits(b), corners_of({0x426FACC0, 0x428C054D, 0x43048AF3, 0x41504F16}));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(sigmoid(2.0f) * sigmoid(1.5f)), 0x3F38599Au);
}

TEST(BoxDecodeAnchorGrid, YoloV5Int8Example) {
  const Quant quant{0.08f, -12};
  std::array<float, 4> t;
  const int q[4] = {-5, 14, 3, -30};
  for (std::size_t i = 0; i < 4; ++i) t[i] = S8::value(static_cast<S8::Word>(q[i]), quant);
  EXPECT_EQ(bits(decode(kYoloV5Levels[2], 1, t, 5, 2, 32)), (Bits{0x3EE9A200, 0x42B4BA06, 0x43B8813C, 0x42EED7D0}));
}

TEST(BoxDecodeAnchorGrid, YoloV3AndV4Examples) {
  const std::array<float, 4> t = {1, -1, 0.5f, -0.5f};
  const struct {
    const FixedLevel& level;
    float stride;
    Bits cxcywh;
  } rows[] = {{kYoloV3Levels[0], 8, {0x423764D5, 0x42944D96, 0x4183E5D0, 0x40FC5117}},
              {kYoloV4Levels[0], 8, {0x4238DF66, 0x4293904D, 0x419E46F9, 0x411B4598}},
              {kYoloV4Levels[1], 16, {0x42B8221E, 0x4313EEF1, 0x426D6A76, 0x4235F58E}},
              {kYoloV4Levels[2], 32, {0x4337C379, 0x43941E43, 0x436A1E50, 0x42856FCF}}};
  for (const auto& row : rows)
    EXPECT_EQ(bits(decode(row.level, 0, t, 5, 9, row.stride)), corners_of(row.cxcywh)) << row.stride;
}

TEST(BoxDecodeAnchorGrid, ZeroLogitsGiveTheCellCentreForEveryScale) {
  const Box b = decode(kYoloV4Levels[2], 0, {0, 0, 0, 0}, 5, 9, 32);
  EXPECT_EQ((b.x1 + b.x2) / 2, 176.0f);
  EXPECT_EQ((b.y1 + b.y2) / 2, 304.0f);
}

TEST(BoxDecodeAnchorGrid, ActivatedTensorsSkipTheSigmoid) {
  AnchorGrid grid = grid_of(kYoloV7Levels[0]);
  const float logits[4] = {0.5f, -0.25f, 1, -1};
  const Box from_logits = decode_anchor_grid(grid, 2, logits, 3, 4, 8);
  grid.activated = true;
  const float activated[4] = {sigmoid(0.5f), sigmoid(-0.25f), sigmoid(1), sigmoid(-1)};
  EXPECT_EQ(bits(decode_anchor_grid(grid, 2, activated, 3, 4, 8)), bits(from_logits));
}

TEST(BoxDecodeFamilies, EveryProfileHasOneEntryAndItsName) {
  for (int i = 1; i <= static_cast<int>(Profile::YoloXV1); ++i) {
    const auto profile = static_cast<Profile>(i);
    ASSERT_NE(find_family(profile), nullptr) << i;
    EXPECT_STREQ(to_string(profile), find_family(profile)->name);
  }
  EXPECT_EQ(families().size(), static_cast<std::size_t>(Profile::YoloXV1));
  EXPECT_EQ(find_family(Profile::None), nullptr);
}

}  // namespace
}  // namespace tessera::boxdecode
