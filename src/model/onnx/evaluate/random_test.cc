// Calls drawn at random, most of them nonsense: whatever comes in, an answer has as many numbers as its extents say,
// and an error names the node. Under the sanitizers this is the proof that no index leaves its tensor.

#include <cmath>
#include <limits>
#include <random>

#include "model/onnx/evaluate/test_calls.h"

namespace tessera::onnx {
namespace {

constexpr const char* kOps[] = {"Abs",
                                "Add",
                                "ArgMax",
                                "ArgMin",
                                "Cast",
                                "Clip",
                                "Concat",
                                "Constant",
                                "Conv",
                                "CumSum",
                                "Div",
                                "Dropout",
                                "Equal",
                                "Expand",
                                "Flatten",
                                "Gather",
                                "GatherND",
                                "Gemm",
                                "LogSoftmax",
                                "MatMul",
                                "Max",
                                "Mean",
                                "Mod",
                                "NonZero",
                                "Not",
                                "PRelu",
                                "Pad",
                                "Pow",
                                "Range",
                                "ReduceL2",
                                "ReduceMax",
                                "ReduceMean",
                                "ReduceSum",
                                "Reshape",
                                "Round",
                                "ScatterND",
                                "Selu",
                                "Shape",
                                "Size",
                                "Slice",
                                "Softmax",
                                "SpaceToDepth",
                                "Split",
                                "Squeeze",
                                "Tile",
                                "TopK",
                                "Transpose",
                                "Unsqueeze",
                                "Where",
                                "ConstantOfShape",
                                "DepthToSpace",
                                "GatherElements",
                                "ReduceLogSumExp"};
constexpr const char* kIntegerKeys[] = {"axis",
                                        "keepdims",
                                        "noop_with_empty_axes",
                                        "select_last_index",
                                        "k",
                                        "to",
                                        "blocksize",
                                        "largest",
                                        "batch_dims",
                                        "transA",
                                        "transB",
                                        "allowzero",
                                        "start",
                                        "end",
                                        "fmod",
                                        "num_outputs",
                                        "exclusive",
                                        "reverse",
                                        "group"};
constexpr const char* kListKeys[] = {"axes", "perm", "pads", "starts", "ends", "split", "value_ints", "strides"};
constexpr const char* kModes[] = {"constant", "edge", "reflect", "wrap", "CRD", "DCR", "tanh"};

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  TestCall call() {
    TestCall out{of(kOps), {}, {}, below(2) == 0 ? 11 : 18, static_cast<std::size_t>(1 + below(4) / 3)};
    const Dims first = dims();
    const int inputs = below(5);
    for (int i = 0; i < inputs; ++i) {
      if (below(12) == 0) {
        out.inputs.emplace_back(std::nullopt);
      } else {
        out.inputs.emplace_back(i > 0 && below(2) == 0 ? list() : tensor(below(2) == 0 ? first : dims()));
      }
    }
    for (int left = below(4); left > 0; --left) out.attributes[of(kIntegerKeys)] = integer();
    for (int left = below(3); left > 0; --left) out.attributes[of(kListKeys)] = integers(below(5));
    if (below(3) == 0) out.attributes["mode"] = std::string(of(kModes));
    return out;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  template <class T, std::size_t N>
  T of(const T (&list)[N]) {
    return list[random_() % N];
  }
  std::int64_t integer() {
    using Limits = std::numeric_limits<std::int64_t>;
    constexpr std::int64_t kRare[] = {Limits::min(), Limits::max(), std::int64_t{1} << 32, -(std::int64_t{1} << 61), 9};
    return below(12) == 0 ? of(kRare) : below(6) - 2;
  }
  Numbers integers(int count) {
    Numbers out;
    for (int i = 0; i < count; ++i) out.push_back(integer());
    return out;
  }
  Tensor list() { return ints(integers(below(5))); }
  Dims dims() {
    Dims out;
    for (int left = below(6); left > 0; --left) out.push_back(below(8) == 0 ? 0 : 1 + below(3));
    return out;
  }
  Tensor tensor(const Dims& dims) {
    constexpr float kReals[] = {0, -0.0f, 1, -2.5f, 3, 1e30f, HUGE_VALF, std::numeric_limits<float>::quiet_NaN()};
    std::int64_t size = 1;
    for (const std::int64_t extent : dims) size *= extent;
    const int kind = below(4);
    if (kind >= 2) return ints(dims, integers(static_cast<int>(size)));
    std::vector<float> values;
    Numbers bits;
    for (std::int64_t i = 0; i < size; ++i) values.push_back(of(kReals)), bits.push_back(below(2));
    return kind == 0 ? truths(dims, std::move(bits)) : reals(dims, std::move(values));
  }

  std::mt19937 random_;
};

void expect_sound(const std::vector<Tensor>& outputs, std::size_t count) {
  ASSERT_EQ(outputs.size(), count);
  for (const Tensor& output : outputs) {
    std::int64_t size = 1;
    for (const std::int64_t extent : output.dims) size *= extent;
    ASSERT_TRUE(output.dims.fits());
    ASSERT_EQ(output.size(), size);
    ASSERT_NE(output.is_real(), output.reals == nullptr);
    if (output.kind != Kind::boolean) continue;
    for (std::int64_t i = 0; i < size; ++i) ASSERT_TRUE(output.at(i) == 0 || output.at(i) == 1) << output.at(i);
  }
}

TEST(OnnxEvaluate, NonsenseIsRefusedOrSound) {
  int answered = 0, refused = 0;
  for (unsigned seed = 0; seed < 60000 && !HasFailure(); ++seed) {
    const TestCall call = Draw(seed).call();
    SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << call.op);
    ASSERT_TRUE(can_evaluate(call.op));
    const auto outputs = call.run();
    if (outputs) {
      expect_sound(*outputs, call.outputs);
    } else {
      EXPECT_EQ(outputs.error().message.rfind(call.op + " 'it': ", 0), 0u) << outputs.error().message;
    }
    ++(outputs ? answered : refused);
  }
  EXPECT_GT(answered, 5000) << "the draw makes too little sense to prove anything";
  EXPECT_GT(refused, 5000);
}

}  // namespace
}  // namespace tessera::onnx
