#pragma once
// Attributes of the operators that detectors' networks consist of; tensor_attrs.h has those around them.

#include <cstdint>
#include <vector>

#include "base/activation.h"
#include "graph/constant.h"

namespace tessera {

struct Padding {
  int top = 0, left = 0, bottom = 0, right = 0;
  bool operator==(const Padding&) const = default;
};

/// What happens to a convolution's accumulator before the store: y = post_act(act(acc + bias) + residual).
struct Epilogue {
  ActivationSpec act;
  bool residual = false;    ///< the node's last input is added; same shape as the output
  ActivationSpec post_act;  ///< only with residual
};

struct InputAttrs {};
struct ConvAttrs {
  int oc = 0, kh = 1, kw = 1, sh = 1, sw = 1, dh = 1, dw = 1, groups = 1;
  Padding pad;
  Constant weights;  ///< [oc][ic / groups][kh][kw]
  Constant bias;     ///< [oc], or null
  Epilogue epilogue;
};
/// y = gamma * (x - mean) / sqrt(variance + epsilon) + beta, per channel.
struct BatchNormAttrs {
  Constant gamma, beta, mean, variance;
  float epsilon = 1e-6f;
};
struct ActivationAttrs {
  ActivationSpec act;
};
/// Sum of two or more inputs of one shape, then act.
struct AddAttrs {
  ActivationSpec act;
};
/// inputs[0] * inputs[1]; inputs[1] has the same shape, or 1x1xC, or HxWx1 (broadcast). Then act.
struct MulAttrs {
  ActivationSpec act;
};
struct ConcatAttrs {};  ///< along channels
struct SliceAttrs {     ///< channels [begin, begin + count)
  std::int64_t begin = 0, count = 0;
};
/// Padding never takes part: it is minus infinity for max and not counted for average, unless that is asked for.
struct PoolAttrs {
  enum class Kind : std::uint8_t { max, average } kind = Kind::max;
  int kh = 2, kw = 2, sh = 2, sw = 2;
  Padding pad;
  int dh = 1, dw = 1;
  bool count_include_pad = false;  ///< average: padding counts as zeros
};
struct GlobalAveragePoolAttrs {};  ///< HxWxC -> 1x1xC
struct UpsampleAttrs {             ///< nearest, whole factors, then multiplied by scale
  int factor_h = 2, factor_w = 2;
  float scale = 1.0f;
};
struct SoftmaxAttrs {};  ///< over channels
struct IdentityAttrs {};
/// y[c] = x[c] * scale[c] + shift[c] in f32, the product rounded before the sum. x is an input of u8; no other operator
/// reads one.
struct FromBytesAttrs {
  std::vector<float> scale, shift;  ///< one per channel
};

}  // namespace tessera
