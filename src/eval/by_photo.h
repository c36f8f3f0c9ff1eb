#pragma once
// Items of a dataset or a run, gathered by photo.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::eval {

/// For each photo the indices of its items, in their order.
template <class T>
std::vector<std::vector<std::uint32_t>> by_photo(const std::vector<T>& items, std::size_t photos) {
  std::vector<std::vector<std::uint32_t>> out(photos);
  for (std::size_t i = 0; i < items.size(); ++i) {
    out[static_cast<std::size_t>(items[i].photo)].push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

}  // namespace tessera::eval
