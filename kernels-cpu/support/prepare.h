// SPDX-License-Identifier: Apache-2.0
// How registry.c and registration.c call a kernel's prepare.
#ifndef KERNELS_CPU_SUPPORT_PREPARE_H_
#define KERNELS_CPU_SUPPORT_PREPARE_H_

#include "kernels-cpu/support/kernel.h"

// Gives the outputs of the operator their types, whatever the model declares (core/base/output_type.h),
// and calls the kernel's prepare, which checks them. An output that cannot change its type keeps it.
TfLiteStatus lite_kernel_prepare(const LiteKernel* kernel, int builtin_code, const char* custom_name,
                                 TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);

#endif
