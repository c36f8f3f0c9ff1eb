#include "model/onnx/read/tensor.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "base/checked.h"
#include "base/text.h"
#include "model/load.h"
#include "model/onnx/read/external.h"

namespace tessera::onnx {
namespace {

using Proto = ::onnx::TensorProto;

/// IEEE 754 binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits.
float from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    value = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

float from_bfloat(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::int64_t bytes_of(std::int32_t type) {
  switch (type) {
    case Proto::BOOL:
    case Proto::INT8:
    case Proto::UINT8:
      return 1;
    case Proto::FLOAT16:
    case Proto::BFLOAT16:
    case Proto::INT16:
    case Proto::UINT16:
      return 2;
    case Proto::DOUBLE:
    case Proto::INT64:
    case Proto::UINT64:
      return 8;
    default:
      return 4;
  }
}

/// Elements of type Stored, little-endian, each turned into Out.
template <class Stored, class Out, class Turn>
std::vector<Out> turned(std::string_view raw, const Turn& turn) {
  std::vector<Out> out(raw.size() / sizeof(Stored));
  for (std::size_t i = 0; i < out.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, raw.data() + i * sizeof(Stored), sizeof(Stored));
    out[i] = turn(stored);
  }
  return out;
}

std::vector<float> raw_reals(std::int32_t type, std::string_view raw) {
  if (type == Proto::FLOAT16) return turned<std::uint16_t, float>(raw, from_half);
  if (type == Proto::BFLOAT16) return turned<std::uint16_t, float>(raw, from_bfloat);
  return turned<double, float>(raw, [](double v) { return static_cast<float>(v); });
}

/// The string itself, which is aligned as any memory of its own; a short one lies inside the object.
Constant as_they_are(std::string raw) {
  auto bytes = std::make_shared<const std::string>(std::move(raw));
  const Numbers numbers(reinterpret_cast<const float*>(bytes->data()), bytes->size() / sizeof(float));
  return {std::move(bytes), numbers};
}

template <class Stored>
std::vector<std::int64_t> widened(std::string_view raw) {
  return turned<Stored, std::int64_t>(raw, [](Stored v) { return static_cast<std::int64_t>(v); });
}

std::vector<std::int64_t> raw_integers(std::int32_t type, std::string_view raw) {
  switch (type) {
    case Proto::BOOL:
      return turned<std::uint8_t, std::int64_t>(raw, [](std::uint8_t v) { return std::int64_t{v != 0}; });
    case Proto::INT8:
      return widened<std::int8_t>(raw);
    case Proto::UINT8:
      return widened<std::uint8_t>(raw);
    case Proto::INT16:
      return widened<std::int16_t>(raw);
    case Proto::UINT16:
      return widened<std::uint16_t>(raw);
    case Proto::INT32:
      return widened<std::int32_t>(raw);
    case Proto::UINT32:
      return widened<std::uint32_t>(raw);
    default:
      return widened<std::int64_t>(raw);  // UINT64 beyond 2^63 wraps: no shape or index is that large
  }
}

/// From the typed fields, which hold small types in wider ones.
std::vector<float> field_reals(const Proto& proto) {
  if (proto.data_type() == Proto::FLOAT) return {proto.float_data().begin(), proto.float_data().end()};
  if (proto.data_type() == Proto::DOUBLE) {
    std::vector<float> out;
    for (const double v : proto.double_data()) out.push_back(static_cast<float>(v));
    return out;
  }
  std::vector<float> out;
  for (const std::int32_t v : proto.int32_data()) {
    const auto bits = static_cast<std::uint16_t>(v);
    out.push_back(proto.data_type() == Proto::FLOAT16 ? from_half(bits) : from_bfloat(bits));
  }
  return out;
}

std::vector<std::int64_t> field_integers(const Proto& proto) {
  if (proto.data_type() == Proto::INT64) return {proto.int64_data().begin(), proto.int64_data().end()};
  if (proto.data_type() == Proto::UINT32 || proto.data_type() == Proto::UINT64) {
    std::vector<std::int64_t> out;
    for (const std::uint64_t v : proto.uint64_data()) out.push_back(static_cast<std::int64_t>(v));
    return out;
  }
  return {proto.int32_data().begin(), proto.int32_data().end()};
}

Result<Dims> read_dims(const Proto& proto, std::string_view what, std::int64_t& elements) {
  Dims dims;
  elements = 1;
  for (const std::int64_t extent : proto.dims()) {
    dims.push_back(extent);
    const auto product = extent < 0 ? std::nullopt : checked_mul(elements, extent);
    if (!product || *product > kMaxTensorElements) {
      return Error{Code::limit_exceeded,
                   text(what, ": an extent of ", extent, "; want extents of at least 0 and at most ",
                        kMaxTensorElements, " elements")};
    }
    elements = *product;
  }
  if (dims.fits()) return dims;
  return Error{Code::limit_exceeded, text(what, ": ", proto.dims_size(), " axes, want at most ", Dims::kMax)};
}

Error wrong_size(std::string_view what, std::int64_t elements, std::int64_t stored) {
  return {Code::corrupt, text(what, ": its extents say ", elements, " elements, it holds ", stored)};
}

Result<Tensor> from_raw(const Proto& proto, std::string_view what, Kind kind, const Dims& dims, std::int64_t elements,
                        std::string raw) {
  const std::int64_t size = bytes_of(proto.data_type()), stored = static_cast<std::int64_t>(raw.size());
  if (stored != elements * size) return wrong_size(what, elements, stored / size);
  if (proto.data_type() == Proto::FLOAT) return {Tensor{kind, dims, as_they_are(std::move(raw)), nullptr}};
  if (kind == Kind::real) return real_tensor(dims, raw_reals(proto.data_type(), raw));
  return integer_tensor(dims, raw_integers(proto.data_type(), raw), kind);
}

}  // namespace

Result<Kind> kind_of(std::int32_t type, std::string_view what) {
  switch (type) {
    case Proto::FLOAT:
    case Proto::FLOAT16:
    case Proto::BFLOAT16:
    case Proto::DOUBLE:
      return Kind::real;
    case Proto::BOOL:
      return Kind::boolean;
    case Proto::INT8:
    case Proto::UINT8:
    case Proto::INT16:
    case Proto::UINT16:
    case Proto::INT32:
    case Proto::UINT32:
    case Proto::INT64:
    case Proto::UINT64:
      return Kind::integer;
    default:
      return Error{Code::unsupported, text(what, ": element type ", type, ", want numbers or truth values")};
  }
}

Result<Tensor> read_tensor(Proto& proto, std::string_view what, const std::filesystem::path& folder) {
  const auto kind = kind_of(proto.data_type(), what);
  if (!kind) return kind.error();
  std::int64_t elements = 0;
  const auto dims = read_dims(proto, what, elements);
  if (!dims) return dims.error();
  if (proto.data_location() == Proto::EXTERNAL) {
    auto raw = read_external(proto, what, folder);
    if (!raw) return raw.error();
    return from_raw(proto, what, *kind, *dims, elements, std::move(*raw));
  }
  if (proto.has_raw_data()) {
    return from_raw(proto, what, *kind, *dims, elements, std::move(*proto.mutable_raw_data()));
  }
  Tensor out = *kind == Kind::real ? real_tensor(*dims, field_reals(proto))
                                   : integer_tensor(*dims, field_integers(proto), *kind);
  if (out.size() != elements) return wrong_size(what, elements, out.size());
  return out;
}

}  // namespace tessera::onnx
