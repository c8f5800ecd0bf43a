// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"
#include "kernels-cl/args/rfft2d.h"

static bool rfft_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts lengths;
    if (!lite_cl_constant_ints(node, 1, &lengths, reason)) return false;
    if (input->rank < 2 || lengths.count != 2 || node->inputs[1]->shape.rank != 1)
        return lite_cl_refuse(reason, "%d dimensions and %d lengths", input->rank, lengths.count);
    for (int i = 0; i < 2; i++) {
        const int64_t length = lengths.values[i];
        if (length < 1 || length > 1 << 24 || (length & (length - 1)) != 0)
            return lite_cl_refuse(reason, "length %lld", (long long)length);
    }
    *output = *input;
    output->dims[output->rank - 2] = (int32_t)lengths.values[0];
    output->dims[output->rank - 1] = (int32_t)lengths.values[1] / 2 + 1;
    return true;
}

static void write_roots(const void* state, float* packed) {
    const int length = *(const int*)state;
    for (int i = 0; i < length; i++) {
        const double angle = -2.0 * 3.14159265358979323846 * i / length;
        packed[2 * i] = (float)cos(angle);
        packed[2 * i + 1] = (float)sin(angle);
    }
}

static TfLiteStatus launch_lines(LiteClPlan* plan, const LiteClNode* node, const char* kernel,
                                 LiteClFftArgs* args, int from, int to) {
    for (int length = 1; length < args->length; length *= 2) args->log_length++;
    const LiteClLaunch launch = {
        .family = &lite_cl_source_rfft2d,
        .kernel = kernel,
        .prelude = "",
        .args = args,
        .args_size = sizeof *args,
        .buffer_count = 3,
        .buffers = {from,
                    lite_cl_plan_constant(
                        plan,
                        (LiteClConstantKey){.owner = node, .role = kLiteClRoleTable, .layout = args->length},
                        (size_t)args->length * 2 * sizeof(float), write_roots, &args->length),
                    to},
        .items = {(size_t)args->lines, 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

static TfLiteStatus rfft_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape* shape = &node->inputs[0]->shape;
    const int32_t* in = shape->dims + shape->rank - 2;
    const int rows = (int)lite_cl_int_at(node->inputs[1], 0),
              columns = (int)lite_cl_int_at(node->inputs[1], 1);
    const int kept = columns / 2 + 1;
    const int images = (int)(lite_shape_elements(&node->outputs[0]->shape) / ((int64_t)rows * kept));
    const int transformed = lite_cl_plan_add_storage(
        plan, kLiteClArena, (size_t)images * (size_t)rows * (size_t)columns * 2 * sizeof(float));
    LiteClFftArgs args = {.lines = images * rows,
                          .length = columns,
                          .lines_per_image = rows,
                          .in_lines = in[0],
                          .in_length = in[1]};
    LITE_TRY(
        launch_lines(plan, node, "rows", &args, lite_cl_plan_tensor(plan, node->inputs[0]), transformed));
    args = (LiteClFftArgs){.lines = images * kept, .length = rows, .in_length = columns, .kept = kept};
    return launch_lines(plan, node, "columns", &args, transformed,
                        lite_cl_plan_tensor(plan, node->outputs[0]));
}

const LiteClOp lite_cl_op_RFFT2D = {.rounds = kLiteClRoundsAll,
                                    .min_inputs = 2,
                                    .max_inputs = 2,
                                    .inputs = "fp",
                                    .outputs = ".",
                                    .types = LITE_TYPE(Complex64),
                                    .infer = rfft_infer,
                                    .lower = rfft_lower};
