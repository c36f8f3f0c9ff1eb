#include "eval/json_records.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"

namespace tessera::eval {
namespace {

using Json = nlohmann::json;
constexpr std::size_t kMaxNumbers = 64;  // of one array; a box has four

JsonValue number_value(double number, std::optional<std::int64_t> whole) {
  JsonValue value;
  value.kind = JsonValue::Kind::number;
  value.number = number;
  value.whole = whole;
  return value;
}

/// 139.0 is 139, as in Python; beyond 2^53 a double names no single number.
std::optional<std::int64_t> whole_of(double number) {
  constexpr double kExact = 9007199254740992.0;
  if (std::trunc(number) != number || std::abs(number) > kExact) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

/// Listens to the parser. Levels: the file, a section's array, its elements, their members, arrays of numbers.
class Listener final : public nlohmann::json_sax<Json> {
 public:
  Listener(std::string_view label, std::span<JsonSection> sections) : label_(label), sections_(sections) {}

  Status& status() noexcept { return status_; }

  bool null() override { return value({JsonValue::Kind::null, 0, {}, {}, {}}); }
  bool boolean(bool v) override { return value({JsonValue::Kind::boolean, v ? 1.0 : 0.0, {}, {}, {}}); }
  bool number_integer(std::int64_t v) override { return value(number_value(static_cast<double>(v), v)); }
  bool number_unsigned(std::uint64_t v) override {
    std::optional<std::int64_t> whole;
    if (v <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) whole = static_cast<std::int64_t>(v);
    return value(number_value(static_cast<double>(v), whole));
  }
  bool number_float(double v, const std::string&) override { return value(number_value(v, whole_of(v))); }
  bool string(std::string& v) override { return value({JsonValue::Kind::text, 0, {}, std::move(v), {}}); }
  bool binary(Json::binary_t&) override { return value({JsonValue::Kind::other, 0, {}, {}, {}}); }

  bool key(std::string& name) override {
    if (depth_ == 1 && section_ == nullptr) return choose(name);
    if (section_ != nullptr && depth_ == element_depth_ + 1) {
      const auto found = std::ranges::find(section_->wanted, name);
      slot_ = found == section_->wanted.end() ? nullptr
                                              : &record_[static_cast<std::size_t>(found - section_->wanted.begin())];
    }
    return true;
  }
  bool start_object(std::size_t) override {
    if (section_ != nullptr && depth_ == element_depth_) {
      if (section_->wanted.empty()) return misplaced("is no number");
      record_.assign(section_->wanted.size(), {});
      slot_ = nullptr;
    } else {
      nested();
    }
    ++depth_;
    pending_ = nullptr;
    return true;
  }
  bool end_object() override {
    --depth_;
    if (section_ == nullptr || depth_ != element_depth_) return true;
    return emit();
  }
  bool start_array(std::size_t) override {
    JsonSection* begun = depth_ == 0 ? section("") : pending_;
    if (begun != nullptr && section_ == nullptr && depth_ <= 1) {
      if (begun->found) return fail(Error{Code::corrupt, text("has two '", begun->name, "'")});
      begun->found = true;
      section_ = begun;
      index_ = 0;
      element_depth_ = depth_ + 1;
    } else if (section_ != nullptr && depth_ == element_depth_) {
      return misplaced(section_->wanted.empty() ? "is no number" : "is no object");
    } else if (section_ != nullptr && depth_ == element_depth_ + 1 && slot_ != nullptr) {
      *slot_ = {};
      slot_->kind = JsonValue::Kind::numbers;
    } else {
      nested();
    }
    ++depth_;
    pending_ = nullptr;
    return true;
  }
  bool end_array() override {
    --depth_;
    if (section_ != nullptr && depth_ == element_depth_ - 1) section_ = nullptr;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    return fail(Error{Code::corrupt, text("byte ", position, ": is no JSON")});
  }

 private:
  JsonSection* section(std::string_view name) {
    const auto found = std::ranges::find(sections_, name, &JsonSection::name);
    return found == sections_.end() ? nullptr : &*found;
  }
  bool choose(const std::string& name) {
    pending_ = name.empty() ? nullptr : section(name);
    return true;
  }
  /// A value of no wanted kind began below a wanted member.
  void nested() {
    if (section_ != nullptr && slot_ != nullptr && depth_ > element_depth_) slot_->kind = JsonValue::Kind::other;
  }
  bool value(JsonValue v) {
    pending_ = nullptr;
    if (section_ == nullptr) return true;
    if (depth_ == element_depth_) return plain_element(std::move(v));
    if (slot_ == nullptr) return true;
    if (depth_ == element_depth_ + 1) {
      *slot_ = std::move(v);
    } else if (depth_ == element_depth_ + 2 && slot_->kind == JsonValue::Kind::numbers) {
      add_number(v);
    }
    return true;
  }
  void add_number(const JsonValue& v) {
    if (v.kind != JsonValue::Kind::number || slot_->numbers.size() == kMaxNumbers) {
      slot_->kind = JsonValue::Kind::other;
    } else {
      slot_->numbers.push_back(v.number);
    }
  }
  bool plain_element(JsonValue v) {
    if (!section_->wanted.empty()) return misplaced("is no object");
    if (v.kind != JsonValue::Kind::number) return misplaced("is no number");
    record_.assign(1, std::move(v));
    return emit();
  }
  bool emit() {
    auto taken = section_->element(record_);
    if (!taken) return fail(Error{taken.error().code, text(place(), taken.error().message)});
    ++index_;
    return true;
  }
  std::string place() const { return text(section_->name, "[", index_, "]: "); }
  bool misplaced(std::string_view what) { return fail(Error{Code::corrupt, text(place(), what)}); }
  bool fail(const Error& error) {
    if (status_) status_ = Error{error.code, text(label_, ": ", error.message)};
    return false;
  }

  std::string_view label_;
  std::span<JsonSection> sections_;
  Status status_;
  std::size_t depth_ = 0, element_depth_ = 0, index_ = 0;
  JsonSection* section_ = nullptr;  // whose array is open
  JsonSection* pending_ = nullptr;  // whose name was just read
  JsonValue* slot_ = nullptr;       // of the member just named, if wanted
  std::vector<JsonValue> record_;
};

}  // namespace

Status read_json_records(std::span<const std::byte> json, std::string_view label, std::span<JsonSection> sections) {
  const auto* begin = reinterpret_cast<const char*>(json.data());
  Listener listener(label, sections);
  const bool whole = Json::sax_parse(begin, begin + json.size(), &listener);
  if (!whole && listener.status()) return Error{Code::corrupt, text(label, ": is no JSON")};
  return std::move(listener.status());
}

Result<std::int64_t> want_whole(const JsonValue& value, std::string_view name) {
  if (value.whole) return *value.whole;
  if (value.kind == JsonValue::Kind::absent) return Error{Code::corrupt, text("has no '", name, "'")};
  return Error{Code::corrupt, text("'", name, "' is no whole number")};
}

Result<double> want_number(const JsonValue& value, std::string_view name) {
  if (value.kind == JsonValue::Kind::absent) return Error{Code::corrupt, text("has no '", name, "'")};
  if (value.kind != JsonValue::Kind::number) return Error{Code::corrupt, text("'", name, "' is no number")};
  if (!std::isfinite(value.number)) return Error{Code::corrupt, text("'", name, "' is not finite")};
  return value.number;
}

}  // namespace tessera::eval
