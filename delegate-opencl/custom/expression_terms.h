// SPDX-License-Identifier: Apache-2.0
// The parts of expressions that were read (expression.h).
#ifndef DELEGATE_OPENCL_CUSTOM_EXPRESSION_TERMS_H_
#define DELEGATE_OPENCL_CUSTOM_EXPRESSION_TERMS_H_

#include <stdbool.h>
#include <stdint.h>

// A part of an expression. `a`, `b` and `c` are the indices of its own parts, which come before it.
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

// Kinds of terms.
enum {
    kTermNumber = 1,
    kTermInput, // of formulas: an element
    kTermOption,
    kTermRank,
    kTermElements,
    kTermZeroPoint,
    kTermDim, // a: which
    kTermCall,
    kTermNegative,
    kTermNot,
    kTermOr,
    kTermAnd,
    kTermEqual,
    kTermNotEqual,
    kTermLessEqual,
    kTermGreaterEqual,
    kTermLess,
    kTermGreater,
    kTermAdd,
    kTermSubtract,
    kTermMultiply,
    kTermDivide,
    kTermRemainder,
    kTermChoice, // a ? b : c
};

typedef struct LiteClFunction {
    const char* name;
    int arguments;
    float (*compute)(float x, float y, float z);
    const char* device; // in OpenCL C
} LiteClFunction;

// The functions of functions.def.
extern const LiteClFunction lite_cl_functions[];
// The index of one, -1 when none has that name. Sizes have three: min, max and abs.
int lite_cl_function_find(const char* name, bool of_sizes);

#endif
