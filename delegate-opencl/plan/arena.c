// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/arena.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/planner.h"
#include "delegate-opencl/device/shared.h"

typedef struct Placing {
    LiteClArenas* arenas;
    const LiteClDevice* device;
    const LiteReporter* reporter;
    LiteClPart* parts; // those without memory first
    int left;          // of these
    LiteUsage* usages; // of these, as the planner wants them
} Placing;

static TfLiteStatus check_sizes(const Placing* placing) {
    const size_t most = placing->device->max_allocation;
    for (int i = 0; i < placing->left; i++) {
        if (placing->parts[i].bytes > most)
            return lite_report(placing->reporter,
                               "OpenCL: an intermediate tensor needs %zu bytes, the device allows %zu "
                               "(CL_DEVICE_MAX_MEM_ALLOC_SIZE)",
                               placing->parts[i].bytes, most);
    }
    return kTfLiteOk;
}

// Chooses places in one buffer for all that are left; *size is that of the buffer, which holds those that end
// within the largest allocation.
static TfLiteStatus place(const Placing* placing, size_t* size) {
    size_t total;
    for (int i = 0; i < placing->left; i++) {
        const LiteClPart* part = &placing->parts[i];
        placing->usages[i] = (LiteUsage){.bytes = part->bytes, .first = part->first, .last = part->last};
    }
    if (!lite_planner_place_closely(placing->usages, placing->left, placing->device->alignment, &total))
        return lite_report(placing->reporter, "OpenCL: out of memory");
    *size = 0;
    for (int i = 0; i < placing->left; i++) {
        const size_t end = placing->usages[i].offset + placing->usages[i].bytes;
        if (end <= placing->device->max_allocation && end > *size) *size = end;
    }
    return kTfLiteOk;
}

static TfLiteStatus add_arena(const Placing* placing, size_t size) {
    LiteClArenas* arenas = placing->arenas;
    const LiteClDevice* device = placing->device;
    LiteClArena* all = lite_realloc(arenas->all, ((size_t)arenas->count + 1) * sizeof *all);
    if (all == NULL) return lite_report(placing->reporter, "OpenCL: out of memory");
    arenas->all = all;
    cl_int error;
    LiteClArena arena;
    arena.bytes = size;
    arena.buffer = lite_cl_shared_create(device, CL_MEM_READ_WRITE, size, &arena.address, &error);
    LITE_TRY(lite_cl_check(placing->reporter, "clCreateBuffer of the arena", error));
    all[arenas->count++] = arena;
    arenas->bytes += size;
    return kTfLiteOk;
}

static TfLiteStatus create_part(const LiteClDevice* device, cl_mem buffer, size_t offset, size_t bytes,
                                cl_mem* memory, const LiteReporter* reporter) {
    const cl_buffer_region region = {offset, bytes};
    cl_int error;
    *memory = device->cl->clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region,
                                            &error);
    return lite_cl_check(reporter, "clCreateSubBuffer", error);
}

// Gives those their memory that fit; the others are left.
static TfLiteStatus cut(Placing* placing, size_t size) {
    const LiteClArena* arena = &placing->arenas->all[placing->arenas->count - 1];
    int left = 0;
    for (int i = 0; i < placing->left; i++) {
        LiteClPart part = placing->parts[i];
        const size_t offset = placing->usages[i].offset;
        if (offset + part.bytes > size) {
            placing->parts[i] = placing->parts[left];
            placing->parts[left++] = part;
        } else if (LITE_CL_HAS_SERIES && arena->address != NULL) {
            placing->parts[i].address = (char*)arena->address + offset;
        } else {
            LITE_TRY(create_part(placing->device, arena->buffer, offset, part.bytes,
                                 &placing->parts[i].memory, placing->reporter));
        }
    }
    placing->left = left;
    return kTfLiteOk;
}

static TfLiteStatus place_all(Placing* placing) {
    LITE_TRY(check_sizes(placing));
    while (placing->left > 0) { // the planner puts one at the beginning, so each time one is placed
        size_t size;
        LITE_TRY(place(placing, &size));
        LITE_TRY(add_arena(placing, size));
        LITE_TRY(cut(placing, size));
    }
    return kTfLiteOk;
}

static int by_size(const void* a, const void* b) {
    const LiteClPart *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return (x->storage > y->storage) - (x->storage < y->storage);
}

// Is one of the first `count` parts, in this buffer, alive while `part` is?
static bool is_taken(const LiteClPart* parts, int count, cl_mem buffer, const LiteClPart* part) {
    for (int i = 0; i < count; i++) {
        if (parts[i].memory == buffer && parts[i].first <= part->last && part->first <= parts[i].last)
            return true;
    }
    return false;
}

// A buffer for each part, the largest first, so that one of those that there are is large enough: the last
// one that is free.
static TfLiteStatus share_buffers(const Placing* placing, int count) {
    LITE_TRY(check_sizes(placing));
    const LiteCl* cl = placing->device->cl;
    qsort(placing->parts, (size_t)count, sizeof placing->parts[0], by_size);
    for (int i = 0; i < count; i++) {
        LiteClPart* part = &placing->parts[i];
        int b = placing->arenas->count - 1;
        while (b >= 0 && is_taken(placing->parts, i, placing->arenas->all[b].buffer, part)) b--;
        if (b < 0) {
            LITE_TRY(add_arena(placing, part->bytes));
            b = placing->arenas->count - 1;
        }
        const cl_mem buffer = placing->arenas->all[b].buffer;
        LITE_TRY(lite_cl_check(placing->reporter, "clRetainMemObject", cl->clRetainMemObject(buffer)));
        part->memory = buffer;
        part->address = placing->arenas->all[b].address;
    }
    return kTfLiteOk;
}

TfLiteStatus lite_cl_arenas_create(LiteClArenas* arenas, const LiteClDevice* device, LiteClPart* parts,
                                   int count, const LiteReporter* reporter) {
    Placing placing = {arenas, device, reporter,
                       parts,  count,  lite_calloc((size_t)count + 1, sizeof(LiteUsage))};
    if (placing.usages == NULL) return lite_report(reporter, "OpenCL: out of memory");
    const TfLiteStatus status = device->whole_buffers ? share_buffers(&placing, count) : place_all(&placing);
    lite_free(placing.usages);
    return status;
}

TfLiteStatus lite_cl_arenas_cut(const LiteClArenas* arenas, const LiteClDevice* device, const void* address,
                                size_t bytes, cl_mem* memory, const LiteReporter* reporter) {
    const LiteClArena* arena = arenas->all;
    const uintptr_t at = (uintptr_t)address;
    while (at - (uintptr_t)arena->address >= arena->bytes) arena++; // addresses before it are far behind it
    return create_part(device, arena->buffer, at - (uintptr_t)arena->address, bytes, memory, reporter);
}

void lite_cl_arenas_release(LiteClArenas* arenas, const LiteClDevice* device) {
    for (int a = 0; a < arenas->count; a++)
        lite_cl_shared_release(device, arenas->all[a].buffer, arenas->all[a].address);
    lite_free(arenas->all);
    *arenas = (LiteClArenas){0};
}
