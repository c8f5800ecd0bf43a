// SPDX-License-Identifier: Apache-2.0
// Expressions of declarations (declaration.h), written as in C: ?: || && == != < <= > >= + - * / % ! and
// parentheses.
//
// Sizes are computed in 64-bit integers, where overflow and division by zero are refusals. They know
//   NAME.rank  NAME.elements  NAME.dims[SIZE]  NAME.zero_point     of a tensor; dims[-1] is the last one
//   NAME                                                           of an option of integers
//   min(a, b)  max(a, b)  abs(a)
// Formulas are computed in floats, for each element. They know
//   NAME                                                           of an input: its element; of an option
//   the functions of functions.def
// Where a size is asked for, a number with a point is none.
#ifndef DELEGATE_OPENCL_CUSTOM_EXPRESSION_H_
#define DELEGATE_OPENCL_CUSTOM_EXPRESSION_H_

#include <stdint.h>

#include "delegate-opencl/custom/text.h"

// A part of an expression; `a`, `b` and `c` are others, which stand before it.
typedef struct LiteClTerm {
    uint8_t kind;
    int16_t index; // of a tensor, option or function
    int16_t a, b, c;
    double number;
} LiteClTerm;

enum { LITE_CL_TERMS = 256 };

// The expressions of a declaration; each is the index of its outermost term.
typedef struct LiteClTerms {
    int count;
    LiteClTerm terms[LITE_CL_TERMS];
} LiteClTerms;

// What names mean in an expression.
typedef struct LiteClScope {
    bool is_formula;
    int tensor_count;
    const char (*tensors)[LITE_CL_NAME];
    int option_count;
    const char (*options)[LITE_CL_NAME];
    const bool* option_is_real;
} LiteClScope;

// Reads one; false after a report.
bool lite_cl_expression_read(LiteClText* text, const LiteClScope* scope, LiteClTerms* terms, int* expression);

// What a size depends on.
typedef struct LiteClSizes {
    const struct LiteClNode* node;
    const int8_t* places; // of each tensor of the scope in the node: inputs from 0 on, outputs as -1 - index
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
// In words, "" for kLiteClSizeFine.
const char* lite_cl_size_fault(LiteClSizeFault fault);

// A formula as OpenCL C of floats: the element of input i is called x<i>, option i o<i>. False when it does
// not fit.
bool lite_cl_expression_print(const LiteClTerms* terms, int expression, char* to, size_t size);

enum { LITE_CL_FORMULA_BLOCK = 64 };
// A formula on the host for at most LITE_CL_FORMULA_BLOCK elements, inputs[i] being those of input i.
void lite_cl_expression_compute(const LiteClTerms* terms, int expression, const float* const* inputs,
                                const double* options, int count, float* results);

#endif
