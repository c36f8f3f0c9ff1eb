#include "device/chain_kernel.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tessera {
namespace {

constexpr std::int64_t kAlignment = 64;
constexpr std::int64_t round_up(std::int64_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; }

std::int64_t row_floats(const ChainRows& rows) { return rows.w * rows.pixel_stride; }

/// The first input row that output row y sees, and the end of those that rows up to `end` see.
std::int64_t first_seen(const ChainRows& rows, std::int64_t y, std::int64_t height) {
  return std::clamp<std::int64_t>(y * rows.stride - rows.pad, 0, height);
}
std::int64_t end_seen(const ChainRows& rows, std::int64_t end, std::int64_t height) {
  return std::clamp<std::int64_t>((end - 1) * rows.stride - rows.pad + rows.span, 0, height);
}

TensorRef image_of(TensorRef tensor, std::int64_t image) {
  const std::int64_t elements = image * tensor.h * tensor.w * tensor.pixel_stride;
  if (tensor.bytes) {
    tensor.bytes += elements;
  } else {
    tensor.data += elements;
  }
  tensor.n = 1;
  return tensor;
}

}  // namespace

ChainRows chain_rows(const Graph& graph, const Node& node, const MemoryPlan& memory) {
  const Extents e = extents(graph.value(node.output).spec);
  const std::int64_t pixel_stride = memory.placements[static_cast<std::size_t>(node.output)].pixel_stride;
  ChainRows rows{.images = e.n, .h = e.h, .w = e.w, .c = e.c, .pixel_stride = pixel_stride};
  if (const auto* conv = std::get_if<ConvAttrs>(&node.attrs)) {
    rows.stride = conv->sh;
    rows.pad = conv->pad.top;
    rows.span = (conv->kh - 1) * conv->dh + 1;
  }
  return rows;
}

ChainKernel::ChainKernel(std::vector<ChainNode> nodes, std::int64_t l2_bytes, int threads)
    : nodes_(std::move(nodes)), windows_(nodes_.size() - 1), images_(nodes_.back().rows.images) {
  choose_band(l2_bytes);
  choose_ranges(threads);
}

// Room for what the first band of a task needs, and as much as a band moves on, so that few bands move rows.
std::int64_t ChainKernel::window_bytes(std::int64_t band) {
  std::int64_t needed = band, step = band, bytes = 0;
  for (std::size_t i = nodes_.size() - 1; i-- > 0;) {
    const ChainRows &reader = nodes_[i + 1].rows, &rows = nodes_[i].rows;
    needed = std::min(rows.h, (needed - 1) * reader.stride + reader.span),
    step = std::min(rows.h, step * reader.stride);
    windows_[i] = {std::min(rows.h, needed + step), bytes};
    bytes += round_up(4 * windows_[i].rows * row_floats(rows));
  }
  return bytes;
}

// Higher bands call kernels less often, which gains little from some rows on; lower ones leave more of L2 to the
// weights and to what passes by.
void ChainKernel::choose_band(std::int64_t l2_bytes) {
  constexpr std::int64_t kMostRows = 8;
  std::size_t own = 0;
  for (const ChainNode& node : nodes_) own = std::max(own, node.impl->scratch_bytes());
  band_ = std::min(nodes_.back().rows.h, kMostRows);
  while (band_ > 1 && window_bytes(band_) > l2_bytes / 2) --band_;
  const std::int64_t first = round_up(static_cast<std::int64_t>(own));
  scratch_bytes_ = first + window_bytes(band_);
  for (Window& window : windows_) window.offset += first;
}

// As many for each thread. A range begins with rows that the one before computes as well: it should be high beside what
// its rows see.
void ChainKernel::choose_ranges(int threads) {
  constexpr std::int64_t kLeastRows = 16;
  const std::int64_t height = nodes_.back().rows.h;
  const std::int64_t wanted = threads * std::clamp<std::int64_t>(height / (kLeastRows * threads), 1, 4);
  if (threads > 1) ranges_ = std::min(height, wanted);
}

/// A task on its way.
struct ChainKernel::Run {
  const ChainKernel& chain;
  std::span<const NodeArgs> args;
  std::byte* scratch;
  std::int64_t image;
  std::array<std::int64_t, Chain::kMostNodes> next{};   // per node: the row that comes next
  std::array<std::int64_t, Chain::kMostNodes> first{};  // per window: the row at its beginning

  const ChainRows& rows(std::size_t i) const { return chain.nodes_[i].rows; }
  std::size_t last() const { return chain.nodes_.size() - 1; }

  void begin(std::int64_t from) {
    next[last()] = from;
    for (std::size_t i = last(); i-- > 0;) first[i] = next[i] = first_seen(rows(i + 1), next[i + 1], rows(i).h);
  }

  void band(std::int64_t end) {
    std::array<std::int64_t, Chain::kMostNodes> ends;
    ends[last()] = end;
    for (std::size_t i = last(); i-- > 0;) {
      ends[i] = std::max(next[i], end_seen(rows(i + 1), ends[i + 1], rows(i).h));
    }
    for (std::size_t i = 0; i <= last(); ++i) advance(i, ends[i]);
  }

  void advance(std::size_t i, std::int64_t end) {
    if (i < last() && end - first[i] > chain.windows_[i].rows) slide(i);
    if (end <= next[i]) return;
    const bool residual = args[i].inputs.size() > 1;
    const std::array<TensorRef, 2> inputs{i == 0 ? image_of(args[0].inputs[0], image) : window(i - 1),
                                          residual ? image_of(args[i].inputs[1], image) : TensorRef{}};
    const TensorRef output = i < last() ? window(i) : image_of(args[i].output, image);
    chain.nodes_[i].impl->run_rows(next[i], end, {std::span(inputs).first(residual ? 2 : 1), output, scratch});
    next[i] = end;
  }

  float* data(std::size_t i) const { return reinterpret_cast<float*>(scratch + chain.windows_[i].offset); }

  /// As if the whole image were there.
  TensorRef window(std::size_t i) const {
    const ChainRows& r = rows(i);
    return {data(i) - first[i] * row_floats(r), 1, r.h, r.w, r.c, r.pixel_stride};
  }

  /// Rows that the next node has done with make room; those that it leaves out are left out.
  void slide(std::size_t i) {
    const std::int64_t keep = first_seen(rows(i + 1), next[i + 1], rows(i).h), floats = row_floats(rows(i));
    if (keep < next[i]) {
      std::memmove(data(i), data(i) + (keep - first[i]) * floats,
                   static_cast<std::size_t>(4 * (next[i] - keep) * floats));
    }
    first[i] = keep;
    next[i] = std::max(next[i], keep);
  }
};

void ChainKernel::run(std::size_t task, std::span<const NodeArgs> args, std::byte* scratch) const noexcept {
  const std::int64_t index = static_cast<std::int64_t>(task), range = index % ranges_, height = nodes_.back().rows.h;
  const std::int64_t from = range * height / ranges_, to = (range + 1) * height / ranges_;
  Run run{*this, args, scratch, index / ranges_};
  run.begin(from);
  for (std::int64_t end = from; end < to;) run.band(end = std::min(to, end + band_));
}

}  // namespace tessera
