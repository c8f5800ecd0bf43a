// SPDX-License-Identifier: Apache-2.0
// Everything that a device says of its limits, for reports of faults.
#ifndef TOOLS_DEVICES_LIMITS_H_
#define TOOLS_DEVICES_LIMITS_H_

#include "tools/common/facts.h"
#include "tools/common/opencl.h"

void devices_add_limits(const ToolOpencl* cl, cl_device_id id, cJSON* facts);

#endif
