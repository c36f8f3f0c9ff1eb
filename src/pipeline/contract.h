#pragma once
// From a model's own words (preprocessing contract, heads) to what canvas and BoxDecode are asked for.

#include <tessera/boxdecode.h>
#include <tessera/detector.h>
#include <tessera/result.h>

#include "canvas/canvas.h"
#include "device/device.h"
#include "model/load.h"
#include "model/model.h"
#include "pipeline/prepare.h"

namespace tessera {

/// The canvas of a model, or of one tile of it. unsupported when the input has not three channels.
Result<CanvasSpec> canvas_spec(const Preprocess& preprocess);

/// One tile of a mosaic of such canvases. invalid_argument when the grid does not divide the canvas.
Result<CanvasSpec> tile_spec(const CanvasSpec& canvas, const MosaicGrid& grid);

/// BoxDecode's parameters for a detector's heads; all values of `options` are checked by BoxDecode itself.
/// unsupported when the model is no detector of a known family.
Result<boxdecode::Params> decode_params(const Model& model, const CanvasSpec& canvas, const DetectorOptions& options);

/// Model files or memory, with the wished input size, reading bytes where that is wished.
/// `whole_graph`: ONNX files keep their own outputs, a detector's tail included.
Result<Model> load_model(const DetectorOptions& options, bool whole_graph = false, int batch = 1);

}  // namespace tessera
