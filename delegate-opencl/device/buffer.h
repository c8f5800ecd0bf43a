// SPDX-License-Identifier: Apache-2.0
// Memory that the program gives for inputs and outputs: a cl_mem, a part of one, or host memory.
#ifndef DELEGATE_OPENCL_DEVICE_BUFFER_H_
#define DELEGATE_OPENCL_DEVICE_BUFFER_H_

#include "delegate-opencl/device/device.h"
#include "tensorflow/lite/c/common.h"

// Types of buffers; in the order of their names.
typedef enum LiteClMemoryType {
    kLiteClHostMemory,
    kLiteClDeviceMemory, // cl_mem
    kLiteClMemoryTypes,  // how many there are; also stands for no type
} LiteClMemoryType;

typedef struct LiteClBuffer {
    struct LiteClBuffer* next;
    TfLiteBufferHandle handle;
    TfLiteBufferHandle pool; // of a slice, else kTfLiteNullBufferHandle
    LiteClMemoryType type;
    bool readable; // by kernels
    bool writable;
    char* host;    // kLiteClHostMemory: where it begins
    cl_mem root;   // kLiteClDeviceMemory: the buffer that it is part of
    cl_mem memory; // the part
    size_t offset; // of the part
    size_t bytes;
} LiteClBuffer;

// Describes a whole cl_mem of the program, which may itself be a part of another one. Takes no references.
TfLiteStatus lite_cl_buffer_describe(const LiteClDevice* device, LiteClBuffer* buffer, cl_mem memory,
                                     const LiteReporter* reporter);
// Fails unless the flags of the cl_mem let kernels write it (`as_output`) or read it.
TfLiteStatus lite_cl_buffer_check_use(const LiteClBuffer* buffer, bool as_output,
                                      const LiteReporter* reporter);
// Narrows the buffer to a part of it. A size of 0 stands for the rest.
TfLiteStatus lite_cl_buffer_cut(LiteClBuffer* buffer, size_t offset, size_t size,
                                const LiteReporter* reporter);
// Fails unless the address, or the offset, of the buffer is a multiple of `alignment`. 0 allows any.
TfLiteStatus lite_cl_buffer_check_alignment(const LiteClBuffer* buffer, size_t alignment,
                                            const LiteReporter* reporter);

// Creates a buffer from its description, with references of its own. NULL after a report.
LiteClBuffer* lite_cl_buffer_create(const LiteClDevice* device, const LiteClBuffer* described,
                                    const LiteReporter* reporter);
void lite_cl_buffer_destroy(const LiteClDevice* device, LiteClBuffer* buffer);
// Destroys all buffers of a list.
void lite_cl_buffers_destroy(const LiteClDevice* device, LiteClBuffer** list);

// The pointer in a list that points to the buffer with the handle; it points to NULL when there is none.
LiteClBuffer** lite_cl_buffer_link(LiteClBuffer** list, TfLiteBufferHandle handle);

bool lite_cl_buffers_overlap(const LiteClBuffer* a, const LiteClBuffer* b);

#endif
