// The library against its slow twin: byte for byte on every output, for problems drawn at random.

#include <gtest/gtest.h>

#include <map>

#include "boxdecode/testing/random_case.h"

namespace tessera::boxdecode::testing {
namespace {

/// What the cases of a run have covered; a run that covered nothing of a kind proves nothing about it.
struct Coverage {
  std::map<std::string, int> seen;
  void note(const Case& c, const Outcome& outcome) {
    const Params& p = c.params;
    ++seen[text_of(p)];
    for (const TensorSpec& spec : c.inputs) ++seen[to_string(spec.dtype)];
    seen["kept"] += ints(outcome.outputs[3])[0] > 0;
    seen["nothing kept"] += ints(outcome.outputs[3])[0] == 0;
    seen["full"] += ints(outcome.outputs[3])[0] == p.max_detections;
    seen["limit hit"] += outcome.stats.candidate_limit_hit;
    seen["mosaic"] += p.mosaic.rows * p.mosaic.cols > 1;
    seen["edge penalty"] += p.edge_penalty.has_value();
    seen["voting"] += p.voting.has_value();
    seen["multi label"] += p.multi_label;
    seen["agnostic"] += p.nms_class_agnostic;
    seen["per class"] += p.max_per_class > 0;
    seen["activated"] += p.score_activation == ScoreActivation::Identity;
    seen["letterbox"] += p.resize.mode == Resize::Mode::Letterbox;
    seen["explicit"] += p.resize.mode == Resize::Mode::Explicit;
    seen["original sizes"] += !c.original_sizes.empty();
  }
  static std::string text_of(const Params& p) { return to_string(p.profile); }
};

constexpr int kCases = 5'000;

class BoxDecodeDifferential : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(BoxDecodeDifferential, RandomCasesEqualTheReference) {
  SeededChoices choices(1000 + GetParam());
  SCOPED_TRACE(choices.where());
  Coverage coverage;
  for (int i = 0; i < kCases; ++i) {
    Case c = random_case(choices);
    const Outcome want = run_reference(c);
    for (const std::string scanner : {"scalar", "avx2", "avx512"}) {
      c.scanner = scanner;
      const auto got = run(c, static_cast<std::byte>(0xA5 + i));
      if (!got && got.error().code == ErrorCode::UnsupportedScanner) continue;
      ASSERT_TRUE(got) << to_string(got.error()) << " case " << i;
      ++coverage.seen["scanner " + scanner];
      ASSERT_EQ(difference(*got, want), "") << "case " << i << ", scanner '" << scanner << "'";
    }
    coverage.note(c, want);
  }
  for (const char* what :
       {"AnchorGridV1", "YoloV3V1",  "YoloV4V1",     "YoloV5V1", "YoloV7V1",       "YoloV7TinyV1",
        "f32",          "bf16",      "s8",           "kept",     "nothing kept",   "full",
        "limit hit",    "mosaic",    "edge penalty", "voting",   "multi label",    "agnostic",
        "per class",    "activated", "letterbox",    "explicit", "original sizes", "scanner scalar"}) {
    EXPECT_GE(coverage.seen[what], kCases / 200) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(Batches, BoxDecodeDifferential, ::testing::Range(0u, 4u));

TEST(BoxDecodePadding, NeverMatters) {
  SeededChoices choices(1);
  SCOPED_TRACE(choices.where());
  int padded = 0;
  for (int i = 0; i < 2000; ++i) {
    const Case c = random_case(choices);
    const auto want = run(c);
    ASSERT_TRUE(want) << to_string(want.error());
    for (const std::uint8_t fill : {0x7F, 0x80, 0xFF}) {
      Case other = c;
      other.fit_bytes(static_cast<std::byte>(fill));
      for (std::size_t port = 0; port < c.inputs.size(); ++port) {
        const TensorSpec& spec = c.inputs[port];
        const int last = spec.shape.rank() - 1;
        const std::int64_t run_bytes = spec.shape[last] * element_size(spec.dtype);
        for (std::int64_t y = 0; y < spec.shape[last - 2]; ++y) {
          for (std::int64_t x = 0; x < spec.shape[last - 1]; ++x) {
            const std::int64_t at = c.offset(port, y, x, 0);
            std::memcpy(other.bytes[port].data() + at, c.bytes[port].data() + at, static_cast<std::size_t>(run_bytes));
          }
        }
        padded += other.bytes[port] != c.bytes[port];
      }
      const auto got = run(other);
      ASSERT_TRUE(got);
      ASSERT_EQ(difference(*got, *want), "") << "case " << i << ", padding " << int{fill};
    }
  }
  EXPECT_GT(padded, 1000);
}

}  // namespace
}  // namespace tessera::boxdecode::testing
