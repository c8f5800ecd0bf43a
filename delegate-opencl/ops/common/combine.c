// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/combine.h"

#include <float.h>
#include <string.h>

#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/prelude.h"

static int32_t bits_of(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// What a place holds before its first row. Types other than float and int32 are only summed.
static int64_t neutral(LiteClCombine combine, TfLiteType type) {
    const bool real = type == kTfLiteFloat32;
    switch (combine) {
    case kLiteClProduct:
        return real ? bits_of(1.0f) : 1;
    case kLiteClMaximum:
        return real ? bits_of(-FLT_MAX) : INT32_MIN;
    case kLiteClMinimum:
        return real ? bits_of(FLT_MAX) : INT32_MAX;
    default:
        return 0;
    }
}

TfLiteStatus lite_cl_combine_rows(LiteClPlan* plan, const LiteClNode* node, LiteClCombine combine,
                                  LiteClTensor* rows, LiteClTensor* indices,
                                  const LiteClCoordinatesArgs* args) {
    static const char* const joins[] = {[kLiteClSum] = "a + b",
                                        [kLiteClProduct] = "a * b",
                                        [kLiteClMaximum] = "b > a ? b : a",
                                        [kLiteClMinimum] = "b < a ? b : a"};
    static const char* const integer_joins[] = {[kLiteClSum] = "(VALUE)((U)(a) + (U)(b))",
                                                [kLiteClProduct] = "(VALUE)((U)(a) * (U)(b))",
                                                [kLiteClMaximum] = "(b) > (a) ? (b) : (a)",
                                                [kLiteClMinimum] = "(b) < (a) ? (b) : (a)"};
    LiteClTensor* output = node->outputs[0];
    const int start = lite_cl_scalar(plan, node, output->type, neutral(combine, output->type));
    LITE_TRY(lite_cl_fill(plan, output->type, start, lite_cl_plan_tensor(plan, output),
                          lite_shape_elements(&output->shape)));
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", output->type);
    lite_cl_define_type(&prelude, "I_", indices->type);
    lite_cl_define(&prelude, "JOIN(a, b) (%s)",
                   output->type == kTfLiteFloat32 ? joins[combine] : integer_joins[combine]);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_combine_rows,
        .kernel = "combine_rows",
        .prelude = prelude.text,
        .args = args,
        .args_size = sizeof *args,
        .buffer_count = 4,
        .buffers = {lite_cl_plan_tensor(plan, rows), lite_cl_plan_tensor(plan, indices),
                    lite_cl_plan_tensor(plan, output), lite_cl_plan_status(plan)},
        .items = {lite_cl_chunks(args->inner, args->chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}
