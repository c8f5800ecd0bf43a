// SPDX-License-Identifier: Apache-2.0
// Operators of models that work on images, for resolvers:
//
//     tflite::ops::builtin::BuiltinOpResolver resolver;
//     tflite::ops::custom::AddPerceptionOps(&resolver);
//
// DenseImageWarp and MaxPoolWithArgmax are in liboclite_custom_ops (oclite/custom_ops.h), MaxUnpooling2D is
// in liboclite. Link with both. The registrations live as long as the libraries are loaded.
#ifndef TENSORFLOW_LITE_KERNELS_PERCEPTION_PERCEPTION_OPS_H_
#define TENSORFLOW_LITE_KERNELS_PERCEPTION_PERCEPTION_OPS_H_

#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite {
namespace ops {
namespace custom {

TfLiteRegistration* RegisterDenseImageWarp();
TfLiteRegistration* RegisterMaxPoolWithArgmax();
TfLiteRegistration* RegisterMaxUnpooling2D();

extern "C" inline void AddPerceptionOps(::tflite::MutableOpResolver* resolver) {
    resolver->AddCustom("DenseImageWarp", RegisterDenseImageWarp());
    resolver->AddCustom("MaxPoolWithArgmax", RegisterMaxPoolWithArgmax());
    resolver->AddCustom("MaxUnpooling2D", RegisterMaxUnpooling2D());
}

} // namespace custom
} // namespace ops
} // namespace tflite

#endif
