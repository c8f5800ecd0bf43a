// SPDX-License-Identifier: Apache-2.0
// Shorthands for graphs that a test builds by itself (oclite/graph.h).
#ifndef TESTS_API_BUILT_H_
#define TESTS_API_BUILT_H_

#include "oclite/graph.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tests/api/fixture.h"

#define LIST(...) (const int[]){__VA_ARGS__}, (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

// An empty interpreter whose messages go to fixture_messages, with `tensors` float vectors of kLength.
TfLiteInterpreter* built_create(int tensors);
// Asserts that fixture_messages has `part`, and forgets all messages.
void built_expect_message(const char* part);

// What the functions take: a vector of `length` elements.
OcliteNewTensor built_vector(TfLiteType type, const int* length);
// An affine quantization from malloc.
TfLiteQuantization built_quantization(int scales, float scale, int zero_points, int zero_point,
                                      int dimension);

// The library's registration of an operator.
const TfLiteRegistration* built_library(TfLiteBuiltinOperator code);
// y = x of floats, by functions of a TfLiteRegistration. Its calls are counted in fixture_calls.
TfLiteRegistration built_copy(void);
// Adds a node of one input and one output.
TfLiteStatus built_add_unary(TfLiteInterpreter* interpreter, int subgraph,
                             const TfLiteRegistration* registration, int input, int output);

// Writes and compares a float tensor of the main graph.
void built_write(TfLiteInterpreter* interpreter, int tensor, const float* values, int count);
void built_expect(TfLiteInterpreter* interpreter, int tensor, const float* values, int count);
#define FLOATS(...) (const float[]){__VA_ARGS__}, (int)(sizeof((const float[]){__VA_ARGS__}) / sizeof(float))

#endif
