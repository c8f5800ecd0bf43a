// SPDX-License-Identifier: Apache-2.0
#include "core/graph/fold.h"

#include "core/base/shape.h"
#include "core/graph/graph.h"
#include "core/graph/memory_limit.h"
#include "core/graph/node.h"
#include "core/graph/subgraph.h"
#include "core/graph/tensor.h"

static TfLiteTensor* output_of(const LiteSubgraph* subgraph, const LiteNode* node) {
    const TfLiteIntArray* outputs = node->node.outputs;
    return outputs->size == 1 ? lite_subgraph_tensor(subgraph, outputs->data[0]) : NULL;
}

static bool is_constant(const TfLiteTensor* tensor) {
    if (tensor->allocation_type != kTfLiteMmapRo && tensor->allocation_type != kTfLitePersistentRo)
        return false;
    return tensor->data.raw != NULL;
}

static bool has_constant_inputs(const LiteSubgraph* subgraph, const LiteNode* node) {
    const TfLiteIntArray* inputs = node->node.inputs;
    for (int i = 0; i < inputs->size; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, inputs->data[i]);
        if (tensor != NULL && !is_constant(tensor)) return false;
    }
    return true;
}

// Is the node of the kind that its operator folds?
static bool is_foldable(const LiteSubgraph* subgraph, const LiteNode* node, const TfLiteTensor* output) {
    enum { kSizes = 64, kFew = 8 }; // elements
    int64_t count;
    if (!lite_shape_count(output->dims->data, output->dims->size, &count)) return false;
    switch (node->methods->op.fold) {
    case kLiteFoldShapes:
        return true;
    case kLiteFoldSizes:
        if (count > kSizes || (output->type != kTfLiteInt32 && output->type != kTfLiteInt64)) return false;
        break;
    case kLiteFoldFew:
        if (count > kFew) return false;
        break;
    default:
        break;
    }
    return has_constant_inputs(subgraph, node);
}

static bool is_string(const TfLiteTensor* output) {
    return output->type == kTfLiteString && output->allocation_type == kTfLiteDynamic;
}

// A tensor that the program, a delegate or the graph around this one gives contents to is theirs.
static bool is_free(const LiteSubgraph* subgraph, const TfLiteTensor* output) {
    const LiteSlot* slot = &subgraph->slots[lite_subgraph_tensor_index(subgraph, output)];
    const bool is_placed = output->allocation_type == kTfLiteArenaRw && !output->is_variable;
    return (is_placed || is_string(output)) && !slot->is_input && output->delegate == NULL;
}

// What can be computed between two points where an inference can be cancelled is bounded as what can be
// prepared is: so many bytes count as a node.
static void count_work(const LiteSubgraph* subgraph, const LiteNode* node, const TfLiteTensor* output) {
    enum { kBytesOfNode = 1 << 14, kMost = 1 << 16 };
    LiteInterpreter* interpreter = subgraph->interpreter;
    if (interpreter->depth <= 1) return;
    size_t work = output->bytes / kBytesOfNode;
    for (int i = 0; i < node->node.inputs->size && work < kMost; i++) {
        const TfLiteTensor* input = lite_subgraph_tensor(subgraph, node->node.inputs->data[i]);
        if (input != NULL) work += input->bytes / kBytesOfNode;
    }
    interpreter->nested_prepares += work < kMost ? (int)work : kMost;
}

void lite_fold_release(LiteSubgraph* subgraph, LiteNode* node) {
    if (!node->folded) return;
    node->folded = false;
    TfLiteTensor* output = output_of(subgraph, node);
    if (output->allocation_type == kTfLitePersistentRo) lite_tensor_leave_persistent(subgraph, output);
}

TfLiteStatus lite_fold_prepare(LiteSubgraph* subgraph, LiteNode* node) {
    lite_fold_release(subgraph, node);
    LITE_TRY(lite_node_prepare(subgraph, node));
    if (node->methods->op.fold == kLiteFoldNever) return kTfLiteOk;
    TfLiteTensor* output = output_of(subgraph, node);
    if (output == NULL || !is_free(subgraph, output) || !is_foldable(subgraph, node, output))
        return kTfLiteOk;
    // As in the reference strings stay dynamic: their contents are there, but are no constant for others.
    if (!is_string(output)) LITE_TRY(lite_tensor_make_persistent(subgraph, output));
    node->folded = true;
    TfLiteStatus status = lite_node_invoke(subgraph, node);
    if (status == kTfLiteOk) status = lite_memory_charge_outputs(subgraph, node);
    count_work(subgraph, node, output);
    if (status == kTfLiteOk) return kTfLiteOk;
    lite_fold_release(subgraph, node);
    return kTfLiteError;
}
