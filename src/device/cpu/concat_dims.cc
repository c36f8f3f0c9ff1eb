#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/cpu/runs.h"
#include "device/cpu/walk.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class ConcatDimsRuns final : public cpu::ShareImpl {
 public:
  explicit ConcatDimsRuns(const ImplContext& context)
      : ShareImpl(cpu::output_elements(context), context.threads),
        attrs_(std::get<ConcatDimsAttrs>(context.node->attrs)) {
    for (std::int64_t inner : attrs_.inner) run_ += inner;
  }

  // Elements [begin, end) of the output: from the middle of one input's run through whole ones to another's.
  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const auto [begin, end] = share(task, cpu::elements(args.output));
    std::int64_t at = begin, outer = begin / run_, in_run = begin % run_;
    std::size_t input = 0;
    while (in_run >= attrs_.inner[input]) in_run -= attrs_.inner[input++];
    while (at < end) {
      const std::int64_t inner = attrs_.inner[input], count = std::min(inner - in_run, end - at);
      cpu::copy_elements(args.inputs[input], outer * inner + in_run, args.output, at, count);
      at += count;
      in_run = 0;
      if (++input == attrs_.inner.size()) input = 0, ++outer;
    }
  }

 private:
  ConcatDimsAttrs attrs_;
  std::int64_t run_ = 0;  ///< of all inputs together
};

std::unique_ptr<NodeImpl> make(const ImplContext& context) { return std::make_unique<ConcatDimsRuns>(context); }

constexpr NodeImplInfo kImpls[] = {{"concat_dims_runs", Isa::none, takes_all, make}, kConcatDimsReference};

}  // namespace

std::span<const NodeImplInfo> cpu_concat_dims_impls() { return kImpls; }

}  // namespace tessera
