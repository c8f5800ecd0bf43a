// SPDX-License-Identifier: Apache-2.0
// Subgraphs are made from the model, and destroyed.
#include "core/graph/create.h"

#include <limits.h>
#include <string.h>

#include "core/base/no_ints.h"
#include "core/graph/async.h"
#include "core/graph/buffer_handle.h"
#include "core/graph/context.h"
#include "core/graph/delegate.h"
#include "core/graph/graph.h"
#include "core/graph/memory_plan.h"
#include "core/graph/node.h"
#include "core/graph/resolver.h"
#include "core/graph/subgraph.h"
#include "core/graph/tensor.h"

// Room for tensors that kernels add. Users hold pointers to tensors, so the array should never have to move.
// Room that is not used costs address space only.
enum { kSpareTensors = 256, kSpareTensorsPerNode = 4 };
static const size_t kMaxSpareTensors = 1 << 16; // of an interpreter: a model may have very many subgraphs

// Contents make a tensor a constant, also one that the model lists among the inputs of the graph. But what a
// call passes to a graph takes the place of contents.
static bool has_contents(const LiteSubgraph* subgraph, int index) {
    if (subgraph->source->tensors[index].data == NULL) return false;
    return !subgraph->source->is_called || !subgraph->slots[index].is_input;
}

static TfLiteStatus set_contents(LiteSubgraph* subgraph, TfLiteTensor* tensor,
                                 const LiteModelTensor* source) {
    if (source->is_variable) {
        return lite_subgraph_fail(subgraph, "tensor '%s' is a variable with constant contents", source->name);
    }
    tensor->allocation_type = kTfLiteMmapRo;
    tensor->data.raw_const = source->data;
    tensor->bytes = source->bytes;
    return kTfLiteOk;
}

// Programs free and replace what a tensor points to (TfLiteQuantizationFree, TfLiteTensorFree), so each
// tensor owns it.
static TfLiteStatus copy_owned(LiteSubgraph* subgraph, TfLiteTensor* tensor, const LiteModelTensor* source,
                               bool has_contents) {
    const TfLiteTensor copy = TfLiteTensorClone((TfLiteTensor){
        .name = source->name,
        .quantization = source->quantization,
        .sparsity = has_contents ? (TfLiteSparsity*)(uintptr_t)source->sparsity : NULL, // only read
    });
    if (copy.name == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    tensor->quantization = copy.quantization;
    tensor->sparsity = copy.sparsity;
    return kTfLiteOk;
}

static TfLiteStatus set_tensor(LiteSubgraph* subgraph, int index) {
    const LiteModelTensor* source = &subgraph->source->tensors[index];
    TfLiteTensor* tensor = &subgraph->context.tensors[index];
    tensor->type = subgraph->slots[index].type = source->type;
    tensor->name = source->name;
    tensor->is_variable = source->is_variable;
    tensor->params = lite_tensor_legacy_quantization(&source->quantization);
    LITE_TRY(copy_owned(subgraph, tensor, source, has_contents(subgraph, index)));
    tensor->dims = lite_ints_copy(source->shape.data, source->shape.count);
    const LiteModelInts signature = source->shape_signature;
    tensor->dims_signature =
        signature.count > 0 ? lite_ints_copy(signature.data, signature.count) : lite_no_ints();
    if (tensor->dims == NULL || tensor->dims_signature == NULL) {
        return lite_subgraph_fail(subgraph, "out of memory");
    }
    LITE_TRY(lite_tensor_size(subgraph, tensor, tensor->dims, &tensor->bytes));
    if (has_contents(subgraph, index)) return set_contents(subgraph, tensor, source);
    if (!lite_tensor_has_fixed_size(source->type)) {
        if (source->is_variable) {
            return lite_subgraph_fail(subgraph, "tensor '%s': a variable cannot be of type %s", source->name,
                                      TfLiteTypeGetName(source->type));
        }
        tensor->allocation_type = kTfLiteDynamic;
    } else {
        tensor->allocation_type = source->is_variable ? kTfLiteArenaRwPersistent : kTfLiteArenaRw;
    }
    return kTfLiteOk;
}

static TfLiteStatus create_tensors(LiteSubgraph* subgraph) {
    const LiteModelSubgraph* source = subgraph->source;
    size_t spare = kSpareTensors + (size_t)source->operator_count * kSpareTensorsPerNode;
    const size_t left = kMaxSpareTensors - subgraph->interpreter->spare_tensors;
    if (spare > left) spare = left;
    subgraph->interpreter->spare_tensors += spare;
    LITE_TRY(lite_subgraph_grow_tensors(subgraph, (size_t)source->tensor_count + spare));
    LITE_TRY(lite_subgraph_add_tensors(subgraph, source->tensor_count, NULL));
    for (int i = 0; i < source->inputs.count; i++) {
        if (source->inputs.data[i] >= 0) subgraph->slots[source->inputs.data[i]].is_input = true;
    }
    int variable_count = 0;
    for (int i = 0; i < source->tensor_count; i++) {
        LITE_TRY(set_tensor(subgraph, i));
        variable_count += source->tensors[i].is_variable;
    }
    int32_t* variables = lite_arena_alloc(&subgraph->arena, (size_t)variable_count, sizeof *variables);
    if (variables == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    subgraph->variables.data = variables;
    for (int i = 0; i < source->tensor_count; i++) {
        if (source->tensors[i].is_variable) variables[subgraph->variables.count++] = i;
    }
    return kTfLiteOk;
}

static TfLiteStatus create_node(LiteSubgraph* subgraph, const LiteModelOperator* source,
                                const LiteInterpreterOptions* options) {
    LiteNode* node = lite_node_create(sizeof *node, source->inputs, source->outputs, source->intermediates);
    if (node == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    node->source = source;
    if (lite_subgraph_add_node(subgraph, node) != kTfLiteOk) {
        lite_node_destroy(subgraph, node);
        return kTfLiteError;
    }
    TfLiteNode* fields = &node->node;
    fields->builtin_data = (void*)source->builtin_data;
    if (source->custom_options_size <= INT_MAX) {
        fields->custom_initial_data = source->custom_options;
        fields->custom_initial_data_size = (int)source->custom_options_size;
    }
    LITE_TRY(lite_resolve(subgraph, node, options));
    if (!node->methods->is_library && !lite_node_own_temporaries(node))
        return lite_subgraph_fail(subgraph, "out of memory");
    fields->might_have_side_effect = lite_node_has_side_effects(subgraph, node);
    return kTfLiteOk;
}

static TfLiteStatus create_nodes(LiteSubgraph* subgraph, const LiteInterpreterOptions* options) {
    const int count = subgraph->source->operator_count;
    subgraph->plan = TfLiteIntArrayCreate(count);
    if (subgraph->plan == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    LITE_TRY(lite_subgraph_grow_nodes(subgraph, count));
    for (int i = 0; i < count; i++) {
        subgraph->plan->data[i] = i;
        LITE_TRY(create_node(subgraph, &subgraph->source->operators[i], options));
    }
    lite_node_note_plan(subgraph);
    return kTfLiteOk;
}

LiteSubgraph* lite_subgraph_create(LiteInterpreter* interpreter, int index,
                                   const LiteInterpreterOptions* options) {
    static const LiteModelSubgraph nothing = {.name = ""};
    LiteSubgraph* subgraph = lite_calloc(1, sizeof *subgraph);
    if (subgraph == NULL) {
        lite_report(&interpreter->reporter, "out of memory");
        return NULL;
    }
    subgraph->host = &interpreter->host;
    subgraph->interpreter = interpreter;
    const bool is_added = index >= lite_model_subgraph_count(interpreter->model);
    subgraph->source = is_added ? &nothing : lite_model_subgraph(interpreter->model, index);
    subgraph->index = index;
    lite_context_fill(subgraph);
    if (create_tensors(subgraph) != kTfLiteOk || create_nodes(subgraph, options) != kTfLiteOk) {
        lite_subgraph_destroy(subgraph);
        return NULL;
    }
    // Last, so that no init is called for a graph that cannot be made. What the library's operators have of
    // their own waits for their prepare: a delegate may take the node.
    for (int i = 0; i < subgraph->node_count; i++) {
        LiteNode* node = subgraph->nodes[i];
        if (!node->methods->is_library) lite_node_init(subgraph, node);
    }
    return subgraph;
}

void lite_subgraph_empty_tensor(LiteSubgraph* subgraph, int index) {
    TfLiteTensor* tensor = &subgraph->context.tensors[index];
    (void)lite_delegate_free_handle(subgraph, tensor);
    TfLiteTensorFree(tensor);
    lite_shared_release(subgraph->slots[index].shared);
    subgraph->slots[index].shared = NULL;
    *tensor = (TfLiteTensor){.buffer_handle = kTfLiteNullBufferHandle};
}

void lite_subgraph_destroy(LiteSubgraph* subgraph) {
    if (subgraph == NULL) return;
    lite_async_detach(subgraph);
    // Last things first: drivers look for an object in a list that begins with the newest.
    for (int i = subgraph->node_count - 1; i >= 0; i--) lite_node_destroy(subgraph, subgraph->nodes[i]);
    lite_free(subgraph->nodes);
    lite_delegate_destroy(subgraph);
    lite_context_release(subgraph);
    lite_memory_destroy(subgraph);
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) lite_subgraph_empty_tensor(subgraph, (int)i);
    lite_subgraph_free_tensors(subgraph);
    TfLiteIntArrayFree(subgraph->plan);
    lite_arena_free(&subgraph->arena);
    lite_free(subgraph);
}
