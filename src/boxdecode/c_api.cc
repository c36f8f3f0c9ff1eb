// The C interface: converts, calls the C++ one, converts back. No exception leaves: the only one possible is that of
// memory running out.

#include <tessera_boxdecode.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <new>
#include <string_view>

#include "boxdecode/c_api_convert.h"

namespace bd = tessera::boxdecode;

struct tessera_bd_plan {
  bd::Plan plan;
};
struct tessera_bd_context {
  bd::Context context;
  bd::Plan plan;
};

namespace {

using bd::CProblem;

std::int32_t fail(const tessera_bd_error& problem, tessera_bd_error* error) noexcept {
  if (error != nullptr) *error = problem;
  return problem.code;
}
std::int32_t null_argument(const char* field, const char* wish, tessera_bd_error* error) noexcept {
  return fail(bd::c_problem(TESSERA_BD_NULL_ARGUMENT, field, wish), error);
}
std::int32_t out_of_memory(tessera_bd_error* error) noexcept {
  return fail(bd::c_problem(TESSERA_BD_OUT_OF_MEMORY, "memory", "a plan takes a few kilobytes"), error);
}

/// snprintf without formats: keeps what fits, counts everything.
class Line {
 public:
  Line(char* buffer, std::size_t size) noexcept : buffer_(buffer), size_(size) {}
  Line& add(std::string_view part) noexcept {
    if (size_ > 0 && length_ < size_ - 1) std::memcpy(buffer_ + length_, part.data(), std::min(part.size(), left()));
    length_ += part.size();
    return *this;
  }
  Line& add(std::int64_t number) noexcept {
    char digits[24];
    return add({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits)});
  }
  std::size_t finish() noexcept {
    if (size_ > 0) buffer_[std::min(length_, size_ - 1)] = '\0';
    return length_;
  }

 private:
  std::size_t left() const noexcept { return size_ - 1 - length_; }
  char* buffer_;
  std::size_t size_, length_ = 0;
};

/// Room for the most that a plan can have, so that execute allocates nothing: 16 inputs, 5 outputs, 64 images.
struct Views {
  std::array<std::span<const std::byte>, 32> inputs;
  std::array<std::span<std::byte>, 8> outputs;
  std::array<bd::ImageSize, 64> sizes;
};

std::size_t input_count(const bd::Plan& plan) noexcept {
  std::size_t count = 0;
  while (plan.input_bytes(count) != 0) ++count;
  return count;
}
std::size_t output_count(const bd::Plan& plan) noexcept {
  std::size_t count = 0;
  while (plan.output_bytes(count) != 0) ++count;
  return count;
}

CProblem wrong_count(const char* field, std::size_t got, std::size_t wanted) noexcept {
  tessera_bd_error problem = bd::c_problem(TESSERA_BD_BINDING_COUNT_MISMATCH, field, "bind every tensor of the plan");
  problem.got = static_cast<std::int64_t>(got);
  problem.wanted = static_cast<std::int64_t>(wanted);
  return problem;
}

/// As execute of C++ checks them; here they also bound what is copied.
CProblem check_counts(const bd::Plan& plan, std::size_t inputs, std::size_t outputs, std::size_t sizes) noexcept {
  if (inputs != input_count(plan)) return wrong_count("inputs", inputs, input_count(plan));
  if (outputs != output_count(plan)) return wrong_count("outputs", outputs, output_count(plan));
  if (sizes != 0 && sizes != plan.image_count()) return wrong_count("original_sizes", sizes, plan.image_count());
  return {};
}

template <class Struct>
std::span<const Struct> all(const Struct* first, std::size_t count) noexcept {
  return {first, count};
}

std::int32_t prepare(std::span<const tessera_bd_tensor> inputs, std::span<const tessera_bd_tensor> outputs,
                     const tessera_bd_params& params, tessera_bd_plan** plan, tessera_bd_error* error) {
  std::vector<tessera::TensorSpec> input_specs, output_specs;
  bd::Params converted;
  if (const auto found = bd::convert_params(params, converted)) return fail(*found, error);
  if (const auto found = bd::convert_tensors(inputs, "input", input_specs)) return fail(*found, error);
  if (const auto found = bd::convert_tensors(outputs, "output", output_specs)) return fail(*found, error);
  const char* scanner = params.scanner != nullptr ? params.scanner : "";
  const auto checked = bd::check_inference({input_specs, output_specs, std::move(converted), scanner});
  if (!checked) return fail(bd::c_error(checked.error()), error);
  *plan = new tessera_bd_plan{*checked};
  return TESSERA_BD_OK;
}

}  // namespace

extern "C" {

int32_t tessera_bd_version(void) { return TESSERA_BD_VERSION; }

const char* tessera_bd_code_name(int32_t code) { return bd::c_code_name(code); }

size_t tessera_bd_error_message(const tessera_bd_error* error, char* buffer, size_t size) {
  Line line(buffer, buffer != nullptr ? size : 0);
  if (error == nullptr) return line.finish();
  const auto text = [](const char* part) { return std::string_view(part != nullptr ? part : ""); };
  line.add(tessera_bd_code_name(error->code));
  if (error->code == TESSERA_BD_OK) return line.finish();
  line.add(": ").add(text(error->field));
  if (error->index >= 0) line.add(" [").add(std::int64_t{error->index}).add("]");
  const bool fact = error->got != TESSERA_BD_NO_VALUE;
  if (fact) line.add(" is ").add(error->got);
  if (error->wanted != TESSERA_BD_NO_VALUE) line.add(fact ? ", wanted " : ": wanted ").add(error->wanted);
  return line.add(": ").add(text(error->wish)).finish();
}

tessera_bd_head tessera_bd_combined_head(int32_t port) {
  return {TESSERA_BD_HEAD_COMBINED, port, -1, -1, -1, -1, -1, 0};
}
tessera_bd_head tessera_bd_pair_head(int32_t box, int32_t score) {
  return {TESSERA_BD_HEAD_PAIR, -1, box, score, -1, -1, -1, 0};
}
tessera_bd_head tessera_bd_objectness_head(int32_t box, int32_t objectness, int32_t score) {
  return {TESSERA_BD_HEAD_OBJECTNESS, -1, box, score, objectness, -1, -1, 0};
}

void tessera_bd_params_init(tessera_bd_params* params, size_t struct_size) {
  if (params == nullptr) return;
  const bd::Params defaults;
  tessera_bd_params p{};
  p.struct_size = struct_size;
  p.basis = -1;
  p.detection_threshold = defaults.detection_threshold;
  p.nms_iou_threshold = defaults.nms_iou_threshold;
  p.candidate_limit = -1;
  p.voting_iou = bd::Voting{}.iou;
  p.mosaic_rows = defaults.mosaic.rows;
  p.mosaic_cols = defaults.mosaic.cols;
  p.edge_factor = bd::EdgePenalty{}.factor;
  p.edge_margin = bd::EdgePenalty{}.margin;
  p.keypoint_count = defaults.keypoint_count;
  p.keypoint_dims = defaults.keypoint_dims;
  std::memset(params, 0, struct_size);
  std::memcpy(params, &p, std::min(struct_size, sizeof p));
}

int32_t tessera_bd_prepare(const tessera_bd_tensor* inputs, size_t input_count, const tessera_bd_tensor* outputs,
                           size_t output_count, const tessera_bd_params* params, tessera_bd_plan** plan,
                           tessera_bd_error* error) {
  if (plan == nullptr) return null_argument("plan", "must point to the handle to be set", error);
  *plan = nullptr;
  if (params == nullptr) return null_argument("params", "must point to parameters", error);
  if (inputs == nullptr && input_count != 0) return null_argument("inputs", "must point to input_count tensors", error);
  if (outputs == nullptr && output_count != 0) {
    return null_argument("outputs", "must point to output_count tensors", error);
  }
  try {
    return prepare(all(inputs, input_count), all(outputs, output_count), *params, plan, error);
  } catch (const std::bad_alloc&) {
    return out_of_memory(error);
  }
}

void tessera_bd_plan_free(tessera_bd_plan* plan) { delete plan; }

size_t tessera_bd_input_bytes(const tessera_bd_plan* plan, size_t input) {
  return plan != nullptr ? plan->plan.input_bytes(input) : 0;
}
size_t tessera_bd_input_alignment(const tessera_bd_plan* plan, size_t input) {
  return tessera_bd_input_bytes(plan, input) != 0 ? plan->plan.input_alignment(input) : 0;
}
size_t tessera_bd_output_bytes(const tessera_bd_plan* plan, size_t output) {
  return plan != nullptr ? plan->plan.output_bytes(output) : 0;
}
size_t tessera_bd_output_alignment(const tessera_bd_plan* plan, size_t output) {
  return tessera_bd_output_bytes(plan, output) != 0 ? plan->plan.output_alignment(output) : 0;
}
size_t tessera_bd_workspace_bytes(const tessera_bd_plan* plan) {
  return plan != nullptr ? plan->plan.workspace_bytes() : 0;
}
size_t tessera_bd_workspace_alignment(const tessera_bd_plan* plan) {
  return plan != nullptr ? plan->plan.workspace_alignment() : 0;
}
size_t tessera_bd_head_count(const tessera_bd_plan* plan) { return plan != nullptr ? plan->plan.head_count() : 0; }
size_t tessera_bd_image_count(const tessera_bd_plan* plan) { return plan != nullptr ? plan->plan.image_count() : 0; }

const char* tessera_bd_route(const tessera_bd_plan* plan, size_t head) {
  return head < tessera_bd_head_count(plan) ? bd::to_string(plan->plan.route(head)) : "";
}
const char* tessera_bd_scanner(const tessera_bd_plan* plan) {
  return plan != nullptr ? plan->plan.scanner().data() : "";  // a view of a whole literal
}
tessera_bd_cutoffs tessera_bd_plan_cutoffs(const tessera_bd_plan* plan, size_t head) {
  if (head >= tessera_bd_head_count(plan)) return {0, 0};
  const bd::Cutoffs cutoffs = plan->plan.cutoffs(head);
  return {cutoffs.score, cutoffs.objectness};
}

int32_t tessera_bd_context_create(const tessera_bd_plan* plan, void* workspace, size_t bytes,
                                  tessera_bd_context** context, tessera_bd_error* error) {
  if (context == nullptr) return null_argument("context", "must point to the handle to be set", error);
  *context = nullptr;
  if (plan == nullptr) return null_argument("plan", "must be a plan of tessera_bd_prepare", error);
  try {
    auto created =
        bd::Context::create(plan->plan, {static_cast<std::byte*>(workspace), workspace != nullptr ? bytes : 0});
    if (!created) return fail(bd::c_error(created.error()), error);
    *context = new tessera_bd_context{*std::move(created), plan->plan};
    return TESSERA_BD_OK;
  } catch (const std::bad_alloc&) {
    return out_of_memory(error);
  }
}

void tessera_bd_context_free(tessera_bd_context* context) { delete context; }

int32_t tessera_bd_execute(tessera_bd_context* context, const tessera_bd_input* inputs, size_t input_count,
                           const tessera_bd_output* outputs, size_t output_count,
                           const tessera_bd_image_size* original_sizes, size_t original_size_count,
                           tessera_bd_stats* stats, tessera_bd_error* error) {
  if (context == nullptr) return null_argument("context", "must be one of tessera_bd_context_create", error);
  if (const auto found = check_counts(context->plan, input_count, output_count, original_size_count)) {
    return fail(*found, error);
  }
  if (inputs == nullptr) return null_argument("inputs", "must point to input_count buffers", error);
  if (outputs == nullptr) return null_argument("outputs", "must point to output_count buffers", error);
  if (original_sizes == nullptr && original_size_count != 0) {
    return null_argument("original_sizes", "must point to original_size_count sizes", error);
  }
  Views views;
  for (std::size_t i = 0; i < input_count; ++i) {
    const auto* data = static_cast<const std::byte*>(inputs[i].data);
    views.inputs[i] = {data, data != nullptr ? inputs[i].bytes : 0};
  }
  for (std::size_t i = 0; i < output_count; ++i) {
    auto* data = static_cast<std::byte*>(outputs[i].data);
    views.outputs[i] = {data, data != nullptr ? outputs[i].bytes : 0};
  }
  for (std::size_t i = 0; i < original_size_count; ++i) {
    views.sizes[i] = {original_sizes[i].width, original_sizes[i].height};
  }
  bd::ExecStats sums;
  const auto status =
      bd::execute(context->context,
                  {std::span(views.inputs).first(input_count), std::span(views.outputs).first(output_count),
                   std::span(views.sizes).first(original_size_count)},
                  &sums);
  if (!status) return fail(bd::c_error(status.error()), error);
  if (stats != nullptr) *stats = {sums.candidates_seen, sums.candidates_kept, sums.candidate_limit_hit ? 1 : 0, 0};
  return TESSERA_BD_OK;
}

}  // extern "C"
