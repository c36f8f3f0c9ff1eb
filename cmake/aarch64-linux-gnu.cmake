# Cross build for AArch64 Linux from a Debian machine: g++-aarch64-linux-gnu, and qemu-user to run the tests.
# Needs no foreign architecture enabled: only the C and C++ run-time of the cross compiler is linked.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)

# Libraries and headers of the build machine are not the target's.
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Header-only libraries are the same everywhere: link just those folders, since all of /usr/include would bring in the
# C library headers of the build machine.
foreach(headers tl nlohmann)
  if(EXISTS /usr/include/${headers} AND NOT EXISTS ${CMAKE_BINARY_DIR}/header-only/${headers})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/header-only)
    file(CREATE_LINK /usr/include/${headers} ${CMAKE_BINARY_DIR}/header-only/${headers} SYMBOLIC)
  endif()
endforeach()
set(TL_EXPECTED_INCLUDE_DIR ${CMAKE_BINARY_DIR}/header-only CACHE PATH "Where tl/expected.hpp is")
