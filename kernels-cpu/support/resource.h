// SPDX-License-Identifier: Apache-2.0
// Resource tensors: a handle is one int32, the number of a resource of the interpreter
// (core/base/resource.h).
#ifndef KERNELS_CPU_SUPPORT_RESOURCE_H_
#define KERNELS_CPU_SUPPORT_RESOURCE_H_

#include "core/base/resource.h"
#include "kernels-cpu/support/kernel.h"

// Output 0, of type RESOURCE, becomes the handle `id` (in prepare or invoke).
TfLiteStatus lite_resource_write_handle(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                        int32_t id);

// Input 0 is of type RESOURCE.
TfLiteStatus lite_resource_check_handle(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op);

// The resource that input 0 stands for (in invoke).
TfLiteStatus lite_resource_read_handle(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                       LiteResourceKind kind, LiteResource** resource);

#endif
