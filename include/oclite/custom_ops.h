// SPDX-License-Identifier: Apache-2.0
// Custom operators of LiteRT's own tree that are not among its builtin ones. They are in a library of their
// own, liboclite_custom_ops, which uses only the public API, as any program's operators do.
//
//     TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
//     if (oclite_custom_ops_add_operators(options) != kTfLiteOk) ...
//     TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
//
// It also exports oclite_add_operators (oclite/operators.h), by which `oclite run --operators` loads it. C++
// programs have the functions of tflite/kernels/custom_ops_register.h and
// tflite/kernels/perception/perception_ops.h.
//
// The operators, their inputs -> outputs:
//
// Roll
//     Elements, shifts and axes (INT32 or INT64, scalars or vectors of one length) -> the elements, each
//     moved by the shift along the axis; those that leave at the end come back at the beginning. FLOAT32,
//     INT8, INT16, INT32, INT64, UINT8, BOOL and strings. An axis that the input does not have is an error.
// MaxPool3D and AvgPool3D (also as AveragePool3D)
//     Volumes [batches, depth, height, width, channels] -> pooled ones; FLOAT32, INT8 and INT16, where the
//     output has the input's quantization. Options: ksize and strides, [1, depth, height, width, 1]; padding,
//     SAME or VALID; data_format, NDHWC.
// Multinomial
//     Logits [batches, classes] (FLOAT32 or FLOAT64) and a constant number of samples (INT32) -> classes
//     (INT32 or INT64) drawn at random, each as probable as exp(logit).
// RandomUniform, RandomUniformInt and RandomStandardNormal
//     A shape -> numbers in [0, 1), in [min, max] (inputs 1 and 2), and of mean 0 and deviation 1. FLOAT32
//     and FLOAT64; INT8, INT32 and INT64.
// Irfft2d (also as IRFFT2D)
//     The half of Fourier transforms (COMPLEX64, the last two dimensions) that is not redundant, and two
//     lengths (INT32, powers of two) -> real images (FLOAT32) of these lengths. What is missing is 0, and
//     what is too much is not read.
// Sign, and Atan2 (also as atan2)
//     FLOAT32 and FLOAT64. The two inputs of Atan2 have one shape. The sign of NaN is 0.
// Table
//     INT8 and a table of 256 values, or INT16 and one of 513 values -> the values at the elements; those of
//     INT16 are interpolated.
// UNIDIRECTIONAL_SEQUENCE_GRU
//     Steps [times, batches, features], the first state [batches, units], weights of the gates [2 units,
//     features + units], their bias, weights of the candidates [units, features + units], and their bias ->
//     the state after each step, and the last one. FLOAT32.
// DenseImageWarp
//     Images [batches, height, width, channels] and a flow [batches, height, width, 2] -> images whose pixels
//     come from their place less the flow there (y, x). FLOAT32.
// MaxPoolWithArgmax
//     Images (FLOAT32) -> pooled ones, and where each maximum was: the number of the element (INT32) in its
//     own image. Options: ksize and strides, [1, height, width, 1]; padding, SAME or VALID. MaxUnpooling2D,
//     which puts the values back, is an operator of liboclite.
//
// The generators draw the numbers of a reference that was built with GNU's C++ library. They are the same in
// each interpreter and go on from one inference to the next: these operators have no seed.
//
// For Roll, MaxPool3D, AvgPool3D, Sign, Atan2, Table, DenseImageWarp and MaxPoolWithArgmax there are OpenCL
// kernels in share/oclite/custom_ops, one .cl file each, for the delegate's option custom_ops.
#ifndef OCLITE_CUSTOM_OPS_H_
#define OCLITE_CUSTOM_OPS_H_

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds the operators to `options`, so that interpreters created with these options know them. Returns
// kTfLiteError for NULL and when memory runs out. May be called on any thread.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_custom_ops_add_operators(TfLiteInterpreterOptions* options);

// Returns the operators one by one, from index 0 on. Returns NULL when `index` is out of range, and when
// memory runs out. The operators belong to the library and live as long as it is loaded.
TFL_CAPI_EXPORT extern TfLiteOperator* oclite_custom_ops_operator(int index);

#ifdef __cplusplus
}
#endif

#endif
