// SPDX-License-Identifier: Apache-2.0
// The asynchronous kernel of async_backend.h: y = 2^n x for n operators that it replaces, on a thread of its
// own.
#ifndef TESTS_API_ASYNC_KERNEL_H_
#define TESTS_API_ASYNC_KERNEL_H_

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "tensorflow/lite/async/c/async_kernel.h"
#include "tests/api/async_fence.h"

// The type of its buffers: what a TfLiteBackendBuffer points to.
#define BACKEND_MEMORY "backend_memory"
typedef struct BackendMemory {
    unsigned char* data;
    size_t size;
} BackendMemory;

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

// The behaviour of a delegate, and what happened. Zero-initialised is the usual behaviour.
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

// One input, one output.
enum { kBackendInput, kBackendOutput };
enum { kBackendMostBuffers = 16 };

typedef struct BackendBuffer {
    bool used;
    TfLiteBufferHandle handle;
    TfLiteBufferHandle pool; // of a slice; kTfLiteNullBufferHandle
    unsigned char* data;
    size_t size;
} BackendBuffer;

typedef struct BackendKernel {
    Backend* backend;
    TfLiteAsyncKernel* async;
    int nodes;
    int tensors[2]; // kBackendInput, kBackendOutput
    size_t bytes[2];
    bool fences[2]; // agreed on
    bool prepared;
    BackendBuffer buffers[kBackendMostBuffers];
    pthread_t worker;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct BackendJob* first; // waiting
    bool stopping;
} BackendKernel;

// Starts the thread; ends it.
BackendKernel* backend_kernel_create(Backend* backend, int nodes);
void backend_kernel_destroy(BackendKernel* kernel);

#endif
