// SPDX-License-Identifier: Apache-2.0
// A model built in C and a program that runs it through the public API, with its messages.
#ifndef TESTS_API_PROGRAM_H_
#define TESTS_API_PROGRAM_H_

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/support/model_builder.h"

typedef struct Program {
    TfLiteModel* model;
    TfLiteInterpreter* interpreter;
    uint8_t* bytes; // the model's
    char messages[8192];
} Program;

// Ends the builder. `options` may be NULL; they get a reporter and are deleted. The model must be
// well-formed; the interpreter is NULL when it could not be created.
void program_open(Program* program, ModelBuilder* builder, TfLiteInterpreterOptions* options);
void program_close(Program* program);

// Asserts that a message was reported since the last call, and forgets all messages.
void program_expect_message(Program* program, const char* part);

// Writes the elements of a float input; allocates the main graph and invokes it; asserts what float output
// `output` holds, and that its shape is [count].
void program_write(Program* program, int input, int count, const float* values);
void program_run(Program* program);
void program_expect(Program* program, int output, int count, const float* values);
// The same for tensors found otherwise.
void tensor_write(TfLiteTensor* tensor, int count, const float* values);
void tensor_expect(const TfLiteTensor* tensor, int count, const float* values);

#define VALUES(...)                                                                                          \
    (int)(sizeof(float[]){__VA_ARGS__} / sizeof(float)), (const float[]) {                                   \
        __VA_ARGS__                                                                                          \
    }

// Shorthands for building. A float vector; one whose size the model leaves open; a constant one.
int float_tensor(ModelBuilder* builder, int count);
int open_tensor(ModelBuilder* builder, int count);
int float_constant(ModelBuilder* builder, int count, const float* values); // `values` must live on
int typed_tensor(ModelBuilder* builder, TfLiteType type, int count);       // count 0: a scalar
void add_node(ModelBuilder* builder, TfLiteBuiltinOperator code, BuilderInts inputs, BuilderInts outputs,
              const void* params);
void add_custom(ModelBuilder* builder, const char* name, BuilderInts inputs, BuilderInts outputs);
// Ends the present subgraph.
void set_io(ModelBuilder* builder, BuilderInts inputs, BuilderInts outputs);

#define INTS(...) ((BuilderInts){(int)(sizeof(int32_t[]){__VA_ARGS__} / sizeof(int32_t)), {__VA_ARGS__}})
#define NO_INTS ((BuilderInts){0})

// Operators out of functions of the opaque API. They live until program_close.
typedef TfLiteStatus (*NodeFunction)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
TfLiteOperator* make_operator(const char* name, NodeFunction prepare, NodeFunction invoke);
TfLiteInterpreterOptions* options_with(TfLiteOperator* op);

// A prepare that gives output 0 the shape of input 0.
TfLiteStatus prepare_same_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
TfLiteStatus prepare_nothing(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
// y = x + 1.
TfLiteStatus invoke_plus_one(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);

#endif
