// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/ops.h"

// Which dimensions go.
static bool reduced_dims(const LiteClNode* node, bool reduced[LITE_MAX_RANK], LiteClReason* reason) {
    const int rank = node->inputs[0]->shape.rank;
    LiteClInts axes;
    if (!lite_cl_constant_ints(node, 1, &axes, reason)) return false;
    for (int d = 0; d < LITE_MAX_RANK; d++) reduced[d] = false;
    for (int i = 0; i < axes.count; i++) {
        const int64_t axis = axes.values[i];
        if (axis < -rank || axis >= rank) return lite_cl_refuse(reason, "axis %lld", (long long)axis);
        reduced[axis < 0 ? axis + rank : axis] = true;
    }
    return true;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteReducerParams* params = node->params;
    const LiteShape* input = &node->inputs[0]->shape;
    bool reduced[LITE_MAX_RANK];
    if (!reduced_dims(node, reduced, reason)) return false;
    for (int d = 0; d < input->rank; d++) {
        if (!reduced[d]) {
            output->dims[output->rank++] = input->dims[d];
        } else if (params->keep_dims) {
            output->dims[output->rank++] = 1;
        }
    }
    return true;
}

// Runs of neighbouring dimensions that are all reduced or all kept become one. Returns how many kept ones
// there are.
static void fill_args(const LiteShape* input, const bool reduced[LITE_MAX_RANK], LiteClReduceArgs* args) {
    int stride = 1, kept = 0, gone = 0;
    int kept_dims[LITE_MAX_RANK] = {0}, kept_strides[LITE_MAX_RANK] = {0}; // innermost first
    int gone_dims[LITE_MAX_RANK] = {0}, gone_strides[LITE_MAX_RANK] = {0};
    for (int d = input->rank - 1; d >= 0; d--) {
        const bool joins = d + 1 < input->rank && reduced[d] == reduced[d + 1];
        int* dims = reduced[d] ? gone_dims : kept_dims;
        int* strides = reduced[d] ? gone_strides : kept_strides;
        int* count = reduced[d] ? &gone : &kept;
        if (joins) {
            dims[*count - 1] *= input->dims[d];
        } else {
            dims[*count] = input->dims[d];
            strides[(*count)++] = stride;
        }
        stride *= input->dims[d];
    }
    const int inner = kept > 0 && kept_strides[0] == 1 ? 1 : 0;
    args->inner = inner > 0 ? kept_dims[0] : 1;
    args->outer_rank = kept - inner;
    args->rows = args->reduced = 1;
    for (int i = 0; i < args->outer_rank; i++) {
        args->outer_dims[i] = kept_dims[kept - 1 - i];
        args->outer_strides[i] = kept_strides[kept - 1 - i];
        args->rows *= args->outer_dims[i];
    }
    args->reduced_rank = gone;
    for (int i = 0; i < gone; i++) {
        args->reduced_dims[i] = gone_dims[gone - 1 - i];
        args->reduced_strides[i] = gone_strides[gone - 1 - i];
        args->reduced *= args->reduced_dims[i];
    }
    args->divisor = (float)args->reduced;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClReason reason;
    bool reduced[LITE_MAX_RANK];
    if (!reduced_dims(node, reduced, &reason)) {
        return lite_report(plan->reporter, "%s: %s", node->name, reason.text);
    }
    LiteClReduceArgs args = {0};
    fill_args(&node->inputs[0]->shape, reduced, &args);
    const int vector = lite_cl_vector(plan->device->class, args.inner);
    char prelude[LITE_CL_PRELUDE];
    snprintf(prelude, sizeof prelude, "#define VW %d\n", vector);
    const LiteClLaunch launch = {
        .family = "reduce",
        .kernel = "reduce_sum",
        .prelude = prelude,
        .args = &args,
        .args_size = sizeof args,
        .items = {args.inner > 0 ? lite_cl_vector_items(plan->device, args.inner, vector) : 0,
                  (size_t)args.rows, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

const LiteClOp lite_cl_op_MEAN = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteReducerParams, keep_dims),
    .min_inputs = 2,
    .max_inputs = 2,
    .float_inputs = 1,
    .infer = infer,
    .lower = lower,
};
