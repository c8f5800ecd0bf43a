// SPDX-License-Identifier: Apache-2.0
// Checks of tensors: element types and quantization.
#ifndef KERNELS_CPU_SUPPORT_CHECK_H_
#define KERNELS_CPU_SUPPORT_CHECK_H_

#include "core/base/types.h"
#include "kernels-cpu/support/kernel.h"

// The tensor has one of `types` (core/base/types.h), or an error. `what` names the tensor in messages
// ("paddings").
TfLiteStatus lite_check_types(TfLiteOpaqueContext* context, const char* op, const char* what,
                              const LiteView* view, uint32_t types);

// Both have one type, or an error.
TfLiteStatus lite_check_same_type(TfLiteOpaqueContext* context, const char* op, const LiteView* a,
                                  const LiteView* b);

// Scales and zero points agree, or an error: for operators that move quantized values unchanged.
TfLiteStatus lite_check_same_quantization(TfLiteOpaqueContext* context, const char* op, const LiteView* a,
                                          const LiteView* b);

// The same type and, where it is INT8, UINT8 or INT16, quantization.
TfLiteStatus lite_check_same_elements(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                                      const LiteView* output);

// "OP: type … is not supported", kTfLiteError.
TfLiteStatus lite_check_fail_type(TfLiteOpaqueContext* context, const char* op, TfLiteType type);

// Both views have `type`, or an error.
TfLiteStatus lite_check_type(TfLiteOpaqueContext* context, const char* op, const char* what,
                             const LiteView* view, TfLiteType type);

// The view has one scale, finite and over 0, and a zero point within its type's limits.
TfLiteStatus lite_check_quantized(TfLiteOpaqueContext* context, const char* op, const char* what,
                                  const LiteView* view);

// An int16 view has zero point 0.
TfLiteStatus lite_check_symmetric(TfLiteOpaqueContext* context, const char* op, const char* what,
                                  const LiteView* view);

#endif
