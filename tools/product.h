// SPDX-License-Identifier: Apache-2.0
// The rate at which the library itself multiplies matrices: a fully connected layer of 1024 x 1024 constant
// weights and 512 rows (4096 on a GPU), a model that is made in memory.
#ifndef TOOLS_PRODUCT_H_
#define TOOLS_PRODUCT_H_

#include "tensorflow/lite/c/c_api.h"
#include "tools/status.h"

// The models of make_product_models.py, without their weights.
enum { kProductSize = 1024, kProductHead = 1024 };
typedef struct ProductModel {
    const char* name; // "product_float32"
    const char* file; // kProductHead bytes
} ProductModel;
extern const ProductModel product_models[]; // ends with a NULL name

// Operations per second, a multiply-add counting 2, of kTfLiteFloat32 or kTfLiteInt8. With a delegate, one
// that has the option profiling=1, as its device times the kernels; 0 when it does not take the layer. Else
// on the CPU, with `threads` threads.
ToolStatus tool_product_rate(TfLiteDelegate* delegate, int threads, TfLiteType type, double* rate,
                             ToolMessage* message);

#endif
