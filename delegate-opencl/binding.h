// SPDX-License-Identifier: Apache-2.0
// Tensors that are in buffers of the program: inputs and outputs of partitions on which kernels work in the
// program's own cl_mem. A binding is a buffer handle of TensorFlow Lite, so that hosts know where the
// contents are, and copy them when their own operators ask for them.
#ifndef DELEGATE_OPENCL_BINDING_H_
#define DELEGATE_OPENCL_BINDING_H_

#include "delegate-opencl/buffer.h"
#include "delegate-opencl/partition.h"

typedef struct LiteClBindings {
    TfLiteDelegate* delegate;
    LiteClDevice* device;
    cl_command_queue queue; // for copies; NULL: one is made for each
    pthread_mutex_t mutex;  // guards what follows
    struct LiteClBinding* bindings;
    LiteClPartition* partitions; // whose tensors may be bound
    TfLiteBufferHandle last_handle;
} LiteClBindings;

// For a delegate that is complete but for its functions for handles, which it gets here.
void lite_cl_bindings_init(LiteClBindings* bindings, TfLiteDelegate* delegate, LiteClDevice* device,
                           cl_command_queue queue);
void lite_cl_bindings_destroy(LiteClBindings* bindings);

void lite_cl_bindings_enter(LiteClBindings* bindings, LiteClPartition* partition);
void lite_cl_bindings_leave(LiteClBindings* bindings, LiteClPartition* partition);

// As oclite_opencl_bind_buffer_to_tensor and oclite_opencl_unbind_tensor.
TfLiteStatus lite_cl_bindings_bind(LiteClBindings* bindings, const TfLiteTensor* tensor, cl_mem memory,
                                   size_t offset, size_t bytes, const LiteReporter* reporter);
void lite_cl_bindings_unbind(LiteClBindings* bindings, const TfLiteTensor* tensor);

// The memory to which a tensor of `bytes` bytes is bound, NULL when it is not.
TfLiteStatus lite_cl_bindings_find(LiteClBindings* bindings, const TfLiteOpaqueContext* context, int tensor,
                                   size_t bytes, cl_mem* memory, const LiteReporter* reporter);
// Whether an input or output of the partition is bound.
bool lite_cl_bindings_any(const LiteClBindings* bindings, const LiteClPartition* partition,
                          const TfLiteOpaqueContext* context);

#endif
