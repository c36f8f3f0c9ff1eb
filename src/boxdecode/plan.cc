#include "boxdecode/plan.h"

namespace tessera::boxdecode {
namespace {

BufferNeed need_at(const std::vector<BufferNeed>& needs, std::size_t i) noexcept {
  return i < needs.size() ? needs[i] : BufferNeed{};
}

}  // namespace

std::size_t Plan::input_bytes(std::size_t input) const noexcept {
  return static_cast<std::size_t>(need_at(data_->inputs, input).bytes);
}
std::size_t Plan::input_alignment(std::size_t input) const noexcept {
  return static_cast<std::size_t>(need_at(data_->inputs, input).alignment);
}
std::size_t Plan::output_bytes(std::size_t output) const noexcept {
  return static_cast<std::size_t>(need_at(data_->outputs, output).bytes);
}
std::size_t Plan::output_alignment(std::size_t output) const noexcept {
  return static_cast<std::size_t>(need_at(data_->outputs, output).alignment);
}
std::size_t Plan::workspace_bytes() const noexcept { return static_cast<std::size_t>(data_->workspace_bytes); }
std::size_t Plan::workspace_alignment() const noexcept { return kWorkspaceAlignment; }
std::size_t Plan::head_count() const noexcept { return data_->heads.size(); }
std::size_t Plan::image_count() const noexcept { return static_cast<std::size_t>(data_->images()); }
Route Plan::route(std::size_t head) const noexcept { return data_->heads[head].route; }
std::string_view Plan::scanner() const noexcept { return data_->scanner->name; }

Cutoffs Plan::cutoffs(std::size_t head) const noexcept {
  const HeadPlan& plan = data_->heads[head];
  // Int8 cutoffs are told as bytes: key 0...256 is -128...128.
  const std::int64_t bias = plan.score.dtype == DType::Int8 ? 128 : 0;
  return {std::int64_t{plan.cutoff.key} - bias, std::int64_t{plan.objectness_cutoff.key} - bias};
}

const char* to_string(Route route) noexcept {
  switch (route) {
    case Route::CombinedDense:
      return "CombinedDense";
    case Route::CombinedPacked:
      return "CombinedPacked";
    case Route::DenseFloat:
      return "DenseFloat";
    case Route::DenseGeneric:
      return "DenseGeneric";
    case Route::DenseSingleBF16:
      return "DenseSingleBF16";
    case Route::MultiLabelGeneric:
      return "MultiLabelGeneric";
    case Route::ObjectnessDense:
      return "ObjectnessDense";
    case Route::ObjectnessPacked:
      return "ObjectnessPacked";
    case Route::PackedFullInt8:
      return "PackedFullInt8";
    case Route::PackedPartialInt8:
      return "PackedPartialInt8";
    case Route::PackedPartialInt8Singleton:
      return "PackedPartialInt8Singleton";
    case Route::PackedSingleBF16:
      return "PackedSingleBF16";
    case Route::PackedStripeBF16:
      return "PackedStripeBF16";
  }
  return "unknown";
}

}  // namespace tessera::boxdecode
