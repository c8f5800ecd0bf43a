// SPDX-License-Identifier: Apache-2.0
// A delegate with asynchronous execution on a CPU thread of its own: it takes all "Twice" operators of a
// graph of the fixture, reads and writes buffers of the program, and has synchronization objects.
#ifndef TESTS_API_ASYNC_BACKEND_H_
#define TESTS_API_ASYNC_BACKEND_H_

#include <stdbool.h>
#include <stddef.h>

#include "tensorflow/lite/async/c/async_kernel.h"

// The type of its buffers: what a TfLiteBackendBuffer points to.
#define BACKEND_MEMORY "backend_memory"
typedef struct BackendMemory {
    unsigned char* data;
    size_t size;
} BackendMemory;

// The type of its synchronization objects: what a TfLiteSynchronization points to.
#define BACKEND_FENCE "backend_fence"
typedef struct BackendFence BackendFence;
BackendFence* backend_fence_create(void);
void backend_fence_signal(BackendFence* fence);
void backend_fence_wait(BackendFence* fence);
void backend_fence_close(BackendFence* fence); // frees it

// What the delegate demands of each buffer.
enum { kBackendAlignment = 16 };

// How the delegate gives its async kernel to the runtime.
typedef enum BackendForm {
    kBackendOperator,     // TfLiteOperatorSetAsyncKernel
    kBackendWithData,     // TfLiteOperatorSetAsyncKernelWithData
    kBackendRegistration, // TfLiteRegistration.async_kernel
    kBackendNone,         // not at all
    kBackendEmpty,        // a kernel without functions
} BackendForm;

// Its behaviour, and what happened.
typedef struct Backend {
    BackendForm form;
    int most_nodes; // takes no more nodes than this; 0: all
    TfLiteStatus register_status;
    TfLiteStatus eval_status;
    TfLiteStatus run_status; // of executions
    TfLiteStatus finish_status;
    int asked;    // for its async kernel
    int kernels;  // alive
    int buffers;  // registered, of all kernels
    int prepares; // calls of the asynchronous prepare
    int waits;
    int finishes;
} Backend;

// Zero-initialised is the usual behaviour. The backend must outlive the delegate.
TfLiteDelegate* backend_create_delegate(Backend* backend);
void backend_delete_delegate(TfLiteDelegate* delegate);

#endif
