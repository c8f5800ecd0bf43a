// SPDX-License-Identifier: Apache-2.0
// Groups of nodes, and what they exchange with the other nodes.
#include "core/edit/border.h"

#include "core/edit/error.h"
#include "core/edit/node.h"

TfLiteStatus lite_edit_check_nodes(const LiteModelSubgraph* subgraph, const int* nodes, int group_size,
                                   int count, int* groups) {
    for (int i = 0; i < count; i++) {
        if (nodes[i] < 0 || nodes[i] >= subgraph->operator_count) {
            return lite_edit_fail("there is no node %d: the subgraph has %d", nodes[i],
                                  subgraph->operator_count);
        }
        int* group = &groups[nodes[i]];
        if (*group != 0) {
            return lite_edit_fail("node %d (%.80s) is given twice", nodes[i],
                                  lite_edit_name(&subgraph->operators[nodes[i]]));
        }
        *group = 1 + i / group_size;
    }
    return kTfLiteOk;
}

// What a tensor is to the group.
enum { kMade = 1, kReadInside = 2, kNeededOutside = 4, kListed = 8 };

static void mark(uint8_t* marks, LiteModelInts tensors, int bits) {
    for (int i = 0; i < tensors.count; i++) {
        if (tensors.data[i] >= 0) marks[tensors.data[i]] |= (uint8_t)bits;
    }
}

// The inputs of a node that it does not make, each once.
static void list_inputs(uint8_t* marks, LiteModelInts inputs, int* list, int* count) {
    for (int i = 0; i < inputs.count; i++) {
        const int tensor = inputs.data[i];
        if (tensor < 0 || (marks[tensor] & (kMade | kListed)) != 0) continue;
        marks[tensor] |= kListed;
        list[(*count)++] = tensor;
    }
}

static void mark_all(const LiteEditPlan* plan, int subgraph, const int* groups, int group, uint8_t* marks) {
    const LiteModelSubgraph* from = lite_model_subgraph(plan->source, subgraph);
    for (int i = 0; i < from->operator_count; i++) {
        const bool inside = groups[i] == group;
        mark(marks, from->operators[i].inputs, inside ? kReadInside : kNeededOutside);
        if (inside) mark(marks, from->operators[i].outputs, kMade);
    }
    mark(marks, from->outputs, kNeededOutside);
    for (int i = 0; i < lite_model_signature_count(plan->source); i++) {
        const LiteModelSignature* signature = lite_model_signature(plan->source, i);
        if (signature->subgraph != subgraph) continue;
        for (int j = 0; j < signature->output_count; j++) {
            marks[signature->outputs[j].tensor] |= kNeededOutside;
        }
    }
}

TfLiteStatus lite_edit_border(LiteEditPlan* plan, int subgraph, const int* groups, int group,
                              LiteEditBorder* border) {
    const LiteModelSubgraph* from = lite_model_subgraph(plan->source, subgraph);
    size_t most_inputs = 0, most_outputs = 0;
    for (int i = 0; i < from->operator_count; i++) {
        if (groups[i] != group) continue;
        most_inputs += (size_t)from->operators[i].inputs.count;
        most_outputs += (size_t)from->operators[i].outputs.count;
    }
    uint8_t* marks = lite_edit_plan_alloc(plan, (size_t)from->tensor_count, 1);
    int* inputs = lite_edit_plan_alloc(plan, most_inputs, sizeof(int));
    int* outputs = lite_edit_plan_alloc(plan, most_outputs, sizeof(int));
    int input_count = 0, output_count = 0;
    if (marks == NULL || inputs == NULL || outputs == NULL) return kTfLiteError;
    mark_all(plan, subgraph, groups, group, marks);
    for (int i = 0; i < from->operator_count; i++) {
        if (groups[i] == group) list_inputs(marks, from->operators[i].inputs, inputs, &input_count);
    }
    // What is needed outside; if nothing is, what no node of the group reads.
    for (int round = 0; round < 2 && output_count == 0; round++) {
        for (int i = 0; i < from->operator_count; i++) {
            const LiteModelInts made = from->operators[i].outputs;
            for (int j = 0; groups[i] == group && j < made.count; j++) {
                const int bits = marks[made.data[j]];
                const bool wanted = round == 0 ? (bits & kNeededOutside) != 0 : (bits & kReadInside) == 0;
                if (wanted) outputs[output_count++] = made.data[j];
            }
        }
    }
    border->inputs = (LiteModelInts){input_count, inputs};
    border->outputs = (LiteModelInts){output_count, outputs};
    return kTfLiteOk;
}
