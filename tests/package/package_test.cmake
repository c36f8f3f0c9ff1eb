# cmake -DBUILD=<build dir> -DSOURCE=<this folder> -DWORK=<scratch dir> -P package_test.cmake
# Installs the library, moves the prefix, and builds the same small program against it twice: find_package, pkg-config.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed: ${command}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${WORK}/moved)  # nothing in the package may know where it was installed

file(GLOB_RECURSE installed RELATIVE ${WORK}/moved ${WORK}/moved/include/*)
foreach(header IN LISTS installed)
  if(NOT header MATCHES "^include/(tessera/|tessera_boxdecode\\.h$)")
    message(FATAL_ERROR "${header} is installed outside include/tessera")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${SOURCE}/consumer -B ${WORK}/cmake -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/moved)
run(${CMAKE_COMMAND} --build ${WORK}/cmake)
run(${WORK}/cmake/consumer)

set(ENV{PKG_CONFIG_PATH} ${WORK}/moved/lib/x86_64-linux-gnu/pkgconfig:${WORK}/moved/lib/pkgconfig)
execute_process(COMMAND pkg-config --static --cflags --libs tessera RESULT_VARIABLE status OUTPUT_VARIABLE flags
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "pkg-config does not know tessera")
endif()
separate_arguments(flags UNIX_COMMAND "${flags}")
run(c++ -std=c++20 ${SOURCE}/consumer/main.cc -o ${WORK}/consumer ${flags})
run(${WORK}/consumer)
file(REMOVE_RECURSE ${WORK})
