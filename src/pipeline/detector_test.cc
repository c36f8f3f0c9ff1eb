#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tessera/detector.h>

#include <random>
#include <thread>

#include "canvas/canvas.h"
#include "count_allocations.h"
#include "pipeline/test_detector.h"

namespace tessera {
namespace {

using test::Picture;
using test::tiny_options;

std::string load_error(const DetectorOptions& options) {
  const auto detector = Detector::load(options);
  return detector ? "no error" : detector.error().message;
}

TEST(Detector, FindsWhatIsKnownToBeThere) {
  auto detector = Detector::load(tiny_options());
  ASSERT_TRUE(detector.has_value()) << detector.error().message;
  const auto found = detector->detect(Picture(64, 64, 255).view());
  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_EQ(found->size(), 4u);
  const float score = (*found)[0].score;  // sigmoid(10)^2
  EXPECT_NEAR(score, 0.99990921, 1e-7);
  EXPECT_EQ((*found)[0], (Detection{0, score, 8, 8, 24, 24}));
  EXPECT_EQ((*found)[3], (Detection{0, score, 40, 40, 56, 56}));
  EXPECT_EQ(detector->detect(Picture(64, 64, 0).view())->size(), 0u);
}

TEST(Detector, TellsItsFacts) {
  const auto detector = Detector::load(tiny_options());
  ASSERT_TRUE(detector.has_value());
  EXPECT_EQ(detector->classes(), 2);
  EXPECT_EQ(detector->class_name(0), "white thing");
  EXPECT_EQ(detector->class_name(7), "class 7");
  EXPECT_EQ(detector->class_name(-1), "class -1");
  EXPECT_EQ(detector->input_width(), 64);
  EXPECT_EQ(detector->input_height(), 64);
  EXPECT_EQ(detector->threads(), 1);
  EXPECT_EQ(detector->device(), "cpu");
}

TEST(Detector, TakesEncodedPhotosAndPaddedRows) {
  auto detector = Detector::load(tiny_options());
  ASSERT_TRUE(detector.has_value());
  const std::string ppm = Picture(20, 10, 255).ppm();
  const auto from_file = detector->detect_encoded(std::as_bytes(std::span(ppm)));
  ASSERT_TRUE(from_file.has_value()) << from_file.error().message;
  const Picture padded(30, 10, 255);  // the same photo, 10 pixels more per row that are none of it
  EXPECT_EQ(*detector->detect({padded.pixels.data(), 20, 10, 90}), *from_file);
  EXPECT_FALSE(detector->detect_encoded({}).has_value());
}

TEST(Detector, SharedOnesRunAtOnceAndAgree) {
  auto first = Detector::load(tiny_options());
  ASSERT_TRUE(first.has_value());
  auto second = first->share(2);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->threads(), 2);
  const Picture photo(100, 77, 255);
  const auto expected = first->detect(photo.view());
  const auto repeat = [&](Detector& detector) {
    for (int i = 0; i < 50; ++i) EXPECT_EQ(*detector.detect(photo.view()), *expected);
  };
  std::jthread other([&] { repeat(*second); });
  repeat(*first);
}

TEST(Detector, AllocatesNothingOnceWarm) {
  for (const bool bytes : {false, true}) {
    DetectorOptions options = tiny_options();
    options.byte_pixels = bytes;
    auto detector = Detector::load(options);
    ASSERT_TRUE(detector.has_value());
    const Picture photo(50, 40, 255);
    std::vector<Detection> found;
    ASSERT_TRUE(detector->detect_into(photo.view(), found).has_value());
    const long before = test::allocation_count();
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(detector->detect_into(photo.view(), found).has_value());
    EXPECT_EQ(test::allocation_count() - before, 0);
    EXPECT_EQ(found.size(), 4u);
  }
}

Picture noise(int width, int height, unsigned seed) {
  std::mt19937 random(seed);
  Picture photo(width, height, 0);
  for (std::uint8_t& byte : photo.pixels) byte = static_cast<std::uint8_t>(random());
  return photo;
}

/// What the network sees of a photo, rounded.
Picture rounded_canvas(const Picture& photo) {
  CanvasSpec spec;
  spec.width = spec.height = 64;
  Picture out(64, 64, 0);
  auto writer = CanvasWriter::create(spec);
  EXPECT_TRUE(writer->write(photo.view(), CanvasTarget<std::uint8_t>{out.pixels.data(), 3, 192}).has_value());
  return out;
}

std::vector<Detection> found_in(Detector& detector, const PhotoView& photo) {
  std::vector<std::vector<Detection>> found;
  EXPECT_TRUE(detector.detect_many({&photo, 1}, found).has_value());
  return found.at(0);
}

// The bits of a canvas of numbers that are the rounded pixels; where pixels are not whole these are others.
TEST(Detector, BytesGiveWhatTheirNumbersGive) {
  DetectorOptions options = tiny_options();
  options.threshold = 1e-4f;
  auto numbers = Detector::load(options);
  options.byte_pixels = true;
  auto bytes = Detector::load(options);
  ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
  int changed = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Picture whole = noise(64, 64, seed), photo = noise(100 + static_cast<int>(seed), 77, seed);
    EXPECT_EQ(*bytes->detect(whole.view()), *numbers->detect(whole.view()));
    const auto found = found_in(*bytes, {photo.view()});
    EXPECT_FALSE(found.empty());
    EXPECT_EQ(found, found_in(*numbers, {rounded_canvas(photo).view(), photo.width, photo.height})) << "seed " << seed;
    changed += found != found_in(*numbers, {photo.view()});
  }
  EXPECT_GT(changed, 0) << "nothing was rounded";
}

DetectorOptions mosaic_options(int rows, int cols) {
  DetectorOptions options = tiny_options();
  options.mosaic = {rows, cols};
  options.width = 64 * cols;
  options.height = 64 * rows;
  return options;
}

// The tiny network sees one cell at a time, so a tile must give exactly what the photo alone gives.
TEST(Detector, EveryTileOfAMosaicIsAPhotoOfItsOwn) {
  auto one = Detector::load(tiny_options());
  auto many = Detector::load(mosaic_options(2, 3));
  ASSERT_TRUE(one.has_value());
  ASSERT_TRUE(many.has_value()) << many.error().message;
  EXPECT_EQ(many->mosaic(), (MosaicGrid{2, 3}));
  EXPECT_EQ(many->photos_per_pass(), 6);
  std::vector<Picture> photos;
  for (int i = 0; i < 6; ++i) photos.emplace_back(20 + 31 * i, 150 - 17 * i, i == 2 ? 0 : 255);
  for (std::size_t i = 0; i < 7; ++i) photos.push_back(photos[i]);  // three passes, the last canvas nearly empty
  for (std::size_t count = 1; count <= photos.size(); ++count) {
    std::vector<PhotoView> views;
    for (std::size_t i = 0; i < count; ++i) views.push_back({photos[i].view()});
    std::vector<std::vector<Detection>> found;
    ASSERT_TRUE(many->detect_many(views, found).has_value());
    ASSERT_EQ(found.size(), count);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(found[i], *one->detect(views[i].pixels)) << "photo " << i;
  }
  EXPECT_EQ(*many->detect(photos[5].view()), *one->detect(photos[5].view()));
}

TEST(Detector, AMosaicOfBytesToo) {
  DetectorOptions single = tiny_options(), grid = mosaic_options(2, 2);
  for (DetectorOptions* options : {&single, &grid}) options->byte_pixels = true, options->threshold = 1e-4f;
  auto one = Detector::load(single), many = Detector::load(grid);
  ASSERT_TRUE(one.has_value() && many.has_value());
  const Picture photos[] = {noise(100, 77, 1), noise(64, 64, 2), noise(10, 200, 3)};
  std::vector<PhotoView> views;
  for (const Picture& photo : photos) views.push_back({photo.view()});
  std::vector<std::vector<Detection>> found;
  ASSERT_TRUE(many->detect_many(views, found).has_value());
  for (std::size_t i = 0; i < views.size(); ++i) EXPECT_EQ(found[i], *one->detect(photos[i].view())) << "photo " << i;
}

TEST(Detector, NamesWhatIsWrongWithAMosaic) {
  DetectorOptions options = mosaic_options(2, 2);
  options.mosaic.cols = 3;
  EXPECT_EQ(load_error(options), "mosaic 2x3 does not divide the input of 128x128: choose another --size or mosaic");
  options.mosaic = {4, 8};  // tiles of 16 pixels: half a cell
  EXPECT_THAT(load_error(options), testing::HasSubstr("InvalidMosaic"));
  options = tiny_options();
  options.box_step.edge_penalty = 0.5f;
  EXPECT_THAT(load_error(options), testing::HasSubstr("InvalidBoxStep"));
  auto detector = Detector::load(mosaic_options(2, 2));
  ASSERT_TRUE(detector.has_value());
  const Picture photo(4, 4, 0);
  std::vector<std::vector<Detection>> found;
  EXPECT_EQ(detector->detect_many({}, found).error().message, "no photos to detect in: want 1 or more");
  const std::vector<PhotoView> views{{photo.view()}, {}};
  EXPECT_EQ(detector->detect_many(views, found).error().message, "photo 1: photo: has no pixels");
}

TEST(Detector, BoxesReferToTheFullPhotoAfterAScaledDecode) {
  auto detector = Detector::load(tiny_options());
  ASSERT_TRUE(detector.has_value());
  const Picture photo(32, 16, 255);
  std::vector<std::vector<Detection>> found;
  const PhotoView scaled{photo.view(), 128, 192};
  ASSERT_TRUE(detector->detect_many({&scaled, 1}, found).has_value());
  EXPECT_EQ(found[0], *detector->detect(Picture(128, 192, 255).view()));
  const PhotoView wrong{photo.view(), 31, 16};
  EXPECT_EQ(detector->detect_many({&wrong, 1}, found).error().message,
            "photo 0: photo: full size 31x16 for 32x16 pixels: want at least these, up to 65535, or 0x0");
}

TEST(Detector, BoxStepReachesTheDecoder) {
  DetectorOptions options = mosaic_options(1, 2);
  options.box_step.edge_penalty = 0.5f;
  options.box_step.edge_margin = 24;  // the inner boxes end 8 pixels from the edge between the tiles
  options.box_step.max_per_class = 3;
  options.box_step.power_rank = true;
  auto detector = Detector::load(options);
  ASSERT_TRUE(detector.has_value()) << detector.error().message;
  const Picture photo(64, 64, 255);
  std::vector<std::vector<Detection>> found;
  const std::vector<PhotoView> views(2, PhotoView{photo.view()});
  ASSERT_TRUE(detector->detect_many(views, found).has_value());
  ASSERT_EQ(found[0].size(), 3u);
  ASSERT_EQ(found[1].size(), 3u);
  EXPECT_EQ(found[0][0].x1, 8);  // left tile: its left boxes first, one of the halved right ones last
  EXPECT_EQ(found[0][2].x1, 40);
  EXPECT_EQ(found[1][0].x1, 40);  // right tile: the other way round
  EXPECT_EQ(found[1][2].x1, 8);
  EXPECT_EQ(found[0][2].score, 0.5f * found[0][0].score);
}

TEST(Detector, RefusesWhatIsNoPhoto) {
  auto detector = Detector::load(tiny_options());
  ASSERT_TRUE(detector.has_value());
  const Picture photo(4, 4, 0);
  EXPECT_EQ(detector->detect({}).error().message, "photo: has no pixels");
  EXPECT_EQ(detector->detect({photo.pixels.data(), 0, 4, 12}).error().message, "photo: has no pixels");
  EXPECT_EQ(detector->detect({photo.pixels.data(), 4, 4, 11}).error().message,
            "photo: rows of 11 bytes do not hold 4 pixels of 3 bytes");
  EXPECT_EQ(detector->detect({photo.pixels.data(), 65536, 1, 1 << 20}).error().message,
            "photo: 65536x1: want sides up to 65535");
}

TEST(Detector, NamesTheOptionThatIsWrong) {
  const auto with = [](auto change) {
    DetectorOptions options = tiny_options();
    change(options);
    return load_error(options);
  };
  using testing::HasSubstr;
  EXPECT_EQ(with([](auto& o) { o.isa = "mmx"; }),
            "isa 'mmx': want scalar, avx2, avx512, avx512_vnni, avx512_bf16 or neon");
  EXPECT_EQ(with([](auto& o) { o.threads = -1; }), "threads is -1: want 0 or more");
  EXPECT_EQ(with([](auto& o) { o.width = 64; }), "input size 64x0: want a width and a height above 0, or neither");
  EXPECT_THAT(with([](auto& o) { o.width = o.height = 100; }), HasSubstr("32"));
  EXPECT_THAT(with([](auto& o) { o.threshold = 1; }), HasSubstr("InvalidDetectionThreshold"));
  EXPECT_THAT(with([](auto& o) { o.nms_iou = 2; }), HasSubstr("InvalidNmsThreshold"));
  EXPECT_THAT(with([](auto& o) { o.max_detections = 0; }), HasSubstr("InvalidCapacity"));
  EXPECT_THAT(with([](auto& o) { o.device = "abacus"; }), HasSubstr("abacus"));
  EXPECT_THAT(with([](auto& o) { o.disabled = {"gravity"}; }), HasSubstr("gravity"));
  EXPECT_EQ(Detector::load(tiny_options())->share(-2).error().message, "threads is -2: want 0 or more");
}

TEST(Detector, RefusesModelsThatAreNoDetector) {
  constexpr std::string_view kPlain = "[net]\nwidth=8\nheight=8\nchannels=3\n[maxpool]\nsize=2\nstride=2\n";
  DetectorOptions options;
  std::string header(20, '\0');
  header[4] = 2;  // version 0.2: 20 bytes; older headers have 16
  options.in_memory = ModelInMemory{"plain", std::as_bytes(std::span(kPlain)), std::as_bytes(std::span(header)), {}};
  EXPECT_THAT(load_error(options), testing::HasSubstr("no detector heads"));
}

}  // namespace
}  // namespace tessera
