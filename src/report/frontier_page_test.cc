#include "report/frontier_page.h"

#include <gtest/gtest.h>

namespace tessera::report {
namespace {

TEST(FrontierPage, HoldsTheTuningOnceAndWhole) {
  const std::string page = frontier_page("{\"points\":[]}");
  EXPECT_EQ(page.find("/*TUNING*/"), std::string::npos);
  EXPECT_NE(page.find("{\"points\":[]}"), std::string::npos);
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0u);
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org/2000/svg"));  // nothing is fetched
  EXPECT_EQ(page.find("https://"), std::string::npos);
}

TEST(FrontierPage, TextOfTheTuningCannotEndTheScript) {
  const std::string page = frontier_page("{\"images\":\"</script><b>\"}");
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_NE(page.find("<\\/script><b>"), std::string::npos);  // the same string to JSON
}

}  // namespace
}  // namespace tessera::report
