// SPDX-License-Identifier: Apache-2.0
// The rate at which the library itself multiplies matrices. The model is made in memory: a fully connected
// layer of 1024 x 1024 constant weights and 512 rows (4096 on a GPU).
#ifndef TOOLS_COMMON_MATMUL_RATE_H_
#define TOOLS_COMMON_MATMUL_RATE_H_

#include "tensorflow/lite/c/c_api.h"
#include "tools/common/status.h"

// The models of make_matmul_models.py, without their weights.
enum { kMatmulSize = 1024, kMatmulHead = 1024 };
typedef struct MatmulModel {
    const char* name; // "matmul_float32"
    const char* file; // kMatmulHead bytes
} MatmulModel;
extern const MatmulModel matmul_models[]; // ends with a NULL name

// Measures operations per second for kTfLiteFloat32 or kTfLiteInt8; a multiply-add counts 2. With a delegate,
// which must have the option profiling=1, the device times the kernels; the rate is 0 when the delegate does
// not take the layer. Without one, the CPU computes with `threads` threads.
ToolStatus tool_matmul_rate(TfLiteDelegate* delegate, int threads, TfLiteType type, double* rate,
                            ToolMessage* message);

#endif
