#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "boxdecode/box.h"
#include "boxdecode/select/nms.h"
#include "boxdecode/select/rank.h"
#include "boxdecode/select/store.h"
#include "boxdecode/select/voting.h"
#include "boxdecode/testing/choices.h"

namespace tessera::boxdecode {
namespace {

using testing::SeededChoices;

struct Entry {
  float score;
  Box box;
  std::int32_t class_id = 0;
};

/// Scratch of its own for each run.
struct Selection {
  std::vector<Candidate> candidates;
  std::vector<Kept> kept;

  Selection(const std::vector<Entry>& entries, NmsRules rules, float voting = -1.0f) {
    const auto n = static_cast<std::uint32_t>(entries.size());
    candidates.resize(2 * std::max(1u, n));
    CandidateStore store(candidates.data(), std::max(1u, n));
    for (std::uint32_t i = 0; i < n; ++i) store.add(entries[i].score, i, entries[i].class_id, entries[i].box);
    SelectionOrder order(candidates.data(), store.finish());
    std::vector<std::uint32_t> newest(rules.classes), counts(rules.classes);
    kept.resize(n);
    kept.resize(select(order, rules, {kept.data(), newest.data(), counts.data()}));
    if (voting >= 0) vote(order, kept, voting);
  }
  std::vector<std::uint32_t> ordinals() const {
    std::vector<std::uint32_t> out;
    for (const Kept& k : kept) out.push_back(candidates[k.candidate].ordinal());
    return out;
  }
};

NmsRules rules(float iou, std::uint32_t capacity = 100, std::uint32_t classes = 4) {
  NmsRules r;
  r.iou_threshold = iou;
  r.capacity = capacity;
  r.classes = classes;
  return r;
}
using Ordinals = std::vector<std::uint32_t>;
std::uint32_t bits(float v) { return std::bit_cast<std::uint32_t>(v); }

// IoU 9/20 is float(0.45), which is not above 0.45; a "+1 pixel" convention would give 0.476.
TEST(BoxDecodeNms, ExactThresholdIsKept) {
  const std::vector<Entry> pair = {{0.9f, {0, 0, 9, 1}}, {0.8f, {0, 0, 20, 1}}};
  EXPECT_EQ(Selection(pair, rules(0.45f)).ordinals(), (Ordinals{0, 1}));
  EXPECT_EQ(Selection(pair, rules(std::nextafter(0.45f, 0.0f))).ordinals(), (Ordinals{0}));
  EXPECT_EQ(Selection({{0.9f, {0, 0, 10, 10}}, {0.8f, {0, 0, 10, 5}}}, rules(0.5f)).ordinals(), (Ordinals{0, 1}));
}

// Suppressed candidates suppress nothing: matrix "fast NMS" would keep only the first.
TEST(BoxDecodeNms, ChainKeepsBothEnds) {
  const std::vector<Entry> chain = {{0.9f, {0, 0, 10, 10}}, {0.8f, {3, 0, 13, 10}}, {0.7f, {6, 0, 16, 10}}};
  EXPECT_EQ(Selection(chain, rules(0.45f)).ordinals(), (Ordinals{0, 2}));
}

TEST(BoxDecodeNms, ClassesAreComparedNotShifted) {
  const auto box = [](const std::uint32_t(&w)[4]) {
    return Box{std::bit_cast<float>(w[0]), std::bit_cast<float>(w[1]), std::bit_cast<float>(w[2]),
               std::bit_cast<float>(w[3])};
  };
  const Box first = box({0x43DF8152, 0x43B13DCD, 0x43E301C8, 0x43BAAEDC});
  const Box second = box({0x43E0A4EA, 0x43B13DCD, 0x43E42560, 0x43BACC05});
  EXPECT_EQ(Selection({{0.9f, first}, {0.8f, second}}, rules(0.5f)).ordinals(), (Ordinals{0}));  // IoU 0.5045
  EXPECT_EQ(Selection({{0.9f, first, 0}, {0.8f, second, 1}}, rules(0.5f)).ordinals(), (Ordinals{0, 1}));
}

TEST(BoxDecodeNms, ThresholdZeroSuppressesAnyOverlapAndOneNone) {
  const std::vector<Entry> touching = {{0.9f, {0, 0, 10, 10}}, {0.8f, {10, 0, 20, 10}}, {0.7f, {9.75f, 0, 19, 10}}};
  EXPECT_EQ(Selection(touching, rules(0.0f)).ordinals(), (Ordinals{0, 1}));
  const std::vector<Entry> equal = {{0.9f, {0, 0, 10, 10}}, {0.8f, {0, 0, 10, 10}}};
  EXPECT_EQ(Selection(equal, rules(1.0f)).ordinals(), (Ordinals{0, 1}));
}

TEST(BoxDecodeNms, CapacityClassCapAndAgnostic) {
  std::vector<Entry> row;
  for (int i = 0; i < 6; ++i) row.push_back({0.5f, {20.0f * i, 0, 20.0f * i + 10, 10}, i % 2});
  EXPECT_EQ(Selection(row, rules(0.5f, 4)).ordinals(), (Ordinals{0, 1, 2, 3}));
  NmsRules capped = rules(0.5f);
  capped.max_per_class = 2;
  EXPECT_EQ(Selection(row, capped).ordinals(), (Ordinals{0, 1, 2, 3}));
  const std::vector<Entry> two = {{0.9f, {0, 0, 10, 10}, 0}, {0.8f, {0, 0, 10, 10}, 1}};
  NmsRules agnostic = rules(0.5f);
  EXPECT_EQ(Selection(two, agnostic).ordinals(), (Ordinals{0, 1}));
  agnostic.class_agnostic = true;
  EXPECT_EQ(Selection(two, agnostic).ordinals(), (Ordinals{0}));
  // A class that is full does not keep, and what is not kept suppresses nothing.
  NmsRules full = rules(0.3f);
  full.class_agnostic = true;
  full.max_per_class = 1;
  const std::vector<Entry> shadow = {{0.9f, {0, 0, 10, 10}, 0}, {0.8f, {50, 0, 60, 10}, 0}, {0.7f, {51, 0, 61, 10}, 1}};
  EXPECT_EQ(Selection(shadow, full).ordinals(), (Ordinals{0, 2}));
}

TEST(BoxDecodeNms, OverflowingAreasNeverSuppress) {
  const Box huge{-3e38f, -3e38f, 3e38f, 3e38f};
  EXPECT_EQ(Selection({{0.9f, huge}, {0.8f, huge}}, rules(0.5f)).ordinals(), (Ordinals{0, 1}));
  EXPECT_EQ(Selection({{0.9f, {0, 0, 3e38f, 1e-45f}}, {0.8f, {0, 1, 3e38f, 2}}}, rules(0.0f)).ordinals(),
            (Ordinals{0, 1}));
}

/// Section 12.3 to the letter, on all kept ones.
Ordinals literal(std::vector<Entry> entries, const NmsRules& r) {
  std::vector<std::uint32_t> order(entries.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](auto i, auto j) { return entries[i].score > entries[j].score; });
  Ordinals kept;
  for (const std::uint32_t i : order) {
    if (kept.size() == r.capacity) break;
    bool keep = true;
    std::uint32_t of_class = 0;
    for (const std::uint32_t k : kept) {
      const Box &a = entries[k].box, &b = entries[i].box;
      const float iw = std::max(0.0f, std::min(a.x2, b.x2) - std::max(a.x1, b.x1));
      const float ih = std::max(0.0f, std::min(a.y2, b.y2) - std::max(a.y1, b.y1));
      const float both = iw * ih;
      const float either = ((a.x2 - a.x1) * (a.y2 - a.y1) + (b.x2 - b.x1) * (b.y2 - b.y1)) - both;
      const bool rivals = r.class_agnostic || entries[k].class_id == entries[i].class_id;
      of_class += entries[k].class_id == entries[i].class_id;
      if (rivals && (either > 0 ? both / either : 0) > r.iou_threshold) keep = false;
    }
    if (r.max_per_class != 0 && of_class >= r.max_per_class) keep = false;
    if (keep) kept.push_back(i);
  }
  return kept;
}

// Coarse coordinates and scores: exact ties of both are common.
TEST(BoxDecodeNms, EqualsTheLiteralRuleOnRandomSets) {
  SeededChoices choices;
  SCOPED_TRACE(choices.where());
  for (int set = 0; set < 10'000; ++set) {
    std::vector<Entry> entries;
    const int n = choices.one_in(50) ? choices.between(250, 700) : choices.between(0, 40);
    for (int i = 0; i < n; ++i) {
      const auto at = [&] { return static_cast<float>(choices.between(0, 12)); };
      const float x = at(), y = at();
      entries.push_back({static_cast<float>(choices.between(0, 4)) / 4.0f,
                         {x, y, x + 1 + at(), y + 1 + at()},
                         choices.between(0, 3)});
    }
    NmsRules r = rules(choices.pick({0.0f, 0.25f, 0.5f, 1.0f}), static_cast<std::uint32_t>(choices.between(1, 50)));
    r.class_agnostic = choices.one_in(3);
    if (choices.one_in(3)) r.max_per_class = static_cast<std::uint32_t>(choices.between(1, 5));
    ASSERT_EQ(Selection(entries, r).ordinals(), literal(entries, r)) << "set " << set;
  }
}

TEST(BoxDecodeStore, LimitKeepsTheFirstInSelectionOrder) {
  SeededChoices choices;
  SCOPED_TRACE(choices.where());
  for (int round = 0; round < 2000; ++round) {
    const auto limit = static_cast<std::uint32_t>(choices.between(1, 20));
    const int n = choices.between(0, 120);
    std::vector<Candidate> buffer(2 * limit);
    CandidateStore store(buffer.data(), limit);
    std::vector<std::uint64_t> all;
    for (int i = 0; i < n; ++i) {
      const float score = static_cast<float>(choices.between(0, 6)) / 8.0f;
      store.add(score, static_cast<std::uint32_t>(i), 0, {});
      all.push_back(order_word(score, static_cast<std::uint32_t>(i)));
    }
    std::ranges::sort(all);
    const bool hit = all.size() > limit;
    if (hit) all.resize(limit);
    SelectionOrder order(buffer.data(), store.finish());
    ASSERT_EQ(order.count(), all.size());
    for (std::uint32_t i = 0; i < order.count(); ++i) ASSERT_EQ(order.at(i).order, all[i]);
    EXPECT_EQ(store.seen(), static_cast<std::uint64_t>(n));
    EXPECT_EQ(store.limit_hit(), hit);
  }
}

TEST(BoxDecodeRank, PowerHalf125OfTheDocument) {
  const float o = sigmoid(2.0f), c = sigmoid(1.5f);
  EXPECT_EQ(bits(power_half_125(o, c)), 0x3F3AC86Bu);
  EXPECT_EQ(bits(0.5f * 0.9f), 0x3EE66666u);
  EXPECT_EQ(bits(power_half_125(0.5f, 0.9f)), 0x3F1EAEA2u);
  EXPECT_EQ(bits(0.9f * 0.55f), 0x3EFD70A4u);
  EXPECT_EQ(bits(power_half_125(0.9f, 0.55f)), 0x3EE60FD5u);  // the order flips
  EXPECT_EQ(bits(power_half_125(1.0f, 0.8f)), 0x3F41B019u);
  EXPECT_EQ(bits(0.5f * power_half_125(1.0f, 0.8f)), 0x3EC1B019u);
}

// Tiles of 320 in a 2x2 mosaic, margin 4: only edges with a neighbour count.
TEST(BoxDecodeRank, InnerEdgesOfTheDocument) {
  const auto tile = [](bool left, bool top) {
    return EdgeRule{.left = left,
                    .top = top,
                    .right = !left,
                    .bottom = !top,
                    .margin = 4,
                    .right_from = 316,
                    .bottom_from = 316,
                    .factor = 0.5f};
  };
  const EdgeRule t00 = tile(false, false), t01 = tile(true, false), t11 = tile(true, true);
  EXPECT_TRUE(t00.touches({200, 10, 317, 60}));
  EXPECT_FALSE(t00.touches({200, 10, 315, 60}));
  EXPECT_FALSE(t00.touches({0.5f, 10, 40, 60}));
  EXPECT_TRUE(t01.touches({3.5f, 100, 40, 160}));
  EXPECT_TRUE(t01.touches({100, 100, 200, 316}));
  EXPECT_FALSE(t11.touches({100, 100, 200, 316}));
}

TEST(BoxDecodeVoting, FusesVotersOfTheDocument) {
  const Selection s({{0.9f, {10, 10, 50, 50}}, {0.6f, {12, 10, 52, 50}}, {0.5f, {10, 20, 50, 60}}}, rules(0.5f), 0.75f);
  ASSERT_EQ(s.ordinals(), (Ordinals{0}));
  EXPECT_EQ(bits(s.kept[0].box.x1), 0x412CCCCDu);
  EXPECT_EQ(s.kept[0].box.y1, 10.0f);
  EXPECT_EQ(bits(s.kept[0].box.x2), 0x424B3333u);
  EXPECT_EQ(s.kept[0].box.y2, 50.0f);
}

TEST(BoxDecodeVoting, ExactThresholdAndOtherClassesDoNotVote) {
  const Selection exact({{0.9f, {0, 0, 30, 10}}, {0.8f, {0, 0, 40, 10}}}, rules(0.5f), 0.75f);  // IoU 0.75
  EXPECT_EQ(exact.kept[0].box.x2, 30.0f);
  const Selection other({{0.9f, {10, 10, 50, 50}, 0}, {0.6f, {12, 10, 52, 50}, 1}}, rules(0.5f), 0.75f);
  EXPECT_EQ(other.kept[0].box.x1, 10.0f);
  const Selection zero({{0.0f, {10, 10, 50, 50}}, {0.0f, {12, 10, 52, 50}}}, rules(0.5f), 0.75f);  // weights sum to 0
  EXPECT_EQ(zero.kept[0].box.x1, 10.0f);
}

}  // namespace
}  // namespace tessera::boxdecode
