#include <tessera/boxdecode/error.h>

#include "base/text.h"

namespace tessera::boxdecode {

const char* to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::InvalidDetectionThreshold:
      return "InvalidDetectionThreshold";
    case ErrorCode::InvalidNmsThreshold:
      return "InvalidNmsThreshold";
    case ErrorCode::InvalidCapacity:
      return "InvalidCapacity";
    case ErrorCode::InvalidImageExtent:
      return "InvalidImageExtent";
    case ErrorCode::InvalidClassCount:
      return "InvalidClassCount";
    case ErrorCode::InvalidCandidateLimit:
      return "InvalidCandidateLimit";
    case ErrorCode::InvalidPerClassLimit:
      return "InvalidPerClassLimit";
    case ErrorCode::InvalidMosaic:
      return "InvalidMosaic";
    case ErrorCode::InvalidBoxStep:
      return "InvalidBoxStep";
    case ErrorCode::InvalidResize:
      return "InvalidResize";
    case ErrorCode::InvalidKeypointShape:
      return "InvalidKeypointShape";
    case ErrorCode::UnsupportedProfile:
      return "UnsupportedProfile";
    case ErrorCode::UnsupportedTask:
      return "UnsupportedTask";
    case ErrorCode::InvalidAnchorGrid:
      return "InvalidAnchorGrid";
    case ErrorCode::ActivationMissing:
      return "ActivationMissing";
    case ErrorCode::ActivationConflict:
      return "ActivationConflict";
    case ErrorCode::InvalidHeadCount:
      return "InvalidHeadCount";
    case ErrorCode::HeadKindMismatch:
      return "HeadKindMismatch";
    case ErrorCode::PortOutOfRange:
      return "PortOutOfRange";
    case ErrorCode::PortDuplicate:
      return "PortDuplicate";
    case ErrorCode::PortUnmapped:
      return "PortUnmapped";
    case ErrorCode::InvalidRank:
      return "InvalidRank";
    case ErrorCode::InvalidLeadingExtent:
      return "InvalidLeadingExtent";
    case ErrorCode::InvalidSpatialExtent:
      return "InvalidSpatialExtent";
    case ErrorCode::CellCountExceeded:
      return "CellCountExceeded";
    case ErrorCode::UnsupportedDType:
      return "UnsupportedDType";
    case ErrorCode::UnsupportedLayout:
      return "UnsupportedLayout";
    case ErrorCode::InvalidStride:
      return "InvalidStride";
    case ErrorCode::InvalidPhysicalChannels:
      return "InvalidPhysicalChannels";
    case ErrorCode::InvalidTile:
      return "InvalidTile";
    case ErrorCode::ChannelMismatch:
      return "ChannelMismatch";
    case ErrorCode::QuantizationMissing:
      return "QuantizationMissing";
    case ErrorCode::QuantizationUnexpected:
      return "QuantizationUnexpected";
    case ErrorCode::QuantizationInvalid:
      return "QuantizationInvalid";
    case ErrorCode::HeadDTypeMismatch:
      return "HeadDTypeMismatch";
    case ErrorCode::HeadGeometryMismatch:
      return "HeadGeometryMismatch";
    case ErrorCode::ModelExtentNotAligned:
      return "ModelExtentNotAligned";
    case ErrorCode::HeadStrideMismatch:
      return "HeadStrideMismatch";
    case ErrorCode::InvalidOutputCount:
      return "InvalidOutputCount";
    case ErrorCode::InvalidOutputDType:
      return "InvalidOutputDType";
    case ErrorCode::InvalidOutputShape:
      return "InvalidOutputShape";
    case ErrorCode::InvalidOutputLayout:
      return "InvalidOutputLayout";
    case ErrorCode::SizeOverflow:
      return "SizeOverflow";
    case ErrorCode::UnsupportedScanner:
      return "UnsupportedScanner";
    case ErrorCode::WorkspaceTooSmall:
      return "WorkspaceTooSmall";
    case ErrorCode::WorkspaceMisaligned:
      return "WorkspaceMisaligned";
    case ErrorCode::ContextBusy:
      return "ContextBusy";
    case ErrorCode::BindingCountMismatch:
      return "BindingCountMismatch";
    case ErrorCode::BindingNull:
      return "BindingNull";
    case ErrorCode::BindingTooSmall:
      return "BindingTooSmall";
    case ErrorCode::BindingMisaligned:
      return "BindingMisaligned";
    case ErrorCode::BindingOverlap:
      return "BindingOverlap";
    case ErrorCode::InvalidOriginalSize:
      return "InvalidOriginalSize";
  }
  return "unknown";
}

std::string to_string(const Error& error) {
  std::string out = text(to_string(error.code), ": ", error.field);
  if (error.index >= 0) out += text(" [", error.index, "]");
  if (error.got != Error::kNoValue) out += text(" is ", error.got);
  if (error.wanted != Error::kNoValue)
    out += text(error.got != Error::kNoValue ? ", wanted " : ": wanted ", error.wanted);
  return text(out, ": ", error.wish);
}

}  // namespace tessera::boxdecode
