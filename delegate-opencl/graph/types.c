// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/graph/types.h"

#include "core/base/output_type.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/common.h"

static TfLiteType given_type(const LiteClNode* node, LiteOutputType from) {
    const bool there =
        from.source >= 0 && from.source < node->input_count && node->inputs[from.source] != NULL;
    return lite_output_type_given(from, there ? node->inputs[from.source]->type : kTfLiteNoType,
                                  node->params);
}

void lite_cl_give_types(const LiteClNode* node) {
    for (int i = 0; i < node->output_count; i++) {
        const LiteOutputType from = lite_output_type(node->code, node->name, i);
        if (from.source == kLiteTypeDeclared) return; // so are all outputs
        LiteClTensor* output = node->outputs[i];
        const TfLiteType type = given_type(node, from);
        if (output != NULL && !output->variable && type != kTfLiteNoType) output->type = type;
    }
}

void lite_cl_set_host_type(TfLiteOpaqueTensor* host, TfLiteType type) {
    // The opaque tensor is the public one, of which the opaque API sets no type.
    TfLiteTensor* tensor = (TfLiteTensor*)(void*)host;
    if (tensor->type == type) return;
    tensor->type = type;
    // Hosts keep the memory of a tensor whose dimensions stay the same.
    if (tensor->allocation_type == kTfLiteArenaRw) tensor->data.raw = NULL;
}
