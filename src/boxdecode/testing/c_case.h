#pragma once
// A Case through the C interface.

#include <tessera_boxdecode.h>

#include <cstring>
#include <string>
#include <vector>

#include "boxdecode/testing/case.h"

namespace tessera::boxdecode::testing {

tessera_bd_tensor c_tensor(const TensorSpec& spec);
/// Without heads and anchor levels, which need memory of their own.
tessera_bd_params c_params(const Params& params);

/// The request's structs with the memory behind them. Not to be copied: params points into it.
struct CCase {
  std::vector<tessera_bd_tensor> inputs, outputs;
  std::vector<tessera_bd_head> heads;
  std::vector<tessera_bd_anchor_level> levels;
  std::string scanner;
  tessera_bd_params params;

  explicit CCase(const Case& c);
  CCase(const CCase&) = delete;
  CCase& operator=(const CCase&) = delete;
  std::int32_t prepare(tessera_bd_plan** plan, tessera_bd_error* error) const {
    return tessera_bd_prepare(inputs.data(), inputs.size(), outputs.data(), outputs.size(), &params, plan, error);
  }
};

/// What is bound: the case's inputs, outputs of which every byte is 0xA5.
struct CBuffers {
  std::vector<std::vector<std::byte>> bytes;
  std::vector<tessera_bd_input> inputs;
  std::vector<tessera_bd_output> outputs;
  std::vector<tessera_bd_image_size> sizes;
  tessera_bd_stats stats{};

  CBuffers(const Case& c, const tessera_bd_plan* plan);
  std::int32_t execute(tessera_bd_context* context, tessera_bd_error* error) {
    return tessera_bd_execute(context, inputs.data(), inputs.size(), outputs.data(), outputs.size(), sizes.data(),
                              sizes.size(), &stats, error);
  }
};

struct COutcome {
  tessera_bd_error error{};
  Outcome outcome;
  std::vector<std::string> routes;
  std::vector<tessera_bd_cutoffs> cutoffs;
};
COutcome run_in_c(const Case& c);

std::string message_of(const tessera_bd_error& error);

}  // namespace tessera::boxdecode::testing
