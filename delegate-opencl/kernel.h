// SPDX-License-Identifier: Apache-2.0
// The kernel of a delegated partition: what the host calls for the node that stands for it.
#ifndef DELEGATE_OPENCL_KERNEL_H_
#define DELEGATE_OPENCL_KERNEL_H_

#include "tensorflow/lite/c/common.h"

TfLiteRegistration lite_cl_kernel_registration(void);

#endif
