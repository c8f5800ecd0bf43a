// SPDX-License-Identifier: Apache-2.0
#include "core/graph/fold.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/shape.h"
#include "core/base/xxh64.h"
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

LiteShared* lite_fold_shared(const LiteSubgraph* subgraph, int index) {
    LiteModel* model = subgraph->interpreter->model;
    if (subgraph->index >= lite_model_subgraph_count(model)) return NULL;
    const LiteModelSubgraph* source = lite_model_subgraph(model, subgraph->index);
    if (index < 0 || index >= source->tensor_count || subgraph->slots[index].is_built) return NULL;
    const TfLiteTensor* tensor = &subgraph->context.tensors[index];
    const LiteModelTensor* wanted = &source->tensors[index];
    if (tensor->allocation_type != kTfLiteMmapRo || tensor->type != wanted->type || tensor->sparsity != NULL)
        return NULL;
    LiteSharedBlock* block = subgraph->slots[index].shared;
    const void* data = LITE_HAS_COMMON_FOLDS && block != NULL ? lite_shared_memory(block) : wanted->data;
    return tensor->data.data == data ? lite_model_shared(model) : NULL;
}

// Of how the inputs are quantized, which programs may change.
static uint64_t hash_quantization(const LiteSubgraph* subgraph, const LiteNode* node) {
    uint64_t hash = 0;
    for (int i = 0; i < node->node.inputs->size; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, node->node.inputs->data[i]);
        if (tensor == NULL || tensor->quantization.type != kTfLiteAffineQuantization) continue;
        const TfLiteAffineQuantization* affine = tensor->quantization.params;
        hash = lite_xxh64(&tensor->params, sizeof tensor->params, hash + 1);
        if (affine == NULL || affine->scale == NULL || affine->zero_point == NULL) continue;
        const TfLiteFloatArray* scales = affine->scale;
        const TfLiteIntArray* zeros = affine->zero_point;
        hash = lite_xxh64(scales->data, (size_t)scales->size * sizeof *scales->data, hash);
        hash = lite_xxh64(zeros->data, (size_t)zeros->size * sizeof *zeros->data, hash);
        hash += (uint64_t)affine->quantized_dimension;
    }
    return hash;
}

// All interpreters of the model compute the same: floats of the model's own constants, by the library's
// operator. What other operators give is a tensor's own, as in the reference (kTfLitePersistentRo).
static bool is_common(const LiteSubgraph* subgraph, const LiteNode* node, const TfLiteTensor* output) {
    enum { kLeast = 256 }; // bytes that are worth it
    if (output->bytes < kLeast || node->source == NULL ||
        node->source->builtin_code != kTfLiteBuiltinDequantize || node->is_built ||
        !node->methods->is_library)
        return false;
    for (int i = 0; i < node->node.inputs->size; i++) {
        const int t = node->node.inputs->data[i];
        if (t >= 0 && lite_fold_shared(subgraph, t) == NULL) return false;
    }
    return !subgraph->slots[lite_subgraph_tensor_index(subgraph, output)].is_built;
}

typedef struct Fill {
    LiteSubgraph* subgraph;
    LiteNode* node;
    TfLiteTensor* output;
} Fill;

static bool fill(void* argument, void* memory) {
    const Fill* f = argument;
    f->output->data.raw = memory;
    f->output->allocation_type = kTfLitePersistentRo;
    const TfLiteStatus status = lite_node_invoke(f->subgraph, f->node);
    f->output->data.raw = NULL;
    f->output->allocation_type = kTfLiteArenaRw;
    return status == kTfLiteOk;
}

// Makes the output a constant as those of the model are, which it does not own. *done is false where there is
// no memory, or the node fails.
static TfLiteStatus fold_common(LiteSubgraph* subgraph, LiteNode* node, TfLiteTensor* output, bool* done) {
    LiteSlot* slot = &subgraph->slots[lite_subgraph_tensor_index(subgraph, output)];
    LITE_TRY(lite_memory_charge(subgraph, output, output->bytes, &slot->dynamic_bytes, output->bytes));
    Fill f = {subgraph, node, output};
    const int64_t key[] = {(int64_t)(uintptr_t)node->source, (int64_t)(uintptr_t)node->methods->op.invoke,
                           (int64_t)hash_quantization(subgraph, node)};
    const LiteSharedContents contents = {.key = key,
                                         .key_count = sizeof key / sizeof *key,
                                         .bytes = output->bytes,
                                         .fill = fill,
                                         .argument = &f};
    *done = lite_shared_replace(&slot->shared, lite_model_shared(subgraph->interpreter->model), &contents);
    if (!*done) return lite_memory_charge(subgraph, output, 0, &slot->dynamic_bytes, 0);
    output->data.raw = lite_shared_memory(slot->shared);
    output->allocation_type = kTfLiteMmapRo;
    return kTfLiteOk;
}

void lite_fold_release(LiteSubgraph* subgraph, LiteNode* node) {
    if (!node->folded) return;
    node->folded = false;
    TfLiteTensor* output = output_of(subgraph, node);
    // The block stays: weights that were packed from it are known by its address.
    if (LITE_HAS_COMMON_FOLDS && output->allocation_type == kTfLiteMmapRo) {
        output->data.raw = NULL;
        output->allocation_type = kTfLitePersistentRo;
    }
    if (output->allocation_type == kTfLitePersistentRo) lite_tensor_leave_persistent(subgraph, output);
}

TfLiteStatus lite_fold_prepare(LiteSubgraph* subgraph, LiteNode* node) {
    lite_fold_release(subgraph, node);
    LITE_TRY(lite_node_prepare(subgraph, node));
    if (node->methods->op.fold == kLiteFoldNever) return kTfLiteOk;
    TfLiteTensor* output = output_of(subgraph, node);
    if (output == NULL || !is_free(subgraph, output) || !is_foldable(subgraph, node, output))
        return kTfLiteOk;
    if (LITE_HAS_COMMON_FOLDS && is_common(subgraph, node, output))
        LITE_TRY(fold_common(subgraph, node, output, &node->folded));
    if (node->folded) {
        count_work(subgraph, node, output);
        return kTfLiteOk;
    }
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

// Will the node be folded, whatever the shapes of the graph's inputs? What programs write, or an earlier
// inference has left, is read before the node's step.
static bool is_ahead(const LiteSubgraph* subgraph, const LiteNode* node) {
    if (node->source == NULL || node->methods->op.fold != kLiteFoldConstants) return false;
    const TfLiteTensor* output = output_of(subgraph, node);
    if (output == NULL || output->is_variable) return false;
    if (subgraph->slots[lite_subgraph_tensor_index(subgraph, output)].is_input) return false;
    const TfLiteIntArray* inputs = node->node.inputs;
    for (int i = 0; i < inputs->size; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, inputs->data[i]);
        if (tensor != NULL && (tensor->allocation_type != kTfLiteMmapRo || tensor->data.raw == NULL))
            return false;
    }
    return true;
}

void lite_fold_first(LiteSubgraph* subgraph) {
    if (!LITE_HAS_COMMON_FOLDS) return;
    TfLiteIntArray* plan = subgraph->plan;
    int ahead = 0, first = -1, last = -1;
    for (int step = 0; step < plan->size; step++) {
        const bool is_early = is_ahead(subgraph, subgraph->nodes[plan->data[step]]);
        if (!is_early && first < 0) first = step;
        if (is_early) last = step;
        ahead += is_early;
    }
    if (first < 0 || last < first) return; // they are
    int* others = lite_malloc((size_t)(plan->size - ahead) * sizeof *others);
    if (others == NULL) return; // only slower
    int early = 0, late = 0;
    for (int step = 0; step < plan->size; step++) {
        const int index = plan->data[step];
        if (is_ahead(subgraph, subgraph->nodes[index])) {
            plan->data[early++] = index;
        } else {
            others[late++] = index;
        }
    }
    memcpy(plan->data + early, others, (size_t)late * sizeof *others);
    lite_free(others);
}
