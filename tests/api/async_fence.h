// SPDX-License-Identifier: Apache-2.0
// The synchronization objects of async_backend.h.
#ifndef TESTS_API_ASYNC_FENCE_H_
#define TESTS_API_ASYNC_FENCE_H_

// Their type, and what a TfLiteSynchronization points to.
#define BACKEND_FENCE "backend_fence"
typedef struct BackendFence BackendFence;

BackendFence* backend_fence_create(void);
void backend_fence_signal(BackendFence* fence);
void backend_fence_wait(BackendFence* fence);
void backend_fence_close(BackendFence* fence); // frees it

#endif
