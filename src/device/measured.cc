#include "device/measured.h"

#include <algorithm>
#include <system_error>

#include "base/text.h"
#include "device/chosen.h"

namespace tessera {
namespace {

constexpr int kRuns = 5;

double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

std::string epilogue_text(const Epilogue& e) {
  const auto act = [](const ActivationSpec& spec) { return text(static_cast<int>(spec.kind), ":", spec.alpha); };
  return text(act(e.act), e.residual ? " + residual " : " ", act(e.post_act));
}

/// What a time depends on besides the implementation.
std::string likeness(const ImplContext& context, std::span<const std::int64_t> pixel_strides) {
  const auto& conv = std::get<ConvAttrs>(context.node->attrs);
  std::string out = text(describe_node(*context.graph, *context.node), " dilated ", conv.dh, "x", conv.dw, " pad ",
                         conv.pad.top, ",", conv.pad.left, " ", epilogue_text(conv.epilogue), " strides");
  for (const std::int64_t stride : pixel_strides) append_text(out, text(" ", stride));
  return out;
}

}  // namespace

Result<MeasuredChoice> MeasuredChoice::create(Clock clock, int threads, std::int64_t l2_bytes) {
  std::unique_ptr<ThreadPool> pool;
  try {
    pool = std::make_unique<ThreadPool>(threads);
  } catch (const std::system_error& error) {
    return Error{Code::limit_exceeded, text("cannot start ", threads, " threads: ", error.code().message())};
  }
  auto timer = ImplTimer::create(std::move(clock), *pool, l2_bytes);
  if (!timer) return timer.error();
  return MeasuredChoice(std::move(pool), *std::move(timer));
}

Result<MeasuredChoice::Times> MeasuredChoice::time(const ImplContext& context,
                                                   const std::vector<const NodeImplInfo*>& impls,
                                                   std::span<const std::int64_t> pixel_strides) const {
  const auto times = timer_.time(context, impls, pixel_strides, kRuns);
  if (!times) return times.error();
  Times out;
  for (std::size_t i = 0; i < impls.size(); ++i) out[impls[i]] = median((*times)[i]);
  return out;
}

Result<const NodeImplInfo*> MeasuredChoice::choose(const Chooser& chooser, const ImplContext& context,
                                                   std::span<const std::int64_t> pixel_strides, NodeChoice& choice) {
  const auto impls = chooser.contenders(context);
  if (impls.size() < 2) return chooser.choose(context, choice);
  Times& times = known_[likeness(context, pixel_strides)];
  if (times.empty()) {
    auto measured = time(context, impls, pixel_strides);
    if (!measured) return measured.error();
    times = *std::move(measured);
  }
  const NodeImplInfo* best = *std::ranges::min_element(impls, {}, [&](const auto* impl) { return times.at(impl); });
  choice = {context.node->name, best->name, {}};
  for (const NodeImplInfo* impl : impls) {
    if (impl == best) continue;
    choice.skipped.push_back(
        text(impl->name, ": took ", times.at(impl) * 1e3, " ms, ", best->name, " ", times.at(best) * 1e3));
  }
  return best;
}

}  // namespace tessera
