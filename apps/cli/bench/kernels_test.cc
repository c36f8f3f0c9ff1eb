#include <gtest/gtest.h>

#include "bench/kernels_run.h"

namespace tessera::cli {
namespace {

std::vector<KernelCase> cases(Isa isa) { return kernel_cases({.isa = isa, .threads = 2}); }

std::vector<Isa> levels() {
  std::vector<Isa> out;
  for (const Isa isa : {Isa::none, Isa::avx2, Isa::avx512, Isa::neon}) {
    if (CpuInfo::detect().supports(isa)) out.push_back(isa);
  }
  return out;
}

TEST(Kernels, EveryFormComputesTheSame) {
  for (const Isa isa : levels()) {
    for (const KernelCase& kernel : cases(isa)) {
      const auto times = run_kernel_case(kernel, 0, 1);
      ASSERT_TRUE(times.has_value()) << times.error().message;
      EXPECT_TRUE(all_agree({*times})) << to_string(isa) << kernels_text({*times});
      ASSERT_GE(times->forms.size(), 2u);
      for (const FormTimes& form : times->forms) EXPECT_EQ(form.times_ms.size(), 1u);
    }
  }
}

// A switch that changes nothing would time one form twice.
TEST(Kernels, FormsRunDifferentKernels) {
  for (const KernelCase& kernel : cases(CpuInfo::detect().best())) {
    const auto times = run_kernel_case(kernel, 0, 1);
    ASSERT_TRUE(times.has_value()) << times.error().message;
    if (kernel.name == "spp") continue;  // the cascade differs in its pools' windows alone
    for (std::size_t i = 1; i < times->forms.size(); ++i) {
      if (times->forms[i].name == "one pass of plain C++" && CpuInfo::detect().best() == Isa::none) continue;
      EXPECT_NE(times->forms[0].kernels, times->forms[i].kernels) << kernel.name << ": " << times->forms[i].name;
    }
  }
}

TEST(Kernels, AFormThatDiffersIsFound) {
  KernelCase kernel = cases(Isa::none)[1];
  kernel.forms[0].options.replaced = {{"mish", "hard_mish"}};
  const auto times = run_kernel_case(kernel, 0, 1);
  ASSERT_TRUE(times.has_value()) << times.error().message;
  EXPECT_FALSE(times->forms[0].agrees);
  EXPECT_TRUE(times->forms[1].agrees);
  EXPECT_NE(kernels_text({*times}).find("DIFFERS"), std::string::npos);
}

}  // namespace
}  // namespace tessera::cli
