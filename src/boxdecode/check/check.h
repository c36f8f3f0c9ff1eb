#pragma once
// The steps of check_inference, in the order in which they run; the first violation is reported. A bound that needs
// more than the parameter itself belongs to the step that knows it.

#include <tessera/boxdecode.h>

#include <array>
#include <optional>
#include <vector>

#include "boxdecode/families/family.h"
#include "boxdecode/layout.h"

namespace tessera::boxdecode {

using Problem = std::optional<Error>;

inline Error problem(ErrorCode code, const char* field, const char* wish, std::int64_t got = Error::kNoValue,
                     std::int64_t wanted = Error::kNoValue) {
  return Error{code, -1, field, wish, got, wanted};
}
inline Error problem_at(std::size_t index, ErrorCode code, const char* field, const char* wish,
                        std::int64_t got = Error::kNoValue, std::int64_t wanted = Error::kNoValue) {
  return Error{code, static_cast<std::int32_t>(index), field, wish, got, wanted};
}

inline constexpr std::int32_t kMaxExtent = 1'048'576;
inline constexpr std::int64_t kMaxBytes = std::int64_t{1} << 40;
inline constexpr std::int32_t kDefaultMultiLabelLimit = 30'000;

enum class Role : std::uint8_t { None, Combined, Box, Score, Objectness, Coefficients, Keypoints, Basis };

/// What an input is for, found from the heads.
struct PortRole {
  Role role = Role::None;
  std::int32_t head = -1;
  std::int64_t channels = 0;        ///< logical C that the role needs; 0: whatever the basis has
  std::int64_t other_channels = 0;  ///< a second C that is allowed
};

/// Facts gathered on the way.
struct Checked {
  const Request* request = nullptr;
  const Family* family = nullptr;
  ScoreActivation activation = ScoreActivation::Sigmoid;
  std::vector<AnchorGrid> grids;  ///< one per head
  std::vector<PortRole> roles;    ///< one per input

  const Params& params() const { return request->params; }
  ImageSize tile() const {
    return {params().model_input_size.width / params().mosaic.cols,
            params().model_input_size.height / params().mosaic.rows};
  }
};

/// The three extents that matter of a checked input.
struct Hwc {
  std::int64_t h, w, c;
};
inline Hwc hwc(const TensorSpec& spec) {
  const int rank = spec.shape.rank();
  return {spec.shape[rank - 3], spec.shape[rank - 2], spec.shape[rank - 1]};
}

Problem check_scalars(const Params& params);     // (a)
Problem check_profile(Checked& checked);         // (b)
Problem check_heads(Checked& checked);           // (c) and (d)
Problem check_inputs(const Checked& checked);    // (e)
Problem check_geometry(const Checked& checked);  // (f)
Problem check_outputs(const Checked& checked);   // (g)

/// The tensor whose extents are the head's: the combined one, or the scores.
inline std::size_t main_port(const Head& head) {
  return static_cast<std::size_t>(head.kind == Head::Kind::Combined ? head.combined_port : head.score_port);
}

struct DenseStrides {
  std::int64_t row, pixel, element;
};
DenseStrides dense_strides(const TensorSpec& spec);
BlockedAddress blocked_address(const TensorSpec& spec);  ///< of a checked MlaCBlocked input

/// Required bytes of a checked input; nullopt on overflow. Combined dense heads count the padding of the last pixel,
/// which vector loads may touch; other dense tensors end with the last channel; blocked ones are stored whole.
std::optional<std::int64_t> input_bytes(const TensorSpec& spec, bool combined);

}  // namespace tessera::boxdecode
