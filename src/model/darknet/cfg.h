#pragma once
// The text of a Darknet cfg: sections with keys, each with its line. Bytes are hostile; nothing is interpreted here.

#include <tessera/result.h>

#include <string>
#include <string_view>
#include <vector>

namespace tessera::darknet {

struct CfgEntry {
  std::string key, value;
  int line = 0;
};

struct CfgSection {
  std::string kind;  ///< "convolutional"
  int index = -1;    ///< Darknet's layer number: 0 for the first section after [net]; -1 for [net]
  int line = 0;
  std::vector<CfgEntry> entries;

  const CfgEntry* find(std::string_view key) const noexcept;
};

struct Cfg {
  std::string name;                  ///< for errors: "yolov4.cfg"
  std::vector<CfgSection> sections;  ///< the first is [net] (or [network])
};

/// "yolov4.cfg: [convolutional] 12, line 107": how every error about a section begins.
std::string where(const Cfg& cfg, const CfgSection& section, int line);

/// Grammar: lines end in LF, CRLF or CR; a byte order mark is skipped; '#' and ';' begin comments anywhere; blanks
/// around section names, keys and values are dropped. Errors: corrupt, with the line.
Result<Cfg> parse_cfg(std::string_view bytes, std::string_view name);

inline constexpr std::size_t kMaxSections = 10000;  ///< yolov4 has 162
inline constexpr std::size_t kMaxLineBytes = 65536;
inline constexpr std::size_t kMaxEntriesPerSection = 1000;

}  // namespace tessera::darknet
