#include <tessera/result.h>

namespace tessera {

const char* to_string(Code code) noexcept {
  switch (code) {
    case Code::invalid_argument:
      return "invalid_argument";
    case Code::unsupported:
      return "unsupported";
    case Code::not_found:
      return "not_found";
    case Code::io:
      return "io";
    case Code::corrupt:
      return "corrupt";
    case Code::limit_exceeded:
      return "limit_exceeded";
    case Code::cancelled:
      return "cancelled";
  }
  return "unknown";
}

}  // namespace tessera
