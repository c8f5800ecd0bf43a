// SPDX-License-Identifier: Apache-2.0
// A program that runs a chain of "Twice" asynchronously: one graph, the delegate of async_backend.h, and
// buffers for several executions.
#ifndef TESTS_API_ASYNC_PROGRAM_H_
#define TESTS_API_ASYNC_PROGRAM_H_

#include "tensorflow/lite/async/c/async_signature_runner.h"
#include "tensorflow/lite/async/c/task.h"
#include "tensorflow/lite/async/interop/c/constants.h"
#include "tests/api/async_backend.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/fixture.h"

#define assert_ok(call) assert_int_equal(call, kTfLiteOk)
#define assert_fails(call) assert_int_equal(call, kTfLiteError)

enum {
    kSlots = 3,
    kStride = 16, // floats from one input or output to the next
};

typedef struct AsyncProgram {
    Backend* backend;
    TfLiteDelegate* delegate;
    TfLiteInterpreter* interpreter;
    TfLiteAsyncSignatureRunner* runner;
    float* data; // aligned, of kSlots inputs and outputs
    BackendMemory memory;
    TfLiteBufferHandle pool;
    TfLiteBufferHandle input[kSlots];
    TfLiteBufferHandle output[kSlots];
} AsyncProgram;

// An interpreter with cancellation and, unless it is NULL, the delegate. Deletes the model.
TfLiteInterpreter* async_program_open_interpreter(TfLiteModel* model, TfLiteDelegate* delegate);

// Interpreter, runner of the signature "main", and memory, but nothing agreed and no buffers.
AsyncProgram async_program_open(Backend* backend, int nodes);
// Runner and interpreter may be gone already. Checks that nothing is left in the backend.
void async_program_close(AsyncProgram* program);

// Agrees on buffers, and synchronization objects of the given type, for a tensor.
void async_program_agree(const AsyncProgram* program, TfLiteIoType io_type, const char* name,
                         const char* sync_type);
// One buffer, in which each input and output is a slice.
void async_program_register(AsyncProgram* program);
// Both for all tensors, and preparation.
void async_program_set_up(AsyncProgram* program, const char* sync_type);

// A task with the buffers of a slot; and what is in them: `first`, `first` + 1, …, and that times `factor`.
TfLiteExecutionTask* async_program_task(const AsyncProgram* program, int slot);
void async_program_fill(const AsyncProgram* program, int slot, float first);
void async_program_check(const AsyncProgram* program, int slot, float first, float factor);
float* async_program_output(const AsyncProgram* program, int slot);

#endif
