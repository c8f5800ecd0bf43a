// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv_shape.h"

#include "kernels-cpu/conv_quant.h"

TfLiteStatus lite_conv_shape(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                             const LiteView* filter, const LiteConvSteps* steps, LiteConvShape* shape) {
    if (input->shape.rank != 4 || filter->shape.rank != 4) {
        return lite_fail(context, "%s: input has %d and filter %d dimensions, expected 4", op,
                         input->shape.rank, filter->shape.rank);
    }
    if (steps->stride_h < 1 || steps->stride_w < 1) {
        return lite_fail(context, "%s: strides are %d and %d, expected at least 1", op, steps->stride_h,
                         steps->stride_w);
    }
    if (steps->dilation_h < 1 || steps->dilation_w < 1) {
        return lite_fail(context, "%s: dilations are %d and %d, expected at least 1", op, steps->dilation_h,
                         steps->dilation_w);
    }
    const int32_t* in = input->shape.dims;
    const int32_t* taps = filter->shape.dims;
    if (in[1] < 1 || in[2] < 1) {
        return lite_fail(context, "%s: the input has %d rows and %d columns", op, in[1], in[2]);
    }
    LITE_TRY(
        lite_check_window(context, op, steps->padding, in[1], taps[1], steps->stride_h, steps->dilation_h));
    LITE_TRY(
        lite_check_window(context, op, steps->padding, in[2], taps[2], steps->stride_w, steps->dilation_w));
    const LiteWindow h = lite_window(steps->padding, in[1], taps[1], steps->stride_h, steps->dilation_h);
    const LiteWindow w = lite_window(steps->padding, in[2], taps[2], steps->stride_w, steps->dilation_w);
    *shape = (LiteConvShape){
        .batches = in[0],
        .in_d = 1,
        .in_h = in[1],
        .in_w = in[2],
        .in_c = in[3],
        .filter_d = 1,
        .filter_h = taps[1],
        .filter_w = taps[2],
        .out_d = 1,
        .out_h = h.out,
        .out_w = w.out,
        .stride_h = steps->stride_h,
        .stride_w = steps->stride_w,
        .dilation_h = steps->dilation_h,
        .dilation_w = steps->dilation_w,
        .pad_h = h.before,
        .pad_w = w.before,
    };
    return kTfLiteOk;
}
