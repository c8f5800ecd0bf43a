// SPDX-License-Identifier: Apache-2.0
// Tests of models of one operator whose parameters, shapes or numbers make no sense, as a table of cases:
//
//     static const HostileCase cases[] = {
//         {kTfLiteBuiltinSplit, PARAMS(Split, -1), {INT(0), FLOATS(4)}, FLOATS(4), "splits into -1 parts"},
//     };
#ifndef TESTS_SUPPORT_HOSTILE_CASE_H_
#define TESTS_SUPPORT_HOSTILE_CASE_H_

#include "tests/support/model_builder.h"

// A case sets only the parameters that it is about; the others are 0.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

enum { kHostileInputs = 5 };

typedef struct HostileCase {
    TfLiteBuiltinOperator code;
    const void* params;
    BuilderTensor inputs[kHostileInputs]; // the first without a type ends the list; a negative rank: absent
    BuilderTensor output;
    const char* message; // part of the expected message; NULL: the case runs
    int version;         // 0: 1
} HostileCase;

#define PARAMS(Name, ...) (&(const TfLite##Name##Params){__VA_ARGS__})
#define DIMS(...) .dims = {__VA_ARGS__}, .rank = sizeof((int[]){__VA_ARGS__}) / sizeof(int)
#define SCALAR .rank = 0
#define TENSOR(Type, ...)                                                                                    \
    { .type = kTfLite##Type, __VA_ARGS__ }
#define FLOATS(...) TENSOR(Float32, DIMS(__VA_ARGS__))
#define Q8(...) TENSOR(Int8, DIMS(__VA_ARGS__), .scale = 0.5f)
#define INTS(...)                                                                                            \
    {                                                                                                        \
        .type = kTfLiteInt32, .rank = 1, .dims = {sizeof((int[]){__VA_ARGS__}) / sizeof(int)},               \
        .data = (const int32_t[]){__VA_ARGS__}, .bytes = sizeof((int[]){__VA_ARGS__})                        \
    }
#define INT(value)                                                                                           \
    { .type = kTfLiteInt32, .rank = 0, .data = (const int32_t[]){value}, .bytes = 4 }

#define ABSENT TENSOR(Float32, .rank = -1)
#define STATE(...) TENSOR(Float32, DIMS(__VA_ARGS__), .is_variable = true)
#define SCALARF TENSOR(Float32, SCALAR)
// The first two numbers are the dimensions.
#define INTS2(rows, columns, ...)                                                                            \
    {                                                                                                        \
        .type = kTfLiteInt32, .rank = 2, .dims = {rows, columns}, .data = (const int32_t[]){__VA_ARGS__},    \
        .bytes = sizeof((int[]){__VA_ARGS__})                                                                \
    }

// Allocates and invokes each model. Inputs that are not constants are zero, and tensors are limited to 1 MiB.
// Fails the running test when the outcome is not the expected one. The environment variable HOSTILE_ON
// selects a variant:
// - opencl: the OpenCL delegate is applied. What it takes, or refuses in prepare, ends with the CPU's
//   message.
// - runtime: another operator computes the constants of the case, so that nobody sees them before the
//   inference.
// - dynamic: as runtime, and their shapes are not known before the inference either.
void hostile_check(const HostileCase* cases, size_t count);

// Each case must succeed. Then the ranks and lengths of its tensors are changed, one or two at a time, to
// values that are often forgotten. Each variant must give a result, or an error with a message. (Sanitizers
// see whether anything else happens; divisions by 0 end any program.)
void hostile_vary(const HostileCase* cases, size_t count);

#endif
