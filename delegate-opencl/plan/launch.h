// SPDX-License-Identifier: Apache-2.0
// A kernel with its arguments and its grid, as operators ask for it.
#ifndef DELEGATE_OPENCL_PLAN_LAUNCH_H_
#define DELEGATE_OPENCL_PLAN_LAUNCH_H_

#include "delegate-opencl/device/device.h"
#include "delegate-opencl/device/sources.h"
#include "delegate-opencl/graph/reason.h"

enum { LITE_CL_MAX_BUFFERS = 12 };

// An argument of a kernel of a user's own.
typedef struct LiteClArgument {
    int storage; // -1: a value
    size_t bytes;
    const void* value; // NULL: local memory of so many bytes
} LiteClArgument;

typedef struct LiteClLaunch {
    const LiteClSource* family; // kernels-cl/<family>.cl
    const char* source; // NULL; else the program itself in place of a family: then `arguments` and `groups`
                        // count, and `file` is its file
    const char* file;
    // What is to be asked about it (LiteClProgramKey); NULL: nothing.
    TfLiteStatus (*check)(const LiteClDevice* device, cl_program program, const void* user_data,
                          const LiteReporter* reporter);
    const void* user_data;
    const char* kernel;  // its function
    const char* prelude; // #define lines
    bool version_3;      // of OpenCL C, which is 1.2 else
    const void* args;    // struct of kernels-cl/args/, copied
    size_t args_size;
    int buffer_count;
    int buffers[LITE_CL_MAX_BUFFERS]; // storages, in the order of the kernel's arguments
    size_t items[3];                  // 0 anywhere: nothing to do
    size_t group;                     // items of a group along dimension 0; 0: as suits the device
    size_t spread;                    // items of a group in all, when `group` is 0; 0: as suits the device
    size_t local_bytes;               // of local memory, the kernel's last argument; 0: it has none
    int argument_count;
    const LiteClArgument* arguments; // in the order of the kernel's
    size_t groups[3];                // items of a group along each dimension; 0: as the driver likes
} LiteClLaunch;

// Is the launch within the device's limits, as far as its kernel need not be compiled to know? Looks neither
// at storages nor at values.
bool lite_cl_launch_fits(const LiteClDevice* device, const LiteClLaunch* launch, LiteClReason* reason);

// The same for a launch whose kernel is compiled, in this grid.
bool lite_cl_launch_fits_kernel(const LiteClDevice* device, const LiteClLaunch* launch,
                                const LiteClKernelLimits* kernel, const size_t global[3],
                                const size_t local[3], LiteClReason* reason);

#endif
