// SPDX-License-Identifier: Apache-2.0
// An OpenCL device as the delegate uses it: what it can do, and what is kept for it. open.h opens devices.
#ifndef DELEGATE_OPENCL_DEVICE_DEVICE_H_
#define DELEGATE_OPENCL_DEVICE_DEVICE_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/lock.h"
#include "core/base/shared.h"
#include "delegate-opencl/device/cl.h"
#include "delegate-opencl/device/limits.h"

// A class says how much work suits one work-item. On a CPU an item computes a whole register tile of vectors
// of the named width; on all other devices there are many items, which compute few elements each.
typedef enum LiteClClass {
    kLiteClCpu16, // 16 floats per vector register
    kLiteClCpu8,
    kLiteClCpu4,
    kLiteClGpu,
} LiteClClass;

enum { LITE_CL_CONSTANT_SLOTS = 1024, LITE_CL_ROUNDS = 65535 };

// Tiles in local memory are not in builds of selected operators, which are small for it.
#ifndef LITE_CL_HAS_LOCAL_TILES
#define LITE_CL_HAS_LOCAL_TILES 1
#endif

// Stands for the context of a device, see clblast_proxy.h.
typedef struct LiteClProxyContext {
    const void* table;
    const struct LiteClDevice* device;
} LiteClProxyContext;

typedef struct LiteClDevice {
    const LiteCl* cl;
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    bool external; // the context is the program's
    LiteClClass class;
    bool unified_memory;     // has its memory in common with the host, see memory.h
    size_t import_alignment; // with which kernels can work on the host's own memory, in bytes; 0: they cannot
    bool exact_divide;       // offers correctly rounded division and square root
    bool doubles;            // computes in double precision
    bool ends_loops;  // those of an item end after LITE_CL_ROUNDS rounds in all, whatever is still to be done
    size_t alignment; // of sub-buffers, in bytes
    size_t max_allocation; // of one buffer, in bytes
    size_t local_memory;   // of a work-group, in bytes
    bool whole_buffers;    // tensors share buffers, not parts of one, see arena.h
    bool local_tiles; // work-groups share tiles of products in local memory, which is faster than the other
    LiteClLimits limits;
    int units; // that compute at the same time
    bool dots; // kernels may use the instructions that multiply and add four bytes (AVX-512 VNNI)
    unsigned clblast_tried; // products that CLBlast was asked for, bits by kind (clblast.h)
    unsigned clblast_works; // those that were right
    LiteClProxyContext clblast_context;
    atomic_bool clblast_proxied;    // CLBlast is given proxies, where there is a cache_folder
    bool byte_dots;                 // kernels may call dot_4x8packed_ss_int()
    bool nvidia_dots;               // by an instruction of PTX instead
    bool series;                    // steps are computed in one launch, see plan/series.h
    int workers;                    // work-groups of such a launch
    bool halves;                    // kernels may have values of type half
    bool own_declarations;          // programs declare what they call, see program.c
    bool subgroups;                 // kernels may call sub_group_reduce_add() and its relatives
    char description[320];          // "name (platform)"
    atomic_int cache_folder;        // where built programs are kept (core/base/folder.h), -1: nowhere
    int usual_folder;               // the user's, -1: it is not used; open as long as the device
    LiteLock mutex;                 // guards programs, tuned, notes and folders
    struct LiteClProgram* programs; // program.h
    atomic_int programs_compiled;   // of these, since the device was opened
    atomic_int programs_loaded;     // and so many came from a folder
    struct LiteClTurns* turns;      // with other processes, NULL: none (turns.h)
    struct LiteClTuned* tuned;      // tuned.h
    struct LiteClNote* notes;       // notes.h
    LiteLock constants_lock;        // guards constants; programs are built meanwhile
    struct LiteClConstant* constants[LITE_CL_CONSTANT_SLOTS]; // constants.h
    LiteShared widened; // floats of the models' constants of FLOAT16 (graph/fold.h)
    int references;
    struct LiteClDevice* next;
} LiteClDevice;

static inline bool lite_cl_device_has_local_tiles(const LiteClDevice* device) {
    return LITE_CL_HAS_LOCAL_TILES && device->local_tiles;
}

static inline bool lite_cl_device_has_series(const LiteClDevice* device) {
    return LITE_CL_HAS_SERIES && device->series;
}

// Asks OpenCL what the device, whose `cl` and `id` are set, is and can do: everything but its memory.
void lite_cl_device_read_limits(LiteClDevice* device, cl_device_type type);

// Computes the grid of a kernel. Rounds `items` up to whole work-groups of `spread` items, at most `most`; 0
// stands for as many as suit the class. Kernels check bounds themselves.
void lite_cl_device_grid(const LiteClDevice* device, const size_t items[3], size_t spread, size_t most,
                         size_t global[3], size_t local[3]);

#endif
