// SPDX-License-Identifier: Apache-2.0
// What the reader of expressions and those who compute them share.
#ifndef DELEGATE_OPENCL_CUSTOM_EXPRESSION_TERMS_H_
#define DELEGATE_OPENCL_CUSTOM_EXPRESSION_TERMS_H_

#include "delegate-opencl/custom/expression.h"

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

const LiteClFunction* lite_cl_function(int index);
// -1: there is none. Of sizes there are three.
int lite_cl_function_find(const char* name, bool of_sizes);

#endif
