#include "bench/chooser.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>

#include "base/text.h"
#include "bench/headline.h"
#include "common/interrupt.h"
#include "device/time_impls.h"

namespace tessera::cli {
namespace {

constexpr ChooserShape kShapes[] = {
    {13, 512, 1024, 3, 1},  {13, 512, 512, 3, 1},      {26, 256, 512, 3, 1},  {26, 256, 256, 3, 1},
    {52, 128, 256, 3, 1},   {52, 128, 128, 3, 1},      {104, 64, 64, 3, 1},   {208, 32, 64, 3, 1},
    {160, 16, 16, 3, 1},    {80, 32, 32, 3, 1},        {40, 64, 64, 3, 1},    {20, 128, 128, 3, 1},
    {416, 3, 32, 3, 1},     {80, 64, 80, 3, 1},        {80, 80, 80, 3, 1},    {12, 256, 256, 3, 1},
    {10, 512, 512, 3, 1},   {7, 512, 512, 3, 1},       {6, 512, 512, 3, 1},   {5, 256, 256, 3, 1},
    {416, 32, 64, 3, 2},    {208, 64, 128, 3, 2},      {104, 128, 256, 3, 2}, {52, 256, 512, 3, 2},
    {26, 512, 1024, 3, 2},  {160, 32, 64, 3, 2},       {80, 64, 128, 3, 2},   {40, 128, 256, 3, 2},
    {320, 16, 32, 3, 2},    {640, 3, 16, 3, 2},        {52, 64, 128, 3, 2},   {20, 256, 256, 3, 2},
    {208, 64, 32, 1, 1},    {26, 256, 256, 1, 1},      {13, 1024, 512, 1, 1}, {80, 64, 64, 3, 1, 64},
    {80, 64, 64, 3, 2, 64}, {20, 256, 256, 5, 1, 256}, {320, 3, 8, 3, 2},     {320, 3, 16, 3, 2},
    {96, 3, 8, 3, 2},       {160, 8, 8, 1, 1},         {160, 8, 4, 1, 1},     {160, 4, 24, 1, 1},
    {160, 8, 48, 1, 1},     {160, 16, 16, 1, 1},       {160, 32, 16, 1, 1},   {80, 24, 8, 1, 1},
    {80, 8, 32, 1, 1},      {80, 48, 8, 1, 1},         {80, 16, 64, 1, 1},    {80, 64, 16, 1, 1},
    {40, 96, 16, 1, 1},     {40, 16, 96, 1, 1},        {20, 136, 24, 1, 1},   {80, 128, 64, 1, 1},
    {80, 64, 255, 1, 1},    {48, 8, 16, 1, 1},         {24, 32, 32, 1, 1},    {28, 1, 32, 5, 1},
    {12, 64, 64, 1, 1},     {208, 64, 64, 1, 1},       {20, 96, 96, 1, 1},
};

Constant noise(std::int64_t count) {
  std::mt19937 random(1);
  std::vector<float> out(static_cast<std::size_t>(count));
  for (float& w : out) w = static_cast<float>(random() >> 8) * 0x1p-25f - 0.25f;
  return std::make_shared<const std::vector<float>>(std::move(out));
}

/// The best level that convolutions have kernels for.
Isa level_of(const ImplContext& context, const DeviceInfo& device) {
  const auto impls = device.impls(context.node->attrs);
  const auto runs = [&](const NodeImplInfo& impl) { return context.cpu.supports(impl.isa); };
  return std::ranges::find_if(impls, runs)->isa;  // the reference runs everywhere
}

const DeviceInfo& cpu_device() { return **find_device("cpu"); }

double excess(const ShapeTimes& row) {
  const auto chosen = static_cast<std::size_t>(std::ranges::find(row.impls, row.chosen) - row.impls.begin());
  return row.ms[chosen] / std::ranges::min(row.ms) - 1;
}

Result<ShapeTimes> time_shape(const ChooserShape& shape, const CpuInfo& cpu, int runs, const ImplTimer& timer,
                              int threads) {
  const Graph graph = chooser_graph(shape);
  const ImplContext context{&graph, &graph.nodes.back(), cpu, threads};
  ShapeTimes out{shape, contenders(context, level_of(context, cpu_device())), {}, nullptr};
  const auto times = timer.time(context, out.impls, {}, runs);
  if (!times) return times.error();
  for (const auto& one : *times) out.ms.push_back(1e3 * std::ranges::min(one));
  out.chosen = model_choice(out.impls, context);
  return out;
}

}  // namespace

std::span<const ChooserShape> chooser_shapes() { return kShapes; }

std::string describe(const ChooserShape& s) {
  return text(s.kernel, "x", s.kernel, " s", s.stride, s.groups > 1 ? " depthwise " : " ", s.in, "x", s.in, "x", s.ic,
              "->", s.oc);
}

Graph chooser_graph(const ChooserShape& s) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, s.in, s.in, s.ic});
  const int pad = s.kernel / 2;
  ConvAttrs conv{.oc = static_cast<int>(s.oc),
                 .kh = s.kernel,
                 .kw = s.kernel,
                 .sh = s.stride,
                 .sw = s.stride,
                 .groups = s.groups,
                 .pad = {pad, pad, pad, pad},
                 .weights = noise(s.oc * s.ic / s.groups * s.kernel * s.kernel),
                 .bias = noise(s.oc),
                 .epilogue = {}};
  conv.epilogue.act.kind = Activation::silu;
  graph.outputs = {graph.add("conv", conv, {x})};
  [[maybe_unused]] const Status status = infer_shapes(graph);
  return graph;
}

std::vector<const NodeImplInfo*> contenders(const ImplContext& context, Isa isa) {
  std::vector<const NodeImplInfo*> out;
  const auto impls = cpu_device().impls(context.node->attrs);
  for (const NodeImplInfo& impl : impls.first(impls.size() - 1)) {  // the last one is plain loops
    if (impl.isa == isa && !impl.rejects(context)) out.push_back(&impl);
  }
  return out;
}

const NodeImplInfo* model_choice(std::span<const NodeImplInfo* const> contenders, const ImplContext& context) {
  for (const NodeImplInfo* impl : contenders) {
    if (!impl->slower || !impl->slower(context)) return impl;
  }
  return nullptr;
}

Result<ChooserTable> time_contenders(const PrepareOptions& options, int runs) {
  ChooserTable out{limited_cpu(options), Isa::none, options.threads, {}};
  ThreadPool pool(options.threads);
  const auto seconds = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  const auto timer = ImplTimer::create(seconds, pool, out.cpu.l2_bytes());
  if (!timer) return timer.error();
  for (const ChooserShape& shape : kShapes) {
    if (interrupted()) return Error{Code::cancelled, "stopped before all shapes were timed"};
    auto row = time_shape(shape, out.cpu, runs, *timer, options.threads);
    if (!row) return row.error();
    out.isa = row->chosen->isa;
    out.shapes.push_back(*std::move(row));
  }
  return out;
}

std::string chooser_text(const ChooserTable& table) {
  std::string out =
      fmt::format("f32 on {}, isa {}, threads {}, L2 {} KiB; ms from cold caches, * is the model's choice\n",
                  table.cpu.name(), to_string(table.isa), table.threads, table.cpu.l2_bytes() / 1024);
  for (const ShapeTimes& row : table.shapes) {
    out += fmt::format("{:<28} {:>6.1f} %", describe(row.shape), 100 * excess(row));
    for (std::size_t i = 0; i < row.impls.size(); ++i) {
      out += fmt::format("  {}{} {:.4f}", row.impls[i] == row.chosen ? "*" : "", row.impls[i]->name, row.ms[i]);
    }
    out += "\n";
  }
  const auto worst = std::ranges::max(table.shapes, {}, excess);
  return out + fmt::format("at most {:.1f} % over the best ({})\n", 100 * excess(worst), describe(worst.shape));
}

nlohmann::ordered_json chooser_json(const ChooserTable& table) {
  nlohmann::ordered_json out{{"processor", table.cpu.name()},
                             {"isa", to_string(table.isa)},
                             {"l2_bytes", table.cpu.l2_bytes()},
                             {"threads", table.threads},
                             {"shapes", nlohmann::ordered_json::array()}};
  for (const ShapeTimes& row : table.shapes) {
    nlohmann::ordered_json ms;
    for (std::size_t i = 0; i < row.impls.size(); ++i) ms[row.impls[i]->name] = std::round(1e4 * row.ms[i]) / 1e4;
    out["shapes"].push_back({{"shape", describe(row.shape)}, {"ms", std::move(ms)}});
  }
  return out;
}

}  // namespace tessera::cli
