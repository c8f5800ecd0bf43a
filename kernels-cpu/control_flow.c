// SPDX-License-Identifier: Apache-2.0
// Operators that run other subgraphs: IF, STABLEHLO_CASE, STABLEHLO_COMPOSITE, WHILE, CALL_ONCE.
//
// A subgraph's inputs get the shapes of what will be passed to them in prepare, and again before each call,
// since tensors may have changed size since. When all sizes are known in prepare the outputs have fixed
// sizes; otherwise they are sized when the subgraph has run.
#include <string.h>

#include "core/base/host.h"
#include "kernels-cpu/kernel.h"

typedef struct Callee {
    TfLiteOpaqueContext* context;
    const int* inputs;
    int input_count;
    const int* outputs;
    int output_count;
} Callee;

// Tensors passed between graphs: `indices` in `context`.
typedef struct Tensors {
    TfLiteOpaqueContext* context;
    const int* indices;
    int count;
} Tensors;

static Tensors inputs_of(const Callee* callee) {
    return (Tensors){callee->context, callee->inputs, callee->input_count};
}

static Tensors outputs_of(const Callee* callee) {
    return (Tensors){callee->context, callee->outputs, callee->output_count};
}

static TfLiteTensor* tensor_at(Tensors tensors, int i) {
    return (TfLiteTensor*)(void*)TfLiteOpaqueContextGetOpaqueTensor(tensors.context, tensors.indices[i]);
}

// The node's inputs from `first` on, and its outputs.
static Tensors node_inputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int first) {
    Tensors tensors = {.context = context};
    TfLiteOpaqueNodeInputs(node, &tensors.indices, &tensors.count);
    tensors.indices += first;
    tensors.count -= first;
    return tensors;
}

static Tensors node_outputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Tensors tensors = {.context = context};
    TfLiteOpaqueNodeOutputs(node, &tensors.indices, &tensors.count);
    return tensors;
}

static TfLiteStatus find_callee(TfLiteOpaqueContext* context, const char* op, int index, int inputs,
                                int outputs, Callee* callee) {
    LiteHost* host = lite_host(context);
    callee->context = host->subgraph(host, index);
    if (callee->context == NULL) return lite_fail(context, "%s: there is no subgraph %d", op, index);
    TfLiteOpaqueContextGetInputs(callee->context, &callee->inputs, &callee->input_count);
    TfLiteOpaqueContextGetOutputs(callee->context, &callee->outputs, &callee->output_count);
    if (callee->input_count != inputs || callee->output_count != outputs) {
        return lite_fail(context, "%s: subgraph %d has %d inputs and %d outputs, expected %d and %d", op,
                         index, callee->input_count, callee->output_count, inputs, outputs);
    }
    return kTfLiteOk;
}

// Pairs of tensors are both there and of one type.
static TfLiteStatus check_pairs(TfLiteOpaqueContext* context, const char* op, Tensors from, Tensors to) {
    for (int i = 0; i < from.count; i++) {
        const TfLiteTensor* source = tensor_at(from, i);
        const TfLiteTensor* target = tensor_at(to, i);
        if (source == NULL || target == NULL) return lite_fail(context, "%s: tensor %d is absent", op, i);
        if (source->type != target->type) {
            return lite_fail(context, "%s: tensor %d is of type %s on one side and %s on the other", op, i,
                             TfLiteTypeGetName(source->type), TfLiteTypeGetName(target->type));
        }
    }
    return kTfLiteOk;
}

// Gives the callee's inputs the shapes of `from` and prepares it.
static TfLiteStatus shape_callee(const Callee* callee, Tensors from, bool* shapes_known) {
    LiteHost* host = lite_host(callee->context);
    for (int i = 0; i < from.count; i++) {
        LITE_TRY(host->resize_input(callee->context, callee->inputs[i], tensor_at(from, i)->dims));
    }
    return host->allocate(callee->context, shapes_known);
}

static TfLiteStatus resize_like(Tensors to, int i, const TfLiteTensor* source) {
    TfLiteIntArray* dims = TfLiteIntArrayCopy(source->dims);
    if (dims == NULL) return lite_fail(to.context, "out of memory");
    return TfLiteOpaqueContextResizeTensor(to.context, (TfLiteOpaqueTensor*)tensor_at(to, i), dims);
}

// Copies contents; dynamic targets take the size of the source.
static TfLiteStatus copy_tensors(const char* op, Tensors from, Tensors to) {
    for (int i = 0; i < from.count; i++) {
        const TfLiteTensor* source = tensor_at(from, i);
        TfLiteTensor* target = tensor_at(to, i);
        if (source->sparsity != NULL) {
            return lite_fail(to.context, "%s: tensor %d to be copied is sparse", op, from.indices[i]);
        }
        if (target->allocation_type == kTfLiteMmapRo) {
            return lite_fail(to.context, "%s: tensor %d to be written is a constant", op, to.indices[i]);
        }
        if (target->allocation_type == kTfLiteDynamic) {
            LITE_TRY(resize_like(to, i, source));
            target = tensor_at(to, i);
            if (target->bytes != source->bytes && TfLiteTensorRealloc(source->bytes, target) != kTfLiteOk) {
                return lite_fail(to.context, "%s: out of memory for %zu bytes", op, source->bytes);
            }
        }
        const bool absent = source->data.raw == NULL || target->data.raw == NULL;
        if (target->bytes != source->bytes || (source->bytes > 0 && absent)) {
            return lite_fail(to.context, "%s: %zu bytes cannot be copied to the %zu bytes of tensor %d", op,
                             source->bytes, target->bytes, to.indices[i]);
        }
        if (source->bytes > 0) memcpy(target->data.raw, source->data.raw, source->bytes);
    }
    return kTfLiteOk;
}

static TfLiteStatus call(const char* op, const Callee* callee, Tensors arguments) {
    bool shapes_known;
    LITE_TRY(shape_callee(callee, arguments, &shapes_known));
    LITE_TRY(copy_tensors(op, arguments, inputs_of(callee)));
    return lite_host(callee->context)->invoke(callee->context);
}

// Outputs of the node: as those of the callee, or sized in invoke.
static TfLiteStatus size_outputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Callee* callee,
                                 bool known) {
    const Tensors outputs = node_outputs(context, node);
    for (int i = 0; i < outputs.count; i++) {
        if (!known) {
            lite_set_dynamic((TfLiteOpaqueTensor*)tensor_at(outputs, i));
        } else {
            LITE_TRY(resize_like(outputs, i, tensor_at(outputs_of(callee), i)));
        }
    }
    return kTfLiteOk;
}

// One of several subgraphs is run with the same arguments: IF, STABLEHLO_CASE and STABLEHLO_COMPOSITE.

typedef struct Branches {
    const char* op;
    int first_argument; // inputs before it select the branch
    int count;
    const int32_t* subgraphs;
} Branches;

static bool same_shapes(const Callee* a, const Callee* b) {
    for (int i = 0; i < a->output_count; i++) {
        if (!TfLiteIntArrayEqual(tensor_at(outputs_of(a), i)->dims, tensor_at(outputs_of(b), i)->dims))
            return false;
    }
    return true;
}

static TfLiteStatus branches_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                     Branches branches) {
    const Tensors arguments = node_inputs(context, node, branches.first_argument);
    const Tensors results = node_outputs(context, node);
    Callee first = {0};
    bool known = true;
    for (int i = 0; i < branches.count; i++) {
        Callee callee = {0};
        bool shapes_known;
        LITE_TRY(find_callee(context, branches.op, branches.subgraphs[i], arguments.count, results.count,
                             &callee));
        LITE_TRY(check_pairs(context, branches.op, arguments, inputs_of(&callee)));
        LITE_TRY(check_pairs(context, branches.op, outputs_of(&callee), results));
        LITE_TRY(shape_callee(&callee, arguments, &shapes_known));
        if (i == 0) first = callee;
        known = known && shapes_known && same_shapes(&first, &callee);
    }
    return size_outputs(context, node, &first, known);
}

static TfLiteStatus branches_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Branches branches,
                                    int chosen) {
    const Tensors arguments = node_inputs(context, node, branches.first_argument);
    const Tensors results = node_outputs(context, node);
    Callee callee = {0};
    LITE_TRY(find_callee(context, branches.op, branches.subgraphs[chosen], arguments.count, results.count,
                         &callee));
    LITE_TRY(call(branches.op, &callee, arguments));
    return copy_tensors(branches.op, outputs_of(&callee), results);
}

// The first input: one element of `type`.
static TfLiteStatus check_selector(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                   TfLiteType type, LiteView* selector) {
    LITE_TRY(lite_input(context, node, op, 0, selector));
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

static TfLiteStatus find_loop(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Callee* condition,
                              Callee* body) {
    const TfLiteWhileParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "WHILE: has no parameters");
    const int count = TfLiteOpaqueNodeNumberOfInputs(node);
    if (TfLiteOpaqueNodeNumberOfOutputs(node) != count) {
        return lite_fail(context, "WHILE: has %d inputs and %d outputs, expected as many", count,
                         TfLiteOpaqueNodeNumberOfOutputs(node));
    }
    LITE_TRY(find_callee(context, "WHILE", params->cond_subgraph_index, count, 1, condition));
    return find_callee(context, "WHILE", params->body_subgraph_index, count, count, body);
}

// One boolean, once its shape is known.
static TfLiteStatus check_condition(TfLiteOpaqueContext* context, const Callee* condition, bool known) {
    const TfLiteTensor* holds = tensor_at(outputs_of(condition), 0);
    if (holds == NULL || holds->type != kTfLiteBool || (known && holds->bytes != 1)) {
        return lite_fail(context, "WHILE: the condition is not one BOOL");
    }
    return kTfLiteOk;
}

static TfLiteStatus while_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Callee condition = {0}, body = {0};
    bool condition_known, body_known;
    const Tensors arguments = node_inputs(context, node, 0);
    LITE_TRY(find_loop(context, node, &condition, &body));
    LITE_TRY(check_pairs(context, "WHILE", arguments, inputs_of(&condition)));
    LITE_TRY(check_pairs(context, "WHILE", arguments, inputs_of(&body)));
    LITE_TRY(check_pairs(context, "WHILE", outputs_of(&body), arguments));
    LITE_TRY(check_pairs(context, "WHILE", arguments, node_outputs(context, node)));
    LITE_TRY(shape_callee(&condition, arguments, &condition_known));
    LITE_TRY(check_condition(context, &condition, condition_known));
    LITE_TRY(shape_callee(&body, arguments, &body_known));
    // Shapes that a round changes are known only after the last one.
    for (int i = 0; i < arguments.count && body_known; i++) {
        body_known =
            TfLiteIntArrayEqual(tensor_at(arguments, i)->dims, tensor_at(outputs_of(&body), i)->dims);
    }
    return size_outputs(context, node, &body, body_known);
}

static TfLiteStatus while_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Callee condition = {0}, body = {0};
    LITE_TRY(find_loop(context, node, &condition, &body));
    Tensors values = node_inputs(context, node, 0);
    for (;;) {
        LITE_TRY(call("WHILE", &condition, values));
        LITE_TRY(check_condition(context, &condition, true));
        const uint8_t* holds = tensor_at(outputs_of(&condition), 0)->data.uint8;
        if (holds == NULL) return lite_fail(context, "WHILE: nothing in its subgraph writes the condition");
        if (*holds == 0) break;
        LITE_TRY(call("WHILE", &body, inputs_of(&condition)));
        values = outputs_of(&body);
    }
    return copy_tensors("WHILE", inputs_of(&condition), node_outputs(context, node));
}

const LiteKernel lite_kernel_WHILE = {.prepare = while_prepare, .invoke = while_invoke};

// CALL_ONCE: a subgraph without inputs and outputs that fills resources, run once in an interpreter's life.

static TfLiteStatus find_initializer(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Callee* callee,
                                     LiteResource** done) {
    const TfLiteCallOnceParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "CALL_ONCE: has no parameters");
    LITE_TRY(find_callee(context, "CALL_ONCE", params->init_subgraph_index, 0, 0, callee));
    LiteResources* resources = &lite_host(context)->resources;
    *done = lite_resource_get(resources, kLiteResourceInitializer, params->init_subgraph_index);
    return *done ? kTfLiteOk : lite_fail(context, "CALL_ONCE: out of memory");
}

static TfLiteStatus call_once_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Callee callee = {0};
    LiteResource* done = NULL;
    return find_initializer(context, node, &callee, &done);
}

static TfLiteStatus call_once_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Callee callee = {0};
    LiteResource* done = NULL;
    LITE_TRY(find_initializer(context, node, &callee, &done));
    if (done->object != NULL) return kTfLiteOk;
    LITE_TRY(call("CALL_ONCE", &callee, inputs_of(&callee)));
    done->object = done; // any mark will do
    return kTfLiteOk;
}

const LiteKernel lite_kernel_CALL_ONCE = {.prepare = call_once_prepare, .invoke = call_once_invoke};
