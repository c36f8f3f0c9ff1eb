#pragma once
// The checks of execute: do the caller's buffers fit the plan?

#include <tessera/boxdecode.h>

#include <optional>

#include "boxdecode/plan.h"

namespace tessera::boxdecode {

std::optional<Error> check_bindings(const PlanData& plan, std::span<const std::byte> workspace,
                                    const Bindings& bindings) noexcept;

}  // namespace tessera::boxdecode
