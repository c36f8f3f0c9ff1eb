// The C numbers of the error codes. They are part of the binary interface and never change; the C++ enumeration is free
// to follow the order of the checks.

#include <tessera_boxdecode.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "boxdecode/c_api_convert.h"

namespace tessera::boxdecode {
namespace {

constexpr std::pair<ErrorCode, std::int32_t> kCodes[] = {
    {ErrorCode::InvalidDetectionThreshold, TESSERA_BD_INVALID_DETECTION_THRESHOLD},
    {ErrorCode::InvalidNmsThreshold, TESSERA_BD_INVALID_NMS_THRESHOLD},
    {ErrorCode::InvalidCapacity, TESSERA_BD_INVALID_CAPACITY},
    {ErrorCode::InvalidImageExtent, TESSERA_BD_INVALID_IMAGE_EXTENT},
    {ErrorCode::InvalidClassCount, TESSERA_BD_INVALID_CLASS_COUNT},
    {ErrorCode::InvalidCandidateLimit, TESSERA_BD_INVALID_CANDIDATE_LIMIT},
    {ErrorCode::InvalidPerClassLimit, TESSERA_BD_INVALID_PER_CLASS_LIMIT},
    {ErrorCode::InvalidMosaic, TESSERA_BD_INVALID_MOSAIC},
    {ErrorCode::InvalidBoxStep, TESSERA_BD_INVALID_BOX_STEP},
    {ErrorCode::InvalidResize, TESSERA_BD_INVALID_RESIZE},
    {ErrorCode::InvalidKeypointShape, TESSERA_BD_INVALID_KEYPOINT_SHAPE},
    {ErrorCode::UnsupportedProfile, TESSERA_BD_UNSUPPORTED_PROFILE},
    {ErrorCode::UnsupportedTask, TESSERA_BD_UNSUPPORTED_TASK},
    {ErrorCode::InvalidAnchorGrid, TESSERA_BD_INVALID_ANCHOR_GRID},
    {ErrorCode::ActivationMissing, TESSERA_BD_ACTIVATION_MISSING},
    {ErrorCode::ActivationConflict, TESSERA_BD_ACTIVATION_CONFLICT},
    {ErrorCode::InvalidHeadCount, TESSERA_BD_INVALID_HEAD_COUNT},
    {ErrorCode::HeadKindMismatch, TESSERA_BD_HEAD_KIND_MISMATCH},
    {ErrorCode::PortOutOfRange, TESSERA_BD_PORT_OUT_OF_RANGE},
    {ErrorCode::PortDuplicate, TESSERA_BD_PORT_DUPLICATE},
    {ErrorCode::PortUnmapped, TESSERA_BD_PORT_UNMAPPED},
    {ErrorCode::InvalidRank, TESSERA_BD_INVALID_RANK},
    {ErrorCode::InvalidLeadingExtent, TESSERA_BD_INVALID_LEADING_EXTENT},
    {ErrorCode::InvalidSpatialExtent, TESSERA_BD_INVALID_SPATIAL_EXTENT},
    {ErrorCode::CellCountExceeded, TESSERA_BD_CELL_COUNT_EXCEEDED},
    {ErrorCode::UnsupportedDType, TESSERA_BD_UNSUPPORTED_DTYPE},
    {ErrorCode::UnsupportedLayout, TESSERA_BD_UNSUPPORTED_LAYOUT},
    {ErrorCode::InvalidStride, TESSERA_BD_INVALID_STRIDE},
    {ErrorCode::InvalidPhysicalChannels, TESSERA_BD_INVALID_PHYSICAL_CHANNELS},
    {ErrorCode::InvalidTile, TESSERA_BD_INVALID_TILE},
    {ErrorCode::ChannelMismatch, TESSERA_BD_CHANNEL_MISMATCH},
    {ErrorCode::QuantizationMissing, TESSERA_BD_QUANTIZATION_MISSING},
    {ErrorCode::QuantizationUnexpected, TESSERA_BD_QUANTIZATION_UNEXPECTED},
    {ErrorCode::QuantizationInvalid, TESSERA_BD_QUANTIZATION_INVALID},
    {ErrorCode::HeadDTypeMismatch, TESSERA_BD_HEAD_DTYPE_MISMATCH},
    {ErrorCode::HeadGeometryMismatch, TESSERA_BD_HEAD_GEOMETRY_MISMATCH},
    {ErrorCode::ModelExtentNotAligned, TESSERA_BD_MODEL_EXTENT_NOT_ALIGNED},
    {ErrorCode::HeadStrideMismatch, TESSERA_BD_HEAD_STRIDE_MISMATCH},
    {ErrorCode::InvalidOutputCount, TESSERA_BD_INVALID_OUTPUT_COUNT},
    {ErrorCode::InvalidOutputDType, TESSERA_BD_INVALID_OUTPUT_DTYPE},
    {ErrorCode::InvalidOutputShape, TESSERA_BD_INVALID_OUTPUT_SHAPE},
    {ErrorCode::InvalidOutputLayout, TESSERA_BD_INVALID_OUTPUT_LAYOUT},
    {ErrorCode::SizeOverflow, TESSERA_BD_SIZE_OVERFLOW},
    {ErrorCode::UnsupportedScanner, TESSERA_BD_UNSUPPORTED_SCANNER},
    {ErrorCode::WorkspaceTooSmall, TESSERA_BD_WORKSPACE_TOO_SMALL},
    {ErrorCode::WorkspaceMisaligned, TESSERA_BD_WORKSPACE_MISALIGNED},
    {ErrorCode::ContextBusy, TESSERA_BD_CONTEXT_BUSY},
    {ErrorCode::BindingCountMismatch, TESSERA_BD_BINDING_COUNT_MISMATCH},
    {ErrorCode::BindingNull, TESSERA_BD_BINDING_NULL},
    {ErrorCode::BindingTooSmall, TESSERA_BD_BINDING_TOO_SMALL},
    {ErrorCode::BindingMisaligned, TESSERA_BD_BINDING_MISALIGNED},
    {ErrorCode::BindingOverlap, TESSERA_BD_BINDING_OVERLAP},
    {ErrorCode::InvalidOriginalSize, TESSERA_BD_INVALID_ORIGINAL_SIZE}};
static_assert(std::size(kCodes) == static_cast<std::size_t>(ErrorCode::InvalidOriginalSize) + 1);
static_assert(std::ranges::adjacent_find(kCodes, std::ranges::greater_equal{}, [](const auto& row) {
                return row.first;
              }) == std::end(kCodes));  // row i is enumerator i

}  // namespace

std::int32_t c_code(ErrorCode code) noexcept { return kCodes[static_cast<std::size_t>(code)].second; }

const char* c_code_name(std::int32_t code) noexcept {
  switch (code) {
    case TESSERA_BD_OK:
      return "Ok";
    case TESSERA_BD_NULL_ARGUMENT:
      return "NullArgument";
    case TESSERA_BD_INVALID_STRUCT:
      return "InvalidStruct";
    case TESSERA_BD_INVALID_ENUM:
      return "InvalidEnum";
    case TESSERA_BD_OUT_OF_MEMORY:
      return "OutOfMemory";
    default:
      break;
  }
  const auto* found = std::ranges::find(kCodes, code, [](const auto& row) { return row.second; });
  return found == std::end(kCodes) ? "unknown" : to_string(found->first);
}

}  // namespace tessera::boxdecode
