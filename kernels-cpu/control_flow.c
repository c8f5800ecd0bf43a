// SPDX-License-Identifier: Apache-2.0
// Operators that run other subgraphs: IF, STABLEHLO_CASE, STABLEHLO_COMPOSITE, WHILE, CALL_ONCE.
//
// A subgraph's inputs get the shapes of what will be passed to them in prepare, and again before each call,
// since tensors may have changed size since. When all sizes are known in prepare the outputs have fixed
// sizes; otherwise they are sized when the subgraph has run.
#include "core/base/host.h"
#include "kernels-cpu/support/callee.h"

// One of several subgraphs is run with the same arguments: IF, STABLEHLO_CASE and STABLEHLO_COMPOSITE.

typedef struct Branches {
    const char* op;
    int first_argument; // inputs before it select the branch
    int count;
    const int32_t* subgraphs;
} Branches;

static bool same_shapes(const LiteCallee* a, const LiteCallee* b) {
    for (int i = 0; i < a->output_count; i++) {
        if (!TfLiteIntArrayEqual(lite_callee_tensor(lite_callee_outputs(a), i)->dims,
                                 lite_callee_tensor(lite_callee_outputs(b), i)->dims))
            return false;
    }
    return true;
}

static TfLiteStatus branches_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                     Branches branches) {
    const LiteTensors arguments = lite_callee_node_inputs(context, node, branches.first_argument);
    const LiteTensors results = lite_callee_node_outputs(context, node);
    LiteCallee first = {0};
    bool known = true;
    for (int i = 0; i < branches.count; i++) {
        LiteCallee callee = {0};
        bool shapes_known;
        LITE_TRY(lite_callee_find(context, branches.op, branches.subgraphs[i], arguments.count, results.count,
                                  &callee));
        LITE_TRY(lite_callee_shape(branches.op, &callee, arguments, &shapes_known));
        if (shapes_known) {
            LITE_TRY(lite_callee_check_pairs(context, branches.op, lite_callee_outputs(&callee), results));
        }
        if (i == 0) first = callee;
        known = known && shapes_known && same_shapes(&first, &callee);
    }
    return lite_callee_size_outputs(context, node, &first, known);
}

static TfLiteStatus branches_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Branches branches,
                                    int chosen) {
    const LiteTensors arguments = lite_callee_node_inputs(context, node, branches.first_argument);
    const LiteTensors results = lite_callee_node_outputs(context, node);
    LiteCallee callee = {0};
    LITE_TRY(lite_callee_find(context, branches.op, branches.subgraphs[chosen], arguments.count,
                              results.count, &callee));
    LITE_TRY(lite_callee_call(branches.op, &callee, arguments));
    return lite_callee_copy(branches.op, lite_callee_outputs(&callee), results);
}

// The first input: one element of `type`.
static TfLiteStatus check_selector(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                   TfLiteType type, LiteView* selector) {
    LITE_TRY(lite_kernel_input(context, node, op, 0, selector));
    if (selector->type == type && selector->count == 1) return kTfLiteOk;
    return lite_fail(context, "%s: input 0 has %lld elements of type %s, expected one of type %s", op,
                     (long long)selector->count, TfLiteTypeGetName(selector->type), TfLiteTypeGetName(type));
}

static TfLiteStatus if_branches(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int32_t subgraphs[2],
                                Branches* branches) {
    const TfLiteIfParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "IF: has no parameters");
    subgraphs[0] = params->then_subgraph_index;
    subgraphs[1] = params->else_subgraph_index;
    *branches = (Branches){"IF", 1, 2, subgraphs};
    return kTfLiteOk;
}

static TfLiteStatus if_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    int32_t subgraphs[2];
    Branches branches = {0};
    LiteView condition;
    LITE_TRY(if_branches(context, node, subgraphs, &branches));
    LITE_TRY(check_selector(context, node, "IF", kTfLiteBool, &condition));
    return branches_prepare(context, node, branches);
}

static TfLiteStatus if_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    int32_t subgraphs[2];
    Branches branches = {0};
    LiteView condition;
    LITE_TRY(if_branches(context, node, subgraphs, &branches));
    LITE_TRY(check_selector(context, node, "IF", kTfLiteBool, &condition));
    return branches_invoke(context, node, branches, *(const uint8_t*)condition.data != 0 ? 0 : 1);
}

const LiteKernel lite_kernel_IF = {.prepare = if_prepare, .invoke = if_invoke};

static TfLiteStatus case_branches(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Branches* branches) {
    const TfLiteStablehloCaseParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL || params->num_branches == 0 ||
        params->num_branches > TFLITE_STABLEHLO_CASE_PARAMS_MAX_BRANCH_COUNT) {
        return lite_fail(context, "STABLEHLO_CASE: has no branches");
    }
    *branches = (Branches){"STABLEHLO_CASE", 1, (int)params->num_branches, params->branch_subgraph_indices};
    return kTfLiteOk;
}

static TfLiteStatus case_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Branches branches = {0};
    LiteView index;
    LITE_TRY(case_branches(context, node, &branches));
    LITE_TRY(check_selector(context, node, branches.op, kTfLiteInt32, &index));
    return branches_prepare(context, node, branches);
}

// An index out of range chooses the last branch.
static TfLiteStatus case_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Branches branches = {0};
    LiteView index;
    LITE_TRY(case_branches(context, node, &branches));
    LITE_TRY(check_selector(context, node, branches.op, kTfLiteInt32, &index));
    const int32_t wanted = *(const int32_t*)index.data;
    const bool in_range = wanted >= 0 && wanted < branches.count;
    return branches_invoke(context, node, branches, in_range ? wanted : branches.count - 1);
}

const LiteKernel lite_kernel_STABLEHLO_CASE = {.prepare = case_prepare, .invoke = case_invoke};

static TfLiteStatus composite_branches(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                       Branches* branches) {
    const TfLiteStablehloCompositeParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "STABLEHLO_COMPOSITE: has no parameters");
    *branches = (Branches){"STABLEHLO_COMPOSITE", 0, 1, &params->subgraph_index};
    return kTfLiteOk;
}

static TfLiteStatus composite_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Branches branches = {0};
    LITE_TRY(composite_branches(context, node, &branches));
    return branches_prepare(context, node, branches);
}

static TfLiteStatus composite_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Branches branches = {0};
    LITE_TRY(composite_branches(context, node, &branches));
    return branches_invoke(context, node, branches, 0);
}

const LiteKernel lite_kernel_STABLEHLO_COMPOSITE = {.prepare = composite_prepare, .invoke = composite_invoke};

// WHILE: values go from the node's inputs to the condition's inputs, and as long as that holds through the
// body back to them.

static TfLiteStatus find_loop(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteCallee* condition,
                              LiteCallee* body) {
    const TfLiteWhileParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "WHILE: has no parameters");
    const int count = TfLiteOpaqueNodeNumberOfInputs(node);
    if (TfLiteOpaqueNodeNumberOfOutputs(node) != count) {
        return lite_fail(context, "WHILE: has %d inputs and %d outputs, expected as many", count,
                         TfLiteOpaqueNodeNumberOfOutputs(node));
    }
    LITE_TRY(lite_callee_find(context, "WHILE", params->cond_subgraph_index, count, 1, condition));
    return lite_callee_find(context, "WHILE", params->body_subgraph_index, count, count, body);
}

// One boolean, once its type and shape are known.
static TfLiteStatus check_condition(TfLiteOpaqueContext* context, const LiteCallee* condition, bool known) {
    const TfLiteTensor* holds = lite_callee_tensor(lite_callee_outputs(condition), 0);
    if (holds == NULL || (known && (holds->type != kTfLiteBool || holds->bytes != 1))) {
        return lite_fail(context, "WHILE: the condition is not one BOOL");
    }
    return kTfLiteOk;
}

static TfLiteStatus while_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCallee condition = {0}, body = {0};
    bool condition_known, body_known;
    const LiteTensors arguments = lite_callee_node_inputs(context, node, 0);
    LITE_TRY(find_loop(context, node, &condition, &body));
    LITE_TRY(lite_callee_check_pairs(context, "WHILE", arguments, lite_callee_node_outputs(context, node)));
    LITE_TRY(lite_callee_shape("WHILE", &condition, arguments, &condition_known));
    // The condition's inputs hold the values from round to round.
    LITE_TRY(lite_callee_check_pairs(context, "WHILE", lite_callee_inputs(&condition), arguments));
    LITE_TRY(check_condition(context, &condition, condition_known));
    LITE_TRY(lite_callee_shape("WHILE", &body, arguments, &body_known));
    if (body_known)
        LITE_TRY(lite_callee_check_pairs(context, "WHILE", lite_callee_outputs(&body), arguments));
    // Shapes that a round changes are known only after the last one.
    for (int i = 0; i < arguments.count && body_known; i++) {
        body_known = TfLiteIntArrayEqual(lite_callee_tensor(arguments, i)->dims,
                                         lite_callee_tensor(lite_callee_outputs(&body), i)->dims);
    }
    return lite_callee_size_outputs(context, node, &body, body_known);
}

// Is no tensor twice among the inputs? Of very many nobody asks.
static bool has_distinct_inputs(const LiteCallee* callee) {
    enum { kMost = 64 };
    if (callee->input_count > kMost) return false;
    for (int i = 0; i < callee->input_count; i++) {
        for (int k = 0; k < i; k++) {
            if (callee->inputs[i] == callee->inputs[k]) return false;
        }
    }
    return true;
}

static TfLiteStatus while_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCallee condition = {0}, body = {0};
    LITE_TRY(find_loop(context, node, &condition, &body));
    LiteTensors values = lite_callee_node_inputs(context, node, 0);
    LiteTensors arguments = lite_callee_inputs(&condition); // of the body
    const bool is_distinct = has_distinct_inputs(&body);
    for (;;) {
        LITE_TRY(lite_callee_call("WHILE", &condition, values));
        LITE_TRY(check_condition(context, &condition, true));
        const uint8_t* holds = lite_callee_tensor(lite_callee_outputs(&condition), 0)->data.uint8;
        if (holds == NULL) return lite_fail(context, "WHILE: nothing in its subgraph writes the condition");
        if (*holds == 0) break;
        LITE_TRY(lite_callee_call("WHILE", &body, arguments));
        values = lite_callee_outputs(&body);
        // What the body hands through is where it was.
        if (is_distinct) values.loop = arguments.loop = &body;
    }
    return lite_callee_copy("WHILE", lite_callee_inputs(&condition), lite_callee_node_outputs(context, node));
}

const LiteKernel lite_kernel_WHILE = {.prepare = while_prepare, .invoke = while_invoke};

// CALL_ONCE: a subgraph without inputs and outputs that fills resources, run once in an interpreter's life.

static TfLiteStatus find_initializer(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteCallee* callee,
                                     LiteResource** done) {
    const TfLiteCallOnceParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "CALL_ONCE: has no parameters");
    LITE_TRY(lite_callee_find(context, "CALL_ONCE", params->init_subgraph_index, 0, 0, callee));
    LiteResources* resources = &lite_host(context)->resources;
    *done = lite_resource_get(resources, kLiteResourceInitializer, params->init_subgraph_index);
    return *done ? kTfLiteOk : lite_fail(context, "CALL_ONCE: out of memory");
}

static TfLiteStatus call_once_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCallee callee = {0};
    LiteResource* done = NULL;
    return find_initializer(context, node, &callee, &done);
}

static TfLiteStatus call_once_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCallee callee = {0};
    LiteResource* done = NULL;
    LITE_TRY(find_initializer(context, node, &callee, &done));
    if (done->object != NULL) return kTfLiteOk;
    LITE_TRY(lite_callee_call("CALL_ONCE", &callee, lite_callee_inputs(&callee)));
    done->object = done; // any mark will do
    return kTfLiteOk;
}

const LiteKernel lite_kernel_CALL_ONCE = {.prepare = call_once_prepare, .invoke = call_once_invoke};
