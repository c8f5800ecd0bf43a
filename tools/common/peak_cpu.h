// SPDX-License-Identifier: Apache-2.0
// What a processor reaches, measured.
#ifndef TOOLS_COMMON_PEAK_CPU_H_
#define TOOLS_COMMON_PEAK_CPU_H_

#include "tools/common/peak.h"
#include "tools/common/status.h"

// Measures the processor with `threads` threads, at least 1.
ToolStatus tool_peak_cpu(int threads, ToolPeak* peak, ToolMessage* message);

// Measures its instructions for sums of products of bytes: operations in a second, a multiply-add counts 2.
// 0: none is known.
ToolStatus tool_peak_cpu_dots(int threads, double* rate, ToolMessage* message);

#endif
