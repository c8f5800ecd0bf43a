// SPDX-License-Identifier: Apache-2.0
// The structures of asynchronous execution, whose handles programs, the runtime and delegates hand to each
// other. Attribute maps are in core/base/attributes.h.
#ifndef CORE_BASE_ASYNC_H_
#define CORE_BASE_ASYNC_H_

#include <stdatomic.h>
#include <stddef.h>

#include "tensorflow/lite/async/c/async_kernel.h"

// For this type of external context our contexts return something that is not NULL, other runtimes NULL. A
// delegate asks for it before it gives its kernel to the host, because the objects below look different in
// other runtimes. Change the number whenever a struct of this header or of core/base/attributes.h changes.
enum { kLiteAsyncContext = 0x6f636d };

static inline bool lite_async_understood(TfLiteContext* context) {
    return context->GetExternalContext != NULL &&
           context->GetExternalContext(context, (TfLiteExternalContextType)kLiteAsyncContext) != NULL;
}

struct TfLiteBackendBuffer {
    void* pointer;
};

struct TfLiteSynchronization {
    void* pointer;
};

// The order of the fields is that of the reference, whose runtime looks into it too.
struct TfLiteAsyncKernel {
    void* kernel_data;
    TfLiteStatus (*register_buffer)(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                    TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                    const TfLiteAttributeMap* attrs, TfLiteBufferHandle handle);
    TfLiteStatus (*register_buffer_slice)(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                          TfLiteBufferHandle buffer_pool, const TfLiteAttributeMap* attrs,
                                          TfLiteBufferHandle handle);
    TfLiteStatus (*unregister_buffer)(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                      TfLiteBufferHandle handle);
    void (*supported_buffer_types)(const TfLiteAsyncKernel* kernel, TfLiteIoType io_type,
                                   const char* const** types, size_t* n_types);
    void (*supported_synchronizations)(const TfLiteAsyncKernel* kernel, TfLiteIoType io_type,
                                       const char* const** types, size_t* n_types);
    bool (*reconcile_restrictions)(const TfLiteAsyncKernel* kernel, const TfLiteOpaqueContext* context,
                                   const TfLiteOpaqueNode* node, int tensor_index,
                                   const TfLiteAttributeMap* user_provided_attributes,
                                   TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict);
    TfLiteStatus (*set_attributes)(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                   TfLiteOpaqueNode* node, int tensor_index, const TfLiteAttributeMap* attrs);
    TfLiteStatus (*set_buffer_attributes)(TfLiteAsyncKernel* kernel, const TfLiteBackendBuffer* buffer,
                                          const TfLiteAttributeMap* attrs);
    TfLiteStatus (*get_buffer_attributes)(TfLiteAsyncKernel* kernel, const TfLiteBackendBuffer* buffer,
                                          TfLiteAttributeMap* attrs);
    TfLiteStatus (*prepare)(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    TfLiteStatus (*eval)(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                         TfLiteExecutionTask* task);
    TfLiteStatus (*wait)(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context, TfLiteExecutionTask* task);
    TfLiteStatus (*finish)(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                           TfLiteExecutionTask* task);
};

// What a task has for one tensor.
typedef struct LiteTaskEntry {
    int tensor;
    TfLiteBufferHandle buffer;
    TfLiteSynchronization* sync;
} LiteTaskEntry;

// A task as programs and delegates see it; the runtime's own part is around it (core/graph/async.c).
struct TfLiteExecutionTask {
    LiteTaskEntry* entries; // in the order in which the tensors were first given something
    int entry_count;
    int tensor_count; // indices below are tensors
    // The tensor that the signature calls `name`; -1 when there is none.
    int (*find)(const TfLiteExecutionTask* task, TfLiteIoType io_type, const char* name);
    void* delegate_data;
    atomic_int status; // TfLiteStatus
};

#endif
