// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/callee.h"

#include <string.h>

#include "core/base/host.h"

LiteTensors lite_callee_inputs(const LiteCallee* callee) {
    return (LiteTensors){callee->context, callee->inputs, callee->input_count, NULL};
}

LiteTensors lite_callee_outputs(const LiteCallee* callee) {
    return (LiteTensors){callee->context, callee->outputs, callee->output_count, NULL};
}

TfLiteTensor* lite_callee_tensor(LiteTensors tensors, int i) {
    return (TfLiteTensor*)(void*)TfLiteOpaqueContextGetOpaqueTensor(tensors.context, tensors.indices[i]);
}

// A subgraph lists -1 for an input that it does not use. Nothing goes there.
static bool is_unused(LiteTensors to, int i) {
    return to.indices[i] == kTfLiteOptionalTensor;
}

static bool is_unchanged(LiteTensors from, int i) {
    return from.loop != NULL && from.loop->inputs[i] == from.loop->outputs[i];
}

LiteTensors lite_callee_node_inputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int first) {
    LiteTensors tensors = {.context = context};
    TfLiteOpaqueNodeInputs(node, &tensors.indices, &tensors.count);
    tensors.indices += first;
    tensors.count -= first;
    return tensors;
}

LiteTensors lite_callee_node_outputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteTensors tensors = {.context = context};
    TfLiteOpaqueNodeOutputs(node, &tensors.indices, &tensors.count);
    return tensors;
}

TfLiteStatus lite_callee_find(TfLiteOpaqueContext* context, const char* op, int index, int inputs,
                              int outputs, LiteCallee* callee) {
    LiteHost* host = lite_host(context);
    callee->context = host->subgraph(host, index);
    if (callee->context == NULL) return lite_fail(context, "%s: there is no subgraph %d", op, index);
    TfLiteOpaqueContextGetInputs(callee->context, &callee->inputs, &callee->input_count);
    TfLiteOpaqueContextGetOutputs(callee->context, &callee->outputs, &callee->output_count);
    if (callee->input_count != inputs || callee->output_count != outputs) {
        return lite_fail(context, "%s: subgraph %d has %d inputs and %d outputs, expected %d and %d", op,
                         index, callee->input_count, callee->output_count, inputs, outputs);
    }
    return kTfLiteOk;
}

TfLiteStatus lite_callee_check_pairs(TfLiteOpaqueContext* context, const char* op, LiteTensors from,
                                     LiteTensors to) {
    for (int i = 0; i < from.count; i++) {
        const TfLiteTensor* source = lite_callee_tensor(from, i);
        const TfLiteTensor* target = lite_callee_tensor(to, i);
        if (is_unused(to, i)) continue;
        if (source == NULL || target == NULL) return lite_fail(context, "%s: tensor %d is absent", op, i);
        if (source->type != target->type) {
            return lite_fail(context, "%s: tensor %d is of type %s on one side and %s on the other", op, i,
                             TfLiteTypeGetName(source->type), TfLiteTypeGetName(target->type));
        }
    }
    return kTfLiteOk;
}

TfLiteStatus lite_callee_shape(const char* op, const LiteCallee* callee, LiteTensors from,
                               bool* shapes_known) {
    LiteHost* host = lite_host(callee->context);
    for (int i = 0; i < from.count; i++) {
        if (is_unused(lite_callee_inputs(callee), i)) continue;
        const TfLiteTensor* argument = lite_callee_tensor(from, i);
        if (argument == NULL || lite_callee_tensor(lite_callee_inputs(callee), i) == NULL) {
            return lite_fail(from.context, "%s: tensor %d is absent", op, i);
        }
        LITE_TRY(host->resize_input(callee->context, callee->inputs[i], argument->type, argument->dims));
    }
    return host->allocate(callee->context, shapes_known);
}

static TfLiteStatus resize_like(LiteTensors to, int i, const TfLiteTensor* source) {
    TfLiteIntArray* dims = TfLiteIntArrayCopy(source->dims);
    if (dims == NULL) return lite_fail(to.context, "out of memory");
    return TfLiteOpaqueContextResizeTensor(to.context, (TfLiteOpaqueTensor*)lite_callee_tensor(to, i), dims);
}

TfLiteStatus lite_callee_copy(const char* op, LiteTensors from, LiteTensors to) {
    LITE_TRY(lite_callee_check_pairs(to.context, op, from, to));
    for (int i = 0; i < from.count; i++) {
        const TfLiteTensor* source = lite_callee_tensor(from, i);
        TfLiteTensor* target = lite_callee_tensor(to, i);
        if (is_unused(to, i) || is_unchanged(from, i)) continue;
        if (source->sparsity != NULL) {
            return lite_fail(to.context, "%s: tensor %d to be copied is sparse", op, from.indices[i]);
        }
        if (target->allocation_type == kTfLiteMmapRo) {
            return lite_fail(to.context, "%s: tensor %d to be written is a constant", op, to.indices[i]);
        }
        if (target->allocation_type == kTfLiteDynamic) {
            LITE_TRY(resize_like(to, i, source));
            target = lite_callee_tensor(to, i);
            if (target->bytes != source->bytes && TfLiteTensorRealloc(source->bytes, target) != kTfLiteOk) {
                return lite_fail(to.context, "%s: out of memory for %zu bytes", op, source->bytes);
            }
        }
        const bool absent = source->data.raw == NULL || target->data.raw == NULL;
        if (target->bytes != source->bytes || (source->bytes > 0 && absent)) {
            return lite_fail(to.context, "%s: %zu bytes cannot be copied to the %zu bytes of tensor %d", op,
                             source->bytes, target->bytes, to.indices[i]);
        }
        if (source->bytes > 0) memcpy(target->data.raw, source->data.raw, source->bytes);
    }
    return kTfLiteOk;
}

TfLiteStatus lite_callee_call(const char* op, const LiteCallee* callee, LiteTensors arguments) {
    bool shapes_known;
    LITE_TRY(lite_callee_shape(op, callee, arguments, &shapes_known));
    LITE_TRY(lite_callee_copy(op, arguments, lite_callee_inputs(callee)));
    return lite_host(callee->context)->invoke(callee->context);
}

TfLiteStatus lite_callee_size_outputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                      const LiteCallee* callee, bool known) {
    const LiteTensors outputs = lite_callee_node_outputs(context, node);
    for (int i = 0; i < outputs.count; i++) {
        if (!known) {
            lite_kernel_set_dynamic((TfLiteOpaqueTensor*)lite_callee_tensor(outputs, i));
        } else {
            LITE_TRY(resize_like(outputs, i, lite_callee_tensor(lite_callee_outputs(callee), i)));
        }
    }
    return kTfLiteOk;
}
