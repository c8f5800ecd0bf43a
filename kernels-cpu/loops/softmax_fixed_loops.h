// SPDX-License-Identifier: Apache-2.0
// Rows of 8-bit elements of SOFTMAX and LOG_SOFTMAX, and of INT16 of SOFTMAX.
#ifndef KERNELS_CPU_LOOPS_SOFTMAX_FIXED_LOOPS_H_
#define KERNELS_CPU_LOOPS_SOFTMAX_FIXED_LOOPS_H_

#include "kernels-cpu/support/softmax_fixed.h"
#include "tensorflow/lite/c/c_api_types.h"

// Rows of UINT8 or INT8 elements. The results are of the same type, or INT16 without the logarithm.
typedef void (*LiteSoftmaxFixedRows)(const LiteSoftmaxFixed* fixed, const void* in, int64_t rows,
                                     int64_t depth, void* out);
LiteSoftmaxFixedRows lite_softmax_fixed_rows(TfLiteType input, TfLiteType output, bool logarithm);

// Rows of INT16.
typedef void (*LiteSoftmax16Rows)(const LiteSoftmaxTable16* table, const int16_t* in, int64_t rows,
                                  int64_t depth, int16_t* out);
LiteSoftmax16Rows lite_softmax_16_rows(void);

#endif
