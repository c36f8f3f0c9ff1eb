#pragma once
// What the cpu device's nodes without weights share: a split into runs of output rows, and the kernel of one ISA.

#include <algorithm>
#include <cstdint>
#include <span>

#include "device/node_impl.h"
#include "kernels/pixels.h"
#include "kernels/share.h"
#include "kernels/variant.h"

namespace tessera::cpu {

/// The address of pixel (n, y, 0); the pixels of this and the following rows of image n come one stride apart.
inline float* row(const TensorRef& t, std::int64_t n, std::int64_t y) {
  return t.data + (n * t.h + y) * t.w * t.pixel_stride;
}
inline Pixels pixels_from(const TensorRef& t, std::int64_t n, std::int64_t y) { return {row(t, n, y), t.pixel_stride}; }
inline MutablePixels pixels_to(const TensorRef& t, std::int64_t n, std::int64_t y) {
  return {row(t, n, y), t.pixel_stride};
}

/// The first variant written for exactly this ISA; Isa::none is the portable one, before the reference.
template <class Function>
Function* variant_for(std::span<const Variant<Function>> variants, Isa isa) {
  const auto found = std::ranges::find(variants, isa, &Variant<Function>::isa);
  return found == variants.end() ? variants.back().run : found->run;
}

constexpr std::int64_t kTaskFloats = 4096;  // some 1 us: twice what it costs to start a task

/// Rows of each image in equal ranges.
class RowsImpl : public NodeImpl {
 public:
  std::size_t tasks() const noexcept override { return static_cast<std::size_t>(images_ * tasks_per_image_); }
  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const auto at = static_cast<std::int64_t>(task), part = at % tasks_per_image_;
    run_rows(at / tasks_per_image_, part * rows_ / tasks_per_image_, (part + 1) * rows_ / tasks_per_image_, args);
  }

 protected:
  /// row_floats: what one row reads and writes, as a measure of its work.
  RowsImpl(std::int64_t images, std::int64_t rows, std::int64_t row_floats, int threads)
      : images_(images), rows_(rows) {
    const std::int64_t useful = worth_tasks(images * rows * row_floats, kTaskFloats, threads);
    tasks_per_image_ =
        std::clamp<std::int64_t>(useful / std::max<std::int64_t>(images, 1), 1, std::max<std::int64_t>(rows, 1));
  }
  using NodeImpl::run_rows;  // the name has two forms
  /// Output rows [begin, end) of image n (source rows where the node says so).
  virtual void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept = 0;

 private:
  std::int64_t images_, rows_, tasks_per_image_;
};

inline Extents output_extents(const ImplContext& context) {
  return extents(context.graph->value(context.node->output).spec);
}
inline Extents input_extents(const ImplContext& context, std::size_t index) {
  return extents(context.graph->value(context.node->inputs[index]).spec);
}

inline std::int64_t elements(const TensorRef& t) { return t.n * t.h * t.w * t.c; }
inline std::int64_t output_elements(const ImplContext& context) {
  const Extents e = output_extents(context);
  return e.n * e.h * e.w * e.c;
}

/// Nodes whose output rows are computed from the same rows of their inputs.
class SameRowsImpl : public RowsImpl {
 protected:
  explicit SameRowsImpl(const ImplContext& context) : SameRowsImpl(output_extents(context), context.threads) {}

 private:
  SameRowsImpl(const Extents& out, int threads) : RowsImpl(out.n, out.h, out.w * out.c, threads) {}
};

}  // namespace tessera::cpu
