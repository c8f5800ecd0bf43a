# Forwarding headers for the other spellings under which programs include the API:
#   tflite/…, tensorflow/lite/core/…, tflite/core/…, third_party/tensorflow/lite/…   ->   tensorflow/lite/…
# Only the schema's header, for which a program may have its own one behind ours, looks for that first.
function(oclite_forward spelling target)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/include/${spelling})
    set(next "")
    if(spelling MATCHES "schema_generated.h$")
      set(next "#if __has_include_next(<${spelling}>)\n#include_next <${spelling}>\n#endif\n")
    endif()
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/include/${spelling}
      CONTENT "// Forwards to the header's home.\n${next}#include \"${target}\"  // IWYU pragma: export\n" @ONLY)
  endif()
endfunction()

file(GLOB_RECURSE homes RELATIVE ${PROJECT_SOURCE_DIR}/include/tensorflow/lite CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/include/tensorflow/lite/*.h)
foreach(header ${homes})
  set(spellings tflite/${header} third_party/tensorflow/lite/${header})
  if(header MATCHES "^(c|async)/")
    list(APPEND spellings tensorflow/lite/core/${header} tflite/core/${header}
      third_party/tensorflow/lite/core/${header})
  endif()
  foreach(spelling ${spellings})
    oclite_forward(${spelling} tensorflow/lite/${header})
  endforeach()
endforeach()

# Where some of them were before, or have moved to since.
foreach(folder tensorflow/lite/converter/core/c tflite/converter/core/c tensorflow/compiler/mlir/lite/core/c)
  oclite_forward(${folder}/builtin_op_data.h tensorflow/lite/c/builtin_op_data.h)
  oclite_forward(${folder}/tflite_types.h tensorflow/lite/c/c_api_types.h)
endforeach()
oclite_forward(tensorflow/lite/core/c/registration_external.h tensorflow/lite/c/operator.h)
foreach(folder tensorflow/compiler/mlir/lite tflite/converter)
  oclite_forward(${folder}/allocation.h tensorflow/lite/allocation.h)
  oclite_forward(${folder}/core/api/error_reporter.h tensorflow/lite/core/api/error_reporter.h)
  oclite_forward(${folder}/core/api/verifier.h tensorflow/lite/core/api/verifier.h)
  oclite_forward(${folder}/core/model_builder_base.h tensorflow/lite/model_builder.h)
endforeach()

# The C++ API.
foreach(header allocation.h array.h interpreter.h interpreter_builder.h interpreter_options.h model.h model_builder.h
        mutable_op_resolver.h mutable_op_resolver_utils.h op_resolver.h optional_debug_tools.h
        portable_type_to_tflitetype.h signature_runner.h stderr_reporter.h string_type.h string_util.h
        type_to_tflitetype.h util.h create_op_resolver.h kernels/kernel_util.h kernels/register.h
        kernels/builtin_op_kernels.h kernels/internal/tensor_ctypes.h schema/schema_generated.h core/api/error_reporter.h
        core/api/op_resolver.h core/api/verifier.h core/subgraph.h internal/signature_def.h)
  oclite_forward(tflite/${header} tensorflow/lite/${header})
  oclite_forward(third_party/tensorflow/lite/${header} tensorflow/lite/${header})
endforeach()
foreach(header interpreter.h interpreter_builder.h model.h model_builder.h signature_runner.h create_op_resolver.h
        kernels/builtin_op_kernels.h kernels/register.h)
  foreach(folder tflite/core tensorflow/lite/core third_party/tensorflow/lite/core)
    oclite_forward(${folder}/${header} tensorflow/lite/${header})
  endforeach()
endforeach()
foreach(folder tflite tensorflow/lite third_party/tensorflow/lite)
  oclite_forward(${folder}/error_reporter.h tensorflow/lite/core/api/error_reporter.h)
endforeach()
