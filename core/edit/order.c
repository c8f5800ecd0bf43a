// SPDX-License-Identifier: Apache-2.0
// Groups become one node each, one after the other. What depends on a group, directly or not, runs after it.
// Where the group itself needs that, there is no order. Nodes depend on each other by tensors, by the
// variables that they touch, and by side effects, which are like one more variable.
#include "core/edit/order.h"

#include <string.h>

#include "core/edit/error.h"
#include "core/edit/node.h"

enum { kUntouched, kOfGroup, kAfterGroup };

typedef struct Order {
    LiteEditPlan* plan;
    const LiteModelSubgraph* from;
    const int* groups;
    bool* effects;     // by node
    bool* new_effects; // by group
    int* nodes;
    int* other; // room for as many
    bool* after;
    uint8_t* states; // of tensors, and of side effects in general
    int count;
} Order;

static bool touches_handle(const LiteModelSubgraph* from, LiteModelInts tensors) {
    for (int i = 0; i < tensors.count; i++) {
        const TfLiteType type = tensors.data[i] < 0 ? kTfLiteNoType : from->tensors[tensors.data[i]].type;
        if (type == kTfLiteResource || type == kTfLiteVariant) return true;
    }
    return false;
}

static TfLiteStatus found_call(void* argument, LiteEditCall call) {
    (void)call;
    *(bool*)argument = true;
    return kTfLiteOk;
}

static TfLiteStatus find_effects(Order* o, int subgraph) {
    for (int i = 0; i < o->from->operator_count; i++) {
        const LiteModelOperator* node = &o->from->operators[i];
        const LiteFlatTable table = lite_edit_plan_node_table(o->plan, subgraph, i);
        o->effects[i] = touches_handle(o->from, node->inputs) || touches_handle(o->from, node->outputs);
        LITE_TRY(lite_edit_visit_calls(table, found_call, &o->effects[i]));
        if (o->groups[i] > 0) o->new_effects[o->groups[i] - 1] |= o->effects[i];
    }
    return kTfLiteOk;
}

typedef struct Unit { // a node, or a group that has become one
    LiteModelInts inputs, outputs;
    bool effect;
} Unit;

static Unit unit_of(const Order* o, int node) {
    if (node < 0)
        return (Unit){o->plan->nodes[~node].inputs, o->plan->nodes[~node].outputs, o->new_effects[~node]};
    const LiteModelOperator* op = &o->from->operators[node];
    return (Unit){op->inputs, op->outputs, o->effects[node]};
}

// The greatest state of what a unit reads. *tensor is the tensor that has it; the number of tensors stands
// for side effects.
static int read_state(const Order* o, const Unit* unit, int* tensor) {
    *tensor = o->from->tensor_count;
    int state = unit->effect ? o->states[*tensor] : kUntouched;
    for (int i = 0; i < unit->inputs.count; i++) {
        const int read = unit->inputs.data[i];
        if (read < 0 || o->states[read] <= state) continue;
        state = o->states[read];
        *tensor = read;
    }
    return state;
}

static void write_state(const Order* o, const Unit* unit, uint8_t state) {
    for (int i = 0; i < unit->outputs.count; i++) o->states[unit->outputs.data[i]] = state;
    for (int i = 0; i < unit->inputs.count; i++) {
        const int read = unit->inputs.data[i];
        if (read >= 0 && o->from->tensors[read].is_variable) o->states[read] = state;
    }
    if (unit->effect) o->states[o->from->tensor_count] = state;
}

static TfLiteStatus fail_cycle(const Order* o, int node, int tensor) {
    const char* op = lite_edit_name(&o->from->operators[node]);
    if (tensor == o->from->tensor_count) {
        return lite_edit_fail(
            "node %d (%.80s) cannot become one with the others: nodes between them have side "
            "effects",
            node, op);
    }
    return lite_edit_fail("node %d (%.80s) cannot become one with the others: tensor %d (%.200s), which it "
                          "reads, depends on them by way of other nodes",
                          node, op, tensor, o->from->tensors[tensor].name);
}

// Finds the nodes that have to run after the group, and the place of its last node.
static TfLiteStatus find_after(Order* o, int group, int* last) {
    int tensor;
    memset(o->states, kUntouched, (size_t)o->from->tensor_count + 1);
    for (int i = 0; i < o->count; i++) {
        const int node = o->nodes[i];
        const Unit unit = unit_of(o, node);
        const int state = read_state(o, &unit, &tensor);
        o->after[i] = false;
        if (node >= 0 && o->groups[node] == group + 1) {
            if (state == kAfterGroup) return fail_cycle(o, node, tensor);
            write_state(o, &unit, kOfGroup);
            *last = i;
        } else if (state != kUntouched) {
            write_state(o, &unit, kAfterGroup);
            o->after[i] = true;
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus contract(Order* o, int group) {
    int last = 0, count = 0;
    LITE_TRY(find_after(o, group, &last));
    for (int i = 0; i <= last; i++) {
        const bool inside = o->nodes[i] >= 0 && o->groups[o->nodes[i]] == group + 1;
        if (!inside && !o->after[i]) o->other[count++] = o->nodes[i];
    }
    o->other[count++] = ~group;
    for (int i = 0; i < o->count; i++) {
        if (i > last || o->after[i]) o->other[count++] = o->nodes[i];
    }
    int* const swapped = o->nodes;
    o->nodes = o->other;
    o->other = swapped;
    o->count = count;
    return kTfLiteOk;
}

TfLiteStatus lite_edit_order(LiteEditPlan* plan, int subgraph, const int* groups, int group_count,
                             LiteEditSubgraph* result) {
    const LiteModelSubgraph* from = lite_model_subgraph(plan->source, subgraph);
    const size_t nodes = (size_t)from->operator_count;
    Order o = {.plan = plan, .from = from, .groups = groups, .count = from->operator_count};
    o.effects = lite_edit_plan_alloc(plan, nodes, sizeof(bool));
    o.new_effects = lite_edit_plan_alloc(plan, (size_t)group_count, sizeof(bool));
    o.nodes = lite_edit_plan_alloc(plan, nodes, sizeof(int));
    o.other = lite_edit_plan_alloc(plan, nodes, sizeof(int));
    o.after = lite_edit_plan_alloc(plan, nodes, sizeof(bool));
    o.states = lite_edit_plan_alloc(plan, (size_t)from->tensor_count + 1, 1);
    if (o.effects == NULL || o.new_effects == NULL || o.nodes == NULL || o.other == NULL || o.after == NULL ||
        o.states == NULL) {
        return kTfLiteError;
    }
    for (int i = 0; i < from->operator_count; i++) o.nodes[i] = i;
    LITE_TRY(find_effects(&o, subgraph));
    for (int group = 0; group < group_count; group++) LITE_TRY(contract(&o, group));
    result->nodes = o.nodes;
    result->node_count = o.count;
    return kTfLiteOk;
}
