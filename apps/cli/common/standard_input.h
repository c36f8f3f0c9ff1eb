#pragma once
// Standard input that ends when the program is interrupted.

#include <streambuf>

namespace tessera::cli {

/// Hands out what has arrived and waits only when nothing has. A signal ends the wait, whichever thread it reached:
/// std::cin would go on waiting in any other.
class StandardInput final : public std::streambuf {
 protected:
  int_type underflow() override;

 private:
  char buffer_[65536];
};

}  // namespace tessera::cli
