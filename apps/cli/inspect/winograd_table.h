#pragma once
// `tessera compare --winograd`: the errors of Winograd layers as a table.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "device/winograd_error.h"

namespace tessera::cli {

std::string winograd_text(std::span<const WinogradError> layers);
nlohmann::ordered_json winograd_json(std::span<const WinogradError> layers);

}  // namespace tessera::cli
