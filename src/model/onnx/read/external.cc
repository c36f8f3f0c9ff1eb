#include "model/onnx/read/external.h"

#include <algorithm>
#include <system_error>

#include "base/file_bytes.h"
#include "base/text.h"
#include "model/load.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

namespace fs = std::filesystem;

struct Place {
  std::string location;
  std::int64_t offset = 0, length = -1;  // -1: to the end
};

Result<Place> read_place(const ::onnx::TensorProto& proto, std::string_view what) {
  Place place;
  for (const auto& entry : proto.external_data()) {
    if (entry.key() == "location") place.location = entry.value();
    std::int64_t* number = entry.key() == "offset" ? &place.offset : entry.key() == "length" ? &place.length : nullptr;
    if (number == nullptr) continue;
    const auto value = parse_number<std::int64_t>(entry.value());
    if (!value || *value < 0) {
      return Error{Code::corrupt,
                   text(what, ": its external data has ", entry.key(), ' ', tessera::quoted(entry.value()))};
    }
    *number = *value;
  }
  return place;
}

/// Inside the folder, links followed.
bool stays_inside(const fs::path& folder, const fs::path& file) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

Result<std::string> read_external(const ::onnx::TensorProto& proto, std::string_view what, const fs::path& folder) {
  const auto place = read_place(proto, what);
  if (!place) return place.error();
  if (folder.empty()) {
    return Error{Code::unsupported, text(what, ": its numbers are in another file, ", tessera::quoted(place->location),
                                         ", and this model was not loaded from a folder")};
  }
  std::error_code failed;
  const fs::path home = fs::canonical(folder, failed);
  const fs::path path = fs::weakly_canonical(home / place->location, failed);
  if (failed || place->location.empty() || fs::path(place->location).is_absolute() || !stays_inside(home, path)) {
    return Error{Code::corrupt, text(what, ": its external data ", tessera::quoted(place->location),
                                     " are not in the model's folder, where they must be")};
  }
  const auto file = FileBytes::open(path.string(), kMaxWeightBytes);
  if (!file) return file.error();
  const auto size = static_cast<std::int64_t>(file->bytes().size());
  const std::int64_t length = place->length < 0 ? size - place->offset : place->length;
  if (place->offset > size || length < 0 || length > size - place->offset) {
    return Error{Code::corrupt, text(what, ": wants bytes ", place->offset, " to ", place->offset, " + ", length,
                                     " of ", tessera::quoted(place->location), ", which has ", size)};
  }
  return std::string(reinterpret_cast<const char*>(file->bytes().data()) + place->offset,
                     static_cast<std::size_t>(length));
}

}  // namespace tessera::onnx
