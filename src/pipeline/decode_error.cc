#include "pipeline/decode_error.h"

#include "base/text.h"

namespace tessera {

Error to_error(const boxdecode::Error& error) {
  using boxdecode::ErrorCode;
  Code code = Code::invalid_argument;
  switch (error.code) {
    case ErrorCode::UnsupportedProfile:
    case ErrorCode::UnsupportedTask:
    case ErrorCode::UnsupportedDType:
    case ErrorCode::UnsupportedLayout:
    case ErrorCode::UnsupportedScanner:
      code = Code::unsupported;
      break;
    case ErrorCode::CellCountExceeded:
    case ErrorCode::SizeOverflow:
      code = Code::limit_exceeded;
      break;
    default:
      break;
  }
  return {code, text("boxdecode: ", to_string(error))};
}

}  // namespace tessera
