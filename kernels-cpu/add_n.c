// SPDX-License-Identifier: Apache-2.0
// ADD_N: the sum of any number of tensors.
#include <float.h>
#include <limits.h>

#include "kernels-cpu/loops/formulas.h"
#include "kernels-cpu/support/elementwise.h"

// Sums end at the largest finite number.
static inline float saturated(float x) {
    return lite_clamp_f32(x, -FLT_MAX, FLT_MAX);
}

// Both inputs are whole; the output may be the first one.
#define LOOP(SUFFIX, RESULT)                                                                                 \
    static void add_##SUFFIX(const LiteRow* row) {                                                           \
        const stored_##SUFFIX *a = row->in[0], *b = row->in[1];                                              \
        stored_##SUFFIX* out = row->out;                                                                     \
        for (int64_t i = 0; i < row->count; i++) out[i] = RESULT(apply_ADD_##SUFFIX(a[i], b[i]));            \
    }
LOOP(f32, saturated)
LOOP(i32, )

static TfLiteStatus add_n_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_TRY(lite_kernel_check_counts(context, node, "ADD_N", 2, INT_MAX, 1));
    LiteView first, output;
    LITE_TRY(lite_kernel_views(context, node, "ADD_N", &first, 1, &output));
    if (first.type != kTfLiteFloat32 && first.type != kTfLiteInt32) {
        return lite_check_fail_type(context, "ADD_N", first.type);
    }
    LITE_TRY(lite_check_type(context, "ADD_N", "output", &output, first.type));
    for (int k = 1; k < TfLiteOpaqueNodeNumberOfInputs(node); k++) {
        LiteView input;
        LITE_TRY(lite_kernel_input(context, node, "ADD_N", k, &input));
        LITE_TRY(lite_check_type(context, "ADD_N", "an input", &input, first.type));
        if (!lite_shape_equal(&input.shape, &first.shape)) {
            return lite_fail(
                context,
                "ADD_N: input %d has another shape than input 0: HaveSameShapes(input1, input) was not true.",
                k);
        }
    }
    return lite_kernel_resize(context, output.tensor, &first.shape);
}

static TfLiteStatus add_n_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView inputs[2], output;
    LITE_TRY(lite_kernel_views(context, node, "ADD_N", inputs, 2, &output));
    const LiteRowFunction loop = output.type == kTfLiteFloat32 ? add_f32 : add_i32;
    LITE_TRY(lite_elementwise_run(context, "ADD_N", loop, NULL, 1, &output, inputs, 2));
    inputs[0] = output;
    for (int k = 2; k < TfLiteOpaqueNodeNumberOfInputs(node); k++) {
        LITE_TRY(lite_kernel_input(context, node, "ADD_N", k, &inputs[1]));
        LITE_TRY(lite_elementwise_run(context, "ADD_N", loop, NULL, 1, &output, inputs, 2));
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_ADD_N = {.prepare = add_n_prepare, .invoke = add_n_invoke};
