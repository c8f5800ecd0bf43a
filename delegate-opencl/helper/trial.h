// SPDX-License-Identifier: Apache-2.0
// Tries one case: on the CPU, and by the delegate.
#ifndef DELEGATE_OPENCL_HELPER_TRIAL_H_
#define DELEGATE_OPENCL_HELPER_TRIAL_H_

#include "delegate-opencl/helper/cases.h"
#include "delegate-opencl/selftest/verdicts.h"
#include "tensorflow/lite/c/common.h"

// Compares the delegate's results with those of the CPU kernels. A verdict that is worse than that in
// `verdict` takes its place.
void trial_run(const SelftestCase* tried, TfLiteDelegate* delegate, LiteClVerdict* verdict);

#endif
