#include "kernels/activation/vec_avx2.h"
#include "kernels/from_bytes/from_bytes_body.h"
#include "kernels/from_bytes/variants.h"

namespace tessera {
namespace {

struct Bytes {
  static __m256 load(const std::uint8_t* p) {
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
  }
};

}  // namespace

void from_bytes_f32_avx2(BytePixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c, ByteScale by) {
  convert_any<Vec, Bytes>(src, dst, pixels, c, by);
}

}  // namespace tessera
