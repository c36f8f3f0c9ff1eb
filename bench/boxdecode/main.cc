// boxdecode_bench [--dump=FOLDER] [Google Benchmark's options]. `./dev bench boxdecode` prepares its input and reads
// its output.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>

#include "boxdecode/heads.h"
#include "boxdecode/scan/scanner.h"
#include "boxdecode/suites.h"

namespace {

std::vector<std::string> usable_scanners() {
  std::vector<std::string> out;
  const auto cpu = tessera::CpuInfo::detect();
  for (const auto* scanner : tessera::boxdecode::scanners()) {
    if (cpu.supports(scanner->isa)) out.emplace_back(scanner->name);
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tessera::boxdecode;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--dump=", 7) != 0) continue;
    if (bench::dump_selection(argv[i] + 7)) return 0;
    std::fprintf(stderr, "boxdecode_bench: cannot write to %s\n", argv[i] + 7);
    return 1;
  }
  const auto scanners = usable_scanners();
  bench::register_routes(scanners);
  bench::register_steps(scanners);
  benchmark::AddCustomContext("heads", bench::heads().origin);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
