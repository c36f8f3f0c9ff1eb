#pragma once
// The slow twin's view of memory: every tensor becomes a plain array of raw values, whatever its layout.

#include <tessera/tensor.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::boxdecode::reference {

/// One element of a tensor: its number, and its rank among raw values.
struct Raw {
  float value;
  int group;          // -1: NaN with sign, 0: number, 1: NaN without sign
  std::int64_t bits;  // the stored word (Int8: the byte, signed); orders NaNs of one group
};

/// Class reduction takes the first of those above which no other ranks.
bool ranks_above(const Raw& a, const Raw& b);

/// A tensor without its layout.
struct Logical {
  std::int64_t h = 0, w = 0, c = 0;
  bool int8 = false;
  std::int64_t zero_point = 0;  // Int8
  std::vector<Raw> raws;        // row by row, cell by cell, channel by channel

  const Raw& at(std::int64_t y, std::int64_t x, std::int64_t channel) const {
    return raws[static_cast<std::size_t>((y * w + x) * c + channel)];
  }
};

Logical expand(const TensorSpec& spec, std::span<const std::byte> bytes);

}  // namespace tessera::boxdecode::reference
