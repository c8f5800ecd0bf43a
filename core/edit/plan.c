// SPDX-License-Identifier: Apache-2.0
#include "core/edit/plan.h"

#include "core/edit/node.h"
#include "core/model/options.h"

enum { kLeftOut = -1 };

TfLiteStatus lite_plan_begin(LitePlan* plan, const LiteModel* source, bool whole,
                             const LiteReporter* reporter) {
    const void* base;
    size_t size;
    lite_model_file(source, &base, &size);
    *plan = (LitePlan){.reporter = reporter, .source = source, .whole = whole, .root = lite_flat_root(base)};
    const size_t subgraphs = (size_t)lite_model_subgraph_count(source);
    const size_t buffers = lite_flat_vector(plan->root, kModelBuffers).count;
    const size_t codes = lite_flat_vector(plan->root, kModelOperatorCodes).count;
    // One more: a subgraph taken in part may also be called as a whole.
    plan->subgraphs = lite_plan_alloc(plan, subgraphs + 1, sizeof(*plan->subgraphs));
    plan->subgraph_numbers = lite_plan_alloc(plan, subgraphs, sizeof(int));
    plan->buffers = lite_plan_alloc(plan, buffers, sizeof(int));
    plan->codes = lite_plan_alloc(plan, codes + 1, sizeof(int));
    if (plan->subgraphs == NULL || plan->subgraph_numbers == NULL || plan->buffers == NULL ||
        plan->codes == NULL) {
        return kTfLiteError;
    }
    for (size_t i = 0; i < subgraphs; i++) plan->subgraph_numbers[i] = kLeftOut;
    return kTfLiteOk;
}

void lite_plan_free(LitePlan* plan) {
    lite_arena_free(&plan->arena);
}

void* lite_plan_alloc(LitePlan* plan, size_t count, size_t size) {
    void* memory = lite_arena_alloc(&plan->arena, count, size);
    if (memory == NULL) lite_report(plan->reporter, "out of memory");
    return memory;
}

LiteFlatTable lite_plan_subgraph_table(const LitePlan* plan, int subgraph) {
    return lite_flat_element(lite_flat_vector(plan->root, kModelSubgraphs), (uint32_t)subgraph);
}

LiteFlatTable lite_plan_node_table(const LitePlan* plan, int subgraph, int node) {
    const LiteFlatTable table = lite_plan_subgraph_table(plan, subgraph);
    return lite_flat_element(lite_flat_vector(table, kSubGraphOperators), (uint32_t)node);
}

TfLiteStatus lite_plan_add(LitePlan* plan, int source, LitePlanSubgraph** added) {
    const LiteModelSubgraph* from = lite_model_subgraph(plan->source, source);
    int* nodes = lite_plan_alloc(plan, (size_t)from->operator_count, sizeof(int));
    if (nodes == NULL) return kTfLiteError;
    for (int i = 0; i < from->operator_count; i++) nodes[i] = i;
    *added = &plan->subgraphs[plan->subgraph_count++];
    **added = (LitePlanSubgraph){.source = source,
                                 .node_count = from->operator_count,
                                 .nodes = nodes,
                                 .inputs = from->inputs,
                                 .outputs = from->outputs};
    return kTfLiteOk;
}

// Subgraphs that nodes run
// -----------------------------------------------------------------------------------------------

static TfLiteStatus visit_field(LiteFlatTable options, const LiteFlatField* field, LitePlanCall call,
                                LitePlanVisit visit, void* argument) {
    if (field->param.kind == kLiteParamSubgraph) {
        call.subgraph = lite_flat_i32(options, call.id, 0);
        return visit(argument, call);
    }
    const LiteFlatVector vector = lite_flat_vector(options, call.id);
    for (uint32_t i = 0; i < vector.count; i++) {
        call.element = (int)i;
        call.subgraph = (int)lite_flat_load_u32(vector.data + 4 * (size_t)i);
        LITE_TRY(visit(argument, call));
    }
    return kTfLiteOk;
}

TfLiteStatus lite_plan_visit_calls(LiteFlatTable node, LitePlanVisit visit, void* argument) {
    static const int unions[] = {kOperatorBuiltinOptions, kOperatorBuiltinOptions2};
    for (int u = 0; u < 2; u++) {
        const LiteFlatSchema* schema = lite_edit_options(node, unions[u]);
        const LiteFlatTable options = lite_flat_child(node, unions[u]);
        for (int id = 0; options.at != NULL && schema != NULL && id < schema->field_count; id++) {
            const LiteFlatField* field = &schema->fields[id];
            if (field->param.kind != kLiteParamSubgraph && field->param.kind != kLiteParamSubgraphs) continue;
            const LitePlanCall call = {.union_id = unions[u], .id = id, .element = -1};
            LITE_TRY(visit_field(options, field, call, visit, argument));
        }
    }
    return kTfLiteOk;
}

// Numbers
// --------------------------------------------------------------------------------------------------------

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

void lite_plan_scales(const LiteModelTensor* tensor, int* scales, int* zero_points) {
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

// Scales and zero points of what is there, and theirs. `stack` has room for each tensor twice.
static void need_scales(int* marks, const LiteModelSubgraph* from, bool whole, int* stack) {
    int count = 0;
    for (int t = 0; t < from->tensor_count; t++) {
        if (marks[t] == kNeeded || (whole && marks[t] == kUnknown)) stack[count++] = t;
    }
    while (count > 0) {
        int held[2];
        lite_plan_scales(&from->tensors[stack[--count]], &held[0], &held[1]);
        for (int i = 0; i < 2; i++) {
            if (held[i] < 0 || marks[held[i]] == kNeeded) continue;
            marks[held[i]] = kNeeded;
            stack[count++] = held[i];
        }
    }
}

// From marks to numbers; how many there are.
static int number(int* marks, int count, bool whole) {
    int next = 0;
    for (int i = 0; i < count; i++) {
        const bool there = marks[i] == kNeeded || (whole && marks[i] == kUnknown);
        marks[i] = there ? next++ : kLeftOut;
    }
    return next;
}

static void mark_signatures(const LitePlan* plan, int subgraph, int* marks) {
    for (int i = 0; i < lite_model_signature_count(plan->source); i++) {
        const LiteModelSignature* signature = lite_model_signature(plan->source, i);
        if (signature->subgraph != subgraph) continue;
        for (int j = 0; j < signature->input_count; j++) need(marks, signature->inputs[j].tensor);
        for (int j = 0; j < signature->output_count; j++) need(marks, signature->outputs[j].tensor);
    }
}

static TfLiteStatus number_tensors(LitePlan* plan, LitePlanSubgraph* subgraph) {
    const LiteModelSubgraph* from = lite_model_subgraph(plan->source, subgraph->source);
    int* marks = lite_plan_alloc(plan, (size_t)from->tensor_count, sizeof(int));
    int* stack = lite_plan_alloc(plan, (size_t)from->tensor_count, 2 * sizeof(int));
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
    // Called as a whole: all of it, whatever nobody uses.
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

static void mark_metadata(LitePlan* plan, int buffer_count) {
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

static void mark_codes(const LitePlan* plan) {
    for (int s = 0; s < lite_model_subgraph_count(plan->source); s++) {
        const int count = lite_model_subgraph(plan->source, s)->operator_count;
        for (int i = 0; i < count; i++) {
            plan->codes[lite_flat_u32(lite_plan_node_table(plan, s, i), kOperatorOpcodeIndex)] = kSuperfluous;
        }
    }
    for (int s = 0; s < plan->subgraph_count; s++) {
        const LitePlanSubgraph* subgraph = &plan->subgraphs[s];
        for (int i = 0; i < subgraph->node_count; i++) {
            if (subgraph->nodes[i] < 0) continue;
            const LiteFlatTable node = lite_plan_node_table(plan, subgraph->source, subgraph->nodes[i]);
            plan->codes[lite_flat_u32(node, kOperatorOpcodeIndex)] = kNeeded;
        }
    }
}

TfLiteStatus lite_plan_number(LitePlan* plan) {
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
