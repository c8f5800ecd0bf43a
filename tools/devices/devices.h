// SPDX-License-Identifier: Apache-2.0
// What oclite devices finds out, as facts (tools/facts.h).
#ifndef TOOLS_DEVICES_DEVICES_H_
#define TOOLS_DEVICES_DEVICES_H_

#include <stdbool.h>

#include "tools/facts.h"
#include "tools/opencl.h"
#include "tools/status.h"

// A device, with the number by which the delegate's option `device` counts it.
typedef struct DeviceListed {
    cl_platform_id platform;
    cl_device_id id;
} DeviceListed;

enum { kDevicesMost = 64 };

// All devices of all platforms, in OpenCL's order. Without any, `reason` says why.
int devices_list(const ToolOpencl* cl, DeviceListed devices[kDevicesMost], const char** reason);

// The processor: what it is, and what it reaches with so many threads (0: nothing is measured).
cJSON* devices_describe_cpu(int threads, ToolMessage* message);

// The device of that number. What fails is among the facts.
cJSON* devices_describe(const ToolOpencl* cl, const DeviceListed* devices, int index, bool measure);

#endif
