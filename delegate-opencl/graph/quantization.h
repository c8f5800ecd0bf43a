// SPDX-License-Identifier: Apache-2.0
// Copies of the quantization of tensors. Programs may free and replace that of the host's tensors, at which
// each build of a plan looks. Scales and zero points of channels are many, and the same in all interpreters
// of a model: those that are equal are one copy.
#ifndef DELEGATE_OPENCL_GRAPH_QUANTIZATION_H_
#define DELEGATE_OPENCL_GRAPH_QUANTIZATION_H_

#include "tensorflow/lite/c/common.h"

// A copy, to be released; NULL: out of memory. Its scales and zero points are NULL where those of `from` are.
// Thread safe.
const TfLiteAffineQuantization* lite_cl_quantization_copy(const TfLiteAffineQuantization* from);
// NULL does nothing.
void lite_cl_quantization_release(const TfLiteAffineQuantization* copy);

#endif
