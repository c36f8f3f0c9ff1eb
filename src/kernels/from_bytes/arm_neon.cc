#include <cstring>

#include "kernels/activation/vec_neon.h"
#include "kernels/from_bytes/from_bytes_body.h"
#include "kernels/from_bytes/variants.h"

namespace tessera {
namespace {

struct Bytes {
  static float32x4_t load(const std::uint8_t* p) {
    std::uint32_t four;
    std::memcpy(&four, p, sizeof four);  // vld1_u8 would read eight
    return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(four)))));
  }
};

}  // namespace

void from_bytes_f32_neon(BytePixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c, ByteScale by) {
  convert_any<Vec, Bytes>(src, dst, pixels, c, by);
}

}  // namespace tessera
