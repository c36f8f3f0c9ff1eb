#pragma once
// A detector with known answers: one look per 32x32 cell of a 64x64 input; red above one half is an object of class 0,
// 16x16 pixels in the middle of the cell.

#include <tessera/detector.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tessera::test {

inline constexpr std::string_view kTinyCfg =
    "[net]\nwidth=64\nheight=64\nchannels=3\n[convolutional]\nfilters=7\nsize=1\nstride=32\npad=1\nactivation=linear\n"
    "[yolo]\nmask=0\nanchors=16,16\nclasses=2\nnum=1\n";
inline constexpr std::string_view kTinyNames = "white thing\nother\n";

inline std::string tiny_weights() {
  std::array<float, 28> values{0, 0, 0, 0, -10, 10, -10};  // biases: x y w h objectness class0 class1
  values[7 + 4 * 3] = 20;                                  // objectness from red
  const std::array<std::int32_t, 5> header{0, 2, 5, 0, 0};
  std::string bytes(sizeof header + sizeof values, '\0');
  std::memcpy(bytes.data(), header.data(), sizeof header);
  std::memcpy(bytes.data() + sizeof header, values.data(), sizeof values);
  return bytes;
}

inline DetectorOptions tiny_options() {
  static const std::string weights = tiny_weights();
  DetectorOptions options;
  options.in_memory = ModelInMemory{"tiny", std::as_bytes(std::span(kTinyCfg)), std::as_bytes(std::span(weights)),
                                    std::as_bytes(std::span(kTinyNames))};
  options.threads = 1;
  return options;
}

struct Picture {
  int width, height;
  std::vector<std::uint8_t> pixels;
  Picture(int w, int h, std::uint8_t grey)
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 3, grey) {}
  ImageView view() const { return {pixels.data(), width, height, std::int64_t{3} * width}; }
  std::string ppm() const {
    return "P6\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n" +
           std::string(pixels.begin(), pixels.end());
  }
};

/// A folder of its own for one test, removed afterwards.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tessera-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string write(const std::string& name, const std::string& bytes) const {
    const auto path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tessera::test
