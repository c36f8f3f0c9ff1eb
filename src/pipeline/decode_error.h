#pragma once

#include <tessera/boxdecode/error.h>
#include <tessera/result.h>

namespace tessera {

/// An error of BoxDecode as the other Tessera calls tell theirs: "boxdecode: InvalidCapacity: ...".
Error to_error(const boxdecode::Error& error);

}  // namespace tessera
