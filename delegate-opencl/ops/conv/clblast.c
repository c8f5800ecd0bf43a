// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/clblast.h"

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/activation.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/plan/product.h"
#include "kernels-cl/args/epilogue.h"

// Is each output pixel the product of one input pixel and the weights?
static bool is_product(const LiteClGemm* gemm) {
    const LiteClConvArgs* a = &gemm->args;
    return gemm->groups == 1 && a->kernel_h == 1 && a->kernel_w == 1 && a->stride_h == 1 &&
           a->stride_w == 1 && a->pad_top == 0 && a->pad_left == 0 && a->in_h == a->out_h &&
           a->in_w == a->out_w && a->in_c == a->group_in && a->out_c == a->group_out &&
           (int64_t)a->images * a->out_h * a->out_w == a->pixels;
}

// A view as FLOAT16 has contents of FLOAT32, too.
static bool is_float(const LiteClTensor* tensor) {
    return tensor == NULL || tensor->type == kTfLiteFloat32 || tensor->as_float16;
}

bool lite_cl_clblast_can(const LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input,
                         const LiteClTensor* output) {
    const LiteClConvArgs* a = &gemm->args;
    const bool halves = input->type == kTfLiteFloat16;
    if (gemm->tail != NULL || gemm->gate != NULL || !is_product(gemm)) return false;
    if (a->pixels < 1 || a->group_in < 1 || a->group_out < 1 || output->type != input->type) return false;
    if (!is_float(gemm->filter) || !is_float(gemm->bias)) return false;
    return halves
               ? lite_cl_clblast_packs(gemm) && lite_cl_clblast_has(plan->device, kLiteClClblastHalves, NULL)
               : input->type == kTfLiteFloat32;
}

static TfLiteStatus launch_epilogue(LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* output,
                                    int bias, int y) {
    const LiteClTune* tune = lite_cl_tune(plan->device->class);
    LiteClEpilogueArgs args = {
        .rows = gemm->args.pixels, .columns = gemm->args.group_out, .rows_each = tune->pixels};
    const int vector = lite_cl_vector(plan->device->class, args.columns);
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", output->type);
    lite_cl_define_vectors(&prelude, output->type);
    lite_cl_define(&prelude, "VW %d", vector);
    if (gemm->addend != NULL) {
        lite_cl_define(&prelude, "ADDEND");
        lite_cl_activation_limits(gemm->sum_activation, &args.sum_low, &args.sum_high);
    }
    lite_activation_range_f32(gemm->activation, &args.low, &args.high);
    if (gemm->infinite) lite_cl_activation_limits(gemm->activation, &args.low, &args.high);
    LiteClLaunch launch = {
        .family = &lite_cl_source_epilogue,
        .kernel = "epilogue",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 1,
        .buffers = {bias},
        .items = {lite_cl_vector_items(plan->device, args.columns, vector),
                  lite_cl_chunks(args.rows, args.rows_each), 1},
    };
    if (gemm->addend != NULL) launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, gemm->addend);
    launch.buffers[launch.buffer_count++] = y;
    return lite_cl_plan_launch(plan, &launch);
}

TfLiteStatus lite_cl_clblast_lower(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                   LiteClTensor* output, int weights, int bias) {
    const LiteClConvArgs* a = &gemm->args;
    const LiteClProduct product = {.halves = input->type == kTfLiteFloat16,
                                   .rows = (size_t)a->pixels,
                                   .depth = (size_t)a->group_in,
                                   .columns = (size_t)a->group_out,
                                   .b = {.transposed = !lite_cl_clblast_packs(gemm)},
                                   .count = 1};
    const int y = lite_cl_plan_tensor(plan, output);
    const int storages[3] = {lite_cl_plan_tensor(plan, input), weights, y};
    LITE_TRY(lite_cl_plan_product(plan, &product, storages));
    return launch_epilogue(plan, gemm, output, bias, y);
}
