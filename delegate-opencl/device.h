// SPDX-License-Identifier: Apache-2.0
// An OpenCL device as the delegate uses it. One object per device and process, shared by all delegates and
// counted: contexts are too dear to have one per interpreter. Contexts of the program have objects of their
// own.
#ifndef DELEGATE_OPENCL_DEVICE_H_
#define DELEGATE_OPENCL_DEVICE_H_

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "delegate-opencl/external.h"

// Devices differ by what one work-item should do: on a CPU a whole register tile of the named vector width,
// on everything else few elements and many items.
typedef enum LiteClClass {
    kLiteClCpu16, // 16 floats per vector register
    kLiteClCpu8,
    kLiteClCpu4,
    kLiteClGpu,
} LiteClClass;

typedef struct LiteClDevice {
    const LiteCl* cl;
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    bool external; // the context is the program's
    LiteClClass class;
    bool shares_memory;    // kernels can work on the host's own memory
    bool exact_divide;     // offers correctly rounded division and square root
    bool doubles;          // computes in double precision
    size_t alignment;      // of sub-buffers, in bytes
    size_t max_allocation; // of one buffer, in bytes
    size_t local_memory;   // of a work-group, in bytes
    int units;             // that compute at the same time
    bool dots;             // kernels may use the instructions that multiply and add four bytes (AVX-512 VNNI)
    char description[320]; // "name (platform)"
    char* cache_dir;       // where built programs are kept, NULL: nowhere
    pthread_mutex_t mutex; // guards programs and cache_dir
    struct LiteClProgram* programs;
    struct LiteClTuned* tuned; // see tuning.h; guarded by the mutex
    int references;
    struct LiteClDevice* next;
} LiteClDevice;

// Opens the device that `choice` (see oclite/opencl.h) means, or returns the open one. NULL after a report.
// Release with lite_cl_device_release, which accepts NULL.
LiteClDevice* lite_cl_device_acquire(const char* choice, const LiteReporter* reporter);
// The same for what the program gives, which is completed (external.h); a device alone is in the context that
// all delegates share.
LiteClDevice* lite_cl_device_acquire_external(LiteClExternal* external, const LiteReporter* reporter);
void lite_cl_device_release(LiteClDevice* device);

// Keeps built programs in a folder from now on, which is made if need be. The first one that delegates of a
// process name counts.
TfLiteStatus lite_cl_device_set_cache(LiteClDevice* device, const char* folder, const LiteReporter* reporter);

// One more reference to an open device.
LiteClDevice* lite_cl_device_retain(LiteClDevice* device);

// A kernel's grid: rounds `items` up to whole work-groups, of `spread` items or, with 0, as many as suit
// the class. Kernels check their bounds.
void lite_cl_device_grid(const LiteClDevice* device, const size_t items[3], size_t spread, size_t global[3],
                         size_t local[3]);

#endif
