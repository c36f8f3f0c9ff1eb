#pragma once
// One way to run a detector: what a tuning varies.

#include <tessera/detector.h>

#include <string>
#include <vector>

namespace tessera::eval {

struct OperatingPoint {
  int width = 0, height = 0;  ///< the canvas
  MosaicGrid mosaic;
  bool multi_label = false;
  BoxStep box_step;
  bool letterbox = false;
  bool flip = false;                  ///< the mirrored photo too
  int workers = 1, threads = 1;       ///< passes at once, and threads of each
  std::vector<std::string> disabled;  ///< passes and implementations left out

  /// Unique among points that differ: "640 2x2 v2 stretch 2x1".
  std::string name() const;
  /// The words that make `tessera detect` or `eval` run this point.
  std::string command() const;
  /// Threshold 0.001 and 100 detections per photo, as mAP is measured; the model and everything else stay.
  void apply(DetectorOptions& options) const;
};

/// How boxes are chosen, by name: "single" (one class per place), "multi" (multi-label), "v2" (box-step v2).
/// False for another name. v2 has an edge penalty only where there is a mosaic.
bool set_box_step(OperatingPoint& point, const std::string& name);

}  // namespace tessera::eval
