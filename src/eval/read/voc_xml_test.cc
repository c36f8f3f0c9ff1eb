#include <gtest/gtest.h>

#include "eval/read/readers.h"
#include "eval/test_data.h"

namespace tessera::eval {
namespace {

using test::bytes_of;

std::string object_xml(std::string_view box, std::string_view name = "<name>dog</name>") {
  return "<object>" + std::string(name) + "<bndbox>" + std::string(box) + "</bndbox></object>";
}
std::string why(const std::string& body) {
  const std::string xml = "<annotation>" + body + "</annotation>";
  const auto read = parse_voc_xml(bytes_of(xml), "a.xml");
  return read ? "" : read.error().message;
}

TEST(VocXml, Read) {
  const std::string xml =
      "<?xml version=\"1.0\"?><annotation><filename> 1.jpg </filename><size><width>9</width></size>"
      "<object><name>dog</name><difficult>1</difficult><bndbox><xmax>30.5</xmax><xmin>10</xmin><ymin>1</ymin><ymax>4</"
      "ymax>"
      "</bndbox><part><name>head</name><bndbox><xmin>1</xmin></bndbox></part></object>"
      "<object><name>a &amp; "
      "b</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>1</xmax><ymax>1</ymax></bndbox></object></annotation>";
  const auto photo = parse_voc_xml(bytes_of(xml), "a.xml");
  ASSERT_TRUE(photo.has_value()) << photo.error().message;
  EXPECT_EQ(photo->file, "1.jpg");
  ASSERT_EQ(photo->objects.size(), 2u);
  EXPECT_EQ(photo->objects[0].name, "dog");
  EXPECT_EQ(photo->objects[0].box, (Box{10, 1, 20.5, 3}));
  EXPECT_TRUE(photo->objects[0].difficult);
  EXPECT_EQ(photo->objects[1].name, "a & b");
  EXPECT_FALSE(photo->objects[1].difficult);
}

TEST(VocXml, Refused) {
  constexpr std::string_view kGood = "<xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax>";
  EXPECT_EQ(why(object_xml(kGood)), "");
  EXPECT_EQ(why(object_xml(kGood) + object_xml(kGood, "")), "a.xml: object 2 has no <name>");
  EXPECT_EQ(why("<object><name>dog</name></object>"), "a.xml: object 1 has no <bndbox>");
  EXPECT_EQ(why(object_xml("<xmin>1</xmin>")), "a.xml: object 1 has no <ymin>");
  for (const char* bad : {"", "one", "1e10", "nan", "inf", "1 2"}) {
    EXPECT_EQ(why(object_xml("<xmin>" + std::string(bad) + "</xmin>")),
              "a.xml: object 1 <xmin> is no number of at most 1e9");
  }
  EXPECT_EQ(why("<object>"), "a.xml: byte 22: Start-end tags mismatch");
  EXPECT_EQ(parse_voc_xml(bytes_of("<html/>"), "a.xml").error().message,
            "a.xml: has no <annotation>: want VOC annotations");
  EXPECT_EQ(parse_voc_xml({}, "a.xml").error().message, "a.xml: byte 0: No document element found");
  const std::string huge((std::size_t{16} << 20) + 1, ' ');
  EXPECT_EQ(parse_voc_xml(bytes_of(huge), "a.xml").error().code, Code::limit_exceeded);
}

TEST(VocXml, DepthAndEntitiesAreNoDanger) {
  std::string deep = "<annotation>";
  for (int i = 0; i < 200'000; ++i) deep += "<a>";
  for (int i = 0; i < 200'000; ++i) deep += "</a>";
  EXPECT_TRUE(parse_voc_xml(bytes_of(deep + "</annotation>"), "a.xml").has_value());
  const std::string entity =
      "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><annotation><filename>&e;</filename></annotation>";
  EXPECT_EQ(parse_voc_xml(bytes_of(entity), "a.xml")->file, "&e;");  // as it stands
}

}  // namespace
}  // namespace tessera::eval
