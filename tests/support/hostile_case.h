// SPDX-License-Identifier: Apache-2.0
// Tests of models of one operator whose parameters, shapes or numbers make no sense, as a table of cases:
//
//     static const HostileCase cases[] = {
//         {kTfLiteBuiltinSplit, PARAMS(Split, -1), {INT(0), FLOATS(4)}, FLOATS(4), "splits into -1 parts"},
//     };
#ifndef TESTS_SUPPORT_HOSTILE_CASE_H_
#define TESTS_SUPPORT_HOSTILE_CASE_H_

#include "tests/support/model_builder.h"

// Parameters that a case is not about are 0.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

enum { kHostileInputs = 5 };

typedef struct HostileCase {
    TfLiteBuiltinOperator code;
    const void* params;
    BuilderTensor inputs[kHostileInputs]; // until the first without a type; a negative rank: absent
    BuilderTensor output;
    const char* message; // part of one of the messages; NULL: it runs
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

// Allocates and invokes each model, inputs that are no constants being zeros, tensors limited to 1 MiB. Fails
// the test that runs when the outcome is not the expected one. The variable HOSTILE_ON of the environment
// holds
//   opencl   the OpenCL delegate is applied: what it takes, or refuses when it is prepared, ends with the
//   CPU's words; runtime  another operator computes what is constant in the case: nobody sees it before the
//   invocation; dynamic  the same, and its shape is not known earlier either.
void hostile_check(const HostileCase* cases, size_t count);

// Each case succeeds; then ranks and lengths of its tensors are changed, one or two at a time, to such as are
// often forgotten. Each result is one, or an error with a message. (That nothing else happens is for
// sanitizers to see, but for divisions by 0, which end any program.)
void hostile_vary(const HostileCase* cases, size_t count);

#endif
