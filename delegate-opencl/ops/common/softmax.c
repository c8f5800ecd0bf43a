// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/softmax.h"

#include <string.h>

#include "core/semantics/quant.h"
#include "core/semantics/softmax_fixed.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/group.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"
#include "kernels-cl/args/common.h"
#include "kernels-cl/args/softmax.h"

bool lite_cl_softmax_check(const LiteClTensor* input, float beta, LiteClReason* reason) {
    LiteSoftmaxScale scale = {0};
    LiteSoftmaxTable16 table;
    const bool known = input->type == kTfLiteInt16
                           ? input->zero_point == 0 && lite_softmax_table16(beta, input->scale, &table)
                           : lite_softmax_scale(beta, input->scale, &scale);
    return known || lite_cl_refuse(reason, "an input of scale %g", (double)input->scale);
}

static void write_table(const void* state, float* packed) {
    // Of ints, as the kernel reads them.
    lite_softmax_table(state, (LiteSoftmaxTable*)(void*)packed);
}

static void write_samples(const void* state, float* packed) {
    const LiteSoftmaxTable16* table = state;
    int16_t* samples = (int16_t*)(void*)packed;
    memcpy(samples, table->exps, sizeof table->exps);
    memcpy(samples + LITE_SOFTMAX_STEPS, table->reciprocals, sizeof table->reciprocals);
}

// The storage of the tables of integers, and what the arguments say of them; -1 after a report.
static int add_tables(LiteClPlan* plan, const LiteClNode* node, LiteClSoftmaxArgs* args) {
    const LiteClTensor* in = node->inputs[0];
    if (in->type == kTfLiteInt16) {
        LiteSoftmaxTable16 table = {0};
        lite_cl_agreed(lite_softmax_table16(args->beta, in->scale, &table));
        args->multiplier = (LiteClMultiplier){table.multiplier.value, table.multiplier.shift};
        return lite_cl_plan_constant(plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleTable},
                                     sizeof table.exps + sizeof table.reciprocals, write_samples, &table);
    }
    LiteSoftmaxScale scale = {0};
    (void)lite_softmax_scale(args->beta, in->scale, &scale);
    const LiteMultiplier reverse = lite_log_softmax_reverse(&scale);
    args->multiplier = (LiteClMultiplier){reverse.value, reverse.shift};
    args->diff_min = scale.diff_min;
    return lite_cl_plan_constant(plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleTable},
                                 sizeof(LiteSoftmaxTable), write_table, &scale);
}

static void define_types(const LiteClNode* node, bool is_log, int vector, LiteClPrelude* prelude) {
    const TfLiteType type = node->inputs[0]->type;
    lite_cl_define_type(prelude, "", type);
    lite_cl_define_type(prelude, "OUT_", node->outputs[0]->type);
    if (is_log) lite_cl_define(prelude, "LOGARITHM");
    if (type == kTfLiteFloat16) lite_cl_define(prelude, "HALF");
    if (type == kTfLiteFloat16 || type == kTfLiteFloat32) {
        lite_cl_define_vectors(prelude, type);
        lite_cl_define(prelude, "VW %d", vector);
        return;
    }
    if (type != kTfLiteInt16) lite_cl_define(prelude, "BYTES");
    lite_cl_define(prelude, "QUANTIZED");
}

// Rows of floats that one item does: a group of items costs a CPU as much as a row of some hundred elements.
static int rows_of_item(const LiteClDevice* device, int width) {
    enum { WORK = 8 /* an exponential beside what chunks are for */ };
    const int rows = width > 0 ? lite_cl_tune(device->class)->chunk / WORK / width : 0;
    return rows > 0 ? rows : 1;
}

TfLiteStatus lite_cl_softmax_lower(LiteClPlan* plan, const LiteClNode* node, float beta, bool is_log) {
    const LiteClTensor* in = node->inputs[0];
    const LiteClAxis axis = lite_cl_axis(&in->shape, in->shape.rank - 1);
    LiteClSoftmaxArgs args = {.rows = axis.outer, .width = axis.length, .beta = beta};
    LiteClPrelude prelude = {0};
    const int vector = lite_cl_plan_row_vector(plan, node, args.width);
    if (vector == 0) return kTfLiteError;
    define_types(node, is_log, vector, &prelude);
    LiteClLaunch launch = {
        .family = &lite_cl_source_softmax,
        .kernel = "softmax",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {args.width > 0 ? (size_t)args.rows : 0, 1, 1},
    };
    const bool is_real = in->type == kTfLiteFloat32 || in->type == kTfLiteFloat16;
    const bool shares = is_real || (in->type != kTfLiteInt16 && lite_cl_device_has_local_tiles(plan->device));
    const int group = shares ? lite_cl_tune_group(plan->device, kLiteClSoftmaxRow, args.width) : 0;
    args.item_rows = is_real && group == 0 ? rows_of_item(plan->device, args.width) : 1;
    launch.items[0] = lite_cl_chunks((int)launch.items[0], args.item_rows);
    if (group > 0) {
        lite_cl_define_row_group(plan->device, group, &prelude);
        launch.version_3 = plan->device->subgroups;
        launch.group = (size_t)group;
        launch.items[1] = launch.items[0];
        launch.items[0] = (size_t)group;
    }
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, node->inputs[0]);
    if (!is_real) launch.buffers[launch.buffer_count++] = add_tables(plan, node, &args);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, node->outputs[0]);
    return lite_cl_plan_launch(plan, &launch);
}
