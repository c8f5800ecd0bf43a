// SPDX-License-Identifier: Apache-2.0
// Facts about what was measured that processors and OpenCL devices share.
#ifndef TOOLS_DEVICES_MEASURED_H_
#define TOOLS_DEVICES_MEASURED_H_

#include "tools/common/facts.h"
#include "tools/common/peak.h"

// Adds a rate per second in units of 1e9; nothing if it is 0.
void devices_add_rate(cJSON* measured, const char* key, double rate);

// Adds the rates of copies, and a warning when the machine was busy.
void devices_add_copies(cJSON* measured, const ToolPeak* peak);

#endif
