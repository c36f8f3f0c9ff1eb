#include "pipeline/decode_error.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(DecodeError, KeepsTheTextAndSaysWhatKind) {
  const Error error =
      to_error(boxdecode::Error{boxdecode::ErrorCode::InvalidCapacity, -1, "max_detections", "set it", 0});
  EXPECT_EQ(error.code, Code::invalid_argument);
  EXPECT_EQ(error.message, "boxdecode: InvalidCapacity: max_detections is 0: set it");
  EXPECT_EQ(to_error({boxdecode::ErrorCode::UnsupportedDType}).code, Code::unsupported);
  EXPECT_EQ(to_error({boxdecode::ErrorCode::SizeOverflow}).code, Code::limit_exceeded);
}

}  // namespace
}  // namespace tessera
