// SPDX-License-Identifier: Apache-2.0
// Reads expressions of declarations (declaration.h), written as in C: ?: || && == != < <= > >= + - * / % !
// and parentheses.
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

#include "delegate-opencl/custom/expression_terms.h"
#include "delegate-opencl/custom/text.h"

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

#endif
