// SPDX-License-Identifier: Apache-2.0
// What a plan takes of the source, and the new numbers of that.
#include "core/edit/number.h"

enum { kLeftOut = -1 };

// What the numbers are before they are given out.
enum { kUnknown, kSuperfluous, kNeeded };

static void need(int* marks, int index) {
    if (index >= 0) marks[index] = kNeeded;
}

static void need_all(int* marks, LiteModelInts tensors) {
    for (int i = 0; i < tensors.count; i++) need(marks, tensors.data[i]);
}

static void mark_node(int* marks, const LiteModelOperator* node, int mark) {
    const LiteModelInts lists[] = {node->inputs, node->outputs, node->intermediates};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < lists[i].count; j++) {
            const int tensor = lists[i].data[j];
            if (tensor >= 0 && marks[tensor] != kNeeded) marks[tensor] = mark;
        }
    }
}

void lite_edit_plan_scales(const LiteModelTensor* tensor, int* scales, int* zero_points) {
    *scales = *zero_points = -1;
    if (tensor->quantization.type == kTfLiteBlockwiseQuantization) {
        const TfLiteBlockwiseQuantization* blockwise = tensor->quantization.params;
        *scales = blockwise->scale;
        *zero_points = blockwise->zero_point;
    } else if (tensor->quantization.type == kTfLiteMultiAxisQuantization) {
        const TfLiteMultiAxisQuantization* multi = tensor->quantization.params;
        *scales = multi->scales;
        *zero_points = multi->zero_points;
    }
}

// Marks the scales and zero points of the tensors that are taken, and theirs. `stack` has room for each
// tensor twice.
static void need_scales(int* marks, const LiteModelSubgraph* from, bool whole, int* stack) {
    int count = 0;
    for (int t = 0; t < from->tensor_count; t++) {
        if (marks[t] == kNeeded || (whole && marks[t] == kUnknown)) stack[count++] = t;
    }
    while (count > 0) {
        int held[2];
        lite_edit_plan_scales(&from->tensors[stack[--count]], &held[0], &held[1]);
        for (int i = 0; i < 2; i++) {
            if (held[i] < 0 || marks[held[i]] == kNeeded) continue;
            marks[held[i]] = kNeeded;
            stack[count++] = held[i];
        }
    }
}

// Turns marks into numbers. Returns how many there are.
static int number(int* marks, int count, bool whole) {
    int next = 0;
    for (int i = 0; i < count; i++) {
        const bool there = marks[i] == kNeeded || (whole && marks[i] == kUnknown);
        marks[i] = there ? next++ : kLeftOut;
    }
    return next;
}

static void mark_signatures(const LiteEditPlan* plan, int subgraph, int* marks) {
    for (int i = 0; i < lite_model_signature_count(plan->source); i++) {
        const LiteModelSignature* signature = lite_model_signature(plan->source, i);
        if (signature->subgraph != subgraph) continue;
        for (int j = 0; j < signature->input_count; j++) need(marks, signature->inputs[j].tensor);
        for (int j = 0; j < signature->output_count; j++) need(marks, signature->outputs[j].tensor);
    }
}

static TfLiteStatus number_tensors(LiteEditPlan* plan, LiteEditSubgraph* subgraph) {
    const LiteModelSubgraph* from = lite_model_subgraph(plan->source, subgraph->source);
    int* marks = lite_edit_plan_alloc(plan, (size_t)from->tensor_count, sizeof(int));
    int* stack = lite_edit_plan_alloc(plan, (size_t)from->tensor_count, 2 * sizeof(int));
    if (marks == NULL || stack == NULL) return kTfLiteError;
    for (int i = 0; i < subgraph->node_count; i++) {
        const int node = subgraph->nodes[i];
        if (node >= 0) {
            mark_node(marks, &from->operators[node], kNeeded);
        } else {
            need_all(marks, plan->nodes[~node].inputs);
            need_all(marks, plan->nodes[~node].outputs);
        }
    }
    need_all(marks, subgraph->inputs);
    need_all(marks, subgraph->outputs);
    if (plan->whole) mark_signatures(plan, subgraph->source, marks);
    for (int i = 0; i < from->operator_count; i++) mark_node(marks, &from->operators[i], kSuperfluous);
    // A subgraph that is called as a whole keeps all of its tensors, even those that nobody uses.
    const bool whole = plan->whole || plan->subgraph_numbers[subgraph->source] == subgraph - plan->subgraphs;
    need_scales(marks, from, whole, stack);
    subgraph->tensors = marks;
    for (int t = 0; t < from->tensor_count; t++) {
        const bool there = marks[t] == kNeeded || (whole && marks[t] == kUnknown);
        int* buffer = &plan->buffers[from->tensors[t].buffer];
        if (from->tensors[t].buffer != 0 && *buffer != kNeeded) *buffer = there ? kNeeded : kSuperfluous;
    }
    subgraph->tensor_count = number(marks, from->tensor_count, whole);
    return kTfLiteOk;
}

static void mark_metadata(LiteEditPlan* plan, int buffer_count) {
    const LiteFlatVector old = lite_flat_vector(plan->root, kModelMetadataBuffer);
    const LiteFlatVector metadata = lite_flat_vector(plan->root, kModelMetadata);
    for (uint32_t i = 0; i < metadata.count; i++) {
        need(plan->buffers, (int)lite_flat_u32(lite_flat_element(metadata, i), kMetadataBuffer));
    }
    for (uint32_t i = 0; i < old.count; i++) {
        const uint32_t buffer = lite_flat_load_u32(old.data + 4 * (size_t)i);
        if (buffer < (uint32_t)buffer_count) need(plan->buffers, (int)buffer);
    }
}

static void mark_codes(const LiteEditPlan* plan) {
    for (int s = 0; s < lite_model_subgraph_count(plan->source); s++) {
        const int count = lite_model_subgraph(plan->source, s)->operator_count;
        for (int i = 0; i < count; i++) {
            plan->codes[lite_flat_u32(lite_edit_plan_node_table(plan, s, i), kOperatorOpcodeIndex)] =
                kSuperfluous;
        }
    }
    for (int s = 0; s < plan->subgraph_count; s++) {
        const LiteEditSubgraph* subgraph = &plan->subgraphs[s];
        for (int i = 0; i < subgraph->node_count; i++) {
            if (subgraph->nodes[i] < 0) continue;
            const LiteFlatTable node = lite_edit_plan_node_table(plan, subgraph->source, subgraph->nodes[i]);
            plan->codes[lite_flat_u32(node, kOperatorOpcodeIndex)] = kNeeded;
        }
    }
}

TfLiteStatus lite_edit_plan_number(LiteEditPlan* plan) {
    const int buffers = (int)lite_flat_vector(plan->root, kModelBuffers).count;
    const int codes = (int)lite_flat_vector(plan->root, kModelOperatorCodes).count;
    if (buffers > 0) need(plan->buffers, 0); // by convention the one without contents
    for (int i = 0; i < plan->subgraph_count; i++) LITE_TRY(number_tensors(plan, &plan->subgraphs[i]));
    if (plan->whole) mark_metadata(plan, buffers);
    mark_codes(plan);
    plan->codes[codes] = plan->node_count > 0 ? kNeeded : kSuperfluous;
    number(plan->buffers, buffers, plan->whole);
    number(plan->codes, codes + 1, plan->whole);
    return kTfLiteOk;
}
