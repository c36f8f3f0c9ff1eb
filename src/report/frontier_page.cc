#include "report/frontier_page.h"

#include "frontier_html.h"  // web/frontier.html, made by CMake

namespace tessera::report {

std::string frontier_page(std::string_view json) {
  static constexpr std::string_view kMark = "/*TUNING*/";
  std::string page(kFrontierHtml);
  std::string data(json);
  // A file name that says </script> must not end the script.
  for (std::size_t at = 0; (at = data.find("</", at)) != std::string::npos; at += 3) data.replace(at, 2, "<\\/");
  page.replace(page.find(kMark), kMark.size(), data);
  return page;
}

}  // namespace tessera::report
