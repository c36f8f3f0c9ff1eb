#include "model/formats.h"

#include <algorithm>

#include "base/text.h"
#include "model/darknet/darknet.h"
#include "model/native/native.h"
#include "model/onnx/onnx.h"
#include "model/untrusted_text.h"

namespace tessera {
namespace {

constexpr const Format* kFormats[] = {
    // sorted by name (tested)
    &darknet::kDarknet,
    &native::kNative,
#if defined(TESSERA_ONNX)
    &onnx::kOnnx,
#endif
};

}  // namespace

std::span<const Format* const> formats() { return kFormats; }

Result<const Format*> find_format(std::string_view name, std::span<const std::byte> model) {
  for (const Format* format : formats()) {
    if (format->recognizes(model)) return format;
  }
  std::string known;
  for (const Format* format : formats())
    known += text(known.empty() ? "" : ", ", format->name, " (", format->extension, ")");
  return Error{Code::unsupported, text("model ", quoted(name), ": its bytes are of no format known here: ", known)};
}

}  // namespace tessera
