// SPDX-License-Identifier: Apache-2.0
// Memory of the program for inputs and outputs: a cl_mem or a part of one, or host memory.
#ifndef DELEGATE_OPENCL_BUFFER_H_
#define DELEGATE_OPENCL_BUFFER_H_

#include "delegate-opencl/device.h"
#include "tensorflow/lite/c/common.h"

// Types of buffers; in the order of their names.
typedef enum LiteClMemoryType {
    kLiteClHostMemory,
    kLiteClDeviceMemory, // cl_mem
    kLiteClMemoryTypes,  // how many there are; none
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

// Describes a cl_mem of the program, all of it, which may itself be a part of another one. No references.
TfLiteStatus lite_cl_buffer_describe(const LiteClDevice* device, LiteClBuffer* buffer, cl_mem memory,
                                     const LiteReporter* reporter);
// Whether kernels may use it so, by its flags.
TfLiteStatus lite_cl_buffer_check_use(const LiteClBuffer* buffer, bool as_output,
                                      const LiteReporter* reporter);
// Cuts a part out of a buffer. A size of 0 stands for the rest.
TfLiteStatus lite_cl_buffer_cut(LiteClBuffer* buffer, size_t offset, size_t size,
                                const LiteReporter* reporter);
// The place of a buffer, an address or an offset, is a multiple of `alignment` (0: any).
TfLiteStatus lite_cl_buffer_check_alignment(const LiteClBuffer* buffer, size_t alignment,
                                            const LiteReporter* reporter);

// Makes a buffer that is described, with references of its own. NULL after a report.
LiteClBuffer* lite_cl_buffer_create(const LiteClDevice* device, const LiteClBuffer* described,
                                    const LiteReporter* reporter);
void lite_cl_buffer_destroy(const LiteClDevice* device, LiteClBuffer* buffer);
// Destroys a list.
void lite_cl_buffers_destroy(const LiteClDevice* device, LiteClBuffer** list);

// What points to the buffer in a list; to NULL when there is none.
LiteClBuffer** lite_cl_buffer_link(LiteClBuffer** list, TfLiteBufferHandle handle);

bool lite_cl_buffers_overlap(const LiteClBuffer* a, const LiteClBuffer* b);

#endif
