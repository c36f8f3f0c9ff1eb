#include "tensor/npy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace tessera {
namespace {

std::string npy(std::string header, const std::string& data) {
  header.resize((10 + header.size() + 64) / 64 * 64 - 10, ' ');
  return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size() & 255) +
         static_cast<char>(header.size() >> 8) + header + data;
}
Result<NpyArray> parse(const std::string& bytes) { return parse_npy(std::as_bytes(std::span(bytes))); }
std::string message(const std::string& bytes) {
  const auto array = parse(bytes);
  return array ? "no error" : array.error().message;
}

TEST(Npy, WritesWhatItReads) {
  const auto path = std::filesystem::path(testing::TempDir()) / "tessera_npy_test.npy";
  const std::vector<float> data{1.5f, -2, 0, 3, 4, 5};
  for (const Shape& shape : {Shape{6}, Shape{2, 3}, Shape{1, 1, 3, 2}}) {
    ASSERT_TRUE(write_npy(path, shape, data).has_value());
    const auto array = read_npy(path);
    ASSERT_TRUE(array.has_value()) << array.error().message;
    EXPECT_EQ(array->shape, shape);
    EXPECT_EQ(array->data, data);
  }
  std::filesystem::remove(path);
}

TEST(Npy, ConvertsIntegersAndDoubles) {
  const auto bytes = parse(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", "\x01\xff"));
  ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
  EXPECT_EQ(bytes->data, (std::vector<float>{1, 255}));
  const double value = 0.25;
  const auto doubles = parse(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
                                 std::string(reinterpret_cast<const char*>(&value), 8)));
  ASSERT_TRUE(doubles.has_value()) << doubles.error().message;
  EXPECT_EQ(doubles->data, std::vector<float>{0.25f});
}

TEST(Npy, BadBytesGetOneClearError) {
  EXPECT_EQ(message("nonsense"), "npy: does not begin with \\x93NUMPY");
  EXPECT_EQ(message(std::string("\x93NUMPY\x01\0\xff\xff..", 12)), "npy: header is longer than the file");
  EXPECT_EQ(message(std::string("\x93NUMPY\x09\0\0\0..", 12)), "npy: format version 9: want 1 to 3");
  EXPECT_EQ(message(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "1234")),
            "npy: element type '>f4',: want <f4, <f8, <i4, <i8 or |u1");
  EXPECT_EQ(message(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", "1234")),
            "npy: array is in Fortran order: save it with numpy.ascontiguousarray");
  EXPECT_EQ(message(npy("{'descr': '<f4', 'fortran_order': False, }", "1234")), "npy: header has no shape");
  EXPECT_EQ(message(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1", "1234")), "npy: shape is not closed");
  EXPECT_EQ(message(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "1234")),
            "npy: shape has a part that is not a size");
  EXPECT_EQ(message(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1), }", "1234")),
            "npy: more than 6 axes");
  EXPECT_EQ(message(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "1234")),
            "npy: shape 2 wants 2 elements, the file holds 1");
  EXPECT_NE(message(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999,9999999999,), }", ""))
                .find("out of range"),
            std::string::npos);
}

TEST(Npy, MissingFileAndWrongCount) {
  EXPECT_EQ(read_npy("/nonexistent/x.npy").error().code, Code::not_found);
  const std::vector<float> one{1};
  EXPECT_EQ(write_npy("/nonexistent/x.npy", {2}, one).error().code, Code::invalid_argument);
  EXPECT_EQ(write_npy("/nonexistent/x.npy", {1}, one).error().code, Code::io);
}

}  // namespace
}  // namespace tessera
