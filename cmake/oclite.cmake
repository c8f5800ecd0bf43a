# How every target of the project is compiled and linked.

# Settings of all targets, internal ones included.
add_library(oclite_settings INTERFACE)
target_include_directories(oclite_settings INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include
  ${PROJECT_BINARY_DIR}/include ${PROJECT_BINARY_DIR}/generated)
oclite_use_selected_ops(oclite_settings)
target_compile_definitions(oclite_settings INTERFACE _GNU_SOURCE)
# No contraction of a * b + c: results must not depend on the instruction set. Kernels that want fma() say so.
target_compile_options(oclite_settings INTERFACE -Wall -Wextra -Wshadow -Wvla -Wundef -ffp-contract=off
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
  $<$<BOOL:${OCLITE_WERROR}>:-Werror>)
# What nobody calls is left out of libraries and programs; instrumented code keeps its tables in one piece.
if(NOT OCLITE_SANITIZE)
  target_compile_options(oclite_settings INTERFACE -ffunction-sections -fdata-sections
    $<$<COMPILE_LANGUAGE:C>:-fno-semantic-interposition>)
  target_link_options(oclite_settings INTERFACE -Wl,--gc-sections)
else()
  # Reports want names and lines; where variables are takes as long to compile as the instrumented code itself. -O1
  # makes tests slower by more than it gains.
  target_compile_options(oclite_settings INTERFACE -fsanitize=${OCLITE_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g1)
  target_link_options(oclite_settings INTERFACE -fsanitize=${OCLITE_SANITIZE})
endif()
target_link_libraries(oclite_settings INTERFACE m ${CMAKE_DL_LIBS} Threads::Threads)

# oclite_objects(NAME SOURCES...): an object library of one module.
function(oclite_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_link_libraries(${name} PUBLIC oclite_settings)
endfunction()

# oclite_embed(OUTPUT HEADER TABLE FILES...): a C file with the contents of files, see embed.cmake.
function(oclite_embed output header table)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  string(REPLACE ";" "|" files "${ARGN}")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DHEADER=${header} "-DTABLE=${table}" "-DFILES=${files}" -P ${script}
    DEPENDS ${ARGN} ${script} VERBATIM)
endfunction()

# A library that programs of other projects link, too: they see the public headers alone.
function(oclite_static_library name)
  target_link_libraries(${name} PRIVATE oclite_settings PUBLIC m ${CMAKE_DL_LIBS} Threads::Threads)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  if(OCLITE_IS_SELECTED)
    target_link_options(${name} INTERFACE -Wl,--gc-sections)
  endif()
  add_library(oclite::${name} ALIAS ${name})
endfunction()

# What both shared libraries have in common: exports, versions, public include folders.
function(oclite_shared_library name)
  target_link_libraries(${name} PRIVATE oclite_settings)
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set(map ${PROJECT_SOURCE_DIR}/cmake/${name}.map)
  # A library's own functions are called directly, not by names that the process may have twice: a table of the
  # linker for each call is slower, and another runtime beside ours would answer.
  target_link_options(${name} PRIVATE -Wl,--version-script=${map} -Wl,--no-undefined -Wl,-Bsymbolic-functions)
  if(OCLITE_SANITIZE)
    # Sanitizer runtimes are resolved in the program.
    target_link_options(${name} PRIVATE -Wl,-z,undefs)
  endif()
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${map})
  if(NOT SKBUILD) # a Python wheel has no links: each library is one file, and its name the one that is asked for
    set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  endif()
  add_library(oclite::${name} ALIAS ${name})
endfunction()
