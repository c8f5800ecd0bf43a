// SPDX-License-Identifier: Apache-2.0
// What an OpenCL device reaches, measured.
#ifndef TOOLS_COMMON_PEAK_OPENCL_H_
#define TOOLS_COMMON_PEAK_OPENCL_H_

#include "tensorflow/lite/c/common.h"
#include "tools/common/peak.h"
#include "tools/common/status.h"

// Measures the device of an OpenCL delegate, in the delegate's context.
ToolStatus tool_peak_opencl(const TfLiteDelegate* delegate, ToolPeak* peak, ToolMessage* message);

#endif
