// SPDX-License-Identifier: Apache-2.0
// Messages to the program, through its host.
#ifndef DELEGATE_OPENCL_GRAPH_REPORT_H_
#define DELEGATE_OPENCL_GRAPH_REPORT_H_

#include "core/base/status.h"
#include "tensorflow/lite/c/common.h"

// Reports through the host's error reporter.
LiteReporter lite_cl_context_reporter(TfLiteContext* context);

#endif
