// SPDX-License-Identifier: Apache-2.0
// The delegate's functions for buffer handles, which hosts call.
#ifndef DELEGATE_OPENCL_HANDLES_H_
#define DELEGATE_OPENCL_HANDLES_H_

#include "tensorflow/lite/c/common.h"

// Gives the delegate these functions. They work on its bindings (plan/binding.h).
void lite_cl_handles_install(TfLiteDelegate* delegate);

#endif
