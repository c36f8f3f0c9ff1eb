#pragma once
// Kernel choices as a file: JSON with the processor, instruction set and threads they were made for, and a kernel per
// convolution (docs/measuring.md, "does it choose the fastest kernel").

#include <tessera/result.h>

#include <string>
#include <vector>

#include "device/device.h"

namespace tessera {

struct ChoicesFile {
  std::string processor, isa;
  int threads = 0;
  std::vector<KernelChoice> nodes;
};

/// Errors  as FileBytes::open; corrupt: no such JSON, with what is wrong.
Result<ChoicesFile> read_choices(const std::string& path);
/// Replaces the file with the choices of the executable's convolutions. Errors: io.
Status write_choices(const Executable& executable, const std::string& path);

}  // namespace tessera
