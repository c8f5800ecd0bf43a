// SPDX-License-Identifier: Apache-2.0
// The operators of liboclite_custom_ops (oclite/custom_ops.h) one by one, for resolvers:
//
//     resolver.AddCustom("Roll", tflite::ops::custom::Register_ROLL());
//
// Link with -loclite_custom_ops. The registrations live as long as the library is loaded.
#ifndef TENSORFLOW_LITE_KERNELS_CUSTOM_OPS_REGISTER_H_
#define TENSORFLOW_LITE_KERNELS_CUSTOM_OPS_REGISTER_H_

#include "tensorflow/lite/c/common.h"

namespace tflite {
namespace ops {
namespace custom {

TfLiteRegistration* Register_ATAN2();
TfLiteRegistration* Register_AVG_POOL_3D();
TfLiteRegistration* Register_IRFFT2D();
TfLiteRegistration* Register_MAX_POOL_3D();
TfLiteRegistration* Register_MULTINOMIAL();
TfLiteRegistration* Register_RANDOM_STANDARD_NORMAL();
TfLiteRegistration* Register_RANDOM_UNIFORM();
TfLiteRegistration* Register_RANDOM_UNIFORM_INT();
TfLiteRegistration* Register_ROLL();
TfLiteRegistration* Register_SIGN();
TfLiteRegistration* Register_TABLE();
TfLiteRegistration* Register_UNIDIRECTIONAL_SEQUENCE_GRU();

} // namespace custom
} // namespace ops
} // namespace tflite

#endif
