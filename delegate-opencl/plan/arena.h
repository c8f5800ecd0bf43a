// SPDX-License-Identifier: Apache-2.0
// The memory of intermediate tensors: one buffer, in parts, where the device allows one so large, else
// several. On GPUs with memory of their own (`whole_buffers`) it is buffers that tensors have for themselves
// while they are alive, as the reference's GPU delegate has them: NVIDIA's driver (580.159) crashes when
// parts that overlap are released, in most orders, and takes ten times as long for a launch whose arguments
// are such parts.
#ifndef DELEGATE_OPENCL_PLAN_ARENA_H_
#define DELEGATE_OPENCL_PLAN_ARENA_H_

#include "delegate-opencl/device/device.h"

typedef struct LiteClArena {
    cl_mem buffer;
    void* address; // where it is, NULL: not known
    size_t bytes;
} LiteClArena;

typedef struct LiteClArenas {
    LiteClArena* all;
    int count;
    size_t bytes; // of all
} LiteClArenas;

// One tensor's memory.
typedef struct LiteClPart {
    int storage; // whose it is, for the caller
    size_t bytes;
    int first; // the steps during which it is alive
    int last;
    // Out: `memory` is the caller's to release, or `address` says where it is (shared.h); neither after a
    // failure.
    cl_mem memory;
    void* address;
} LiteClPart;

// Gives each part its memory; parts that are alive at different times may share it. Reorders the parts. There
// are no arenas before.
TfLiteStatus lite_cl_arenas_create(LiteClArenas* arenas, const LiteClDevice* device, LiteClPart* parts,
                                   int count, const LiteReporter* reporter);
// The buffer of a part that has an address, for the caller to release: what only series use needs none.
TfLiteStatus lite_cl_arenas_cut(const LiteClArenas* arenas, const LiteClDevice* device, const void* address,
                                size_t bytes, cl_mem* memory, const LiteReporter* reporter);
void lite_cl_arenas_release(LiteClArenas* arenas, const LiteClDevice* device);

#endif
