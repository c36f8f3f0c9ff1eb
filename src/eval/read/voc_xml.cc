#include <cmath>
#include <pugixml.hpp>

#include "base/text.h"
#include "eval/read/numbers.h"
#include "eval/read/readers.h"

namespace tessera::eval {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

/// The number in a child element.
Result<double> want_child(const pugi::xml_node& node, const char* name) {
  const pugi::xml_node child = node.child(name);
  if (!child) return Error{Code::corrupt, text("has no <", name, ">")};
  const auto number = read_number(trimmed(child.text().get()));
  if (!number || std::abs(*number) > kMaxCoordinate) {
    return Error{Code::corrupt, text("<", name, "> is no number of at most 1e9")};
  }
  return *number;
}

Result<Box> want_bndbox(const pugi::xml_node& object) {
  const pugi::xml_node bndbox = object.child("bndbox");
  if (!bndbox) return Error{Code::corrupt, "has no <bndbox>"};
  std::array<double, 4> side{};
  constexpr std::array<const char*, 4> kNames{"xmin", "ymin", "xmax", "ymax"};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto value = want_child(bndbox, kNames[i]);
    if (!value) return value.error();
    side[i] = *value;
  }
  return Box{side[0], side[1], side[2] - side[0], side[3] - side[1]};
}

Result<NamedObject> want_object(const pugi::xml_node& node) {
  NamedObject object;
  object.name = std::string(trimmed(node.child("name").text().get()));
  if (object.name.empty()) return Error{Code::corrupt, "has no <name>"};
  const auto box = want_bndbox(node);
  if (!box) return box.error();
  object.box = *box;
  object.difficult = trimmed(node.child("difficult").text().get()) == "1";
  return object;
}

}  // namespace

Result<VocPhoto> parse_voc_xml(std::span<const std::byte> xml, std::string_view label) {
  if (xml.size() > kMaxBytes) return Error{Code::limit_exceeded, text(label, ": is larger than 16 MiB")};
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(xml.data(), xml.size());
  if (!parsed) return Error{Code::corrupt, text(label, ": byte ", parsed.offset, ": ", parsed.description())};
  const pugi::xml_node root = document.child("annotation");
  if (!root) return Error{Code::corrupt, text(label, ": has no <annotation>: want VOC annotations")};
  VocPhoto out;
  out.file = std::string(trimmed(root.child("filename").text().get()));
  for (const pugi::xml_node& node : root.children("object")) {
    auto object = want_object(node);
    if (!object) {
      return Error{Code::corrupt, text(label, ": object ", out.objects.size() + 1, " ", object.error().message)};
    }
    out.objects.push_back(std::move(*object));
  }
  return out;
}

}  // namespace tessera::eval
