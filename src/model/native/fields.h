#pragma once
// The fields of each header line, described once: the writer and the reader both walk these lists, so they cannot
// disagree. A visitor has one call, visitor("key", parts...), for parts of one kind that share a key.

#include "model/model.h"

namespace tessera::native {

/// A value, written as the name of the node that makes it.
struct ValueRef {
  ValueId& id;
};

void fields(auto&, InputAttrs&) {}  // its shape is the value's
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
}
void fields(auto&, GlobalAveragePoolAttrs&) {}
void fields(auto& visit, UpsampleAttrs& a) {
  visit("factor", a.factor_h, a.factor_w);
  visit("scale", a.scale);
}
void fields(auto&, SoftmaxAttrs&) {}
void fields(auto&, IdentityAttrs&) {}

void fields(auto& visit, Preprocess& p) {
  visit("width", p.width);
  visit("height", p.height);
  visit("channels", p.channels);
  visit("resize", p.resize);
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
}
void fields(auto& visit, AnchorHead& h) {
  visit("output", ValueRef{h.output});
  visit("anchors", h.anchors);
  visit("scale_xy", h.scale_xy);
  visit("new_coords", h.new_coords);
}

}  // namespace tessera::native
