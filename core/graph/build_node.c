// SPDX-License-Identifier: Apache-2.0
// Nodes that the program adds.
#include "core/graph/build_node.h"

#include <limits.h>
#include <string.h>

#include "core/graph/build.h"
#include "core/graph/graph.h"
#include "core/graph/node.h"
#include "core/graph/subgraph.h"
#include "core/graph/tensor.h"
#include "core/model/options.h"

// Whether a function of the registration is one of the library's kernels for this operator.
static bool is_of_library(const TfLiteRegistration* registration) {
    for (int i = 0; i < lite_registry_count(); i++) {
        const TfLiteRegistration* own = lite_registry_registration(i);
        if (registration->prepare != NULL && registration->prepare == own->prepare) return true;
        if (registration->invoke != NULL && registration->invoke == own->invoke) return true;
    }
    return false;
}

// As in the reference an operator without parameters may forward a tensor, as the program answers for it. The
// library's operators may not.
static TfLiteStatus check_overlap(LiteSubgraph* subgraph, const OcliteNewNode* wanted, bool is_library) {
    if (wanted->builtin_data == NULL && !is_library) return kTfLiteOk;
    for (int i = 0; i < wanted->input_count; i++) {
        for (int j = 0; j < wanted->output_count; j++) {
            if (wanted->inputs[i] != wanted->outputs[j]) continue;
            subgraph->is_inconsistent = true;
            return lite_subgraph_fail(subgraph, "Tensor %d is both input %d and output %d", wanted->inputs[i],
                                      i, j);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus check(LiteSubgraph* subgraph, const OcliteNewNode* wanted, bool is_library) {
    LITE_TRY(lite_build_check_indices(subgraph, "node inputs", wanted->inputs, wanted->input_count,
                                      kTfLiteOptionalTensor));
    LITE_TRY(lite_build_check_indices(subgraph, "node outputs", wanted->outputs, wanted->output_count, 0));
    LITE_TRY(lite_build_check_indices(subgraph, "node intermediates", wanted->intermediates,
                                      wanted->intermediate_count, kTfLiteOptionalTensor));
    if (wanted->init_data_size > INT_MAX || (wanted->init_data == NULL && wanted->init_data_size > 0)) {
        return lite_subgraph_fail(subgraph, "a node with %zu bytes of init data%s", wanted->init_data_size,
                                  wanted->init_data == NULL ? " at NULL" : "");
    }
    return check_overlap(subgraph, wanted, is_library);
}

static TfLiteStatus copy_list(LiteSubgraph* subgraph, const int* tensors, int count, LiteModelInts* list) {
    int32_t* copy = lite_arena_alloc(&subgraph->arena, (size_t)count, sizeof *copy);
    if (copy == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    if (count > 0) memcpy(copy, tensors, (size_t)count * sizeof *copy);
    *list = (LiteModelInts){count, copy};
    for (int i = 0; i < count; i++) {
        TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, tensors[i]);
        if (tensor == NULL || tensor->dims != NULL) continue; // an operator's own has no dimensions yet
        tensor->dims = TfLiteIntArrayCreate(0);
        if (tensor->dims == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    }
    return kTfLiteOk;
}

// What a model would say of the node, but for the parameters.
static TfLiteStatus describe(LiteSubgraph* subgraph, const OcliteNewNode* wanted, LiteModelOperator* source) {
    const TfLiteRegistration* registration = wanted->registration;
    LITE_TRY(copy_list(subgraph, wanted->inputs, wanted->input_count, &source->inputs));
    LITE_TRY(copy_list(subgraph, wanted->outputs, wanted->output_count, &source->outputs));
    LITE_TRY(copy_list(subgraph, wanted->intermediates, wanted->intermediate_count, &source->intermediates));
    source->builtin_code = (TfLiteBuiltinOperator)registration->builtin_code;
    source->custom_name = registration->custom_name;
    source->version = registration->version;
    source->custom_options = wanted->init_data;
    source->custom_options_size = wanted->init_data_size;
    return kTfLiteOk;
}

// Everything but the parameters, which the caller has until the node is complete.
static TfLiteStatus create(LiteSubgraph* subgraph, const OcliteNewNode* wanted, LiteNode** created) {
    LiteModelOperator* source = lite_arena_alloc(&subgraph->arena, 1, sizeof *source);
    LiteMethods* methods = lite_arena_alloc(&subgraph->arena, 1, sizeof *methods);
    if (source == NULL || methods == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    LITE_TRY(describe(subgraph, wanted, source));
    LiteNode* node = lite_node_create(sizeof *node, source->inputs, source->outputs, source->intermediates);
    if (node == NULL || !lite_node_own_temporaries(node)) {
        lite_node_destroy(subgraph, node);
        return lite_subgraph_fail(subgraph, "out of memory");
    }
    TfLiteNode* fields = &node->node;
    if (source->builtin_code == kTfLiteBuiltinCustom) {
        fields->custom_initial_data = wanted->init_data;
        fields->custom_initial_data_size = (int)wanted->init_data_size;
    }
    node->source = source;
    node->methods = methods;
    node->resolved = true;
    lite_node_fill_methods(methods, wanted->registration);
    fields->might_have_side_effect = lite_node_has_side_effects(subgraph, node);
    *created = node;
    return kTfLiteOk;
}

// The library's kernels read their parameters; absent ones are those that a file leaves out.
static TfLiteStatus set_params(LiteSubgraph* subgraph, void* builtin_data, LiteNode* node) {
    const size_t size = lite_options_params_size(node->methods->registration.builtin_code);
    if (builtin_data == NULL && node->is_library && size > 0) {
        builtin_data = lite_calloc(1, size);
        if (builtin_data == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    }
    node->node.builtin_data = builtin_data;
    ((LiteModelOperator*)node->source)->builtin_data = builtin_data;
    return kTfLiteOk;
}

static TfLiteStatus append(LiteSubgraph* subgraph, LiteNode* node) {
    const int count = subgraph->plan->size;
    TfLiteIntArray* plan = lite_realloc(subgraph->plan, TfLiteIntArrayGetSizeInBytes(count + 1));
    if (plan == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    subgraph->plan = plan;
    plan->data[count] = subgraph->node_count;
    LITE_TRY(lite_subgraph_add_node(subgraph, node));
    plan->size = count + 1;
    node->in_plan = true;
    node->runner = -1;
    return kTfLiteOk;
}

// On success the node owns `builtin_data`, else the caller still does.
static TfLiteStatus add(LiteSubgraph* subgraph, const OcliteNewNode* wanted, void** builtin_data) {
    const bool is_library = is_of_library(wanted->registration);
    subgraph->ready = subgraph->released = false;
    LITE_TRY(check(subgraph, wanted, is_library));
    LiteNode* node;
    LITE_TRY(create(subgraph, wanted, &node));
    node->is_library = is_library;
    TfLiteStatus status = set_params(subgraph, *builtin_data, node);
    if (status == kTfLiteOk) {
        node->is_built = true;
        *builtin_data = NULL;
        lite_node_init(subgraph, node);
        if (node->node.user_data == TfLiteKernelInitFailed()) {
            status = lite_subgraph_fail(subgraph, "Failed to initialize kernel.");
        }
    }
    if (status == kTfLiteOk) status = append(subgraph, node);
    if (status != kTfLiteOk) lite_node_destroy(subgraph, node);
    return status;
}

TfLiteStatus lite_build_node(LiteSubgraph* subgraph, const OcliteNewNode* wanted, int* index) {
    void* builtin_data = wanted->builtin_data;
    TfLiteStatus status = lite_build_check_changeable(subgraph, "AddNodeWithParameters");
    if (status == kTfLiteOk && wanted->registration == NULL) {
        status = lite_subgraph_fail(subgraph, "a node without registration");
    }
    if (status == kTfLiteOk) status = add(subgraph, wanted, &builtin_data);
    if (status == kTfLiteOk && index != NULL) *index = subgraph->node_count - 1;
    lite_free(builtin_data);
    return status;
}
