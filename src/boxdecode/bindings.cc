#include "boxdecode/bindings.h"

#include "boxdecode/check/check.h"

namespace tessera::boxdecode {
namespace {

using Bytes = std::span<const std::byte>;

bool overlap(Bytes a, Bytes b) noexcept {
  const auto start = [](Bytes bytes) { return reinterpret_cast<std::uintptr_t>(bytes.data()); };
  return start(a) < start(b) + b.size() && start(b) < start(a) + a.size();
}

Problem check_buffer(std::size_t i, Bytes buffer, const BufferNeed& need, const char* name) noexcept {
  if (buffer.data() == nullptr) return problem_at(i, ErrorCode::BindingNull, name, "bind memory to it");
  const auto size = static_cast<std::int64_t>(buffer.size());
  if (size < need.bytes)
    return problem_at(i, ErrorCode::BindingTooSmall, name, "bytes as the plan reports them", size, need.bytes);
  if (reinterpret_cast<std::uintptr_t>(buffer.data()) % static_cast<std::uintptr_t>(need.alignment) != 0) {
    return problem_at(i, ErrorCode::BindingMisaligned, name, "align it as the plan reports", Error::kNoValue,
                      need.alignment);
  }
  return {};
}

Problem check_counts(const PlanData& plan, const Bindings& bindings) noexcept {
  const auto fail = [](const char* name, std::size_t got, std::size_t want) {
    return problem(ErrorCode::BindingCountMismatch, name, "bind every tensor of the plan",
                   static_cast<std::int64_t>(got), static_cast<std::int64_t>(want));
  };
  if (bindings.inputs.size() != plan.inputs.size()) return fail("inputs", bindings.inputs.size(), plan.inputs.size());
  if (bindings.outputs.size() != plan.outputs.size())
    return fail("outputs", bindings.outputs.size(), plan.outputs.size());
  const auto images = static_cast<std::size_t>(plan.images());
  if (!bindings.original_sizes.empty() && bindings.original_sizes.size() != images) {
    return fail("original_sizes", bindings.original_sizes.size(), images);
  }
  return {};
}

// Only the bytes the plan asks for count: a caller may bind views of one larger buffer.
Problem check_overlaps(const PlanData& plan, Bytes workspace, const Bindings& bindings) noexcept {
  const auto output = [&](std::size_t i) {
    return Bytes(bindings.outputs[i]).first(static_cast<std::size_t>(plan.outputs[i].bytes));
  };
  for (std::size_t i = 0; i < bindings.outputs.size(); ++i) {
    const auto fail = [i](const char* wish) { return problem_at(i, ErrorCode::BindingOverlap, "output", wish); };
    if (overlap(output(i), workspace)) return fail("must not overlap the workspace");
    for (std::size_t j = 0; j < i; ++j) {
      if (overlap(output(i), output(j))) return fail("must not overlap another output");
    }
    for (std::size_t j = 0; j < bindings.inputs.size(); ++j) {
      const Bytes input = bindings.inputs[j].first(static_cast<std::size_t>(plan.inputs[j].bytes));
      if (overlap(output(i), input)) return fail("must not overlap an input");
    }
  }
  return {};
}

Problem check_sizes(std::span<const ImageSize> sizes) noexcept {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (const std::int32_t extent : {sizes[i].width, sizes[i].height}) {
      if (extent < 1 || extent > kMaxExtent) {
        return problem_at(i, ErrorCode::InvalidOriginalSize, "original_sizes", "each extent 1...1,048,576", extent);
      }
    }
  }
  return {};
}

}  // namespace

std::optional<Error> check_bindings(const PlanData& plan, Bytes workspace, const Bindings& bindings) noexcept {
  if (auto found = check_counts(plan, bindings)) return found;
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    if (auto found = check_buffer(i, bindings.inputs[i], plan.inputs[i], "input")) return found;
  }
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    if (auto found = check_buffer(i, bindings.outputs[i], plan.outputs[i], "output")) return found;
  }
  if (auto found = check_overlaps(plan, workspace, bindings)) return found;
  return check_sizes(bindings.original_sizes);
}

}  // namespace tessera::boxdecode
