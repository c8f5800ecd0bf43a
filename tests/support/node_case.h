// SPDX-License-Identifier: Apache-2.0
// Tests of models of one operator as a table of cases: inputs, options, and the expected outputs or error.
//
//     static const NodeCase cases[] = {
//         {.custom_name = "Reverse", .inputs = {STRINGS(DIMS(2), "ab", "c")}, .outputs = {STRINGS(DIMS(2),
//         "ba", "c")}},
//         {.custom_name = "Reverse", .inputs = {NUMBERS(Int32, DIMS(1), 3)}, .outputs = {STRINGS(DIMS(1),
//         "")},
//          .message = "input of type INT32"},
//     };
//
// Tables are outside functions: their arrays are constants only there.
#ifndef TESTS_SUPPORT_NODE_CASE_H_
#define TESTS_SUPPORT_NODE_CASE_H_

#include "tensorflow/lite/c/c_api.h"
#include "tests/support/model_builder.h"

// Fields that a case is not about are 0.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

enum { kNodeInputs = 6, kNodeOutputs = 4, kNodeOptions = 4 };

// A tensor and its elements. FLOAT32, INT32, INT64, strings and, where no constant, UINT8.
typedef struct NodeValue {
    TfLiteType type; // kTfLiteNoType ends a list
    int rank;
    int32_t dims[4];
    const char* const* strings;
    const double* numbers; // both NULL: zeros of an input, any elements of an output
    bool constant;         // of an input: stored in the model
    bool differs;          // of an output: its elements are others
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
// A vector of INT64.
#define SPLITS(...)                                                                                          \
    NUMBERS(Int64, .rank = 1 COMMA_.dims = {sizeof((double[]){__VA_ARGS__}) / sizeof(double)}, __VA_ARGS__)
#define COMMA_ ,

// One parameter of a custom operator: text where there is one, a list of texts, else a number.
typedef struct NodeOption {
    const char* key; // NULL ends a list
    double number;
    const char* text;
    const char* const* texts; // until NULL
} NodeOption;

typedef struct NodeCase {
    TfLiteBuiltinOperator code;
    const void* params;
    const char* custom_name;
    NodeOption options[kNodeOptions];
    NodeValue inputs[kNodeInputs];
    NodeValue outputs[kNodeOutputs];
    const char* message; // part of one of the messages; NULL: it runs
    const void* bytes;   // the custom operator's options as they are, instead of `options`
    size_t byte_count;
} NodeCase;

typedef TfLiteStatus (*NodeSetup)(TfLiteInterpreterOptions* options);

// A model of the case, its interpreter and messages; closed by node_close. `setup` adds operators, NULL none.
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
// Asserts what an output holds; floats to 1e-5 of their size.
void node_expect(const NodeRun* run, int output, const NodeValue* value);
// Writes an input, whose shape a string tensor takes from the value.
void node_write(const NodeRun* run, int input, const NodeValue* value);

// All of it for each case; fails the test that runs when the outcome is not the expected one. Tensors are
// limited to 1 MiB.
void node_check(const NodeCase* cases, size_t count, NodeSetup setup);

// The same with the OpenCL delegate, which has to take at least one of the nodes; the test is skipped where
// there is no device.
void node_check_opencl(const NodeCase* cases, size_t count);
// For other tests with it: begin by require, which skips, give use as the setup, and end by release.
void node_require_opencl(void);
TfLiteStatus node_use_opencl(TfLiteInterpreterOptions* options);
void node_release_opencl(void);

#define NODE_CHECK(cases, setup) node_check(cases, sizeof(cases) / sizeof((cases)[0]), setup)

#endif
