// SPDX-License-Identifier: Apache-2.0
// Unary operators on quantized integers: which row function, with which parameters.
#ifndef KERNELS_CPU_QUANTIZED_UNARY_QUANTIZED_H_
#define KERNELS_CPU_QUANTIZED_UNARY_QUANTIZED_H_

#include "kernels-cpu/loops/unary_loops.h"

// Fills in `params` (alpha is set already, and who owns it frees its tables) and chooses the function for
// int8, uint8 and int16 tensors with quantization. An error when types or quantizations are not supported.
TfLiteStatus lite_unary_quantized(TfLiteOpaqueContext* context, const char* name, LiteUnary op,
                                  const LiteView* input, const LiteView* output, LiteUnaryParams* params,
                                  LiteRowFunction* function);

#endif
