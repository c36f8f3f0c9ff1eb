#pragma once
// From the structs of tessera_boxdecode.h to those of the C++ interface. Refuses what C++ types cannot hold; every
// other rule is left to check_inference.

#include <tessera/boxdecode.h>
#include <tessera_boxdecode.h>

#include <optional>
#include <span>
#include <vector>

namespace tessera::boxdecode {

/// What stops a call: a code of the C interface and what the message says.
using CProblem = std::optional<tessera_bd_error>;

CProblem convert_tensors(std::span<const tessera_bd_tensor> tensors, const char* name, std::vector<TensorSpec>& out);
CProblem convert_params(const tessera_bd_params& params, Params& out);

tessera_bd_error c_error(const Error& error) noexcept;
tessera_bd_error c_problem(std::int32_t code, const char* field, const char* wish) noexcept;

std::int32_t c_code(ErrorCode code) noexcept;
const char* c_code_name(std::int32_t code) noexcept;

}  // namespace tessera::boxdecode
