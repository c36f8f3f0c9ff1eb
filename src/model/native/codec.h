#pragma once
// Field values of header lines as text and back. encode and decode are exact inverses (floats by shortest decimal
// form).

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace tessera::native {

using Anchors = std::vector<std::array<float, 2>>;

/// Percent-encodes what has a meaning in a line: blanks, controls, '%', '=' and ','.
std::string escape(std::string_view name);

std::string encode(bool v);
std::string encode(int v);
std::string encode(std::int64_t v);
std::string encode(std::uint8_t v);
std::string encode(float v);
std::string encode(const std::string& v);
std::string encode(const ActivationSpec& v);  ///< "mish", "leaky:0.1"
std::string encode(const Anchors& v);         ///< "10,14,23,27"
std::string encode(ResizeMode v);
std::string encode(PhotoAlign v);
std::string encode(ColorOrder v);
std::string encode(DType v);  ///< of an input: f32 or u8
std::string encode(PoolAttrs::Kind v);
std::string encode(BinaryKind v);
std::string encode(UnaryKind v);
std::string encode(ReduceKind v);
std::string encode(ResizeKind v);
std::string encode(PadMode v);
std::string encode(const Dims& v);  ///< lists: "1,2,3"
std::string encode(const Shape4& v);
std::string encode(const std::vector<std::int32_t>& v);
std::string encode(const std::vector<std::int64_t>& v);
std::string encode(const std::vector<float>& v);

// False when `s` is not the text of such a value; then v is unspecified.
bool decode(std::string_view s, bool& v);
bool decode(std::string_view s, int& v);
bool decode(std::string_view s, std::int64_t& v);
bool decode(std::string_view s, std::uint8_t& v);
bool decode(std::string_view s, float& v);  ///< finite only
bool decode(std::string_view s, std::string& v);
bool decode(std::string_view s, ActivationSpec& v);
bool decode(std::string_view s, Anchors& v);
bool decode(std::string_view s, ResizeMode& v);
bool decode(std::string_view s, PhotoAlign& v);
bool decode(std::string_view s, ColorOrder& v);
bool decode(std::string_view s, DType& v);
bool decode(std::string_view s, PoolAttrs::Kind& v);
bool decode(std::string_view s, BinaryKind& v);
bool decode(std::string_view s, UnaryKind& v);
bool decode(std::string_view s, ReduceKind& v);
bool decode(std::string_view s, ResizeKind& v);
bool decode(std::string_view s, PadMode& v);
bool decode(std::string_view s, Dims& v);
bool decode(std::string_view s, Shape4& v);
bool decode(std::string_view s, std::vector<std::int32_t>& v);
bool decode(std::string_view s, std::vector<std::int64_t>& v);
bool decode(std::string_view s, std::vector<float>& v);

/// What a part left out of a line stands for: false, linear, center, f32 and the empty list are not written.
template <class T>
bool is_left_out(const T&) {
  return false;
}
template <class T>
bool is_left_out(const std::vector<T>& v) {
  return v.empty();
}
inline bool is_left_out(const Dims& v) { return v.count == 0; }
inline bool is_left_out(bool v) { return !v; }
inline bool is_left_out(DType v) { return v == DType::Float32; }
inline bool is_left_out(PhotoAlign v) { return v == PhotoAlign::center; }
inline bool is_left_out(const ActivationSpec& v) { return v == ActivationSpec{}; }

}  // namespace tessera::native
