// A mosaic is N problems in one canvas: the same bytes as decoding N tensors cut out of it, and a penalty at inner
// edges only.

#include <gtest/gtest.h>

#include <map>

#include "boxdecode/testing/expect.h"
#include "boxdecode/testing/random_case.h"

namespace tessera::boxdecode::testing {
namespace {

/// The tile's part of an input: same layout, fewer cells. Row gaps are not kept.
TensorSpec cut_spec(const TensorSpec& spec, const Mosaic& mosaic) {
  TensorSpec out = spec;
  const int rank = spec.shape.rank();
  out.shape[rank - 3] /= mosaic.rows;
  out.shape[rank - 2] /= mosaic.cols;
  if (auto* strided = std::get_if<Strided>(&out.layout)) {
    strided->byte_strides[rank - 3] = out.shape[rank - 2] * strided->byte_strides[rank - 2];
  }
  return out;
}

/// One image of a mosaic as a problem of its own.
Case cut_out(const Case& c, std::int32_t row, std::int32_t col) {
  const Mosaic mosaic = c.params.mosaic;
  Case out = c;
  out.params.mosaic = {};
  out.params.model_input_size = {c.params.model_input_size.width / mosaic.cols,
                                 c.params.model_input_size.height / mosaic.rows};
  if (!c.original_sizes.empty()) {
    out.original_sizes = {c.original_sizes[static_cast<std::size_t>(row * mosaic.cols + col)]};
  }
  for (TensorSpec& spec : out.inputs) spec = cut_spec(spec, mosaic);
  out.fit_outputs(c.outputs[0].dtype);
  out.fit_bytes(std::byte{0x7F});
  for (std::size_t port = 0; port < c.inputs.size(); ++port) {
    const int rank = out.inputs[port].shape.rank();
    const std::int64_t h = out.inputs[port].shape[rank - 3], w = out.inputs[port].shape[rank - 2];
    for (std::int64_t y = 0; y < h; ++y) {
      for (std::int64_t x = 0; x < w; ++x) {
        for (std::int64_t k = 0; k < c.channels(port); ++k) {
          out.put_word(port, y, x, k, c.word(port, row * h + y, col * w + x, k));
        }
      }
    }
  }
  return out;
}

/// The images of a mosaic, decoded one by one and written one after the other.
Outcome decode_apart(const Case& c) {
  Outcome all;
  all.outputs.resize(4);
  for (std::int32_t row = 0; row < c.params.mosaic.rows; ++row) {
    for (std::int32_t col = 0; col < c.params.mosaic.cols; ++col) {
      const auto one = run(cut_out(c, row, col));
      EXPECT_TRUE(one) << to_string(one.error());
      if (!one) return all;
      for (std::size_t output = 0; output < 4; ++output) {
        all.outputs[output].insert(all.outputs[output].end(), one->outputs[output].begin(), one->outputs[output].end());
      }
      all.stats.candidates_seen += one->stats.candidates_seen;
      all.stats.candidates_kept += one->stats.candidates_kept;
      all.stats.candidate_limit_hit |= one->stats.candidate_limit_hit;
    }
  }
  return all;
}

TEST(BoxDecodeMosaic, EqualsTensorsCutApart) {
  SeededChoices choices(14);
  SCOPED_TRACE(choices.where());
  const std::vector<std::string> scanners = usable_scanners();
  std::map<Route, int> routes;
  std::map<Head::Kind, int> kinds;
  long cases = 0;
  for (std::size_t i = 0; i < 6000; ++i) {
    Case c = random_case(choices);
    if (c.params.mosaic.rows * c.params.mosaic.cols == 1) continue;
    c.params.edge_penalty.reset();  // the one rule that knows about neighbours
    c.scanner = scanners[i % scanners.size()];
    const auto whole = run(c);
    ASSERT_TRUE(whole) << to_string(whole.error());
    ASSERT_EQ(difference(*whole, decode_apart(c)), "") << "case " << i;
    const Plan plan = check_inference(c.request()).value();
    for (std::size_t head = 0; head < plan.head_count(); ++head) ++routes[plan.route(head)];
    ++kinds[c.params.heads[0].kind];
    ++cases;
  }
  EXPECT_EQ(routes.size(), std::size(kRoutes)) << "a route was never taken";
  for (const auto& [kind, count] : kinds) EXPECT_GT(count, 20) << static_cast<int>(kind);
  EXPECT_EQ(kinds.size(), 3u);
  report_cases("M1", cases);
}

/// The only detection of a 3x3 mosaic, in the given tile: its score.
float score_of_box(std::int32_t tile_row, std::int32_t tile_col, const std::array<float, 4>& box, bool blocked) {
  Case c = corners_case(18, 18, 16, 1);  // tiles of 96 pixels
  c.params.mosaic = {3, 3};
  c.params.original_image_size = {96, 96};
  c.params.edge_penalty = EdgePenalty{};
  if (blocked) {
    for (std::size_t port = 0; port < 2; ++port) {
      c.inputs[port] = blocked_input(DType::BFloat16, 18, 18, port == 0 ? 4 : 1, {5, 4, 16});
    }
  }
  c.fit_outputs(DType::Float32);
  if (blocked) c.fit_bytes(std::byte{0xFF});
  put_corners(c, 6 * tile_row + 2, 6 * tile_col + 3, box, 0.75f);
  const std::vector<Row> found = rows(decode(c));
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? 0.0f : found[0].score;
}

// Each edge of each of nine tiles: penalised exactly where there is a neighbour, inclusive at the margin.
TEST(BoxDecodeMosaic, EdgePenaltyInEachDirection) {
  const struct {
    int row_step, col_step;
    std::array<float, 4> at_margin, inside;
  } edges[] = {{0, -1, {4, 40, 50, 50}, {4.5f, 40, 50, 50}},
               {0, 1, {40, 40, 92, 50}, {40, 40, 91.5f, 50}},
               {-1, 0, {40, 4, 50, 50}, {40, 4.5f, 50, 50}},
               {1, 0, {40, 40, 50, 92}, {40, 40, 50, 91.5f}}};
  for (const bool blocked : {false, true}) {
    for (std::int32_t tile = 0; tile < 9; ++tile) {
      const std::int32_t row = tile / 3, col = tile % 3;
      for (const auto& edge : edges) {
        const std::int32_t r = row + edge.row_step, k = col + edge.col_step;
        const bool neighbour = r >= 0 && r < 3 && k >= 0 && k < 3;
        EXPECT_EQ(score_of_box(row, col, edge.at_margin, blocked), neighbour ? 0.375f : 0.75f) << tile;
        EXPECT_EQ(score_of_box(row, col, edge.inside, blocked), 0.75f) << tile;
      }
    }
    // Several edges at once count once.
    EXPECT_EQ(score_of_box(1, 1, {1, 1, 95, 95}, blocked), 0.375f);
  }
}

// The penalty may take a reported score below the threshold, which judges the base score only.
TEST(BoxDecodeMosaic, ThresholdJudgesTheBaseScore) {
  EXPECT_EQ(score_of_box(1, 1, {1, 1, 95, 95}, false), 0.375f);  // T is 0.5
}

// Ownership is by cell: a box whose centre lies in the neighbouring tile stays with the tile of its cell.
TEST(BoxDecodeMosaic, TilesOwnCellsNotCentres) {
  Case c = corners_case(4, 8, 16, 1);
  c.params.mosaic = {1, 2};
  c.params.original_image_size = {64, 64};
  c.fit_outputs(DType::Float32);
  put_corners(c, 1, 3, {48, 0, 180, 64}, 0.9f);  // last column of tile 0, centre at 114 of 64
  const Outcome outcome = decode(c);
  EXPECT_EQ(ints(outcome.outputs[3]), (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(rows(outcome).at(0).box, (std::array<float, 4>{48, 0, 64, 64}));  // clamped when mapped
}

}  // namespace
}  // namespace tessera::boxdecode::testing
