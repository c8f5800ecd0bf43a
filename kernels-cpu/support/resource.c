// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/resource.h"

#include <string.h>

#include "core/base/host.h"

TfLiteStatus lite_resource_write_handle(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                        int32_t id) {
    TfLiteTensor* tensor = (TfLiteTensor*)(void*)TfLiteOpaqueNodeGetOutput(context, node, 0);
    if (tensor == NULL || tensor->type != kTfLiteResource || tensor->allocation_type != kTfLiteDynamic) {
        return lite_fail(context, "%s: the output is not a resource that can be written", op);
    }
    if (TfLiteTensorRealloc(sizeof id, tensor) != kTfLiteOk)
        return lite_fail(context, "%s: out of memory", op);
    memcpy(tensor->data.raw, &id, sizeof id);
    return kTfLiteOk;
}

TfLiteStatus lite_resource_check_handle(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                        const char* op) {
    const TfLiteOpaqueTensor* tensor = TfLiteOpaqueNodeGetInput(context, node, 0);
    if (tensor != NULL && TfLiteOpaqueTensorType(tensor) == kTfLiteResource) return kTfLiteOk;
    return lite_fail(context, "%s: input 0 is not a resource", op);
}

TfLiteStatus lite_resource_read_handle(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                       LiteResourceKind kind, LiteResource** resource) {
    const TfLiteOpaqueTensor* tensor = TfLiteOpaqueNodeGetInput(context, node, 0);
    const void* data = TfLiteOpaqueTensorData(tensor);
    int32_t id;
    if (data == NULL || TfLiteOpaqueTensorByteSize(tensor) < sizeof id) {
        return lite_fail(context, "%s: the resource has no handle yet", op);
    }
    memcpy(&id, data, sizeof id);
    *resource = lite_resource_find(&lite_host(context)->resources, kind, id);
    return *resource ? kTfLiteOk : lite_fail(context, "%s: there is no resource %d", op, (int)id);
}
