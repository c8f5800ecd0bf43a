// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/precision.h"

#include "delegate-opencl/ops/ops.h"

void lite_cl_precision_begin(LiteClGraph* graph) {
    for (int t = 0; t < graph->tensor_count; t++) {
        graph->tensors[t].half_storage = -1;
        graph->tensors[t].wide = false;
    }
    for (int n = 0; n < graph->node_count; n++) graph->nodes[n].narrowed = false;
}

// Shows the tensor's other storage, and the type that goes with it.
static void turn(LiteClTensor* tensor) {
    const int storage = tensor->storage;
    tensor->storage = tensor->half_storage;
    tensor->half_storage = storage;
    tensor->halved = !tensor->halved;
    tensor->type = tensor->halved ? kTfLiteFloat16 : kTfLiteFloat32;
}

// Turns all of the node's tensors that are float32, constants only where they are of the operator's type:
// what is packed by the host, such as a bias, stays as it is.
static int turn_tensors(const LiteClNode* node, bool to_half) {
    int turned = 0;
    for (int i = 0; i < node->input_count + node->output_count; i++) {
        const bool is_input = i < node->input_count;
        LiteClTensor* tensor = is_input ? node->inputs[i] : node->outputs[i - node->input_count];
        if (tensor == NULL || tensor->halved == to_half) continue; // perhaps named twice
        if (to_half && (tensor->type != kTfLiteFloat32 ||
                        (tensor->data != NULL &&
                         (tensor->data == tensor->contents || !lite_cl_input_is_element(node, i))))) {
            continue;
        }
        turn(tensor);
        turned++;
    }
    return turned;
}

static bool takes_halves(LiteClNode* node) {
    LiteClReason reason;
    node->halves = true;
    const bool takes = turn_tensors(node, true) > 0 && lite_cl_node_check(node, &reason);
    (void)turn_tensors(node, false);
    node->halves = false;
    return takes;
}

static TfLiteStatus convert(LiteClPlan* plan, const LiteClTensor* tensor, TfLiteType from_type, int from,
                            TfLiteType to_type, int to) {
    return lite_cl_cast_storage(plan, lite_shape_elements(&tensor->shape), from_type, from, to_type, to);
}

// Makes the float32 storage of a tensor that has only the other; constants and outputs get theirs by
// lite_cl_plan_tensor.
static TfLiteStatus bring_float(LiteClPlan* plan, LiteClTensor* tensor) {
    if (tensor->storage >= 0 || tensor->half_storage < 0 || tensor->data != NULL) return kTfLiteOk;
    tensor->storage = lite_cl_plan_add_storage(plan, kLiteClArena, lite_cl_tensor_bytes(tensor));
    return convert(plan, tensor, kTfLiteFloat16, tensor->half_storage, kTfLiteFloat32, tensor->storage);
}

static TfLiteStatus bring_half(LiteClPlan* plan, LiteClTensor* tensor) {
    if (tensor->half_storage >= 0 || tensor->type != kTfLiteFloat32 || tensor->data != NULL) return kTfLiteOk;
    tensor->half_storage = lite_cl_plan_add_storage(plan, kLiteClArena, lite_cl_tensor_bytes(tensor) / 2);
    return convert(plan, tensor, kTfLiteFloat32, lite_cl_plan_tensor(plan, tensor), kTfLiteFloat16,
                   tensor->half_storage);
}

// An output of the partition has its float32 storage from the beginning.
static TfLiteStatus finish_output(LiteClPlan* plan, const LiteClTensor* tensor) {
    if (tensor->type != kTfLiteFloat32 || tensor->storage < 0 || tensor->half_storage < 0) return kTfLiteOk;
    return convert(plan, tensor, kTfLiteFloat16, tensor->half_storage, kTfLiteFloat32, tensor->storage);
}

static bool has_wide_input(const LiteClNode* node) {
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] != NULL && node->inputs[i]->wide) return true;
    }
    return false;
}

// Squares, as variances are made of, are beyond FLOAT16 from 256 on.
static bool is_square(const LiteClNode* node) {
    return strcmp(node->name, "SQUARE") == 0 || strcmp(node->name, "SQUARED_DIFFERENCE") == 0 ||
           (strcmp(node->name, "MUL") == 0 && node->inputs[0] == node->inputs[1]);
}

// Whether the node's results are wide.
static bool gives_wide(const LiteClNode* node) {
    const bool keeps = node->op->keeps_wide || node->op->types == LITE_CL_ANY; // moves
    return node->op->wide || is_square(node) || (keeps && has_wide_input(node));
}

static TfLiteStatus bring_inputs(LiteClPlan* plan, const LiteClNode* node, bool halves) {
    const bool wide = gives_wide(node);
    for (int i = 0; i < node->output_count; i++) node->outputs[i]->wide = wide;
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] == NULL) continue;
        LITE_TRY(halves ? bring_half(plan, node->inputs[i]) : bring_float(plan, node->inputs[i]));
    }
    return kTfLiteOk;
}

TfLiteStatus lite_cl_precision_bring(LiteClPlan* plan, const LiteClNode* node) {
    return bring_inputs(plan, node, false);
}

TfLiteStatus lite_cl_precision_lower(LiteClPlan* plan, LiteClNode* node) {
    const bool halves = !has_wide_input(node) && !gives_wide(node) && takes_halves(node);
    node->narrowed = halves;
    LITE_TRY(bring_inputs(plan, node, halves));
    if (!halves) return node->op->lower(plan, node);
    node->halves = true;
    (void)turn_tensors(node, true);
    const TfLiteStatus status = node->op->lower(plan, node);
    (void)turn_tensors(node, false);
    node->halves = false;
    LITE_TRY(status);
    for (int i = 0; i < node->output_count; i++) LITE_TRY(finish_output(plan, node->outputs[i]));
    return kTfLiteOk;
}
