#pragma once
// A tuning as one page: the frontier as a plot whose points can be selected. The page needs nothing but itself.

#include <string>
#include <string_view>

namespace tessera::report {

/// json: as eval::tune_json writes it. UTF-8 HTML, at most a few kilobytes larger.
std::string frontier_page(std::string_view json);

}  // namespace tessera::report
