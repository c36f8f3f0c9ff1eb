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
constexpr Word<ColorOrder> kOrder[] = {{"bgr", ColorOrder::bgr}, {"rgb", ColorOrder::rgb}};
constexpr Word<PoolAttrs::Kind> kKind[] = {{"average", PoolAttrs::Kind::average}, {"max", PoolAttrs::Kind::max}};

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
std::string encode(ColorOrder v) { return word_of<ColorOrder>(kOrder, v); }
std::string encode(PoolAttrs::Kind v) { return word_of<PoolAttrs::Kind>(kKind, v); }

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
bool decode(std::string_view s, ColorOrder& v) { return value_of<ColorOrder>(kOrder, s, v); }
bool decode(std::string_view s, PoolAttrs::Kind& v) { return value_of<PoolAttrs::Kind>(kKind, s, v); }

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
