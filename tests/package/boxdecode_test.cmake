# cmake -DBUILD=<build dir> -DSOURCE=<this folder> -DWORK=<scratch dir> -DEXAMPLES=<examples/boxdecode>
#       -DSTANDARD_ONLY=<folder whose tl/expected.hpp stops a build> -P boxdecode_test.cmake
# Installs the component boxdecode alone, moves the prefix, and builds a C++ and a C program against it: find_package
# (from a C++ and from a C project) and pkg-config. Each must print what the pages say.
cmake_policy(VERSION 3.25)
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed: ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
function(run_and_expect what program)
  run(${program})
  if(NOT output STREQUAL "${${what}_prints}")
    message(FATAL_ERROR "${program} printed\n${output}instead of\n${${what}_prints}")
  endif()
endfunction()
set(c_prints "class 2  0.9525741  32 24 64 48\nclass 0  0.7310586  0 0 32 24\nclass 0  0.5000000  32 0 64 24\n")
set(cpp_prints "class 0  0.731058598  0 0 32 24\nclass 0  0.5  32 0 64 24\n")

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first --component boxdecode)
file(RENAME ${WORK}/first ${WORK}/moved)  # nothing in the package may know where it was installed
set(prefix ${WORK}/moved)

# Its own things and nothing else.
file(GLOB_RECURSE installed RELATIVE ${prefix} ${prefix}/*)
list(TRANSFORM installed REPLACE "^lib/[a-z_0-9]+-linux-gnu/" "lib/")
list(FILTER installed EXCLUDE REGEX "^lib/cmake/tessera/tessera-boxdecode-targets(-[a-z]+)?\\.cmake$")
set(wanted include/tessera/boxdecode.h include/tessera/boxdecode/error.h include/tessera/boxdecode/params.h
  include/tessera/boxdecode/result.h include/tessera/tensor.h include/tessera_boxdecode.h
  lib/cmake/tessera/tessera-config-version.cmake lib/cmake/tessera/tessera-config.cmake lib/libtessera_boxdecode.a
  lib/pkgconfig/tessera-boxdecode.pc share/doc/tessera/LICENSE)
list(SORT installed)
list(SORT wanted)
if(NOT installed STREQUAL wanted)
  message(FATAL_ERROR "installed\n  ${installed}\ninstead of\n  ${wanted}")
endif()

foreach(project cpp c)
  run(${CMAKE_COMMAND} -S ${SOURCE}/boxdecode/${project} -B ${WORK}/${project} -G Ninja -DCMAKE_PREFIX_PATH=${prefix}
      -DEXAMPLES=${EXAMPLES})
  run(${CMAKE_COMMAND} --build ${WORK}/${project})
  run_and_expect(c ${WORK}/${project}/c)
endforeach()
run_and_expect(cpp ${WORK}/cpp/cpp)

# Without the component: a message, not a broken target.
file(WRITE ${WORK}/whole/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(whole)\nfind_package(tessera REQUIRED)\n")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/whole -B ${WORK}/whole/build -G Ninja -DCMAKE_PREFIX_PATH=${prefix}
  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE output)
if(status EQUAL 0 OR NOT output MATCHES "ask for COMPONENTS boxdecode")
  message(FATAL_ERROR "find_package(tessera) with BoxDecode alone should say what is missing; it said\n${output}")
endif()

file(GLOB pkgconfig ${prefix}/lib/pkgconfig ${prefix}/lib/*/pkgconfig)
set(ENV{PKG_CONFIG_PATH} ${pkgconfig})
execute_process(COMMAND pkg-config --cflags --libs tessera-boxdecode RESULT_VARIABLE status OUTPUT_VARIABLE flags
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "pkg-config does not know tessera-boxdecode")
endif()
separate_arguments(flags UNIX_COMMAND "${flags}")
# The whole archive is linked, so that nothing in it may need a library that is not named; and the standard library is
# the only one: in STANDARD_ONLY tl/expected.hpp stops the build, the last option refuses exceptions.
set(everything -Wl,--whole-archive ${flags} -Wl,--no-whole-archive)
list(TRANSFORM everything REPLACE "^-l(stdc\\+\\+|m)$" "")
run(c++ -std=c++20 -fno-exceptions -I${STANDARD_ONLY} ${EXAMPLES}/yolo26.cc -o ${WORK}/with_pkg_config ${everything})
run_and_expect(cpp ${WORK}/with_pkg_config)
run(cc -std=c99 -pedantic -Wall -Wextra -Werror ${EXAMPLES}/decode.c -o ${WORK}/c_with_pkg_config ${flags})
run_and_expect(c ${WORK}/c_with_pkg_config)

file(GLOB archive ${prefix}/lib/*.a ${prefix}/lib/*/*.a)
run(nm -C --undefined-only ${archive})
if(output MATCHES "pthread_create|fmt::|tbb::|ThreadPool|spng|jpeg")
  message(FATAL_ERROR "the archive needs ${CMAKE_MATCH_0}")
endif()
file(REMOVE_RECURSE ${WORK})
