#pragma once
// Weights as kernels read them, and where they come from: packed here, or by an earlier program.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace tessera {

/// Floats with the alignment the micro-kernels want: zeroed memory of its own, or a view of somebody else's. Copies
/// share them.
class PackedFloats {
 public:
  PackedFloats() = default;
  explicit PackedFloats(std::int64_t count);  ///< throws std::bad_alloc
  /// Read only, 64-byte aligned; `owner` keeps them where they are.
  PackedFloats(std::shared_ptr<const void> owner, std::span<const float> floats);

  float* data() noexcept { return own_; }  ///< null for a view
  const float* data() const noexcept { return floats_.data(); }
  std::int64_t size() const noexcept { return static_cast<std::int64_t>(floats_.size()); }

 private:
  std::shared_ptr<const void> owner_;
  float* own_ = nullptr;
  std::span<const float> floats_;
};

/// All that decides packed numbers, next to the kernel's name.
struct PackedRecipe {
  std::span<const float> weights;        ///< the model's
  std::array<std::int64_t, 6> layout{};  ///< shape, panels and form: the kernel knows which
  std::int64_t count = 0;                ///< how many floats become of them
};

/// Belongs to the recipe: counts up whenever a kernel packs one and the same recipe in another way (packed_test.cc).
inline constexpr int kPackedVersion = 1;

/// Where packed weights may be found.
class PackedSource {
 public:
  using Pack = std::function<void(float* zeros)>;

  virtual ~PackedSource() = default;
  /// The recipe's floats, found or made by `pack`.
  virtual PackedFloats get(const PackedRecipe& recipe, const Pack& pack) = 0;
};
/// Without a source they are made.
PackedFloats packed(PackedSource* source, const PackedRecipe& recipe, const PackedSource::Pack& pack);

}  // namespace tessera
