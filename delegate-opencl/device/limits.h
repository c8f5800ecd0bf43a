// SPDX-License-Identifier: Apache-2.0
// What an OpenCL device allows. Drivers refuse what passes it, so everything is held to it before they are
// asked: a node that cannot be goes to the host, with a reason that names the limit.
#ifndef DELEGATE_OPENCL_DEVICE_LIMITS_H_
#define DELEGATE_OPENCL_DEVICE_LIMITS_H_

#include <stdbool.h>
#include <stddef.h>

#include "delegate-opencl/device/table.h"

typedef struct LiteClLimits {
    int version; // of OpenCL, 100 * major + 10 * minor
    int address_bits;
    size_t group;      // items of a work-group
    size_t items[3];   // of these, along each dimension
    size_t parameters; // bytes of a kernel's arguments
    size_t constant;   // bytes of a buffer that a kernel has as __constant
    bool timers;       // queues may time their commands
    char lack[128];    // why none of our kernels can run on the device; "": they can
} LiteClLimits;

// What a driver does not tell is what OpenCL guarantees.
void lite_cl_limits_read(LiteClLimits* limits, const LiteCl* cl, cl_device_id device);

// Limits of a device that nobody has asked, for tests and a device that is lost.
void lite_cl_limits_none(LiteClLimits* limits);

// What a compiled kernel allows.
typedef struct LiteClKernelLimits {
    size_t group;       // items of a work-group
    cl_ulong has_local; // bytes of local memory that it takes, its arguments not counted
} LiteClKernelLimits;

LiteClKernelLimits lite_cl_kernel_limits(const LiteClLimits* limits, const LiteCl* cl, cl_device_id device,
                                         cl_kernel kernel);

// The largest power of two that is at most `count` and at least 1.
size_t lite_cl_power_below(size_t count);

#endif
