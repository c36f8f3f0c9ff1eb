# `cmake --install <build> --component boxdecode` installs BoxDecode alone: its archive, its headers, its .pc file, and the
# CMake package, which serves the component and the whole.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tessera-config.cmake.in tessera-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(tessera-config-version.cmake COMPATIBILITY SameMinorVersion)

set(include ${PROJECT_SOURCE_DIR}/include)
install(TARGETS tessera_boxdecode_alone EXPORT tessera-boxdecode-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT boxdecode)
install(EXPORT tessera-boxdecode-targets NAMESPACE tessera:: DESTINATION ${package_dir} COMPONENT boxdecode)
install(FILES ${include}/tessera_boxdecode.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT boxdecode)
install(FILES ${include}/tessera/boxdecode.h ${include}/tessera/tensor.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera COMPONENT boxdecode)
install(DIRECTORY ${include}/tessera/boxdecode DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera COMPONENT boxdecode)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT boxdecode)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tessera-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/tessera-config-version.cmake
  DESTINATION ${package_dir} COMPONENT boxdecode)
configure_file(${CMAKE_CURRENT_LIST_DIR}/tessera-boxdecode.pc.in tessera-boxdecode.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tessera-boxdecode.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT boxdecode)
