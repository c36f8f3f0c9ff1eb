#pragma once
// The constants behind the header.

#include <tessera/result.h>

#include <string_view>
#include <vector>

#include "base/file_bytes.h"
#include "model/model.h"
#include "model/native/header.h"

namespace tessera::native {

using Constants = std::vector<Constant>;

/// Reads the lines "blob" and "constant". The constants stay in `file`, if the blob lies in one. They must stand in the
/// blob in order of their index, each at the next multiple of kAlign, and fill it exactly: no two lines can claim the
/// same bytes, so a small file cannot ask for much memory. Errors   corrupt: the blob's length or checksum, a
/// constant's place, a number that is not finite.
Result<Constants> read_constants(const Header& header, const FileBytes* file, std::string_view model);

}  // namespace tessera::native
