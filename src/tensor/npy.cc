#include "tensor/npy.h"

#include <charconv>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "base/text.h"
#include "tensor/element_count.h"

// Source: the NumPy enhancement proposal "A Simple File Format for NumPy Arrays" (NEP 1).
namespace tessera {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

Error corrupt(std::string_view fact) { return {Code::corrupt, text("npy: ", fact)}; }

/// The text after "'key':", without leading blanks; empty when the key is missing.
std::string_view field(std::string_view header, std::string_view key) {
  const std::string quoted = text('\'', key, '\'');
  const auto at = header.find(quoted);
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + quoted.size());
  const auto value = rest.find_first_not_of(" :");
  return value == std::string_view::npos ? std::string_view{} : rest.substr(value);
}

Result<Shape> parse_shape(std::string_view tuple) {
  if (tuple.empty() || tuple.front() != '(') return corrupt("header has no shape");
  const auto close = tuple.find(')');
  if (close == std::string_view::npos) return corrupt("shape is not closed");
  std::string_view rest = tuple.substr(1, close - 1);
  Shape shape;
  while (true) {
    const auto digit = rest.find_first_not_of(" ,");
    if (digit == std::string_view::npos) return shape;
    rest.remove_prefix(digit);
    std::int64_t extent = 0;
    const auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
    if (status != std::errc() || extent < 0) return corrupt("shape has a part that is not a size");
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (shape.rank() == Shape::kMaxRank) return Error{Code::limit_exceeded, "npy: more than 6 axes"};
    shape.push_back(extent);
  }
}

template <class T>
void convert(std::span<const std::byte> bytes, std::vector<float>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    T element;
    std::memcpy(&element, bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = static_cast<float>(element);
  }
}

struct ElementType {
  std::string_view descr;
  std::size_t size;
  void (*convert)(std::span<const std::byte>, std::vector<float>&);
};
constexpr ElementType kTypes[] = {
    {"<f4", 4, convert<float>},        {"<f8", 8, convert<double>},       {"<i4", 4, convert<std::int32_t>},
    {"<i8", 8, convert<std::int64_t>}, {"|u1", 1, convert<std::uint8_t>},
};

const ElementType* find_type(std::string_view value) {
  for (const ElementType& type : kTypes) {
    if (value.size() >= 5 && value.substr(1, 3) == type.descr) return &type;
  }
  return nullptr;
}

struct Header {
  std::string_view text;
  std::size_t data_at;
};

Result<Header> find_header(std::span<const std::byte> bytes) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (all.size() < 12 || all.substr(0, 6) != kMagic) return corrupt("does not begin with \\x93NUMPY");
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(all[i])); };
  const std::size_t major = byte(6);
  if (major < 1 || major > 3) return Error{Code::unsupported, text("npy: format version ", major, ": want 1 to 3")};
  const std::size_t start = major == 1 ? 10 : 12;
  const std::size_t length = byte(8) + 256 * byte(9) + (major == 1 ? 0 : 65536 * byte(10) + 16777216 * byte(11));
  if (length > all.size() - start) return corrupt("header is longer than the file");
  return Header{all.substr(start, length), start + length};
}

}  // namespace

Result<NpyArray> parse_npy(std::span<const std::byte> bytes) {
  const auto header = find_header(bytes);
  if (!header) return header.error();
  const std::string_view descr = field(header->text, "descr");
  const ElementType* type = find_type(descr);
  if (!type)
    return Error{Code::unsupported, text("npy: element type ", descr.substr(0, 6), ": want <f4, <f8, <i4, <i8 or |u1")};
  if (field(header->text, "fortran_order").substr(0, 5) != "False") {
    return Error{Code::unsupported, "npy: array is in Fortran order: save it with numpy.ascontiguousarray"};
  }
  auto shape = parse_shape(field(header->text, "shape"));
  if (!shape) return shape.error();
  const auto count = element_count(*shape);
  if (!count) return count.error();
  const auto data = bytes.subspan(header->data_at);
  if (static_cast<std::uint64_t>(*count) != data.size() / type->size || data.size() % type->size != 0) {
    return corrupt(
        text("shape ", to_string(*shape), " wants ", *count, " elements, the file holds ", data.size() / type->size));
  }
  NpyArray array{*shape, std::vector<float>(static_cast<std::size_t>(*count))};
  type->convert(data, array.data);
  return array;
}

Result<NpyArray> read_npy(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{Code::not_found, text("npy: cannot open ", path.string())};
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto array = parse_npy(std::as_bytes(std::span(bytes)));
  if (!array) return Error{array.error().code, text(path.string(), ": ", array.error().message)};
  return array;
}

Status write_npy(const std::filesystem::path& path, const Shape& shape, std::span<const float> data) {
  const auto count = element_count(shape);
  if (!count) return count.error();
  if (static_cast<std::size_t>(*count) != data.size()) {
    return Error{Code::invalid_argument,
                 text("npy: shape ", to_string(shape), " does not hold ", data.size(), " elements")};
  }
  std::string extents;
  for (std::int64_t extent : shape) append_text(extents, text(extent, ", "));
  std::string header = text("{'descr': '<f4', 'fortran_order': False, 'shape': (", extents, "), }");
  header.resize((10 + header.size() + 64) / 64 * 64 - 10, ' ');  // data starts at a multiple of 64
  header.back() = '\n';
  std::ofstream file(path, std::ios::binary);
  file << kMagic << '\x01' << '\0' << static_cast<char>(header.size() & 255) << static_cast<char>(header.size() >> 8)
       << header;
  file.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size_bytes()));
  if (!file.flush()) return Error{Code::io, text("npy: cannot write ", path.string())};
  return {};
}

}  // namespace tessera
