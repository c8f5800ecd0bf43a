// SPDX-License-Identifier: Apache-2.0
// The facts of an OpenCL device (tools/common/facts.h).
#ifndef TOOLS_DEVICES_DEVICE_H_
#define TOOLS_DEVICES_DEVICE_H_

#include <stdbool.h>

#include "tools/common/facts.h"
#include "tools/common/opencl.h"

// What is wanted of each device.
typedef struct DevicesWanted {
    bool measure;
    bool selftest; // it is tried now; otherwise the facts have what is known
    bool limits;   // all of them, and all extensions
} DevicesWanted;

// Describes the device with this index. What fails is among the facts.
cJSON* devices_describe(const ToolOpencl* cl, const ToolOpenclDevice* devices, int index,
                        const DevicesWanted* wanted);

#endif
