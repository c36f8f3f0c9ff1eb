#include "device/packed_cache.h"

#include "base/file_bytes.h"
#include "base/text.h"
#include "device/packed_file.h"

namespace tessera {
namespace {

// Less is packed in the time that it takes to open and map a file.
constexpr std::int64_t kLeastFloats = 1 << 16;

std::span<const float> span_of(const PackedFloats& floats) {
  return {floats.data(), static_cast<std::size_t>(floats.size())};
}

}  // namespace

PackedFloats PackedCache::get(std::string_view impl, const PackedRecipe& recipe, const PackedSource::Pack& pack) {
  if (directory_.empty() || recipe.count < kLeastFloats) return packed(nullptr, recipe, pack);
  const std::string label = packed_label(impl, recipe);
  const auto found = find(label, recipe.count);
  if (found) {
    mapped_bytes_ += static_cast<std::int64_t>(sizeof(float)) * found->size();
    return *found;
  }
  const Error& why = found.error();
  if (why.code != Code::not_found) warn(text("packed weights, ", why.message, "; they are packed anew"));
  PackedFloats out = packed(nullptr, recipe, pack);
  if (why.code != Code::io) keep(label, out);  // what may not be read is not ours to replace
  return out;
}

Result<PackedFloats> PackedCache::find(const std::string& label, std::int64_t count) const {
  const std::string path = text(directory_, "/", packed_name(label));
  const auto limit = static_cast<std::int64_t>(kPackedHeader + sizeof(float) * static_cast<std::size_t>(count));
  const auto file = FileBytes::open(path, limit);
  if (!file) return file.error();
  bring_in(file->bytes());
  const auto floats = read_packed(file->bytes(), label, count);
  if (!floats) return Error{floats.error().code, text("file '", path, "': ", floats.error().message)};
  return PackedFloats(file->hold(std::as_bytes(*floats)), *floats);
}

void PackedCache::keep(const std::string& label, const PackedFloats& floats) {
  if (!writes_) return;
  const Status written = write_packed(directory_, label, span_of(floats));
  if (written) return;
  writes_ = false;
  warn(text("packed weights are not kept: ", written.error().message, "; want a directory that can be written"));
}

void PackedCache::warn(std::string_view line) const {
  if (log_) log_(LogLevel::warning, line);
}

}  // namespace tessera
