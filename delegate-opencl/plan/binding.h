// SPDX-License-Identifier: Apache-2.0
// Binds inputs and outputs of partitions to buffers of the program: kernels then work on the program's own
// cl_mem. A binding is a buffer handle of TensorFlow Lite, so hosts know where the contents are, and copy
// them when their own operators need them.
#ifndef DELEGATE_OPENCL_PLAN_BINDING_H_
#define DELEGATE_OPENCL_PLAN_BINDING_H_

#include "delegate-opencl/device/buffer.h"
#include "delegate-opencl/graph/boundary.h"

typedef struct LiteClBindings {
    TfLiteDelegate* delegate;
    LiteClDevice* device;
    cl_command_queue queue; // for copies; NULL: one is made for each
    LiteLock mutex;         // guards what follows
    struct LiteClBinding* bindings;
    LiteClBoundary* boundaries; // of the partitions whose tensors may be bound
    TfLiteBufferHandle last_handle;
} LiteClBindings;

// For a delegate whose functions for buffer handles are those of handles.h.
void lite_cl_bindings_init(LiteClBindings* bindings, TfLiteDelegate* delegate, LiteClDevice* device,
                           cl_command_queue queue);
void lite_cl_bindings_destroy(LiteClBindings* bindings);

// From `enter` to `leave` the tensors of a partition may be bound.
void lite_cl_bindings_enter(LiteClBindings* bindings, LiteClBoundary* boundary);
void lite_cl_bindings_leave(LiteClBindings* bindings, LiteClBoundary* boundary);

// As oclite_opencl_bind_buffer_to_tensor and oclite_opencl_unbind_tensor.
TfLiteStatus lite_cl_bindings_bind(LiteClBindings* bindings, const TfLiteTensor* tensor, cl_mem memory,
                                   size_t offset, size_t bytes, const LiteReporter* reporter);
void lite_cl_bindings_unbind(LiteClBindings* bindings, const TfLiteTensor* tensor);

// Copies from the buffer of a binding to the tensor's memory, or the other way.
TfLiteStatus lite_cl_bindings_copy(LiteClBindings* bindings, TfLiteBufferHandle handle,
                                   const TfLiteTensor* tensor, bool to_host, const LiteReporter* reporter);
// Ends the binding with that handle, if there is one.
void lite_cl_bindings_drop(LiteClBindings* bindings, TfLiteBufferHandle handle);

// The memory to which a tensor of `bytes` bytes is bound, NULL when it is not.
TfLiteStatus lite_cl_bindings_find(LiteClBindings* bindings, const TfLiteOpaqueContext* context, int tensor,
                                   size_t bytes, cl_mem* memory, const LiteReporter* reporter);
// Is an input or output of a partition bound?
bool lite_cl_bindings_any(const LiteClBindings* bindings, const LiteClBoundary* boundary,
                          const TfLiteOpaqueContext* context);

#endif
