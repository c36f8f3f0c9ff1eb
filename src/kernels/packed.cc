#include "kernels/packed.h"

#include <new>
#include <utility>

#include "base/memory.h"

namespace tessera {

PackedFloats::PackedFloats(std::int64_t count) {
  auto memory = allocate_zeroed(static_cast<std::size_t>(count) * sizeof(float));
  if (!memory) throw std::bad_alloc();
  own_ = reinterpret_cast<float*>(memory.get());
  floats_ = {own_, static_cast<std::size_t>(count)};
  owner_ = std::move(memory);
}

PackedFloats::PackedFloats(std::shared_ptr<const void> owner, std::span<const float> floats)
    : owner_(std::move(owner)), floats_(floats) {}

PackedFloats packed(PackedSource* source, const PackedRecipe& recipe, const PackedSource::Pack& pack) {
  if (source) return source->get(recipe, pack);
  PackedFloats out(recipe.count);
  pack(out.data());
  return out;
}

}  // namespace tessera
