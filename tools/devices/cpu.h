// SPDX-License-Identifier: Apache-2.0
// The facts of the processor (tools/common/facts.h).
#ifndef TOOLS_DEVICES_CPU_H_
#define TOOLS_DEVICES_CPU_H_

#include "tools/common/facts.h"
#include "tools/common/status.h"

// Describes the processor, and measures it with `threads` threads unless that is 0.
cJSON* devices_describe_cpu(int threads, ToolMessage* message);

#endif
