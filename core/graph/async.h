// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution of one subgraph by the delegate kernel that has replaced all of it.
//
// A LiteAsync outlives its subgraph: runners and tasks hold references. Functions on one whose subgraph is
// gone fail without a message, all others report. The kernel is looked up when it is needed, so that a graph
// can be delegated later or anew; before a kernel goes, its tasks are waited for and finished.
#ifndef CORE_GRAPH_ASYNC_H_
#define CORE_GRAPH_ASYNC_H_

#include "core/base/async.h"
#include "core/graph/types.h"

typedef struct LiteAsync LiteAsync;

// A reference to the one LiteAsync of the subgraph, which is made if need be. NULL when out of memory.
// Already reports when the subgraph cannot be executed asynchronously.
LiteAsync* lite_async_open(LiteSubgraph* subgraph);
void lite_async_release(LiteAsync* async); // NULL allowed
// NULL when it is gone.
LiteSubgraph* lite_async_subgraph(const LiteAsync* async);

// As the functions of TfLiteAsyncKernel. Pointers are not NULL unless they may be there.
TfLiteStatus lite_async_buffer_types(LiteAsync* async, TfLiteIoType io_type, const char* const** types,
                                     size_t* count);
TfLiteStatus lite_async_sync_types(LiteAsync* async, TfLiteIoType io_type, const char* const** types,
                                   size_t* count);
// A conflict, which is not reported, is an error too.
TfLiteStatus lite_async_reconcile(LiteAsync* async, int tensor, const TfLiteAttributeMap* attrs,
                                  TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict);
TfLiteStatus lite_async_set_attributes(LiteAsync* async, int tensor, const TfLiteAttributeMap* attrs);
TfLiteStatus lite_async_prepare(LiteAsync* async);

// *handle is set on success: 0, 1, 2, …
TfLiteStatus lite_async_register_buffer(LiteAsync* async, TfLiteIoType io_type,
                                        const TfLiteBackendBuffer* buffer, const TfLiteAttributeMap* attrs,
                                        TfLiteBufferHandle* handle);
TfLiteStatus lite_async_register_slice(LiteAsync* async, TfLiteBufferHandle pool,
                                       const TfLiteAttributeMap* attrs, TfLiteBufferHandle* handle);
TfLiteStatus lite_async_unregister_buffer(LiteAsync* async, TfLiteBufferHandle handle);

// A task belongs to the kernel that is there when it is created, and is of no use without it. The names of
// its tensors are those of `signature`. NULL when out of memory.
TfLiteExecutionTask* lite_async_create_task(LiteAsync* async, const LiteModelSignature* signature);
TfLiteStatus lite_async_invoke(LiteAsync* async, TfLiteExecutionTask* task);
TfLiteStatus lite_async_wait(LiteAsync* async, TfLiteExecutionTask* task);
TfLiteStatus lite_async_finish(TfLiteExecutionTask* task); // frees it, always

void lite_async_drop_kernel(LiteSubgraph* subgraph); // to be called before the kernel of a delegate is gone
void lite_async_detach(LiteSubgraph* subgraph);      // to be called before the subgraph is gone

#endif
