// The library against its slow twin: byte for byte on every output, for problems drawn at random, and once more with
// other padding.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "boxdecode/testing/expect.h"
#include "boxdecode/testing/random_case.h"

namespace tessera::boxdecode::testing {
namespace {

constexpr const char* kTasks[] = {"detection", "pose", "segmentation"};
constexpr const char* kLayouts[] = {"contiguous", "strided", "blocked"};

/// What the cases of a run have covered; a run that covered nothing of a kind proves nothing about it.
struct Coverage {
  std::map<std::string, int> seen;

  void note(const Case& c, const Plan& plan, const Outcome& outcome) {
    const Params& p = c.params;
    ++seen[to_string(p.profile)];
    ++seen[kTasks[static_cast<int>(p.task)]];
    for (std::size_t head = 0; head < plan.head_count(); ++head) {
      ++seen[to_string(plan.route(head))];
      if (p.detection_threshold == 0.0f) ++seen[to_string(plan.route(head)) + std::string(" at threshold 0")];
      ++seen[memory_text(c, p.heads[head])];
    }
    for (const TensorSpec& spec : c.inputs) {
      ++seen[to_string(spec.dtype)];
      ++seen[kLayouts[spec.layout.index()]];
    }
    note_params(c);
    const std::int32_t count = ints(outcome.outputs[3])[0];
    seen["kept"] += count > 0;
    seen["nothing kept"] += count == 0;
    seen["full"] += count == p.max_detections;
    seen["limit hit"] += outcome.stats.candidate_limit_hit;
    seen["mask with pixels"] += p.task == Task::Segmentation && count > 0 && any_set(outcome.outputs[4]);
    seen["key points"] += p.task == Task::Pose && count > 0;
  }
  void note_params(const Case& c) {
    const Params& p = c.params;
    seen["mosaic"] += p.mosaic.rows * p.mosaic.cols > 1;
    seen["edge penalty"] += p.edge_penalty.has_value();
    seen["voting"] += p.voting.has_value();
    seen["power"] += p.rank_rule == RankRule::PowerHalf125;
    seen["agnostic"] += p.nms_class_agnostic;
    seen["per class"] += p.max_per_class > 0;
    seen["identity"] += p.score_activation == ScoreActivation::Identity;
    seen["sigmoid"] += p.score_activation != ScoreActivation::Identity;
    seen["threshold 0"] += p.detection_threshold == 0.0f;
    seen["letterbox"] += p.resize.mode == Resize::Mode::Letterbox;
    seen["explicit"] += p.resize.mode == Resize::Mode::Explicit;
    seen["original sizes"] += !c.original_sizes.empty();
    seen["several heads"] += p.heads.size() > 1;
  }
  /// "YoloV8V1 bf16 blocked": profile with type and layout of the tensor that is scanned.
  static std::string memory_text(const Case& c, const Head& head) {
    const bool combined = head.kind == Head::Kind::Combined;
    const TensorSpec& spec = c.inputs[static_cast<std::size_t>(combined ? head.combined_port : head.score_port)];
    const bool blocked = std::holds_alternative<MlaCBlocked>(spec.layout);
    return memory_text(c.params.profile, spec.dtype, blocked);
  }
  static std::string memory_text(Profile profile, DType dtype, bool blocked) {
    return std::string(to_string(profile)) + " " + to_string(dtype) + (blocked ? " blocked" : " dense");
  }
  static bool any_set(const std::vector<std::byte>& bytes) {
    return std::ranges::any_of(bytes, [](std::byte b) { return b != std::byte{0}; });
  }
  /// At least `least` of everything there is, and some of every combination.
  void expect(int least) {
    for (const Route route : kRoutes) {
      EXPECT_GE(seen[to_string(route)], least) << to_string(route);
      EXPECT_GE(seen[to_string(route) + std::string(" at threshold 0")], 1) << to_string(route);
    }
    for (int i = 1; i <= static_cast<int>(Profile::YoloXV1); ++i) {
      for (const DType dtype : {DType::Float32, DType::BFloat16, DType::Int8}) {
        for (const bool blocked : {false, true}) {
          if (dtype == DType::Float32 && blocked) continue;  // there is no such layout
          const std::string name = memory_text(static_cast<Profile>(i), dtype, blocked);
          EXPECT_GE(seen[name], least / 5) << name;
        }
      }
    }
    for (const char* what : kTasks) EXPECT_GE(seen[what], least) << what;
    for (const char* what : kLayouts) EXPECT_GE(seen[what], least) << what;
    for (const char* what :
         {"f32",        "bf16",         "s8",        "kept",     "nothing kept", "full",           "limit hit",
          "mosaic",     "edge penalty", "voting",    "power",    "agnostic",     "per class",      "mask with pixels",
          "sigmoid",    "identity",     "letterbox", "explicit", "key points",   "original sizes", "several heads",
          "threshold 0"}) {
      EXPECT_GE(seen[what], least) << what;
    }
  }
};

/// The same elements with other bytes between them.
Case with_padding(const Case& c, std::uint8_t fill) {
  Case other = c;
  other.fit_bytes(static_cast<std::byte>(fill));
  for (std::size_t port = 0; port < c.inputs.size(); ++port) other.copy_elements(c, port);
  return other;
}

void expect_equal(const Case& c, const Outcome& want, std::byte poison, const std::string& what) {
  const auto got = run(c, poison);
  ASSERT_TRUE(got) << to_string(got.error()) << " " << what;
  ASSERT_EQ(difference(*got, want), "") << what;
}

constexpr int kCases = 2'000;  // of one batch, so that sanitizers and emulators finish one in time

class BoxDecodeDifferential : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(BoxDecodeDifferential, RandomCasesEqualTheReference) {
  SeededChoices choices(1000 + GetParam());
  SCOPED_TRACE(choices.where());
  const std::vector<std::string> scanners = usable_scanners();
  Coverage coverage;
  long compared = 0, padded = 0;
  for (int i = 0; i < kCases; ++i) {
    Case c = random_case(choices);
    const Outcome want = run_reference(c);
    for (const std::string& scanner : scanners) {
      c.scanner = scanner;
      ASSERT_NO_FATAL_FAILURE(expect_equal(c, want, static_cast<std::byte>(0xA5 + i),
                                           "case " + std::to_string(i) + ", scanner " + scanner));
      ++compared;
    }
    c.scanner = scanners[static_cast<std::size_t>(i) % scanners.size()];
    for (const std::uint8_t fill : {0x7F, 0x80, 0xFF}) {
      const Case other = with_padding(c, fill);
      padded += other.bytes != c.bytes;
      ASSERT_NO_FATAL_FAILURE(expect_equal(other, want, std::byte{0}, "case " + std::to_string(i) + ", padding"));
    }
    coverage.note(c, check_inference(c.request()).value(), want);
  }
  coverage.expect(kCases / 100);
  report_cases("D1", compared);
  report_cases("D2", padded);
}

INSTANTIATE_TEST_SUITE_P(Batches, BoxDecodeDifferential, ::testing::Range(0u, 8u));

}  // namespace
}  // namespace tessera::boxdecode::testing
