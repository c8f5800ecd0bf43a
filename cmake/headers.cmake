# Forwarding headers for the other spellings under which programs include the API:
#   tflite/…, tensorflow/lite/core/…, third_party/tensorflow/lite/…   ->   tensorflow/lite/…
function(oclite_forward spelling target)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/include/${spelling}
    CONTENT "// Forwards to the header's home.\n#include \"${target}\"  // IWYU pragma: export\n" @ONLY)
endfunction()

set(OCLITE_C_HEADERS builtin_op_data.h c_api.h c_api_experimental.h c_api_opaque.h c_api_types.h common.h operator.h)
foreach(header ${OCLITE_C_HEADERS})
  foreach(folder tflite/c tflite/core/c tensorflow/lite/core/c third_party/tensorflow/lite/c
          third_party/tensorflow/lite/core/c)
    oclite_forward(${folder}/${header} tensorflow/lite/c/${header})
  endforeach()
endforeach()
foreach(header builtin_ops.h delegates/gpu/delegate.h delegates/gpu/delegate_options.h
        delegates/external/external_delegate.h delegates/external/external_delegate_interface.h)
  oclite_forward(tflite/${header} tensorflow/lite/${header})
  oclite_forward(third_party/tensorflow/lite/${header} tensorflow/lite/${header})
endforeach()
