#include <tessera/detector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "base/thread_pool.h"
#include "canvas/mosaic.h"
#include "pipeline/contract.h"
#include "pipeline/families.h"
#include "pipeline/heads.h"
#include "pipeline/mirror.h"

namespace tessera {

/// What share() shares: all immutable.
struct Detector::Prepared {
  std::shared_ptr<const Executable> executable;
  CanvasSpec canvas, tile;
  boxdecode::Params decode;
  bool flip = false;
  std::vector<std::string> names;
  int threads = 1;
};

struct Detector::State {
  std::shared_ptr<const Prepared> prepared;
  ThreadPool pool;
  ExecutionContext context;
  CanvasWriter tile;
  HeadDecoder heads;
  std::optional<MirrorView> mirror;  // when photos are looked at twice
  // Of the photos of one pass; kept so that a warm call allocates nothing.
  std::vector<boxdecode::ImageSize> sizes;
  std::vector<MosaicPhoto> tiles;
  std::vector<CanvasMap> maps;

  /// Photo i onto tile i, grey onto the others.
  Status fill_canvas(std::span<const PhotoView> photos);
  Status pass(std::span<const PhotoView> photos, std::span<std::vector<Detection>> out);
  /// pass, and with `mirror` another one on the mirrored photos.
  Status look(std::span<const PhotoView> photos, std::span<std::vector<Detection>> out);
};

namespace {

Status check_photo(const ImageView& photo) {
  if (!photo.data || photo.width < 1 || photo.height < 1) return Error{Code::invalid_argument, "photo: has no pixels"};
  if (photo.width > 65535 || photo.height > 65535) {
    return Error{Code::invalid_argument, text("photo: ", photo.width, "x", photo.height, ": want sides up to 65535")};
  }
  if (photo.row_bytes < std::int64_t{3} * photo.width) {
    return Error{Code::invalid_argument,
                 text("photo: rows of ", photo.row_bytes, " bytes do not hold ", photo.width, " pixels of 3 bytes")};
  }
  return {};
}

MergeRules merge_rules(const boxdecode::Params& decode) {
  return {merge_nms_iou(decode), decode.nms_class_agnostic, decode.max_detections, decode.max_per_class};
}

Status check_photo(const PhotoView& photo) {
  TESSERA_TRY(check_photo(photo.pixels));
  const int w = photo.full_width, h = photo.full_height;
  const bool own = w == 0 && h == 0, full = w >= photo.pixels.width && h >= photo.pixels.height;
  if ((own || full) && w <= 65535 && h <= 65535) return {};
  return Error{Code::invalid_argument, text("photo: full size ", w, "x", h, " for ", photo.pixels.width, "x",
                                            photo.pixels.height, " pixels: want at least these, up to 65535, or 0x0")};
}

}  // namespace

Detector::Detector(std::unique_ptr<State> state) : state_(std::move(state)) {}
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;
Detector::~Detector() = default;

Result<Detector> Detector::load(const DetectorOptions& options) {
  if (const auto valid = prepare_options(options); !valid) return valid.error();  // before a large file is read
  auto model = load_model(options);
  if (!model) return model.error();
  auto canvas = canvas_spec(model->preprocess);
  if (!canvas) return canvas.error();
  if (options.letterbox) canvas->fit = *options.letterbox ? CanvasFit::letterbox : CanvasFit::stretch;
  const auto tile = tile_spec(*canvas, options.mosaic);
  if (!tile) return tile.error();
  auto decode = decode_params(*model, *canvas, options);
  if (!decode) return decode.error();
  auto executable = prepare_graph(std::move(model->graph), options);
  if (!executable) return executable.error();
  const int threads = (*executable)->options().threads;
  return on(std::make_shared<const Prepared>(Prepared{std::move(*executable), *canvas, *tile, std::move(*decode),
                                                      options.flip, std::move(model->class_names), threads}),
            threads);
}

Result<Detector> Detector::on(std::shared_ptr<const Prepared> prepared, int threads) {
  auto context = ExecutionContext::create(prepared->executable, threads);
  if (!context) return context.error();
  auto canvas = CanvasWriter::create(prepared->tile);
  if (!canvas) return canvas.error();
  const auto heads = heads_in_memory(*prepared->executable, *context);
  const auto plan = plan_heads(heads, prepared->decode);
  if (!plan) return plan.error();
  auto decoder = HeadDecoder::create(*plan, heads, prepared->decode.max_detections);
  if (!decoder) return decoder.error();
  std::optional<MirrorView> mirror;
  if (prepared->flip) mirror.emplace(merge_rules(prepared->decode));
  try {
    return Detector(std::unique_ptr<State>(new State{std::move(prepared),
                                                     ThreadPool(threads),
                                                     std::move(*context),
                                                     std::move(*canvas),
                                                     std::move(*decoder),
                                                     std::move(mirror),
                                                     {},
                                                     {},
                                                     {}}));
  } catch (const std::system_error& error) {
    return Error{Code::limit_exceeded, text("cannot start ", threads, " threads: ", error.code().message())};
  }
}

Result<Detector> Detector::share(int threads) const {
  if (threads < 0) return Error{Code::invalid_argument, text("threads is ", threads, ": want 0 or more")};
  return on(state_->prepared, threads > 0 ? threads : state_->pool.threads());
}

Status Detector::State::fill_canvas(std::span<const PhotoView> photos) {
  const TensorRef input = context.input(0);
  const boxdecode::Mosaic& grid = prepared->decode.mosaic;
  tiles.clear();
  for (const PhotoView& photo : photos) tiles.push_back({photo.pixels, {photo.full_width, photo.full_height}});
  const std::int64_t row = input.w * input.pixel_stride;
  if (input.bytes) {
    const CanvasTarget<std::uint8_t> canvas{input.bytes, input.pixel_stride, row};
    return write_mosaic(tile, grid.rows, grid.cols, tiles, canvas, maps, &pool);
  }
  const CanvasTarget<float> canvas{input.data, input.pixel_stride, row};
  return write_mosaic(tile, grid.rows, grid.cols, tiles, canvas, maps, &pool);
}

Status Detector::State::pass(std::span<const PhotoView> photos, std::span<std::vector<Detection>> out) {
  sizes.clear();
  for (const PhotoView& photo : photos) {
    const bool scaled = photo.full_width > 0;
    sizes.push_back({scaled ? photo.full_width : photo.pixels.width, scaled ? photo.full_height : photo.pixels.height});
  }
  TESSERA_TRY(fill_canvas(photos));
  context.run(pool);
  return heads.decode(context, sizes, out);
}

Status Detector::State::look(std::span<const PhotoView> photos, std::span<std::vector<Detection>> out) {
  TESSERA_TRY(pass(photos, out));
  if (!mirror) return {};
  const auto views = mirror->mirrored(photos);
  TESSERA_TRY(pass(views, mirror->found()));
  for (std::size_t i = 0; i < photos.size(); ++i) mirror->merge_into(i, sizes[i].width, out[i]);
  return {};
}

Status Detector::detect_into(const ImageView& photo, std::vector<Detection>& out) {
  TESSERA_TRY(check_photo(photo));
  const PhotoView view{photo};
  return state_->look({&view, 1}, {&out, 1});
}

Status Detector::detect_many(std::span<const PhotoView> photos, std::vector<std::vector<Detection>>& out) {
  if (photos.empty()) return Error{Code::invalid_argument, "no photos to detect in: want 1 or more"};
  for (std::size_t i = 0; i < photos.size(); ++i) {
    if (const auto fine = check_photo(photos[i]); !fine) {
      return Error{fine.error().code, text("photo ", i, ": ", fine.error().message)};
    }
  }
  out.resize(photos.size());
  const auto most = static_cast<std::size_t>(photos_per_pass());
  for (std::size_t done = 0; done < photos.size(); done += most) {
    const std::size_t count = std::min(most, photos.size() - done);
    TESSERA_TRY(state_->look(photos.subspan(done, count), std::span(out).subspan(done, count)));
  }
  return {};
}

Result<std::vector<Detection>> Detector::detect(const ImageView& photo) {
  std::vector<Detection> out;
  TESSERA_TRY(detect_into(photo, out));
  return out;
}

Result<std::vector<Detection>> Detector::detect_encoded(std::span<const std::byte> file) {
  const auto image = decode_image(file);
  if (!image) return image.error();
  return detect(image->view());
}

int Detector::classes() const noexcept { return state_->prepared->decode.num_classes; }
const std::vector<std::string>& Detector::class_names() const noexcept { return state_->prepared->names; }
std::string Detector::class_name(std::int32_t class_id) const {
  const auto& names = class_names();
  const auto index = static_cast<std::size_t>(class_id);
  return class_id >= 0 && index < names.size() ? names[index] : text("class ", class_id);
}
int Detector::input_width() const noexcept { return state_->prepared->canvas.width; }
int Detector::input_height() const noexcept { return state_->prepared->canvas.height; }
MosaicGrid Detector::mosaic() const noexcept {
  return {state_->prepared->decode.mosaic.rows, state_->prepared->decode.mosaic.cols};
}
float Detector::nms_iou() const noexcept { return state_->prepared->decode.nms_iou_threshold; }
int Detector::threads() const noexcept { return state_->pool.threads(); }
const std::string& Detector::device() const noexcept { return state_->prepared->executable->options().device; }
int Detector::fallback_nodes() const noexcept { return state_->prepared->executable->fallback_nodes(); }

}  // namespace tessera
