#include "boxdecode/select/voting.h"

namespace tessera::boxdecode {
namespace {

Box mean_of_voters(SelectionOrder& order, const Candidate& winner, float winner_area, float iou) noexcept {
  double weight = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  for (std::uint32_t i = 0; i < order.count(); ++i) {
    const Candidate& voter = order.at(i);
    if (voter.class_id != winner.class_id) continue;
    if (!overlaps_more(winner.box, winner_area, voter.box, area(voter.box), iou)) continue;
    const double r = voter.score();
    weight += r;
    x1 += r * voter.box.x1;
    y1 += r * voter.box.y1;
    x2 += r * voter.box.x2;
    y2 += r * voter.box.y2;
  }
  if (weight == 0) return winner.box;  // nobody voted (iou = 1, or an area that overflows), or all scores are 0
  return {static_cast<float>(x1 / weight), static_cast<float>(y1 / weight), static_cast<float>(x2 / weight),
          static_cast<float>(y2 / weight)};
}

}  // namespace

void vote(SelectionOrder& order, std::span<Kept> kept, float iou) noexcept {
  for (Kept& winner : kept) {
    // winner.box is written last: overlaps are judged on boxes before voting, which order.at() still has.
    winner.box = mean_of_voters(order, order.at(winner.candidate), winner.area, iou);
  }
}

}  // namespace tessera::boxdecode
