#include "model/native/codec.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/text.h"
#include "model/untrusted_text.h"

namespace tessera::native {
namespace {

template <class E>
struct Word {
  const char* name;
  E value;
};
constexpr Word<ResizeMode> kResize[] = {{"letterbox", ResizeMode::letterbox}, {"stretch", ResizeMode::stretch}};
constexpr Word<PhotoAlign> kAlignment[] = {{"center", PhotoAlign::center}, {"top_left", PhotoAlign::top_left}};
constexpr Word<ColorOrder> kOrder[] = {{"bgr", ColorOrder::bgr}, {"rgb", ColorOrder::rgb}};
constexpr Word<DType> kInputType[] = {{"f32", DType::Float32}, {"u8", DType::UInt8}};
constexpr Word<PoolAttrs::Kind> kKind[] = {{"average", PoolAttrs::Kind::average}, {"max", PoolAttrs::Kind::max}};

// In the order of the enumerators.
constexpr std::string_view kBinary[] = {"add", "sub",  "mul",  "div",        "min",     "max",           "pow",
                                        "mod", "fmod", "less", "less_equal", "greater", "greater_equal", "equal",
                                        "and", "or",   "xor",  "prelu",      "int_div"};
constexpr std::string_view kUnary[] = {"exp",          "log",   "sqrt", "neg",      "abs",  "reciprocal", "floor",
                                       "ceil",         "round", "erf",  "sin",      "cos",  "softplus",   "elu",
                                       "hard_sigmoid", "clip",  "not",  "truncate", "sign", "gelu",       "gelu_tanh"};
constexpr std::string_view kReduce[] = {"mean", "max", "min", "sum", "prod", "l2", "argmax", "argmin"};
constexpr std::string_view kResizeKind[] = {"nearest", "linear"};
constexpr std::string_view kPadMode[] = {"constant", "reflect", "edge"};
static_assert(std::size(kBinary) == static_cast<std::size_t>(BinaryKind::int_div) + 1);
static_assert(std::size(kUnary) == static_cast<std::size_t>(UnaryKind::gelu_tanh) + 1);
static_assert(std::size(kReduce) == static_cast<std::size_t>(ReduceKind::argmin) + 1);
static_assert(std::size(kResizeKind) == static_cast<std::size_t>(ResizeKind::linear) + 1);
static_assert(std::size(kPadMode) == static_cast<std::size_t>(PadMode::edge) + 1);

template <class E>
bool enumerator(std::span<const std::string_view> names, std::string_view s, E& value) {
  const auto found = std::ranges::find(names, s);
  if (found == names.end()) return false;
  value = static_cast<E>(found - names.begin());
  return true;
}
template <class E>
std::string name_of(std::span<const std::string_view> names, E value) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

std::string list_of(const auto& numbers) {
  std::string out;
  for (const auto number : numbers) out += text(out.empty() ? "" : ",", number);
  return out;
}

template <class E>
std::string word_of(std::span<const Word<E>> words, E value) {
  return std::ranges::find(words, value, &Word<E>::value)->name;
}

template <class E>
bool value_of(std::span<const Word<E>> words, std::string_view s, E& value) {
  const auto found = std::ranges::find_if(words, [&](const Word<E>& word) { return s == word.name; });
  if (found == words.end()) return false;
  value = found->value;
  return true;
}

template <class T>
bool decode_number(std::string_view s, T& v) {
  const auto number = parse_number<T>(s);
  if (number) v = *number;
  return number.has_value();
}

bool decode_kind(std::string_view s, Activation& kind) {
  for (int i = 0; i <= static_cast<int>(Activation::tanh); ++i) {
    if (s == to_string(static_cast<Activation>(i))) {
      kind = static_cast<Activation>(i);
      return true;
    }
  }
  return false;
}

template <class T>
bool decode_list(std::string_view s, std::vector<T>& v) {
  v.clear();
  while (!s.empty()) {
    T number{};
    if (!decode(next_piece(s, ','), number)) return false;
    v.push_back(number);
  }
  return true;
}

constexpr std::string_view kHex = "0123456789abcdef";

}  // namespace

std::string escape(std::string_view name) {
  std::string out;
  for (char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte != 0x7f && c != '%' && c != '=' && c != ',') {
      out += c;
    } else {
      out += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return out;
}

std::string encode(bool v) { return v ? "1" : "0"; }
std::string encode(int v) { return text(v); }
std::string encode(std::int64_t v) { return text(v); }
std::string encode(std::uint8_t v) { return text(static_cast<int>(v)); }
std::string encode(float v) { return text(v); }
std::string encode(const std::string& v) { return escape(v); }
std::string encode(ResizeMode v) { return word_of<ResizeMode>(kResize, v); }
std::string encode(PhotoAlign v) { return word_of<PhotoAlign>(kAlignment, v); }
std::string encode(ColorOrder v) { return word_of<ColorOrder>(kOrder, v); }
std::string encode(DType v) { return word_of<DType>(kInputType, v); }
std::string encode(PoolAttrs::Kind v) { return word_of<PoolAttrs::Kind>(kKind, v); }
std::string encode(BinaryKind v) { return name_of(kBinary, v); }
std::string encode(UnaryKind v) { return name_of(kUnary, v); }
std::string encode(ReduceKind v) { return name_of(kReduce, v); }
std::string encode(ResizeKind v) { return name_of(kResizeKind, v); }
std::string encode(PadMode v) { return name_of(kPadMode, v); }
std::string encode(const Dims& v) { return list_of(v); }
std::string encode(const Shape4& v) { return list_of(v); }
std::string encode(const std::vector<std::int32_t>& v) { return list_of(v); }
std::string encode(const std::vector<std::int64_t>& v) { return list_of(v); }
std::string encode(const std::vector<float>& v) { return list_of(v); }

std::string encode(const ActivationSpec& v) {
  const bool slope = v.kind == Activation::leaky || v.alpha != ActivationSpec{}.alpha;
  return slope ? text(to_string(v.kind), ':', v.alpha) : text(to_string(v.kind));
}

std::string encode(const Anchors& v) {
  std::string out;
  for (const auto& [w, h] : v) out += text(out.empty() ? "" : ",", w, ',', h);
  return out;
}

bool decode(std::string_view s, bool& v) {
  v = s == "1";
  return v || s == "0";
}
bool decode(std::string_view s, int& v) { return decode_number(s, v); }
bool decode(std::string_view s, std::int64_t& v) { return decode_number(s, v); }
bool decode(std::string_view s, std::uint8_t& v) { return decode_number(s, v); }
bool decode(std::string_view s, float& v) { return decode_number(s, v) && std::isfinite(v); }
bool decode(std::string_view s, ResizeMode& v) { return value_of<ResizeMode>(kResize, s, v); }
bool decode(std::string_view s, PhotoAlign& v) { return value_of<PhotoAlign>(kAlignment, s, v); }
bool decode(std::string_view s, ColorOrder& v) { return value_of<ColorOrder>(kOrder, s, v); }
bool decode(std::string_view s, DType& v) { return value_of<DType>(kInputType, s, v); }
bool decode(std::string_view s, PoolAttrs::Kind& v) { return value_of<PoolAttrs::Kind>(kKind, s, v); }
bool decode(std::string_view s, BinaryKind& v) { return enumerator(kBinary, s, v); }
bool decode(std::string_view s, UnaryKind& v) { return enumerator(kUnary, s, v); }
bool decode(std::string_view s, ReduceKind& v) { return enumerator(kReduce, s, v); }
bool decode(std::string_view s, ResizeKind& v) { return enumerator(kResizeKind, s, v); }
bool decode(std::string_view s, PadMode& v) { return enumerator(kPadMode, s, v); }
bool decode(std::string_view s, std::vector<std::int32_t>& v) { return decode_list(s, v); }
bool decode(std::string_view s, std::vector<std::int64_t>& v) { return decode_list(s, v); }
bool decode(std::string_view s, std::vector<float>& v) { return decode_list(s, v); }

bool decode(std::string_view s, Dims& v) {
  std::vector<std::int64_t> numbers;
  if (!decode_list(s, numbers) || numbers.size() > static_cast<std::size_t>(Dims::kMax)) return false;
  v = {};
  for (std::int64_t number : numbers) v.push_back(number);
  return true;
}
bool decode(std::string_view s, Shape4& v) {
  std::vector<std::int64_t> numbers;
  if (!decode_list(s, numbers) || numbers.size() != v.size()) return false;
  std::ranges::copy(numbers, v.begin());
  return true;
}

bool decode(std::string_view s, std::string& v) {
  v.clear();
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] != '%') {
      v += s[i];
      continue;
    }
    unsigned byte = 0;
    if (i + 2 >= s.size()) return false;
    const auto [end, error] = std::from_chars(s.data() + i + 1, s.data() + i + 3, byte, 16);
    if (error != std::errc() || end != s.data() + i + 3) return false;
    v += static_cast<char>(byte);
    i += 2;
  }
  return true;
}

bool decode(std::string_view s, ActivationSpec& v) {
  const auto colon = s.find(':');
  return decode_kind(s.substr(0, colon), v.kind) &&
         (colon == std::string_view::npos || decode(s.substr(colon + 1), v.alpha));
}

bool decode(std::string_view s, Anchors& v) {
  v.clear();
  while (!s.empty()) {
    std::array<float, 2> one{};
    for (float& side : one) {
      if (!decode(next_piece(s, ','), side)) return false;
    }
    v.push_back(one);
  }
  return true;
}

}  // namespace tessera::native
