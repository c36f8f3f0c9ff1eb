#include "kernels/activation/vec_scalar.h"
#include "kernels/from_bytes/from_bytes_body.h"
#include "kernels/from_bytes/variants.h"

namespace tessera {
namespace {

struct Bytes {
  static float load(const std::uint8_t* p) { return static_cast<float>(*p); }
};

}  // namespace

void from_bytes_f32_scalar(BytePixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c, ByteScale by) {
  convert_any<Vec, Bytes>(src, dst, pixels, c, by);
}

}  // namespace tessera
