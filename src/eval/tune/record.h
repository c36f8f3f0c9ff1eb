#pragma once
// A tuning as JSON: what is printed, what the page shows, and what an interrupted tuning goes on from.

#include <tessera/result.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "eval/tune/choose.h"

namespace tessera::eval {

struct TuneHeader {
  std::string model, images;  ///< as the user called them
  std::string fingerprint;    ///< of everything that must be equal for two runs to be one tuning
  std::string machine;        ///< "Linux x86_64, 2 processors, avx512"
  std::size_t photos = 0;
  int rounds = 0;
};

/// {"model","images","fingerprint","machine","photos","rounds","rule":{"floor","margin"}|{"budget"}|{},"points":[{"name",
/// "command","ms","median_ms","fastest_ms","tuned":{"map_50","map_50_95"},"held_out":{...},"photos","failed","error",
/// "frontier","chosen","reason"}],"chosen":NAME|null,"summary"}
std::string tune_json(const TuneHeader& header, const std::vector<MeasuredPoint>& points, const ChoiceRule& rule,
                      const Choice& choice);

/// Takes over what an earlier tune_json has measured for points of the same name. Returns how many runs it took.
/// Errors  corrupt: no such JSON; invalid_argument: of another model, photos or program (the fingerprint differs).
Result<std::size_t> take_over(std::span<const std::byte> json, const std::string& fingerprint,
                              std::vector<MeasuredPoint>& points);

}  // namespace tessera::eval
