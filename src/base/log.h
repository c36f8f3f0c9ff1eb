#pragma once
// Where a library tells of its choices. Nothing is printed unless the caller passes a sink.

#include <functional>
#include <string_view>

namespace tessera {

enum class LogLevel { debug, info, warning };
/// Called from the calling thread only; may be empty.
using LogSink = std::function<void(LogLevel, std::string_view)>;

}  // namespace tessera
