#pragma once
// The fields of each header line, described once: the writer and the reader both walk these lists, so they cannot
// disagree. A visitor has one call, visitor("key", parts...), for parts of one kind that share a key.

#include "model/model.h"

namespace tessera::native {

/// A value, written as the name of the node that makes it.
struct ValueRef {
  ValueId& id;
};

void fields(auto&, InputAttrs&) {}  // its shape and type are the value's
void fields(auto& visit, ConvAttrs& a) {
  visit("oc", a.oc);
  visit("kernel", a.kh, a.kw);
  visit("stride", a.sh, a.sw);
  visit("dilation", a.dh, a.dw);
  visit("groups", a.groups);
  visit("pad", a.pad.top, a.pad.left, a.pad.bottom, a.pad.right);
  visit("weights", a.weights);
  visit("bias", a.bias);
  visit("act", a.epilogue.act);
  visit("residual", a.epilogue.residual);
  visit("post_act", a.epilogue.post_act);
}
void fields(auto& visit, BatchNormAttrs& a) {
  visit("gamma", a.gamma);
  visit("beta", a.beta);
  visit("mean", a.mean);
  visit("variance", a.variance);
  visit("epsilon", a.epsilon);
}
void fields(auto& visit, ActivationAttrs& a) { visit("act", a.act); }
void fields(auto& visit, AddAttrs& a) { visit("act", a.act); }
void fields(auto& visit, MulAttrs& a) { visit("act", a.act); }
void fields(auto&, ConcatAttrs&) {}
void fields(auto& visit, SliceAttrs& a) {
  visit("begin", a.begin);
  visit("count", a.count);
}
void fields(auto& visit, PoolAttrs& a) {
  visit("kind", a.kind);
  visit("kernel", a.kh, a.kw);
  visit("stride", a.sh, a.sw);
  visit("pad", a.pad.top, a.pad.left, a.pad.bottom, a.pad.right);
  visit("dilation", a.dh, a.dw);
  visit("count_include_pad", a.count_include_pad);
}
void fields(auto&, GlobalAveragePoolAttrs&) {}
void fields(auto& visit, UpsampleAttrs& a) {
  visit("factor", a.factor_h, a.factor_w);
  visit("scale", a.scale);
}
void fields(auto&, SoftmaxAttrs&) {}
void fields(auto&, IdentityAttrs&) {}
void fields(auto& visit, FromBytesAttrs& a) {
  visit("scale", a.scale);
  visit("shift", a.shift);
}
void fields(auto& visit, ConstantAttrs& a) {
  visit("data", a.data);
  visit("shape", a.shape);
}
void fields(auto& visit, ReshapeAttrs& a) { visit("shape", a.shape); }
void fields(auto& visit, RearrangeAttrs& a) {
  visit("dims", a.dims);
  visit("strides", a.strides);
  visit("offset", a.offset);
  visit("shape", a.shape);
}
void fields(auto& visit, BinaryAttrs& a) {
  visit("kind", a.kind);
  visit("act", a.act);
  visit("dims", a.dims);
  visit("a_strides", a.a_strides);
  visit("b_strides", a.b_strides);
  visit("shape", a.shape);
}
void fields(auto& visit, UnaryAttrs& a) {
  visit("kind", a.kind);
  visit("alpha", a.alpha);
  visit("beta", a.beta);
}
void fields(auto& visit, SelectAttrs& a) {
  visit("dims", a.dims);
  visit("c_strides", a.c_strides);
  visit("a_strides", a.a_strides);
  visit("b_strides", a.b_strides);
  visit("shape", a.shape);
}
void fields(auto& visit, MatMulAttrs& a) {
  visit("batch", a.batch);
  visit("a_strides", a.a_strides);
  visit("b_strides", a.b_strides);
  visit("m", a.m);
  visit("k", a.k);
  visit("n", a.n);
  visit("shape", a.shape);
}
void fields(auto& visit, ReduceAttrs& a) {
  visit("kind", a.kind);
  visit("select_last", a.select_last);
  visit("out_dims", a.out_dims);
  visit("out_strides", a.out_strides);
  visit("red_dims", a.red_dims);
  visit("red_strides", a.red_strides);
  visit("shape", a.shape);
}
void fields(auto& visit, TopKAttrs& a) {
  visit("k", a.k);
  bool smallest = !a.largest;  // a flag that is left out is false
  visit("smallest", smallest);
  a.largest = !smallest;
  visit("indices", a.indices);
}
void fields(auto& visit, GatherAttrs& a) {
  visit("outer", a.outer);
  visit("axis", a.axis);
  visit("inner", a.inner);
  visit("elements", a.elements);
  visit("shape", a.shape);
}
void fields(auto& visit, ResizeAttrs& a) {
  visit("kind", a.kind);
  visit("y_lo", a.y_lo);
  visit("y_hi", a.y_hi);
  visit("y_weights", a.y_w);
  visit("x_lo", a.x_lo);
  visit("x_hi", a.x_hi);
  visit("x_weights", a.x_w);
  visit("shape", a.shape);
}
void fields(auto& visit, PadAttrs& a) {
  visit("mode", a.mode);
  visit("begin", a.begin);
  visit("end", a.end);
  visit("value", a.value);
}
void fields(auto& visit, ConcatDimsAttrs& a) {
  visit("outer", a.outer);
  visit("inner", a.inner);
  visit("shape", a.shape);
}

void fields(auto& visit, Preprocess& p) {
  visit("width", p.width);
  visit("height", p.height);
  visit("channels", p.channels);
  visit("resize", p.resize);
  visit("align", p.align);
  visit("fill", p.fill);
  visit("order", p.order);
  visit("scale", p.scale);
  visit("mean", p.mean[0], p.mean[1], p.mean[2]);
  visit("std", p.std[0], p.std[1], p.std[2]);
}
void fields(auto& visit, DetectorSpec& d) {  // heads have lines of their own
  visit("family", d.family);
  visit("classes", d.classes);
  visit("nms_iou", d.nms_iou);
  visit("activated", d.activated);
}
void fields(auto& visit, DetectorHead& h) {
  visit("output", ValueRef{h.output});
  visit("objectness", ValueRef{h.objectness});
  visit("scores", ValueRef{h.scores});
  visit("anchors", h.anchors);
  visit("scale_xy", h.scale_xy);
  visit("new_coords", h.new_coords);
}

}  // namespace tessera::native
