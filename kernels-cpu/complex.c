// SPDX-License-Identifier: Apache-2.0
// REAL, IMAG and COMPLEX_ABS compute with complex numbers.
#include <math.h>

#include "kernels-cpu/support/elementwise.h"

#define LOOP(NAME, COMPLEX, PART, RESULT)                                                                    \
    static void NAME(const LiteRow* row) {                                                                   \
        const COMPLEX* in = row->in[0];                                                                      \
        PART* out = row->out;                                                                                \
        for (int64_t i = 0; i < row->count; i++) out[i] = RESULT;                                            \
    }
LOOP(real_64, TfLiteComplex64, float, in[i].re)
LOOP(real_128, TfLiteComplex128, double, in[i].re)
LOOP(imag_64, TfLiteComplex64, float, in[i].im)
LOOP(imag_128, TfLiteComplex128, double, in[i].im)
LOOP(abs_64, TfLiteComplex64, float, hypotf(in[i].re, in[i].im))
LOOP(abs_128, TfLiteComplex128, double, hypot(in[i].re, in[i].im))

static TfLiteStatus complex_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* name) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, name, 1, 1, 1));
    LITE_TRY(lite_kernel_views(context, node, name, &input, 1, &output));
    if (input.type != kTfLiteComplex64 && input.type != kTfLiteComplex128) {
        return lite_check_fail_type(context, name, input.type);
    }
    const TfLiteType part = input.type == kTfLiteComplex64 ? kTfLiteFloat32 : kTfLiteFloat64;
    LITE_TRY(lite_check_type(context, name, "output", &output, part));
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

static TfLiteStatus complex_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* name,
                                   LiteRowFunction loop_64, LiteRowFunction loop_128) {
    LiteView input, output;
    LITE_TRY(lite_kernel_views(context, node, name, &input, 1, &output));
    const LiteRowFunction loop = input.type == kTfLiteComplex64 ? loop_64 : loop_128;
    return lite_elementwise_run(context, name, loop, NULL, 2, &output, &input, 1);
}

#define COMPLEX_OPERATOR(NAME, LOOPS)                                                                        \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return complex_prepare(context, node, #NAME);                                                        \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return complex_invoke(context, node, #NAME, LOOPS##_64, LOOPS##_128);                                \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.prepare = prepare_##NAME, .invoke = invoke_##NAME};
COMPLEX_OPERATOR(REAL, real)
COMPLEX_OPERATOR(IMAG, imag)
COMPLEX_OPERATOR(COMPLEX_ABS, abs)
