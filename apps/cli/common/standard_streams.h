#pragma once
// The program may be started with standard streams closed (`tessera ... >&-`).

namespace tessera::cli {

/// Opens /dev/null in the place of closed ones, before any other file is opened: the first picture would otherwise get
/// the number of standard output, and results would be written into it. Reading such an input and writing to such an
/// output fail, as they would on a closed stream; what goes to such a stderr is lost.
void open_standard_streams();

}  // namespace tessera::cli
