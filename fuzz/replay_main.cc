// Runs a fuzz target over files: the arguments, and everything inside arguments that are folders. Also over each file
// cut short and with single bits flipped, so that the seeds test something even without a fuzzer.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::size_t runs = 0;

void run(const std::vector<std::uint8_t>& bytes) {
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  ++runs;
}

void replay(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> chars((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::vector<std::uint8_t> bytes(chars.begin(), chars.end());
  run(bytes);
  const std::size_t step = bytes.size() / 64 + 1;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    run({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at)});
    auto flipped = bytes;
    flipped[at] ^= static_cast<std::uint8_t>(1u << (at % 8));
    run(flipped);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::filesystem::is_directory(argv[i])) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
        if (entry.is_regular_file()) replay(entry.path());
      }
    } else if (std::filesystem::exists(argv[i])) {
      replay(argv[i]);
    }
  }
  std::printf("%zu inputs replayed\n", runs);
  return runs > 0 ? 0 : 1;  // a replay of nothing is not a pass
}
