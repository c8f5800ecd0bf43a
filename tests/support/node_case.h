// SPDX-License-Identifier: Apache-2.0
// Tests of models of one operator, as a table of cases: inputs, options, and the expected outputs or error.
//
//     static const NodeCase cases[] = {
//         {.custom_name = "Reverse",
//          .inputs = {STRINGS(DIMS(2), "ab", "c")},
//          .outputs = {STRINGS(DIMS(2), "ba", "c")}},
//         {.custom_name = "Reverse",
//          .inputs = {NUMBERS(Int32, DIMS(1), 3)},
//          .outputs = {STRINGS(DIMS(1), "")},
//          .message = "input of type INT32"},
//     };
//
// Tables stand outside of functions: only there are their arrays constants.
#ifndef TESTS_SUPPORT_NODE_CASE_H_
#define TESTS_SUPPORT_NODE_CASE_H_

#include "tensorflow/lite/c/c_api.h"
#include "tests/support/model_builder.h"

// A case sets only the fields that it is about; the others are 0.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

enum { kNodeInputs = 6, kNodeOutputs = 4, kNodeOptions = 4 };

// A tensor and its elements: numbers, strings, or COMPLEX64 with two numbers for each element.
typedef struct NodeValue {
    TfLiteType type; // kTfLiteNoType ends a list
    int rank;
    int32_t dims[5];
    const char* const* strings;
    const double* numbers; // if both are NULL, an input is zero and an output is not compared
    bool constant;         // of an input: it is stored in the model
    bool differs;          // of an output: its elements must differ
    float scale;           // 0: the tensor is not quantized
    int32_t zero_point;
} NodeValue;

#define DIMS(...) .dims = {__VA_ARGS__}, .rank = sizeof((int[]){__VA_ARGS__}) / sizeof(int)
#define SCALAR .rank = 0
#define STRINGS(shape, ...)                                                                                  \
    {                                                                                                        \
        .type = kTfLiteString, shape, .strings = (const char* const[]) {                                     \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define NUMBERS(Type, shape, ...)                                                                            \
    {                                                                                                        \
        .type = kTfLite##Type, shape, .numbers = (const double[]) {                                          \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define CONSTANT(Type, shape, ...)                                                                           \
    { .type = kTfLite##Type, shape, .numbers = (const double[]){__VA_ARGS__}, .constant = true }
#define SHAPED(Type, shape)                                                                                  \
    { .type = kTfLite##Type, shape }
// Row splits: a vector of INT64.
#define SPLITS(...)                                                                                          \
    NUMBERS(Int64, .rank = 1 COMMA_.dims = {sizeof((double[]){__VA_ARGS__}) / sizeof(double)}, __VA_ARGS__)
#define COMMA_ ,

// A parameter of a custom operator: a text, a list of texts, a vector of integers, or a number when all are
// NULL.
typedef struct NodeOption {
    const char* key; // NULL ends a list
    double number;
    const char* text;
    const char* const* texts; // ends with NULL
    const int* numbers;       // ends with NODE_END
} NodeOption;

#define NODE_END INT32_MIN

typedef struct NodeCase {
    TfLiteBuiltinOperator code;
    const void* params;
    const char* custom_name;
    NodeOption options[kNodeOptions];
    NodeValue inputs[kNodeInputs];
    NodeValue outputs[kNodeOutputs];
    const char* message; // part of the expected message; NULL: the case runs
    const void* bytes;   // the custom operator's options as bytes, in place of `options`
    size_t byte_count;
} NodeCase;

typedef TfLiteStatus (*NodeSetup)(TfLiteInterpreterOptions* options);

// The model of a case, its interpreter and its messages; node_close releases them. `setup` adds operators;
// NULL adds none.
typedef struct NodeRun {
    uint8_t* bytes;
    TfLiteModel* model;
    TfLiteInterpreterOptions* options;
    TfLiteInterpreter* interpreter;
    char messages[4096];
} NodeRun;

void node_open(NodeRun* run, const NodeCase* c, NodeSetup setup);
void node_close(NodeRun* run);
// Allocates, writes the inputs and invokes.
TfLiteStatus node_invoke(NodeRun* run, const NodeCase* c);
// Asserts the contents of an output; floats to a relative error of 1e-5.
void node_expect(const NodeRun* run, int output, const NodeValue* value);
// Writes an input. A string tensor takes its shape from the value.
void node_write(const NodeRun* run, int input, const NodeValue* value);

// Runs each case and fails the running test when the outcome is not the expected one. Tensors are limited to
// 1 MiB.
void node_check(const NodeCase* cases, size_t count, NodeSetup setup);

// The same with the OpenCL delegate, which must take at least one of the nodes. The test is skipped where
// there is no device.
void node_check_opencl(const NodeCase* cases, size_t count);
// For other tests with the delegate: call node_require_opencl first, which skips the test without a device,
// pass node_use_opencl as the setup, and call node_release_opencl at the end.
void node_require_opencl(void);
TfLiteStatus node_use_opencl(TfLiteInterpreterOptions* options);
void node_release_opencl(void);

#define NODE_CHECK(cases, setup) node_check(cases, sizeof(cases) / sizeof((cases)[0]), setup)

#endif
