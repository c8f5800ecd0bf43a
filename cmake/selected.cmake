# What a build leaves out.
#
# OCLITE_SELECTED_OPS   a file of `oclite select`: the library has the operators, and serves the types of tensors, that it
#                       names, and nothing else. Empty: all. The file sets
#                         OCLITE_OPERATORS         builtin operators, as core/ops.def names them
#                         OCLITE_CUSTOM_OPERATORS  custom ones; those that are not in core/ops.def are the program's own
#                         OCLITE_TYPES             types of tensors
# OCLITE_CPU_PATHS      the instruction sets of which micro kernels are built, beside the plain C of "reference"
set(OCLITE_SELECTED_OPS "" CACHE FILEPATH "What `oclite select` has written, for a library of these operators alone")
set(OCLITE_CPU_PATHS vec128 avx2 avxvnni avx512 avx512vnni avx512amx CACHE STRING "Instruction sets of the CPU kernels")

# The operators that stay keep their line of core/ops.def; the others have no kernels.
function(_oclite_write_selected_ops)
  file(READ ${PROJECT_SOURCE_DIR}/core/ops.def all)
  string(REGEX REPLACE "(\n(OP|CUSTOM_OP)\\([A-Za-z0-9_, ]+), [0-9], [0-9]\\)" "\\1, 0, 0)" selected "${all}")
  foreach(operator IN LISTS OCLITE_OPERATORS OCLITE_CUSTOM_OPERATORS)
    if(all MATCHES "\n((OP|CUSTOM_OP)\\(${operator}(, [A-Za-z0-9_, ]*)?), [0-9], [0-9]\\)")
      string(REPLACE "\n${CMAKE_MATCH_1}, 0, 0)" "${CMAKE_MATCH_0}" selected "${selected}")
    elseif(operator IN_LIST OCLITE_OPERATORS)
      message(FATAL_ERROR "${OCLITE_SELECTED_OPS}: there is no operator ${operator} in core/ops.def")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/selected/core/ops.def CONTENT "${selected}" @ONLY)
endfunction()

# The bits of OCLITE_TYPES, 1 << TfLiteType; all for an empty list. With them come the types that kernels use
# inside: sums and products of bytes are of both kinds of bytes, packed types become bytes, and other real types floats.
function(_oclite_set_selected_types)
  set(types ${OCLITE_TYPES})
  if(types MATCHES "INT8|INT4|INT2")
    list(APPEND types INT8 UINT8)
  endif()
  if(types MATCHES "FLOAT|COMPLEX")
    list(APPEND types FLOAT32)
  endif()
  list(APPEND types NOTYPE INT32)
  file(STRINGS ${PROJECT_SOURCE_DIR}/include/tensorflow/lite/c/c_api_types.h lines REGEX "^ +kTfLite[A-Za-z0-9]+ = [0-9]+,")
  set(bits 0)
  foreach(type IN LISTS types)
    set(found OFF)
    foreach(line IN LISTS lines)
      string(REGEX MATCH "kTfLite([A-Za-z0-9]+) = ([0-9]+)" matched "${line}")
      string(TOUPPER "${CMAKE_MATCH_1}" name)
      if(name STREQUAL type)
        math(EXPR bits "${bits} | (1 << ${CMAKE_MATCH_2})")
        set(found ON)
      endif()
    endforeach()
    if(NOT found)
      message(FATAL_ERROR "${OCLITE_SELECTED_OPS}: there is no type ${type}")
    endif()
  endforeach()
  set(OCLITE_SELECTED_TYPES ${bits} PARENT_SCOPE)
endfunction()

set(OCLITE_IS_SELECTED OFF)
if(OCLITE_SELECTED_OPS)
  set(OCLITE_IS_SELECTED ON)
  get_filename_component(selected_ops ${OCLITE_SELECTED_OPS} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  include(${selected_ops})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/ops.def)
  _oclite_write_selected_ops()
  if(OCLITE_TYPES)
    _oclite_set_selected_types()
  endif()
endif()

# oclite_use_selected_ops(TARGET): compiles with the list of the operators that are left, and without tables for unwinding.
# The linker drops what they do not need (oclite.cmake).
function(oclite_use_selected_ops target)
  if(OCLITE_IS_SELECTED)
    target_include_directories(${target} BEFORE INTERFACE ${PROJECT_BINARY_DIR}/selected)
    target_compile_options(${target} INTERFACE -fno-unwind-tables -fno-asynchronous-unwind-tables)
  endif()
  if(OCLITE_SELECTED_TYPES)
    target_compile_definitions(${target} INTERFACE LITE_SELECTED_TYPES=${OCLITE_SELECTED_TYPES}u)
  endif()
endfunction()

# Which of OCLITE_CPU_PATHS this processor's family and compiler have, for C as core/cpu_paths.def.
include(CheckCCompilerFlag)
set(paths vec128)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  list(APPEND paths avx2 avxvnni avx512 avx512vnni)
  check_c_compiler_flag("-mamx-tile -mamx-int8 -mamx-bf16" has_amx_flags)
  # Its table is that of AVX-512 with VNNI, but for products of bytes and of floats in parts.
  if(has_amx_flags AND CMAKE_SYSTEM_NAME STREQUAL Linux AND "avx512vnni" IN_LIST OCLITE_CPU_PATHS)
    list(APPEND paths avx512amx)
  endif()
endif()
set(OCLITE_BUILT_CPU_PATHS "")
set(text "// One line per set of micro kernels that this build has: CPU_PATH(kLiteCpu<Name>, lite_micro_<name>).\n")
foreach(pair vec128:Vec128 avx2:Avx2 avxvnni:AvxVnni avx512:Avx512 avx512vnni:Avx512Vnni avx512amx:Avx512Amx)
  string(REGEX MATCH "^[^:]*" path ${pair})
  string(REGEX MATCH "[^:]*$" name ${pair})
  if(path IN_LIST paths AND path IN_LIST OCLITE_CPU_PATHS)
    list(APPEND OCLITE_BUILT_CPU_PATHS ${path})
    string(APPEND text "CPU_PATH(${name}, ${path})\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/core/cpu_paths.def CONTENT "${text}#undef CPU_PATH\n" @ONLY)
