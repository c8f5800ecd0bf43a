// SPDX-License-Identifier: Apache-2.0
// What a processor reaches, measured.
#ifndef TOOLS_COMMON_PEAK_CPU_H_
#define TOOLS_COMMON_PEAK_CPU_H_

#include "tools/common/peak.h"
#include "tools/common/status.h"

// Measures the processor with `threads` threads, at least 1.
ToolStatus tool_peak_cpu(int threads, ToolPeak* peak, ToolMessage* message);

#endif
