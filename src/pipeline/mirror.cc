#include "pipeline/mirror.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "boxdecode/box.h"

namespace tessera {
namespace {

void reverse_columns(const ImageView& photo, Image& out) {
  out.width = photo.width;
  out.height = photo.height;
  out.pixels.resize(out.row_bytes() * static_cast<std::size_t>(photo.height));
  for (int y = 0; y < photo.height; ++y) {
    const std::uint8_t* from = photo.data + y * photo.row_bytes;
    std::uint8_t* to = out.row(y) + out.row_bytes();
    for (int x = 0; x < photo.width; ++x, from += 3) std::copy_n(from, 3, to -= 3);
  }
}

bool overlap_by_more(const Detection& a, const Detection& b, float iou) noexcept {
  const boxdecode::Box left{a.x1, a.y1, a.x2, a.y2}, right{b.x1, b.y1, b.x2, b.y2};
  return boxdecode::overlaps_more(left, boxdecode::area(left), right, boxdecode::area(right), iou);
}

}  // namespace

std::span<const PhotoView> MirrorView::mirrored(std::span<const PhotoView> photos) {
  images_.resize(std::max(images_.size(), photos.size()));
  found_.resize(std::max(found_.size(), photos.size()));
  views_.clear();
  for (std::size_t i = 0; i < photos.size(); ++i) {
    reverse_columns(photos[i].pixels, images_[i]);
    views_.push_back({images_[i].view(), photos[i].full_width, photos[i].full_height});
  }
  return views_;
}

void MirrorView::merge_into(std::size_t i, int width, std::vector<Detection>& out) {
  const auto edge = static_cast<float>(width);
  for (Detection& d : found_[i]) std::tie(d.x1, d.x2) = std::pair(edge - d.x2, edge - d.x1);
  merged_.clear();
  std::ranges::merge(out, found_[i], std::back_inserter(merged_), std::greater{}, &Detection::score, &Detection::score);
  keep_best(out);
}

void MirrorView::keep_best(std::vector<Detection>& out) {
  out.clear();
  for (const Detection& next : merged_) {
    if (out.size() == static_cast<std::size_t>(rules_.max_detections)) break;
    if (!crowded(out, next)) out.push_back(next);
  }
}

bool MirrorView::crowded(std::span<const Detection> kept, const Detection& next) const noexcept {
  int same = 0;
  for (const Detection& k : kept) {
    same += k.class_id == next.class_id;
    const bool compared = rules_.class_agnostic || k.class_id == next.class_id;
    if (compared && overlap_by_more(k, next, rules_.nms_iou)) return true;
  }
  return rules_.max_per_class != 0 && same >= rules_.max_per_class;
}

}  // namespace tessera
