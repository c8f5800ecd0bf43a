// SPDX-License-Identifier: Apache-2.0
#ifndef DELEGATE_OPENCL_INSPECT_H_
#define DELEGATE_OPENCL_INSPECT_H_

#include "core/base/status.h"
#include "oclite/opencl.h"

// oclite_opencl_delegate_selftest, with the reports.
TfLiteStatus lite_cl_delegate_selftest(const TfLiteDelegate* delegate, bool all,
                                       void (*callback)(void* user_data, const OcliteOpenclTrial* trial),
                                       void* user_data, const LiteReporter* reporter);

#endif
