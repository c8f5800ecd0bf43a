// SPDX-License-Identifier: Apache-2.0
// Tensors whose contents are in a delegate's memory.
#include "core/graph/buffer_handle.h"

#include "core/graph/delegate_form.h"
#include "core/graph/graph.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"

static TfLiteStatus copy_from_handle(LiteSubgraph* subgraph, TfLiteTensor* tensor) {
    TfLiteDelegate* delegate = tensor->delegate;
    const TfLiteOpaqueDelegateBuilder* builder = lite_delegate_builder(delegate);
    if (builder != NULL && builder->CopyFromBufferHandle != NULL) {
        return builder->CopyFromBufferHandle(lite_subgraph_context(subgraph), delegate, builder->data,
                                             tensor->buffer_handle, (TfLiteOpaqueTensor*)tensor);
    }
    if (delegate->CopyFromBufferHandle == NULL) {
        return lite_subgraph_fail(subgraph, "the delegate has no CopyFromBufferHandle function");
    }
    return delegate->CopyFromBufferHandle(&subgraph->context, delegate, tensor->buffer_handle, tensor);
}

TfLiteStatus lite_delegate_free_handle(LiteSubgraph* subgraph, TfLiteTensor* tensor) {
    TfLiteDelegate* delegate = tensor->delegate;
    if (delegate == NULL || tensor->buffer_handle == kTfLiteNullBufferHandle) return kTfLiteOk;
    const TfLiteOpaqueDelegateBuilder* builder = lite_delegate_builder(delegate);
    if (builder != NULL && builder->FreeBufferHandle != NULL) {
        builder->FreeBufferHandle(lite_subgraph_context(subgraph), delegate, builder->data,
                                  &tensor->buffer_handle);
    } else if (delegate->FreeBufferHandle != NULL) {
        delegate->FreeBufferHandle(&subgraph->context, delegate, &tensor->buffer_handle);
    } else {
        return kTfLiteError;
    }
    tensor->buffer_handle = kTfLiteNullBufferHandle;
    return kTfLiteOk;
}

TfLiteStatus lite_subgraph_make_readable(LiteSubgraph* subgraph, int index) {
    LITE_TRY(lite_interpreter_check_idle(subgraph->interpreter));
    TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor == NULL) return lite_subgraph_fail(subgraph, "there is no tensor %d", index);
    if (!tensor->data_is_stale) return kTfLiteOk;
    if (tensor->delegate == NULL || tensor->buffer_handle == kTfLiteNullBufferHandle) {
        return lite_subgraph_fail(subgraph, "tensor %d has no delegate buffer to read from", index);
    }
    LITE_TRY(copy_from_handle(subgraph, tensor));
    tensor->data_is_stale = false;
    return kTfLiteOk;
}

TfLiteStatus lite_subgraph_set_buffer_handle(LiteSubgraph* subgraph, int index, TfLiteBufferHandle handle,
                                             TfLiteDelegate* delegate) {
    LITE_TRY(lite_interpreter_check_idle(subgraph->interpreter));
    TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor == NULL) return lite_subgraph_fail(subgraph, "there is no tensor %d", index);
    if (tensor->delegate != NULL && tensor->delegate != delegate) {
        return lite_subgraph_fail(subgraph, "tensor %d belongs to another delegate", index);
    }
    // What is read back from the buffer would be written to the model.
    if (tensor->allocation_type == kTfLiteMmapRo) {
        return lite_subgraph_fail(subgraph, "tensor %d is a constant of the model", index);
    }
    if (lite_delegate_free_handle(subgraph, tensor) != kTfLiteOk) {
        return lite_subgraph_fail(subgraph, "the delegate has no FreeBufferHandle function");
    }
    tensor->delegate = delegate;
    tensor->buffer_handle = handle;
    return kTfLiteOk;
}

void lite_delegate_release_tensors(LiteSubgraph* subgraph, const TfLiteDelegate* delegate) {
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        TfLiteTensor* tensor = &subgraph->context.tensors[i];
        if (delegate == NULL || tensor->delegate != delegate) continue;
        (void)lite_delegate_free_handle(subgraph, tensor);
        tensor->buffer_handle = kTfLiteNullBufferHandle;
        tensor->delegate = NULL;
        tensor->data_is_stale = false;
    }
}
