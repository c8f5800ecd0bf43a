// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/precision.h"

#include "delegate-opencl/graph/support.h"
#include <string.h>

#include "delegate-opencl/ops/common/convert.h"

static TfLiteStatus show_tensor(LiteClGraph* graph, LiteClTensor* tensor, const LiteReporter* reporter) {
    if (tensor->float16 == NULL)
        tensor->float16 = lite_arena_alloc(&graph->arena, 1, sizeof *tensor->float16);
    LiteClTensor* half = tensor->float16;
    if (half == NULL) return lite_report(reporter, "OpenCL: out of memory");
    *half = *tensor;
    half->float16 = NULL;
    half->as_float16 = true;
    half->type = kTfLiteFloat16;
    half->storage = -1;
    return kTfLiteOk;
}

// Float32 tensors are seen as FLOAT16, constants only where they have the operator's type: the host packs the
// others, such as biases, from float32.
static LiteClTensor* view_of(const LiteClNode* node, int index, LiteClTensor* tensor) {
    if (tensor == NULL || tensor->type != kTfLiteFloat32) return tensor;
    const bool is_packed =
        tensor->data != NULL && (tensor->data == tensor->contents || !lite_cl_input_is_element(node, index));
    return is_packed ? tensor : tensor->float16;
}

static TfLiteStatus show_node(LiteClGraph* graph, LiteClNode* node, const LiteReporter* reporter) {
    const int inputs = node->input_count, count = inputs + node->output_count;
    if (node->float16 == NULL) {
        LiteClNode* made = lite_arena_alloc(&graph->arena, 1, sizeof *made);
        if (made != NULL)
            made->inputs = lite_arena_alloc(&graph->arena, (size_t)count, sizeof(*made->inputs));
        if (made == NULL || made->inputs == NULL) return lite_report(reporter, "OpenCL: out of memory");
        node->float16 = made;
    }
    LiteClNode* half = node->float16;
    LiteClTensor** tensors = half->inputs;
    *half = *node;
    half->float16 = NULL;
    half->as_float16 = true;
    half->inputs = tensors;
    half->outputs = tensors + inputs;
    for (int i = 0; i < count; i++)
        tensors[i] = view_of(node, i, i < inputs ? node->inputs[i] : node->outputs[i - inputs]);
    return kTfLiteOk;
}

TfLiteStatus lite_cl_precision_begin(LiteClGraph* graph, bool wanted, const LiteReporter* reporter) {
    for (int n = 0; n < graph->node_count; n++) graph->nodes[n].has_float16 = false;
    for (int t = 0; t < graph->tensor_count && wanted; t++) {
        graph->tensors[t].wide = false;
        if (graph->tensors[t].type == kTfLiteFloat32)
            LITE_TRY(show_tensor(graph, &graph->tensors[t], reporter));
    }
    for (int n = 0; n < graph->node_count && wanted; n++)
        LITE_TRY(show_node(graph, &graph->nodes[n], reporter));
    return kTfLiteOk;
}

static bool takes_float16(const LiteClNode* node) {
    bool differs = false;
    for (int i = 0; i < node->input_count; i++)
        differs = differs || node->float16->inputs[i] != node->inputs[i];
    for (int i = 0; i < node->output_count; i++)
        differs = differs || node->float16->outputs[i] != node->outputs[i];
    LiteClReason reason;
    return differs && lite_cl_node_check(node->float16, &reason);
}

static TfLiteStatus convert(LiteClPlan* plan, const LiteClTensor* tensor, TfLiteType from_type, int from,
                            TfLiteType to_type, int to) {
    return lite_cl_cast_storage(plan, lite_shape_elements(&tensor->shape), from_type, from, to_type, to);
}

// The storage of a tensor as FLOAT16, -1 when there is none.
static int half_storage(const LiteClTensor* tensor) {
    return tensor->type == kTfLiteFloat32 ? tensor->float16->storage : -1;
}

// Makes the float32 storage of a tensor that has only the other. Constants and outputs get theirs from
// lite_cl_plan_tensor.
static TfLiteStatus bring_float32(LiteClPlan* plan, LiteClTensor* tensor) {
    if (tensor->storage >= 0 || half_storage(tensor) < 0 || tensor->data != NULL) return kTfLiteOk;
    tensor->storage = lite_cl_plan_add_storage(plan, kLiteClArena, lite_cl_tensor_bytes(tensor));
    return convert(plan, tensor, kTfLiteFloat16, half_storage(tensor), kTfLiteFloat32, tensor->storage);
}

static TfLiteStatus bring_float16(LiteClPlan* plan, LiteClTensor* tensor) {
    if (half_storage(tensor) >= 0 || tensor->type != kTfLiteFloat32 || tensor->data != NULL) return kTfLiteOk;
    tensor->float16->storage =
        lite_cl_plan_add_storage(plan, kLiteClArena, lite_cl_tensor_bytes(tensor->float16));
    return convert(plan, tensor, kTfLiteFloat32, lite_cl_plan_tensor(plan, tensor), kTfLiteFloat16,
                   half_storage(tensor));
}

// Converts an output of the partition, which has its float32 storage from the beginning.
static TfLiteStatus finish_output(LiteClPlan* plan, const LiteClTensor* tensor) {
    if (tensor->storage < 0 || half_storage(tensor) < 0) return kTfLiteOk;
    return convert(plan, tensor, kTfLiteFloat16, half_storage(tensor), kTfLiteFloat32, tensor->storage);
}

static bool has_wide_input(const LiteClNode* node) {
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] != NULL && node->inputs[i]->wide) return true;
    }
    return false;
}

// Squares (variances are made of them) do not fit FLOAT16 from 256 on.
static bool is_square(const LiteClNode* node) {
    return strcmp(node->name, "SQUARE") == 0 || strcmp(node->name, "SQUARED_DIFFERENCE") == 0 ||
           (strcmp(node->name, "MUL") == 0 && node->inputs[0] == node->inputs[1]);
}

// Are the node's results wide?
static bool gives_wide(const LiteClNode* node) {
    const bool keeps = node->op->keeps_wide || node->op->types == LITE_CL_ANY; // moves
    return node->op->wide || is_square(node) || (keeps && has_wide_input(node));
}

static TfLiteStatus bring_inputs(LiteClPlan* plan, const LiteClNode* node, bool float16) {
    const bool wide = gives_wide(node);
    for (int i = 0; i < node->output_count; i++) node->outputs[i]->wide = wide;
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] == NULL) continue;
        LITE_TRY(float16 ? bring_float16(plan, node->inputs[i]) : bring_float32(plan, node->inputs[i]));
    }
    return kTfLiteOk;
}

TfLiteStatus lite_cl_precision_bring(LiteClPlan* plan, const LiteClNode* node) {
    return bring_inputs(plan, node, false);
}

TfLiteStatus lite_cl_precision_lower(LiteClPlan* plan, LiteClNode* node) {
    node->has_float16 = !has_wide_input(node) && !gives_wide(node) && takes_float16(node);
    LITE_TRY(bring_inputs(plan, node, node->has_float16));
    if (!node->has_float16) return node->op->lower(plan, node);
    LITE_TRY(node->op->lower(plan, node->float16));
    for (int i = 0; i < node->output_count; i++) LITE_TRY(finish_output(plan, node->outputs[i]));
    return kTfLiteOk;
}
