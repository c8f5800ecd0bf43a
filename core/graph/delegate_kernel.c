// SPDX-License-Identifier: Apache-2.0
// Nodes replaced by kernels of delegates. The nodes themselves stay as they are, outside the plan.
#include "core/graph/delegate_kernel.h"

#include <string.h>

#include "core/graph/async.h"
#include "core/graph/delegate_form.h"
#include "core/graph/fold.h"
#include "core/graph/graph.h"
#include "core/graph/node.h"
#include "core/graph/subgraph.h"
#include "core/graph/subsets.h"
#include "tensorflow/lite/c/operator.h"

// Operators that a delegate gave away live until the delegate is undone.
static TfLiteStatus own_operator(LiteSubgraph* subgraph, TfLiteOperator* op) {
    for (int i = 0; i < subgraph->owned_count; i++) {
        if (subgraph->owned_operators[i] == op) return kTfLiteOk;
    }
    const size_t bytes = ((size_t)subgraph->owned_count + 1) * sizeof op;
    TfLiteOperator** owned = lite_realloc(subgraph->owned_operators, bytes);
    if (owned == NULL) {
        TfLiteOperatorDelete(op);
        return lite_subgraph_fail(subgraph, "out of memory");
    }
    subgraph->owned_operators = owned;
    owned[subgraph->owned_count++] = op;
    return kTfLiteOk;
}

static LiteModelInts ints_of(const TfLiteIntArray* list) {
    return (LiteModelInts){list->size, list->data};
}

// Moves the subset's lists into a kernel's parameters and copies them for the node.
static LiteNode* create_kernel(const TfLiteRegistration* registration, TfLiteDelegate* delegate,
                               LiteSubset* subset) {
    LiteNode* node = lite_node_create(sizeof(LiteDelegateKernel), ints_of(subset->inputs),
                                      ints_of(subset->outputs), (LiteModelInts){0});
    if (node == NULL || !lite_node_own_temporaries(node)) {
        lite_free(node);
        return NULL;
    }
    LiteDelegateKernel* kernel = (LiteDelegateKernel*)(void*)node;
    node->kernel = kernel;
    node->methods = &kernel->methods;
    lite_node_fill_methods(node->methods, registration);
    node->resolved = true;
    // The delegate's form decides, not that of its kernel.
    kernel->opaque_params = lite_delegate_builder(delegate) != NULL;
    if (kernel->opaque_params) {
        kernel->params.opaque = (TfLiteOpaqueDelegateParams){delegate, TfLiteOpaqueDelegateGetData(delegate),
                                                             subset->nodes, subset->inputs, subset->outputs};
    } else {
        kernel->params.plain =
            (TfLiteDelegateParams){delegate, subset->nodes, subset->inputs, subset->outputs};
    }
    node->node.builtin_data = &kernel->params;
    node->node.delegate = delegate;
    *subset = (LiteSubset){.delegated = true};
    return node;
}

static TfLiteStatus check_outputs(LiteSubgraph* subgraph, const TfLiteDelegate* delegate,
                                  const TfLiteIntArray* outputs) {
    for (int i = 0; i < outputs->size; i++) {
        const TfLiteDelegate* owner = subgraph->context.tensors[outputs->data[i]].delegate;
        if (owner != NULL && owner != delegate) {
            return lite_subgraph_fail(subgraph, "tensor %d belongs to another delegate", outputs->data[i]);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus add_kernel(LiteSubgraph* subgraph, const TfLiteRegistration* registration,
                               TfLiteDelegate* delegate, LiteSubset* subset) {
    LITE_TRY(check_outputs(subgraph, delegate, subset->outputs));
    LiteNode* kernel = create_kernel(registration, delegate, subset);
    if (kernel == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    if (lite_subgraph_add_node(subgraph, kernel) != kTfLiteOk) {
        lite_node_destroy(subgraph, kernel);
        return lite_subgraph_fail(subgraph, "out of memory for a delegate kernel");
    }
    kernel->node.might_have_side_effect = lite_node_has_side_effects(subgraph, kernel);
    lite_node_init(subgraph, kernel);
    if (kernel->initialised && kernel->node.user_data == TfLiteKernelInitFailed()) {
        return lite_subgraph_fail(subgraph, "%s: Failed to initialize kernel.", lite_node_name(kernel));
    }
    return kTfLiteOk;
}

// The plan with kernels in place of subsets; NULL after a failure.
static TfLiteIntArray* make_plan(LiteSubgraph* subgraph, const TfLiteRegistration* registration,
                                 TfLiteDelegate* delegate, LiteSubset* subsets, int count) {
    TfLiteIntArray* plan = TfLiteIntArrayCreate(subgraph->plan->size); // room for the worst case
    if (plan == NULL) {
        lite_subgraph_fail(subgraph, "out of memory");
        return NULL;
    }
    int size = 0;
    for (int i = 0; i < count; i++) {
        if (subsets[i].delegated) {
            if (add_kernel(subgraph, registration, delegate, &subsets[i]) != kTfLiteOk) {
                TfLiteIntArrayFree(plan);
                return NULL;
            }
            plan->data[size++] = subgraph->node_count - 1;
        } else {
            const TfLiteIntArray* nodes = subsets[i].nodes;
            memcpy(plan->data + size, nodes->data, (size_t)nodes->size * sizeof *nodes->data);
            size += nodes->size;
        }
    }
    plan->size = size;
    return plan;
}

// What nodes have computed of constants is the kernel's to compute now. Delegates for fixed sizes may have
// kept it; they are undone before it changes.
static void release_folded(LiteSubgraph* subgraph, const LiteNode* kernel) {
    if (!(lite_delegate_flags(kernel->node.delegate) & kTfLiteDelegateFlagsAllowDynamicTensors)) return;
    const TfLiteIntArray* nodes = lite_node_replaced(kernel);
    for (int i = 0; i < nodes->size; i++) lite_fold_release(subgraph, subgraph->nodes[nodes->data[i]]);
}

static TfLiteStatus replace_subsets(LiteSubgraph* subgraph, const TfLiteRegistration* registration,
                                    TfLiteDelegate* delegate, LiteSubset* subsets, int count) {
    const int nodes_before = subgraph->node_count;
    TfLiteIntArray* plan = make_plan(subgraph, registration, delegate, subsets, count);
    if (plan == NULL) {
        lite_delegate_drop_kernels(subgraph, nodes_before);
        return kTfLiteError;
    }
    for (int i = nodes_before; i < subgraph->node_count; i++) {
        const TfLiteIntArray* outputs = subgraph->nodes[i]->node.outputs;
        release_folded(subgraph, subgraph->nodes[i]);
        for (int k = 0; k < outputs->size; k++) {
            subgraph->context.tensors[outputs->data[k]].delegate = delegate;
        }
    }
    lite_async_drop_kernel(subgraph);
    TfLiteIntArrayFree(subgraph->plan);
    subgraph->plan = plan;
    lite_node_note_plan(subgraph);
    subgraph->ready = false;
    return kTfLiteOk;
}

// A delegate that is applied again may ask for its own kernels, and for nodes that it has replaced already.
static TfLiteStatus check_nodes(LiteSubgraph* subgraph, const TfLiteIntArray* nodes,
                                const TfLiteDelegate* delegate) {
    for (int i = 0; i < nodes->size; i++) {
        const int index = nodes->data[i];
        if (index < subgraph->operator_count || index >= subgraph->node_count) continue;
        if (subgraph->nodes[index]->node.delegate != delegate) {
            return lite_subgraph_fail(subgraph, "nodes to replace: node %d is another delegate's", index);
        }
    }
    return kTfLiteOk;
}

TfLiteStatus lite_delegate_replace(LiteSubgraph* subgraph, const TfLiteRegistration* registration,
                                   const TfLiteIntArray* nodes, TfLiteDelegate* delegate) {
    if (delegate == NULL) return lite_subgraph_fail(subgraph, "nodes to replace: for no delegate");
    TfLiteRegistration kernel = *registration;
    kernel.builtin_code = kTfLiteBuiltinDelegate;
    if (kernel.registration_external != NULL && kernel.custom_name == NULL) {
        kernel.custom_name = kernel.registration_external->custom_name;
    }
    if (lite_delegate_builder(delegate) != NULL) {
        if (kernel.registration_external == NULL) {
            lite_subgraph_fail(subgraph, "a delegate of the opaque form needs kernels of the opaque form");
            return kTfLiteDelegateError;
        }
        LITE_TRY(own_operator(subgraph, kernel.registration_external));
    }
    if (nodes == NULL || nodes->size == 0) return kTfLiteOk;
    LITE_TRY(check_nodes(subgraph, nodes, delegate));
    subgraph->delegates[subgraph->applied_count - 1].kernels_delegate = delegate;
    LiteSubset* subsets;
    int count;
    LITE_TRY(lite_subsets_create(subgraph, nodes, &subsets, &count));
    const TfLiteStatus status = replace_subsets(subgraph, &kernel, delegate, subsets, count);
    lite_subsets_destroy(subsets, count);
    return status;
}

// Tensors that a kernel has made dynamic become ordinary ones when the kernel goes.
static void release_outputs(LiteSubgraph* subgraph, const LiteNode* kernel) {
    const TfLiteIntArray* outputs = kernel->node.outputs;
    for (int i = 0; outputs != NULL && i < outputs->size; i++) {
        TfLiteTensor* tensor = &subgraph->context.tensors[outputs->data[i]];
        if (tensor->allocation_type == kTfLiteNonCpu) {
            tensor->data.raw = NULL;
        } else if (tensor->allocation_type == kTfLiteDynamic && tensor->type != kTfLiteString &&
                   tensor->type != kTfLiteResource && tensor->type != kTfLiteVariant) {
            TfLiteTensorDataFree(tensor);
        } else {
            continue;
        }
        tensor->allocation_type = tensor->is_variable ? kTfLiteArenaRwPersistent : kTfLiteArenaRw;
    }
}

void lite_delegate_drop_kernels(LiteSubgraph* subgraph, int keep) {
    while (subgraph->node_count > keep) {
        LiteNode* kernel = subgraph->nodes[--subgraph->node_count];
        release_outputs(subgraph, kernel);
        lite_node_destroy(subgraph, kernel);
    }
}

void lite_delegate_drop_operators(LiteSubgraph* subgraph, int keep) {
    while (subgraph->owned_count > keep) {
        TfLiteOperatorDelete(subgraph->owned_operators[--subgraph->owned_count]);
    }
}

TfLiteStatus lite_delegate_propagate_shapes(LiteSubgraph* subgraph, const LiteNode* kernel) {
    const TfLiteDelegate* delegate = kernel->node.delegate;
    if (delegate == NULL) return kTfLiteOk;
    if (!(lite_delegate_flags(delegate) & kTfLiteDelegateFlagsRequirePropagatedShapes)) return kTfLiteOk;
    const TfLiteIntArray* nodes = lite_node_replaced(kernel);
    for (int i = 0; i < nodes->size; i++) {
        LiteNode* node = subgraph->nodes[nodes->data[i]];
        const TfLiteStatus status = lite_fold_prepare(subgraph, node);
        if (status != kTfLiteOk && status != kTfLiteOutputShapeNotKnown) {
            lite_subgraph_fail(subgraph, "Node number %d (%s) failed to prepare.", nodes->data[i],
                               lite_node_name(node));
            return status;
        }
        if (status != kTfLiteOk || lite_node_has_dynamic_output(subgraph, node)) break;
    }
    return kTfLiteOk;
}
