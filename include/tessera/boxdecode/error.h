#pragma once
// Errors of BoxDecode: a code per rule, the place, the values. Static texts only, so that execute never allocates.

#include <cstdint>
#include <limits>
#include <string>

namespace tessera::boxdecode {

/// One code per rule of docs/boxdecode.md, "limits and codes". Codes of rooms that are not built yet are listed
/// already.
enum class ErrorCode : std::uint8_t {
  // check_inference, in the order in which the rules are checked
  InvalidDetectionThreshold,
  InvalidNmsThreshold,
  InvalidCapacity,
  InvalidImageExtent,
  InvalidClassCount,
  InvalidCandidateLimit,
  InvalidPerClassLimit,
  InvalidMosaic,
  InvalidBoxStep,
  InvalidResize,
  InvalidKeypointShape,
  UnsupportedProfile,
  UnsupportedTask,
  InvalidAnchorGrid,
  ActivationMissing,
  ActivationConflict,
  InvalidHeadCount,
  HeadKindMismatch,
  PortOutOfRange,
  PortDuplicate,
  PortUnmapped,
  InvalidRank,
  InvalidLeadingExtent,
  InvalidSpatialExtent,
  CellCountExceeded,
  UnsupportedDType,
  UnsupportedLayout,
  InvalidStride,
  InvalidPhysicalChannels,
  InvalidTile,
  ChannelMismatch,
  QuantizationMissing,
  QuantizationUnexpected,
  QuantizationInvalid,
  HeadDTypeMismatch,
  HeadGeometryMismatch,
  ModelExtentNotAligned,
  HeadStrideMismatch,
  InvalidOutputCount,
  InvalidOutputDType,
  InvalidOutputShape,
  InvalidOutputLayout,
  SizeOverflow,
  UnsupportedScanner,
  // Context::create
  WorkspaceTooSmall,
  WorkspaceMisaligned,
  // execute
  ContextBusy,
  BindingCountMismatch,
  BindingNull,
  BindingTooSmall,
  BindingMisaligned,
  BindingOverlap,
  InvalidOriginalSize,
};

/// The enumerator's own name ("InvalidCapacity").
const char* to_string(ErrorCode code) noexcept;

struct Error {
  static constexpr std::int64_t kNoValue = std::numeric_limits<std::int64_t>::min();

  ErrorCode code;
  std::int32_t index = -1;         ///< which input, head, output or image; -1 when there is only one of the thing
  const char* field = "";          ///< the thing: "detection_threshold", "input channels"
  const char* wish = "";           ///< what would be accepted
  std::int64_t got = kNoValue;     ///< the fact, when it is one integer
  std::int64_t wanted = kNoValue;  ///< the exact value wanted, when there is one
};

/// One line: "ChannelMismatch: input channels [1] is 254, wanted 255: slots * (classes + 5)". Allocates.
std::string to_string(const Error& error);

}  // namespace tessera::boxdecode
