#include "model/darknet/cfg.h"

#include <algorithm>

#include "base/text.h"
#include "model/untrusted_text.h"

namespace tessera::darknet {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view name) { cfg_.name = name; }

  Status line(std::string_view raw, int number) {
    if (raw.size() > kMaxLineBytes)
      return fail(number, text("line of ", raw.size(), " bytes; at most ", kMaxLineBytes));
    if (raw.find('\0') != std::string_view::npos) return fail(number, "holds a zero byte; a cfg is text");
    const std::string_view content = trim(raw.substr(0, raw.find_first_of("#;")));
    if (content.empty()) return {};
    return content.front() == '[' ? section(content, number) : entry(content, number);
  }

  Result<Cfg> finish() {
    if (cfg_.sections.empty()) {
      return Error{Code::corrupt, text(cfg_.name, ": no section at all; a cfg begins with [net]")};
    }
    return std::move(cfg_);
  }

 private:
  Error fail(int number, std::string_view fact) const {
    return Error{Code::corrupt, text(cfg_.name, ": line ", number, ": ", fact)};
  }

  Status section(std::string_view content, int number) {
    if (content.back() != ']') return fail(number, text(quoted(content), " lacks the closing ']'"));
    const std::string_view kind = trim(content.substr(1, content.size() - 2));
    if (kind.empty()) return fail(number, "section without a name");
    const bool net = kind == "net" || kind == "network";
    if (cfg_.sections.empty() != net) {
      return fail(number, net ? text("second [", kind, "]; a cfg has one")
                              : text("section ", quoted(kind), " comes first; a cfg begins with [net]"));
    }
    if (cfg_.sections.size() > kMaxSections) return fail(number, text("more than ", kMaxSections, " layers"));
    cfg_.sections.push_back({std::string(kind), static_cast<int>(cfg_.sections.size()) - 1, number, {}});
    return {};
  }

  Status entry(std::string_view content, int number) {
    const auto equals = content.find('=');
    if (equals == std::string_view::npos) {
      return fail(number, text(quoted(content), " is neither a [section] nor key=value"));
    }
    const std::string_view key = trim(content.substr(0, equals));
    if (key.empty()) return fail(number, text(quoted(content), " has no key before '='"));
    if (cfg_.sections.empty())
      return fail(number, text("key ", quoted(key), " before any section; a cfg begins with [net]"));
    CfgSection& section = cfg_.sections.back();
    if (const CfgEntry* first = section.find(key)) {
      return Error{Code::corrupt, text(where(cfg_, section, number), ": key ", quoted(key),
                                       " is given twice, first in line ", first->line, "; keep one")};
    }
    if (section.entries.size() == kMaxEntriesPerSection) {
      return fail(number, text("more than ", kMaxEntriesPerSection, " keys in one section"));
    }
    section.entries.push_back({std::string(key), std::string(trim(content.substr(equals + 1))), number});
    return {};
  }

  Cfg cfg_;
};

}  // namespace

const CfgEntry* CfgSection::find(std::string_view key) const noexcept {
  const auto found = std::ranges::find(entries, key, &CfgEntry::key);
  return found == entries.end() ? nullptr : &*found;
}

std::string where(const Cfg& cfg, const CfgSection& section, int line) {
  std::string out = text(cfg.name, ": [", quoted(section.kind).substr(1));
  out.pop_back();
  out += ']';
  if (section.index >= 0) out += text(" ", section.index);
  return out + text(", line ", line);
}

Result<Cfg> parse_cfg(std::string_view bytes, std::string_view name) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  Parser parser(name);
  for (int number = 1; !bytes.empty(); ++number) TESSERA_TRY(parser.line(next_line(bytes), number));
  return parser.finish();
}

}  // namespace tessera::darknet
