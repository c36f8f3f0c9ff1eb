#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/kernels_run.h"
#include "bench/timing.h"

namespace tessera::cli {
namespace {

constexpr const char* kRow = "  {:<40} {:>10} {:>10} {:>9}  {}\n";

// "unary_avx512, 5 binary_avx512".
std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (auto at = words.begin(); at != words.end();) {
    const auto next = std::find_if(at, words.end(), [at](const std::string& word) { return word != *at; });
    out += out.empty() ? "" : ", ";
    if (next - at > 1) out += fmt::format("{} ", next - at);
    out += *at;
    at = next;
  }
  return out;
}

std::string proof(const FormTimes& form, double tolerance) {
  if (!form.agrees)
    return fmt::format("DIFFERS by {:.1e} of the largest, want {:.1e}", form.difference.relative, tolerance);
  if (form.difference.same_bits) return "same bits";
  if (form.difference.absolute == 0) return "same values";
  return fmt::format("within {:.1e} ({} ulp)", form.difference.absolute, form.difference.ulps);
}

nlohmann::ordered_json form_json(const FormTimes& form, double ours_ms) {
  const Summary s = summarize(form.times_ms);
  const Difference& d = form.difference;
  nlohmann::ordered_json out{{"name", form.name},         {"kernels", form.kernels},
                             {"median_ms", s.median},     {"min_ms", s.min},
                             {"times_ms", form.times_ms}, {"times_ours", s.median / ours_ms},
                             {"same_bits", d.same_bits},  {"agrees", form.agrees}};
  if (d.absolute < 1e300) {  // JSON has no infinity
    out["largest_difference"] = d.absolute;
    out["relative"] = d.relative;
    out["ulps"] = d.ulps;
  }
  return out;
}

}  // namespace

std::string kernels_text(const std::vector<KernelTimes>& kernels) {
  std::string out;
  for (const KernelTimes& kernel : kernels) {
    out += fmt::format("\n{}, {}\n", kernel.name, kernel.shape);
    out += fmt::format(fmt::runtime(kRow), "", "median ms", "min ms", "of ours", "against the last; what ran");
    const double ours = summarize(kernel.forms.front().times_ms).median;
    for (const FormTimes& form : kernel.forms) {
      const Summary s = summarize(form.times_ms);
      out += fmt::format(fmt::runtime(kRow), form.name, fmt::format("{:.4f}", s.median), fmt::format("{:.4f}", s.min),
                         fmt::format("{:.2f}x", s.median / ours),
                         proof(form, kernel.tolerance) + "; " + joined(form.kernels));
    }
  }
  return out;
}

void add_kernels(nlohmann::ordered_json& out, const std::vector<KernelTimes>& kernels) {
  auto& list = out["kernels"] = nlohmann::ordered_json::array();
  for (const KernelTimes& kernel : kernels) {
    auto forms = nlohmann::ordered_json::array();
    const double ours = summarize(kernel.forms.front().times_ms).median;
    for (const FormTimes& form : kernel.forms) forms.push_back(form_json(form, ours));
    list.push_back(
        {{"name", kernel.name}, {"shape", kernel.shape}, {"tolerance", kernel.tolerance}, {"forms", std::move(forms)}});
  }
}

}  // namespace tessera::cli
