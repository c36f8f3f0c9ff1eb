#pragma once
// What Ultralytics' exporters (and those who follow them) write beside a graph: key-value properties in Python's own
// notation.

#include <tessera/result.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::onnx {

struct ExportFacts {
  std::vector<std::string> names;      ///< by class number; empty: not told
  std::optional<std::int64_t> stride;  ///< the largest
  std::string task;                    ///< "detect", or "" when not told
  std::vector<std::int64_t> imgsz;     ///< height, width
};

/// Reads the keys names, stride, task and imgsz; others are ignored.
/// Errors  corrupt: a key that is there and cannot be read, class numbers that are not 0, 1, 2, ...
Result<ExportFacts> export_facts(const std::map<std::string, std::string>& metadata);

/// A Python list or dictionary of strings: "['person', 'dog']", "{0: 'person', 1: \"dog's\"}". nullopt for other text.
std::optional<std::vector<std::string>> python_names(std::string_view text);

}  // namespace tessera::onnx
