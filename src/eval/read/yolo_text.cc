#include <array>
#include <cmath>

#include "base/text.h"
#include "eval/read/numbers.h"
#include "eval/read/readers.h"

namespace tessera::eval {
namespace {

constexpr double kMaxClass = 65535;
constexpr double kMaxShare = 1000;  // of the photo's size; a box may stick out a little, not this far

/// The five numbers of a line.
std::optional<std::array<double, 5>> five_numbers(std::string_view line) {
  std::array<double, 5> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    line = trimmed(line);
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    const auto number = read_number(word);
    if (!number) return std::nullopt;
    out[i] = *number;
    line.remove_prefix(word.size());
  }
  return trimmed(line).empty() ? std::optional(out) : std::nullopt;
}

Result<NamedObject> read_line(std::string_view line, int width, int height) {
  const auto numbers = five_numbers(line);
  if (!numbers) return Error{Code::corrupt, "want five numbers, class cx cy w h"};
  const auto [class_id, cx, cy, w, h] = *numbers;
  if (class_id < 0 || class_id > kMaxClass || std::trunc(class_id) != class_id) {
    return Error{Code::corrupt, text("class ", class_id, " is no whole number from 0 to 65535")};
  }
  for (const double share : {cx, cy, w, h}) {
    if (!(std::abs(share) <= kMaxShare)) {
      return Error{Code::corrupt, text(share, " is no share of the photo: want 0 to 1")};
    }
  }
  NamedObject object;
  object.class_id = static_cast<int>(class_id);
  object.box = {(cx - w / 2) * width, (cy - h / 2) * height, w * width, h * height};
  return object;
}

}  // namespace

Result<std::vector<NamedObject>> parse_yolo_text(std::string_view text, std::string_view label, int width, int height) {
  std::vector<NamedObject> out;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty()) continue;
    auto object = read_line(line, width, height);
    if (!object) {
      return Error{Code::corrupt, tessera::text(label, ": line ", number, ": ", object.error().message)};
    }
    out.push_back(std::move(*object));
  }
  return out;
}

}  // namespace tessera::eval
