// Mish, HardSwish and GELU in the ways exporters write them, each also in a form that only looks like it.
#include "graph/passes/pass_test.h"

namespace tessera::testing {
namespace {

/// Writes small operators over one value of shape 1x2x2x3 by name: y = w.mul(x, w.number(3)).
struct Writer {
  Graph graph;
  ValueId x = graph.add_input("x", {1, 2, 2, 3});
  int made = 0;

  std::string name() { return "v" + std::to_string(made++); }
  ValueId number(float value) { return graph.add(name(), ConstantAttrs{constant({value}), {1, 1, 1, 1}}, {}); }
  bool is_number(ValueId id) const { return std::holds_alternative<ConstantAttrs>(graph.producer(id).attrs); }
  ValueId binary(BinaryKind kind, ValueId a, ValueId b) {
    const auto strides = [this](ValueId id) { return is_number(id) ? Dims{0} : Dims{1}; };
    return graph.add(name(), BinaryAttrs{kind, {}, {12}, strides(a), strides(b), {1, 2, 2, 3}}, {a, b});
  }
  ValueId add(ValueId a, float b) { return binary(BinaryKind::add, a, number(b)); }
  ValueId mul(ValueId a, float b) { return binary(BinaryKind::mul, number(b), a); }
  ValueId mul(ValueId a, ValueId b) { return graph.add(name(), MulAttrs{}, {a, b}); }
  ValueId div(ValueId a, float b) { return binary(BinaryKind::div, a, number(b)); }
  ValueId unary(UnaryKind kind, ValueId a, float alpha = 0, float beta = 0) {
    return graph.add(name(), UnaryAttrs{kind, alpha, beta}, {a});
  }
  ValueId act(Activation kind, ValueId a) { return graph.add(name(), ActivationAttrs{{kind}}, {a}); }

  /// The graph after the pass, which rewrites `places` places; the last value is the output, called y.
  std::string after_pass(const char* pass, ValueId y, int places = 1) {
    graph.value(y).name = "y";
    graph.outputs = {y};
    return after(pass, graph, places);
  }
};

TEST(RecognizeMish, WithSoftplusOrWrittenOut) {
  Writer a;
  EXPECT_EQ(a.after_pass("recognize-mish", a.mul(a.x, a.act(Activation::tanh, a.unary(UnaryKind::softplus, a.x)))),
            "y = mish(x)\n-> y");
  Writer b;
  const ValueId softplus = b.unary(UnaryKind::log, b.add(b.unary(UnaryKind::exp, b.x), 1));
  EXPECT_EQ(b.after_pass("recognize-mish", b.mul(b.act(Activation::tanh, softplus), b.x)), "y = mish(x)\n-> y");
}

TEST(RecognizeMish, NotOfAnotherValueNorScaled) {
  Writer a;
  const ValueId other = a.act(Activation::relu, a.x);
  const ValueId gate = a.act(Activation::tanh, a.unary(UnaryKind::softplus, other));
  EXPECT_NE(a.after_pass("recognize-mish", a.mul(a.x, gate), 0), "y = mish(x)\n-> y");
  Writer b;
  const ValueId twice = b.unary(UnaryKind::log, b.add(b.unary(UnaryKind::exp, b.x), 2));
  EXPECT_NE(b.after_pass("recognize-mish", b.mul(b.x, b.act(Activation::tanh, twice)), 0), "y = mish(x)\n-> y");
}

// What is gated may be a product: squeeze-and-excitation before the activation.
TEST(RecognizeMish, OfAProduct) {
  Writer a;
  const ValueId gated = a.mul(a.x, a.act(Activation::relu, a.x));
  const ValueId gate = a.act(Activation::tanh, a.unary(UnaryKind::softplus, gated));
  EXPECT_EQ(a.after_pass("recognize-mish", a.mul(gated, gate)), "v0 = relu(x)\nv1 = mul(x v0)\ny = mish(v1)\n-> y");
}

TEST(RecognizeHardSwish, DividedAnywhere) {
  Writer a;
  EXPECT_EQ(a.after_pass("recognize-hard-swish", a.div(a.mul(a.x, a.unary(UnaryKind::clip, a.add(a.x, 3), 0, 6)), 6)),
            "y = hard_swish(x)\n-> y");
  Writer b;
  EXPECT_EQ(b.after_pass("recognize-hard-swish", b.mul(b.div(b.act(Activation::relu6, b.add(b.x, 3)), 6), b.x)),
            "y = hard_swish(x)\n-> y");
  Writer c;
  EXPECT_EQ(c.after_pass("recognize-hard-swish", c.mul(c.mul(c.x, 1.0f / 6), c.act(Activation::relu6, c.add(c.x, 3)))),
            "y = hard_swish(x)\n-> y");
}

TEST(RecognizeHardSwish, FromHardSigmoid) {
  Writer a;
  EXPECT_EQ(a.after_pass("recognize-hard-swish", a.mul(a.x, a.unary(UnaryKind::hard_sigmoid, a.x, 1.0f / 6, 0.5f))),
            "y = hard_swish(x)\n-> y");
  Writer b;  // ONNX's default slope is 0.2
  EXPECT_EQ(b.after_pass("recognize-hard-swish", b.mul(b.x, b.unary(UnaryKind::hard_sigmoid, b.x, 0.2f, 0.5f)), 0),
            "v0 = unary(x)\ny = mul(x v0)\n-> y");
}

TEST(RecognizeHardSwish, NotWithAnotherDivisorOrWindow) {
  Writer a;
  EXPECT_NE(a.after_pass("recognize-hard-swish", a.div(a.mul(a.x, a.act(Activation::relu6, a.add(a.x, 3))), 5), 0),
            "y = hard_swish(x)\n-> y");
  Writer b;
  EXPECT_NE(b.after_pass("recognize-hard-swish", b.div(b.mul(b.x, b.act(Activation::relu6, b.add(b.x, 2))), 6), 0),
            "y = hard_swish(x)\n-> y");
}

TEST(RecognizeGelu, WithErf) {
  Writer a;  // 0.5 * x * (1 + erf(x / sqrt(2)))
  const ValueId inner = a.add(a.unary(UnaryKind::erf, a.div(a.x, 1.41421356f)), 1);
  EXPECT_EQ(a.after_pass("recognize-gelu", a.mul(a.mul(a.x, 0.5f), inner)), "y = unary(x)\n-> y");
  EXPECT_EQ(std::get<UnaryAttrs>(a.graph.nodes.back().attrs).kind, UnaryKind::gelu);
  Writer b;  // (x * (1 + erf(x * 0.7071))) * 0.5
  const ValueId scaled = b.add(b.unary(UnaryKind::erf, b.mul(b.x, 0.70710678f)), 1);
  EXPECT_EQ(b.after_pass("recognize-gelu", b.mul(b.mul(b.x, scaled), 0.5f)), "y = unary(x)\n-> y");
}

TEST(RecognizeGelu, WithTanhAndTheCubeInAnyForm) {
  for (int form = 0; form < 3; ++form) {
    Writer w;
    const ValueId cube = form == 0   ? w.binary(BinaryKind::pow, w.x, w.number(3))
                         : form == 1 ? w.mul(w.mul(w.x, w.x), w.x)
                                     : w.mul(w.x, w.binary(BinaryKind::pow, w.x, w.number(2)));
    const ValueId sum = w.graph.add(w.name(), AddAttrs{}, {w.x, w.mul(cube, 0.044715f)});
    const ValueId gate = w.add(w.act(Activation::tanh, w.mul(sum, 0.79788456f)), 1);
    EXPECT_EQ(w.after_pass("recognize-gelu", w.mul(w.mul(w.x, gate), 0.5f)), "y = unary(x)\n-> y") << form;
    EXPECT_EQ(std::get<UnaryAttrs>(w.graph.nodes.back().attrs).kind, UnaryKind::gelu_tanh);
  }
}

TEST(RecognizeGelu, NotWithoutTheHalfOrWithAnotherSlope) {
  Writer a;
  const ValueId inner = a.add(a.unary(UnaryKind::erf, a.div(a.x, 1.41421356f)), 1);
  EXPECT_NE(a.after_pass("recognize-gelu", a.mul(a.x, inner), 0), "y = unary(x)\n-> y");
  Writer b;
  const ValueId other = b.add(b.unary(UnaryKind::erf, b.div(b.x, 1.5f)), 1);
  EXPECT_NE(b.after_pass("recognize-gelu", b.mul(b.mul(b.x, 0.5f), other), 0), "y = unary(x)\n-> y");
}

// A gate that another node reads stays for it.
TEST(RecognizeMish, LeavesASharedGate) {
  Writer a;
  const ValueId gate = a.act(Activation::tanh, a.unary(UnaryKind::softplus, a.x));
  a.graph.value(gate).name = "gate";
  const ValueId y = a.mul(a.x, gate);
  a.graph.value(y).name = "y";
  a.graph.outputs = {y, gate};
  EXPECT_EQ(after("recognize-mish", a.graph, 1), "v0 = unary(x)\ngate = tanh(v0)\ny = mish(x)\n-> y gate");
}

// An operand that is broadcast is not the value itself.
TEST(RecognizeMish, NotAcrossABroadcast) {
  Writer a;
  const ValueId gate = a.act(Activation::tanh, a.unary(UnaryKind::softplus, a.x));
  const ValueId first_pixel =
      a.graph.add(a.name(), BinaryAttrs{BinaryKind::mul, {}, {4, 3}, {0, 1}, {3, 1}, {1, 2, 2, 3}}, {a.x, gate});
  EXPECT_NE(a.after_pass("recognize-mish", first_pixel, 0), "y = mish(x)\n-> y");
}

}  // namespace
}  // namespace tessera::testing
