// SPDX-License-Identifier: Apache-2.0
// Binary operators on quantized numbers: which row function, with which parameters.
#ifndef KERNELS_CPU_QUANTIZED_BINARY_QUANTIZED_H_
#define KERNELS_CPU_QUANTIZED_BINARY_QUANTIZED_H_

#include "kernels-cpu/loops/binary_quantized_loops.h"

// Fills in `tables` for op and chooses its function. `pot_scale` is the parameter pot_scale_int16. An
// error when quantizations are not supported.
TfLiteStatus lite_binary_quantized(TfLiteOpaqueContext* context, const char* name, LiteBinary op,
                                   const LiteView inputs[2], const LiteView* output,
                                   TfLiteFusedActivation activation, bool pot_scale, LiteBinaryTables* tables,
                                   LiteRowFunction* function);

#endif
