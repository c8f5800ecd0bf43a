// SPDX-License-Identifier: Apache-2.0
// The option winograd, which builds of selected operators do not have.
#ifndef DELEGATE_OPENCL_OPTIONS_WINOGRAD_H_
#define DELEGATE_OPENCL_OPTIONS_WINOGRAD_H_

#include "core/base/status.h"
#include "delegate-opencl/plan/plan.h"

// How a list of all keys goes on.
#if LITE_CL_HAS_WINOGRAD
#define LITE_CL_WINOGRAD_KEY ", series, winograd"
#else
#define LITE_CL_WINOGRAD_KEY ""
#endif

// NULL and "" stand for auto.
TfLiteStatus lite_cl_winograd_read(const char* value, const LiteReporter* reporter,
                                   LiteWinogradChoice* choice);

#endif
