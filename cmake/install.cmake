# Installation: libraries, headers with their forwarders, the CMake package and pkg-config files.
include(CMakePackageConfigHelpers)

install(TARGETS oclite oclite_opencl EXPORT oclite-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ ${PROJECT_BINARY_DIR}/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
# The names under which programs look for the reference libraries.
install(CODE "
  file(CREATE_LINK liboclite.so \$ENV{DESTDIR}${CMAKE_INSTALL_FULL_LIBDIR}/libtensorflowlite_c.so SYMBOLIC)
  file(CREATE_LINK liboclite_opencl.so
       \$ENV{DESTDIR}${CMAKE_INSTALL_FULL_LIBDIR}/libtensorflowlite_gpu_delegate.so SYMBOLIC)")

install(EXPORT oclite-targets NAMESPACE oclite:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/oclite)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/oclite-config.cmake
  CONTENT "include(\"\${CMAKE_CURRENT_LIST_DIR}/oclite-targets.cmake\")\n" @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/oclite-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/oclite-config.cmake ${PROJECT_BINARY_DIR}/oclite-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/oclite)

foreach(library oclite oclite_opencl)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${library}.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
