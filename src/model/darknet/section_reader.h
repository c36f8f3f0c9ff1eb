#pragma once
// Typed access to the keys of one section. The first error sticks, so that a layer reads all its keys in a row and asks
// once whether all went well.

#include <tessera/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/darknet/cfg.h"

namespace tessera::darknet {

struct Range {
  std::int64_t min = 0, max = 0;
};

class SectionReader {
 public:
  SectionReader(const Cfg& cfg, const CfgSection& section) : cfg_(cfg), section_(section) {}

  bool has(std::string_view key) const noexcept { return section_.find(key) != nullptr; }
  /// The key's value, or `fallback` when it is absent or wrong; wrong sets the error.
  int integer(std::string_view key, int fallback, Range range);
  bool flag(std::string_view key, bool fallback) { return integer(key, fallback, {0, 1}) != 0; }
  float number(std::string_view key, float fallback, float min, float max);
  std::string_view word(std::string_view key, std::string_view fallback) const noexcept;
  /// A comma-separated list, in the file's order; absent gives an empty list.
  std::vector<int> integers(std::string_view key, Range range);
  std::vector<float> numbers(std::string_view key, float min, float max);
  /// Sets the error when the key is absent.
  void require(std::string_view key, std::string_view wish);

  /// An error about this section, or about one key of it (then with the key's line).
  Error fail(Code code, std::string_view fact) const;
  Error fail(Code code, std::string_view key, std::string_view fact) const;

  Status status() const { return error_ ? Status(*error_) : Status(); }
  const CfgSection& section() const noexcept { return section_; }
  const Cfg& cfg() const noexcept { return cfg_; }

 private:
  void note(Error error);
  template <class T>
  std::optional<T> parse(const CfgEntry& entry, std::string_view piece, T min, T max);
  template <class T>
  std::vector<T> list(std::string_view key, T min, T max);

  const Cfg& cfg_;
  const CfgSection& section_;
  std::optional<Error> error_;
};

}  // namespace tessera::darknet
