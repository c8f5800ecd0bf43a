// SPDX-License-Identifier: Apache-2.0
// Preparing the nodes of the plan, up to one whose output size is not known before it runs.
#include "core/graph/prepare.h"

#include <string.h>

#include "core/base/shape.h"
#include "core/graph/delegate_kernel.h"
#include "core/graph/fold.h"
#include "core/graph/fuse.h"
#include "core/graph/graph.h"
#include "core/graph/join.h"
#include "core/graph/memory_plan.h"
#include "core/graph/node.h"
#include "core/graph/overlap.h"
#include "core/graph/subgraph.h"

// A small file can have subgraphs that call each other so that the last one is prepared 2^60 times. An
// inference can be cancelled between nodes that run, so nodes are counted from one such point to the next.
// There, honest models prepare a few times their number of nodes.
enum { kMaxNestedPrepares = 1 << 16 };

static TfLiteStatus count_prepare(LiteSubgraph* subgraph) {
    LiteInterpreter* interpreter = subgraph->interpreter;
    if (interpreter->depth <= 1 || ++interpreter->nested_prepares <= kMaxNestedPrepares) return kTfLiteOk;
    return lite_subgraph_fail(subgraph, "subgraphs call each other too often to be prepared: %d nodes so far",
                              kMaxNestedPrepares);
}

// Kernels give outputs their types. What was prepared before, for the type that the model declares, or is
// prepared by the program, is in no state to follow.
static TfLiteStatus check_output_types(LiteSubgraph* subgraph, const LiteNode* node) {
    const TfLiteIntArray* outputs = node->node.outputs;
    for (int i = 0; i < outputs->size; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, outputs->data[i]);
        if (tensor == NULL) continue;
        LiteSlot* slot = &subgraph->slots[outputs->data[i]];
        if (tensor->type != slot->type && (slot->is_input || slot->read_first)) {
            return lite_subgraph_fail(subgraph,
                                      "output %d (tensor %d) is %s, but it is an input of the graph or of an "
                                      "earlier node too, which have it as %s",
                                      i, outputs->data[i], TfLiteTypeGetName(tensor->type),
                                      TfLiteTypeGetName(slot->type));
        }
        slot->type = tensor->type;
    }
    return kTfLiteOk;
}

static LiteShapeText text_of(const int32_t* dims, int rank) {
    LiteShape shape = {.rank = rank < LITE_MAX_RANK ? rank : LITE_MAX_RANK};
    memcpy(shape.dims, dims, (size_t)shape.rank * sizeof *dims);
    return lite_shape_text(&shape);
}

// A node fails for the shapes that it gets, but it is the program that has chosen those of the inputs.
static void tell_resized_inputs(LiteSubgraph* subgraph) {
    const LiteModelInts inputs = subgraph->source->inputs;
    for (int i = 0; i < inputs.count; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, inputs.data[i]);
        if (tensor == NULL || tensor->dims == NULL || subgraph->slots[inputs.data[i]].is_built) continue;
        const LiteModelInts shape = subgraph->source->tensors[inputs.data[i]].shape;
        if (!subgraph->source->tensors[inputs.data[i]].has_rank) continue;
        if (TfLiteIntArrayEqualsArray(tensor->dims, shape.count, shape.data)) continue;
        const LiteShapeText from = text_of(shape.data, shape.count);
        const LiteShapeText to = text_of(tensor->dims->data, tensor->dims->size);
        lite_subgraph_fail(subgraph, "Input %d (\"%s\") was resized from %s, its shape in the model, to %s.",
                           i, tensor->name, from.text, to.text);
    }
}

TfLiteStatus lite_prepare_steps(LiteSubgraph* subgraph, const TfLiteIntArray* plan, int first, int* end) {
    *end = first;
    for (int step = first; step < plan->size; step++) {
        LiteNode* node = subgraph->nodes[plan->data[step]];
        LITE_TRY(count_prepare(subgraph));
        LITE_TRY(lite_delegate_propagate_shapes(subgraph, node));
        TfLiteStatus status = lite_fold_prepare(subgraph, node);
        const bool shape_unknown = status == kTfLiteOutputShapeNotKnown;
        if (status == kTfLiteOk || shape_unknown) {
            const TfLiteStatus types = check_output_types(subgraph, node);
            if (types != kTfLiteOk) status = types;
        }
        if (status != kTfLiteOk && status != kTfLiteOutputShapeNotKnown) {
            // A delegate's kernel is not undone for a fault of the program.
            const bool stays = node->source == NULL && status == kTfLiteApplicationError;
            if (!stays) subgraph->failed_step = step;
            lite_subgraph_fail(subgraph, "Node number %d (%s) failed to prepare.", plan->data[step],
                               lite_node_name(node));
            if (node->source != NULL) tell_resized_inputs(subgraph);
            return stays ? kTfLiteError : status;
        }
        *end = step + 1;
        if (shape_unknown || lite_node_has_dynamic_output(subgraph, node)) break;
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare_segment(LiteSubgraph* subgraph, int first) {
    int end;
    subgraph->failed_step = -1;
    if (first == 0) lite_fold_first(subgraph);
    lite_memory_retract(subgraph, first);
    lite_join_forget(subgraph, first);
    if (LITE_HAS_OVERLAP) lite_overlap_forget(subgraph, first);
    lite_memory_lifetimes(subgraph); // and again when placing, as nodes add temporaries
    LITE_TRY(lite_prepare_steps(subgraph, subgraph->plan, first, &end));
    LITE_TRY(lite_fuse_steps(subgraph, first, end));
    LITE_TRY(lite_join_steps(subgraph, first, end));
    if (LITE_HAS_OVERLAP) LITE_TRY(lite_overlap_find(subgraph, first, end));
    LITE_TRY(lite_memory_place(subgraph, first, end));
    subgraph->prepared = end;
    return kTfLiteOk;
}

TfLiteStatus lite_prepare_segment(LiteSubgraph* subgraph, int first) {
    // What is computed here outlives the inference, if one runs.
    const LiteCancelScope before = lite_cancel_set_scope((LiteCancelScope){0});
    const TfLiteStatus status = prepare_segment(subgraph, first);
    lite_cancel_set_scope(before);
    return status;
}
