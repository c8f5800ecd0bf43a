// SPDX-License-Identifier: Apache-2.0
// Models of one operator that computes for long, for the tests of cancelling.
#ifndef TESTS_API_CANCEL_CASES_H_
#define TESTS_API_CANCEL_CASES_H_

#include "tests/support/model_builder.h"

typedef enum CancelFill {
    kFillZeros,
    kFillOnes,
    kFillCount,  // 0, 1, 2, …
    kFillRandom, // small numbers, none of them negative
    kFillBoxes,  // none overlaps another
} CancelFill;

typedef struct CancelTensor {
    TfLiteType type; // kTfLiteNoType: the list is over
    int32_t dims[6]; // up to the first 0
    CancelFill fill;
    float scale;
    const void* data; // of a small constant; NULL: an input, or, with `constant`, zeros
    bool constant;
    bool variable;
} CancelTensor;

typedef struct CancelCase {
    const char* name;
    TfLiteBuiltinOperator code;
    const char* custom;
    const void* params;
    CancelTensor inputs[8];
    CancelTensor outputs[4];
    int threads;
} CancelCase;

// At least a second each on one thread; and at least some ten milliseconds. Both end with a name of NULL.
extern const CancelCase cancel_long_cases[];
extern const CancelCase cancel_short_cases[];

// What is too large to be written down stays in memory until cancel_case_free.
ModelBuilder* cancel_case_build(const CancelCase* a_case);
void cancel_case_free(void);
// Gives the contents of an input.
void cancel_case_fill(const CancelTensor* tensor, void* data, size_t bytes);

#endif
