// SPDX-License-Identifier: Apache-2.0
// The facts of an OpenCL device (tools/common/facts.h).
#ifndef TOOLS_DEVICES_DEVICE_H_
#define TOOLS_DEVICES_DEVICE_H_

#include <stdbool.h>

#include "tools/common/facts.h"
#include "tools/common/opencl.h"

// Describes the device with this index, and measures it if `measure` is true. What fails is among the facts.
cJSON* devices_describe(const ToolOpencl* cl, const ToolOpenclDevice* devices, int index, bool measure);

#endif
