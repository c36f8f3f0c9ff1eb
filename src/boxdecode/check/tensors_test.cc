// One row per rule on inputs, geometry, outputs and sizes. Bounds are tried on both sides.

#include "boxdecode/testing/rules.h"

namespace tessera::boxdecode::testing {
namespace {

TEST(BoxDecodeCheck, InputShapes) {
  GOOD(yolo_v4_case(), c.inputs[0].shape = Shape({1, 1, 1, 8, 8, 21}));
  BAD(yolo_v4_case(), c.inputs[0].shape = Shape({8, 168}), InvalidRank);
  BAD(yolo_v4_case(), c.inputs[0].shape = Shape({1, 1, 1, 1, 8, 8, 21}), InvalidRank);
  BAD(yolo_v4_case(), c.inputs[0].shape = Shape(), InvalidRank);
  BAD(yolo_v4_case(), c.inputs[0].shape = Shape({2, 8, 8, 21}), InvalidLeadingExtent);
  BAD(yolo_v4_case(), c.inputs[0].shape = Shape({0, 8, 8, 21}), InvalidLeadingExtent);
  BAD(yolo_v4_case(), c.inputs[0].shape[0] = 0, InvalidSpatialExtent);
  BAD(yolo_v4_case(), c.inputs[0].shape[1] = -8, InvalidSpatialExtent);
  BAD(yolo_v4_case(), c.inputs[0].shape[1] = 32'768, InvalidSpatialExtent);
  GOOD(one_head_case(1, 1, 1, 1), c.inputs[0].shape = Shape({1, 32'767, 6});
       c.params.model_input_size = (ImageSize{32'767, 1}));
  GOOD(one_head_case(1, 1, 1, 1), c.inputs[0].shape = Shape({1'024, 1'024, 6});
       c.params.model_input_size = (ImageSize{1'024, 1'024}));
  BAD(one_head_case(1, 1, 1, 1), c.inputs[0].shape = Shape({1'024, 1'025, 6}), CellCountExceeded);
}

TEST(BoxDecodeCheck, InputTypesAndLayouts) {
  BAD(yolo_v4_case(), c.params.accept_float32 = false, UnsupportedDType);
  for (const DType dtype : {DType::Float16, DType::UInt8, DType::Int32, DType::Int64}) {
    expect_code(
        yolo_v4_case(), [dtype](Case& c) { c.inputs[1].dtype = dtype; }, UnsupportedDType, to_string(dtype));
  }
  BAD(yolo_v4_case(), c.inputs[1].layout = MlaCBlocked{}, UnsupportedLayout);
  GOOD(bf16_case(), strides(c)[0] = 8 * 64 + 2);
  BAD(bf16_case(), strides(c)[0] = 8 * 64 - 2, InvalidStride);
  BAD(bf16_case(), strides(c)[0] = 8 * 64 + 1, InvalidStride);
  BAD(bf16_case(), strides(c)[0] = -512, InvalidStride);
  BAD(bf16_case(), strides(c)[1] = 63, InvalidStride);
  BAD(bf16_case(), strides(c)[1] = 0, InvalidStride);
  BAD(bf16_case(), strides(c)[1] = std::int64_t{1} << 62, InvalidStride);
  BAD(bf16_case(), strides(c)[2] = 4, InvalidStride);
  BAD(bf16_case(), strides(c) = Shape({512, 64}), InvalidStride);
  BAD(bf16_case(), strides(c) = Shape({1, 1, 1, 1, 512, 64, 2}), InvalidStride);
  GOOD(bf16_case(), c.inputs[0].shape = Shape({1, 8, 8, 21}); strides(c) = Shape({0, 512, 64, 2}));
  BAD(bf16_case(), c.inputs[0].shape = Shape({1, 8, 8, 21}); strides(c) = Shape({3, 512, 64, 2}), InvalidStride);
  BAD(bf16_case(), c.inputs[0].shape = Shape({1, 8, 8, 21}); strides(c) = Shape({-2, 512, 64, 2}), InvalidStride);
}

void set_pixel(Case& c, std::int64_t channels) {
  c.inputs[0] = dense_input(c.inputs[0].dtype, 8, 8, c.channels(0), channels);
}

TEST(BoxDecodeCheck, Channels) {
  GOOD(bf16_case(), set_pixel(c, 1'024));
  BAD(bf16_case(), set_pixel(c, 1'040), InvalidPhysicalChannels);
  BAD(bf16_case(), set_pixel(c, 16), InvalidPhysicalChannels);
  BAD(bf16_case(), set_pixel(c, 40), InvalidPhysicalChannels);
  BAD(bf16_case(), c.inputs[0].layout = Contiguous{}, InvalidPhysicalChannels);  // 21 is not a multiple of 16
  GOOD(yolo_v4_case(), set_pixel(c, 22));
  GOOD(yolo_v4_case(), set_pixel(c, 1'024));
  BAD(yolo_v4_case(), set_pixel(c, 1'025), InvalidPhysicalChannels);
  BAD(yolo_v4_case(), set_pixel(c, 20), InvalidPhysicalChannels);
  BAD(yolo_v4_case(), c.inputs[0].shape[2] = 20, ChannelMismatch);
  BAD(yolo_v4_case(), c.inputs[0].shape[2] = 22, ChannelMismatch);
  BAD(yolo_v4_case(), c.inputs[0].shape[2] = 0, ChannelMismatch);
  BAD(yolo_v4_case(), c.params.num_classes = std::numeric_limits<std::int32_t>::max(), ChannelMismatch);
}

TEST(BoxDecodeCheck, Quantization) {
  BAD(int8_case(), c.inputs[2].quant.reset(), QuantizationMissing);
  BAD(bf16_case(), c.inputs[2].quant = Quant{}, QuantizationUnexpected);
  BAD(yolo_v4_case(), c.inputs[2].quant = Quant{}, QuantizationUnexpected);
  BAD(yolo_v4_case(), c.outputs[1].quant = Quant{}, QuantizationUnexpected);
  GOOD(int8_case(), c.inputs[0].quant->scale = float_of(1));
  GOOD(int8_case(), c.inputs[0].quant->scale = 1.3e36f);
  for (const float scale : {0.0f, -1.0f, 1.4e36f, kInf, kNan}) {
    expect_code(
        int8_case(), [scale](Case& c) { c.inputs[0].quant->scale = scale; }, QuantizationInvalid, "scale");
  }
  GOOD(int8_case(), c.inputs[0].quant->zero_point = -128);
  GOOD(int8_case(), c.inputs[0].quant->zero_point = 127);
  BAD(int8_case(), c.inputs[0].quant->zero_point = -129, QuantizationInvalid);
  BAD(int8_case(), c.inputs[0].quant->zero_point = 128, QuantizationInvalid);
}

TEST(BoxDecodeCheck, Geometry) {
  BAD(yolo_v4_case(), c.params.model_input_size.width = 72, ModelExtentNotAligned);
  BAD(yolo_v4_case(), c.params.model_input_size.height = 80, ModelExtentNotAligned);
  BAD(yolo_v4_case(), c.params.model_input_size.width = 96, HeadStrideMismatch);
  BAD(yolo_v4_case(), c.params.model_input_size.height = 96, HeadStrideMismatch);
  BAD(yolo_v4_case(), std::swap(c.params.heads[0], c.params.heads[1]), HeadStrideMismatch);
  GOOD(grid_case(), c.params.model_input_size = (ImageSize{20, 20}));
  BAD(grid_case(), c.params.model_input_size = (ImageSize{21, 20}), HeadStrideMismatch);
  BAD(grid_case(), c.params.model_input_size = (ImageSize{20, 21}), HeadStrideMismatch);
  BAD(grid_case(), c.params.model_input_size = (ImageSize{20, 24}), HeadStrideMismatch);  // strides 5 and 6
}

TEST(BoxDecodeCheck, Outputs) {
  BAD(yolo_v4_case(), c.outputs.pop_back(), InvalidOutputCount);
  BAD(yolo_v4_case(), c.outputs.push_back(c.outputs[0]), InvalidOutputCount);
  GOOD(yolo_v4_case(), c.outputs[0].dtype = DType::Float32);
  BAD(yolo_v4_case(), c.outputs[0].dtype = DType::Int8, InvalidOutputDType);
  BAD(yolo_v4_case(), c.outputs[1].dtype = DType::Int32, InvalidOutputDType);
  BAD(yolo_v4_case(), c.outputs[2].dtype = DType::Float32, InvalidOutputDType);
  BAD(yolo_v4_case(), c.outputs[3].dtype = DType::Int64, InvalidOutputDType);
  BAD(yolo_v4_case(), c.outputs[0].shape = Shape({8, 5}), InvalidOutputShape);
  BAD(yolo_v4_case(), c.outputs[1].shape = Shape({7}), InvalidOutputShape);
  BAD(yolo_v4_case(), c.outputs[2].shape = Shape({1, 8}), InvalidOutputShape);
  BAD(yolo_v4_case(), c.outputs[3].shape = Shape({2}), InvalidOutputShape);
  BAD(yolo_v4_case(), c.params.mosaic = (Mosaic{2, 2}), InvalidOutputShape);  // outputs without the leading axis
  BAD(yolo_v4_case(), c.outputs[2].layout = Strided{{4}}, InvalidOutputLayout);
}

TEST(BoxDecodeCheck, Sizes) {
  BAD(yolo_v4_case(), set_pixel(c, 21); strides(c)[0] = std::int64_t{1} << 60, SizeOverflow);
  BAD(yolo_v4_case(), set_pixel(c, 21); strides(c)[0] = std::numeric_limits<std::int64_t>::max() / 4 * 4, SizeOverflow);
  GOOD(yolo_v4_case(), set_pixel(c, 21); strides(c)[0] = ((std::int64_t{1} << 40) - 8 * 84) / 28 * 4);
  BAD(yolo_v4_case(), set_pixel(c, 21); strides(c)[0] = ((std::int64_t{1} << 40) - 8 * 84) / 28 * 4 + 4, SizeOverflow);
  // 8 heads of 2^20 cells, 3 slots, 336 classes: more candidates than 32-bit ordinals.
  expect_code(
      grid_case(),
      [](Case& c) {
        c.params.num_classes = 336;
        c.params.multi_label = true;
        c.params.model_input_size = {1'024, 1'024};
        c.params.anchor_grid[0].anchors.resize(3, {8, 8});
        c.inputs[0] = dense_input(DType::Float32, 1'024, 1'024, 3 * 341);
        set_heads(c, 8);
      },
      SizeOverflow, "ordinals");
}

}  // namespace
}  // namespace tessera::boxdecode::testing
