# Installation: libraries, headers with their forwarders, the CMake package and pkg-config files.
include(CMakePackageConfigHelpers)

install(TARGETS oclite oclite_opencl oclite_edit oclite_tftext oclite_custom_ops EXPORT oclite-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET oclite_opencl_selftest)
  install(TARGETS oclite_opencl_selftest RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/oclite)
endif()
if(TARGET oclite_litert)
  install(TARGETS oclite_litert LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/oclite/litert)
endif()
install(FILES ${OCLITE_CUSTOM_OPS_KERNELS} DESTINATION ${CMAKE_INSTALL_DATADIR}/oclite/custom_ops)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ ${PROJECT_BINARY_DIR}/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
# The names under which programs look for the reference libraries.
foreach(pair oclite:tensorflowlite_c oclite_opencl:tensorflowlite_gpu_delegate)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 library)
  list(GET pair 1 alias)
  install(CODE "file(CREATE_LINK lib${library}.so
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/lib${alias}.so\" SYMBOLIC)")
endforeach()

# Headers tell of documents and examples by these names.
set(doc ${CMAKE_INSTALL_DATADIR}/doc/oclite)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/SECURITY.md ${PROJECT_SOURCE_DIR}/LICENSE
  ${PROJECT_SOURCE_DIR}/NOTICE DESTINATION ${doc})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${doc})

install(EXPORT oclite-targets NAMESPACE oclite:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/oclite)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/oclite-config.cmake
  CONTENT "include(\"\${CMAKE_CURRENT_LIST_DIR}/oclite-targets.cmake\")\n" @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/oclite-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/oclite-config.cmake ${PROJECT_BINARY_DIR}/oclite-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/oclite)

# From the folder of the .pc files up to the prefix, so that an installation can be moved.
file(RELATIVE_PATH OCLITE_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(library oclite oclite_opencl oclite_edit oclite_tftext oclite_custom_ops)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${library}.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
