// SPDX-License-Identifier: Apache-2.0
// A program that executes graphs asynchronously by the OpenCL delegate, in buffers of its own.
#ifndef TESTS_API_OPENCL_PROGRAM_H_
#define TESTS_API_OPENCL_PROGRAM_H_

#include "delegate-opencl/device/cl.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/async/c/async_signature_runner.h"
#include "tensorflow/lite/async/c/task.h"
#include "tensorflow/lite/async/interop/c/constants.h"
#include "tests/api/cmocka_setup.h"
#include "tests/support/model_builder.h"

#define assert_ok(call) assert_int_equal(call, kTfLiteOk)
#define assert_fails(call) assert_int_equal(call, kTfLiteError)

#define HOST OCLITE_OPENCL_HOST_MEMORY
#define DEVICE OCLITE_OPENCL_CL_MEM

enum { kExitSkipped = 77 };

typedef struct ClProgram {
    uint8_t* bytes; // of the model
    TfLiteModel* model;
    TfLiteDelegate* delegate;
    TfLiteInterpreter* interpreter;
    TfLiteAsyncSignatureRunner* runner;
    const LiteCl* cl;
    cl_context context;
    cl_device_id device;
    cl_command_queue queue; // the program's own
    char messages[4096];
} ClProgram;

// Prints why there is no device.
bool cl_program_possible(void);
// With the model in a file, or, when it is NULL, that of the four tensors below. The runner has only a
// delegate that has taken all.
void cl_program_open(ClProgram* program, const char* file);
// With options for the delegate; the program's queue is the one in there, if any.
void cl_program_open_with(ClProgram* program, const char* file, const OcliteOpenclDelegateOptions* given);
void cl_program_close(ClProgram* program);
// Asserts that a message was reported since the last call, and forgets all.
void cl_program_expect_message(ClProgram* program, const char* part);

// Functions of OpenCL that the delegate has no use for.
cl_event cl_program_user_event(const ClProgram* program);
void cl_program_signal(cl_event event, cl_int status); // CL_COMPLETE or negative
cl_uint cl_program_references(const ClProgram* program, cl_event event);
cl_int cl_program_status(const ClProgram* program, cl_event event);

// A buffer of the program, registered.
typedef struct ClBuffer {
    const char* type;
    size_t count;
    float* host;
    cl_mem memory;
    TfLiteBufferHandle handle;
} ClBuffer;

ClBuffer cl_buffer_create(const ClProgram* program, TfLiteIoType io_type, const char* type, size_t count);
void cl_buffer_destroy(const ClProgram* program, ClBuffer* buffer); // unregisters it, if that succeeds
void cl_buffer_write(const ClProgram* program, const ClBuffer* buffer, const float* values);
void cl_buffer_read(const ClProgram* program, const ClBuffer* buffer, float* values);

// Attributes of a buffer; a size or alignment of 0 is left out.
TfLiteAttributeMap* cl_attributes(const char* type, size_t alignment, size_t offset, size_t size);
// Agrees on a tensor's buffers, of the size that is demanded, and on synchronization objects.
void cl_program_agree(const ClProgram* program, TfLiteIoType io_type, const char* name, const char* type,
                      const char* sync_type);
TfLiteStatus cl_program_register(const ClProgram* program, TfLiteIoType io_type, void* pointer,
                                 const char* type, size_t offset, size_t size, TfLiteBufferHandle* handle);

// The model of four tensors: sum = a + b, product = sum * a.
enum { kA, kB, kSum, kProduct, kTensors, kCount = 256 };
typedef struct ClTensorName {
    TfLiteIoType io_type;
    const char* name;
} ClTensorName;
extern const ClTensorName cl_tensors[kTensors];

// Agrees on all four tensors and prepares.
void cl_program_set_up(const ClProgram* program, const char* const types[kTensors], const char* sync_type);

// One execution: a task and its buffers.
typedef struct ClSlot {
    ClBuffer buffers[kTensors];
    TfLiteExecutionTask* task;
    float first;
} ClSlot;
void cl_slot_open(const ClProgram* program, ClSlot* slot, const char* const types[kTensors], float first);
// Checks the outputs. For one that has run.
void cl_slot_check(const ClProgram* program, const ClSlot* slot);
void cl_slot_run(const ClProgram* program, ClSlot* slot); // schedules, waits, checks
void cl_slot_close(const ClProgram* program, ClSlot* slot);

#endif
