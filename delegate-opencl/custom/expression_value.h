// SPDX-License-Identifier: Apache-2.0
// Values of expressions: sizes on the host, formulas on the host and as OpenCL C.
#ifndef DELEGATE_OPENCL_CUSTOM_EXPRESSION_VALUE_H_
#define DELEGATE_OPENCL_CUSTOM_EXPRESSION_VALUE_H_

#include <stddef.h>

#include "delegate-opencl/custom/expression_terms.h"

// What a size depends on.
typedef struct LiteClSizes {
    const struct LiteClNode* node;
    const int8_t* places; // of each tensor of the scope in the node: inputs from 0, outputs as -1 - index
    const double* options;
} LiteClSizes;

typedef enum LiteClSizeFault {
    kLiteClSizeFine,
    kLiteClSizeDivides, // by zero
    kLiteClSizeOverflows,
    kLiteClSizeNoDimension,
    kLiteClSizeAbsent, // an optional input
} LiteClSizeFault;
LiteClSizeFault lite_cl_expression_size(const LiteClTerms* terms, int expression, const LiteClSizes* sizes,
                                        int64_t* size);
// The fault in words, "" for kLiteClSizeFine.
const char* lite_cl_size_fault(LiteClSizeFault fault);

// Prints a formula as OpenCL C of floats. The element of input i is called x<i>, option i is called o<i>.
// False when the text does not fit.
bool lite_cl_expression_print(const LiteClTerms* terms, int expression, char* to, size_t size);

enum { LITE_CL_FORMULA_BLOCK = 64 };
// Computes a formula on the host for at most LITE_CL_FORMULA_BLOCK elements. inputs[i] are the elements of
// input i.
void lite_cl_expression_compute(const LiteClTerms* terms, int expression, const float* const* inputs,
                                const double* options, int count, float* results);

#endif
