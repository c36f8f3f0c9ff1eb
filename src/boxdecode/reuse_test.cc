// A context used again: earlier inputs, workspace and outputs leave no trace.

#include <gtest/gtest.h>

#include <map>

#include "boxdecode/testing/bound.h"
#include "boxdecode/testing/expect.h"
#include "boxdecode/testing/random_case.h"
#include "boxdecode/testing/random_values.h"

namespace tessera::boxdecode::testing {
namespace {

TEST(BoxDecodeReuse, EarlierRunsAndContentsDoNotMatter) {
  SeededChoices choices(2);
  SCOPED_TRACE(choices.where());
  const std::vector<std::string> scanners = usable_scanners();
  std::map<Route, int> zero_cutoff, positive_cutoff;
  long cases = 0;
  for (std::size_t i = 0; i < 1500; ++i) {
    Case a = random_case(choices);
    if (choices.one_in(2)) a.params.detection_threshold = 0.0f;  // where scratch that is not cleared would show
    a.scanner = scanners[i % scanners.size()];
    Case b = a;
    fill_random(choices, b);
    const Outcome want_a = run_reference(a), want_b = run_reference(b);
    Bound bound(a);
    const auto views_b = b.views();
    const auto expect = [&](const std::vector<std::span<const std::byte>>& inputs, const Outcome& want) {
      Outcome got;
      ASSERT_TRUE(execute(bound.context, {inputs, bound.outputs, bound.sizes}, &got.stats));
      got.outputs = bound.output_bytes;
      ASSERT_EQ(difference(got, want), "") << "case " << i;
    };
    bound.poison(std::byte{0xA5});
    ASSERT_NO_FATAL_FAILURE(expect(bound.inputs, want_a));
    ASSERT_NO_FATAL_FAILURE(expect(views_b, want_b));
    bound.poison(std::byte{0xA5});
    ASSERT_NO_FATAL_FAILURE(expect(bound.inputs, want_a));
    for (std::size_t head = 0; head < bound.plan.head_count(); ++head) {
      ++(a.params.detection_threshold == 0.0f ? zero_cutoff : positive_cutoff)[bound.plan.route(head)];
    }
    ++cases;
  }
  EXPECT_EQ(zero_cutoff.size(), std::size(kRoutes)) << "a route was never taken";
  EXPECT_EQ(positive_cutoff.size(), std::size(kRoutes)) << "a route was never taken";
  report_cases("R1", cases);
}

/// An Int8 pair head of 4x4 cells whose scores all are -128 and admitted.
Case all_admitted(std::int32_t classes, Layout layout) {
  Case c = separate_case(Profile::Yolo26RawLtrb, 4, 4, classes);
  c.inputs = {dense_input(DType::Int8, 4, 4, 4), dense_input(DType::Int8, 4, 4, classes)};
  c.inputs[1].layout = layout;
  c.inputs[1].quant = Quant{0.0625f, -128};
  c.params.detection_threshold = 0.0f;
  c.params.max_detections = 16;
  c.fit_outputs();
  c.fit_bytes(std::byte{0x80});
  for (std::int64_t i = 0; i < 64; ++i) c.put_word(0, i / 16, i / 4 % 4, i % 4, 8);
  return c;
}

// All raw bytes -128 and everything admitted: no class ever improves on key 0, and the class is 0 by definition, also
// after a run that left the last class behind in every cell.
TEST(BoxDecodeReuse, AdmitAllGivesClassZeroAfterStaleClasses) {
  const struct {
    std::int32_t classes;
    Layout layout;
    Route route;
  } table[] = {{32, MlaCBlocked{3, 3, 16}, Route::PackedFullInt8},
               {17, MlaCBlocked{3, 3, 32}, Route::PackedPartialInt8Singleton},
               {20, MlaCBlocked{3, 3, 48}, Route::PackedPartialInt8},
               {1, MlaCBlocked{2, 2, 1}, Route::PackedPartialInt8Singleton},
               {20, Contiguous{}, Route::DenseGeneric}};
  for (const auto& row : table) {
    for (const std::string& scanner : usable_scanners()) {
      Case c = all_admitted(row.classes, row.layout);
      c.scanner = scanner;
      Bound bound(c);
      EXPECT_EQ(bound.plan.route(0), row.route);
      EXPECT_EQ(bound.plan.cutoffs(0).score, -128);
      Case stale = c;
      for (std::int64_t cell = 0; cell < 16; ++cell) stale.put_word(1, cell / 4, cell % 4, row.classes - 1, 127);
      const auto views = stale.views();
      ASSERT_TRUE(execute(bound.context, {views, bound.outputs}));
      EXPECT_EQ(ints(bound.output_bytes[2]), std::vector<std::int32_t>(16, row.classes - 1));
      ASSERT_TRUE(execute(bound.context, bound.bindings()));
      EXPECT_EQ(ints(bound.output_bytes[3])[0], 16);
      EXPECT_EQ(ints(bound.output_bytes[2]), std::vector<std::int32_t>(16, 0)) << row.classes << " " << scanner;
      EXPECT_EQ(bound.output_bytes, run_reference(c).outputs);
    }
  }
}

// Everything admitted and all bytes -128 through a combined head.
TEST(BoxDecodeReuse, AdmitAllGivesClassZeroInCombinedHeads) {
  for (const Layout& layout : {Layout{Strided{{0, 32, 1}}}, Layout{MlaCBlocked{3, 2, 16}}}) {
    Case c = yolo_v4_case(3);
    for (std::int64_t i = 0; i < 3; ++i) {
      TensorSpec& spec = c.inputs[static_cast<std::size_t>(i)];
      spec = dense_input(DType::Int8, 8 >> i, 8 >> i, 24);
      spec.layout = layout;
      if (auto* strided = std::get_if<Strided>(&spec.layout)) strided->byte_strides[0] = 32 * (8 >> i);
      spec.quant = Quant{0.0625f, -128};
    }
    c.params.detection_threshold = 0.0f;
    c.fit_bytes(std::byte{0x80});
    Bound bound(c);
    EXPECT_EQ(bound.plan.cutoffs(0).score, -128);
    bound.poison(std::byte{0xFF});
    ASSERT_TRUE(execute(bound.context, bound.bindings()));
    EXPECT_EQ(ints(bound.output_bytes[3])[0], 8);
    for (const std::int32_t id : ints(bound.output_bytes[2])) EXPECT_EQ(id, 0);
  }
}

// Inputs are read anew on every call: the same context with one tensor exchanged at a time.
TEST(BoxDecodeReuse, RebindingOneTensorIsSeen) {
  Case c = separate_case(Profile::YoloXV1, 2, 2, 1);
  for (std::int64_t field = 0; field < 4; ++field) c.put(0, 0, 0, field, 0);
  c.put(1, 0, 0, 0, 3);
  c.put(2, 0, 0, 0, 3);
  Bound bound(c);
  Case without = c;
  without.put(2, 0, 0, 0, -3);
  for (const bool present : {true, false, true}) {
    bound.inputs[2] = (present ? c : without).views()[2];
    ASSERT_TRUE(execute(bound.context, bound.bindings()));
    EXPECT_EQ(ints(bound.output_bytes[3])[0], present ? 1 : 0);
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
