// SPDX-License-Identifier: Apache-2.0
// A small model file can ask for any amount of memory, by the shapes in it or by the numbers from which it
// computes shapes. So the memory of tensors is counted, and refused beyond a limit.
#include "core/graph/memory_limit.h"

#include "core/graph/graph.h"
#include "core/graph/subgraph.h"

TfLiteStatus lite_memory_charge(LiteSubgraph* subgraph, const TfLiteTensor* tensor, size_t tensor_bytes,
                                size_t* charged, size_t bytes) {
    LiteInterpreter* interpreter = subgraph->interpreter;
    const size_t limit = interpreter->memory_limit;
    const size_t others = interpreter->memory_used - *charged;
    const size_t left = others < limit ? limit - others : 0;
    if (bytes > *charged && bytes > left) {
        return lite_subgraph_fail(
            subgraph, "tensor '%s' needs %zu bytes%s: more than the %zu that are left of the limit of %zu",
            tensor->name ? tensor->name : "", tensor_bytes, bytes > tensor_bytes ? " and others more" : "",
            left, limit);
    }
    interpreter->memory_used = others + bytes;
    *charged = bytes;
    return kTfLiteOk;
}

TfLiteStatus lite_memory_charge_outputs(LiteSubgraph* subgraph, const LiteNode* node) {
    const TfLiteIntArray* outputs = node->node.outputs;
    for (int i = 0; i < outputs->size; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, outputs->data[i]);
        if (tensor == NULL || tensor->allocation_type != kTfLiteDynamic) continue;
        size_t* charged = &subgraph->slots[outputs->data[i]].dynamic_bytes;
        if (tensor->bytes > *charged)
            LITE_TRY(lite_memory_charge(subgraph, tensor, tensor->bytes, charged, tensor->bytes));
    }
    return kTfLiteOk;
}
