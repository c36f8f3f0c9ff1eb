# What users install: one archive, the public headers, a CMake package and a pkg-config file, all relative to the prefix.
include(CMakePackageConfigHelpers)

install(TARGETS tessera EXPORT tessera-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
install(EXPORT tessera-targets NAMESPACE tessera:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tessera-config.cmake.in tessera-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(tessera-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tessera-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/tessera-config-version.cmake
  DESTINATION ${package_dir})
configure_file(${CMAKE_CURRENT_LIST_DIR}/tessera.pc.in tessera.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
