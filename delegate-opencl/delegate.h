// SPDX-License-Identifier: Apache-2.0
// The delegate object.
#ifndef DELEGATE_OPENCL_DELEGATE_H_
#define DELEGATE_OPENCL_DELEGATE_H_

#include "delegate-opencl/options/options.h"

// Creates a delegate with the given options, which it takes over, also on failure. NULL after a report.
TfLiteDelegate* lite_cl_delegate_create(LiteClOptions* options, const LiteReporter* reporter);
void lite_cl_delegate_delete(TfLiteDelegate* delegate);

#endif
