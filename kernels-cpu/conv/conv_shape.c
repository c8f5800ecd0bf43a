// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/conv_shape.h"

#include "kernels-cpu/conv/conv_quant.h"

TfLiteStatus lite_conv_shape(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                             const LiteView* filter, const LiteConvStrides* strides, LiteConvShape* shape) {
    if (input->shape.rank != 4 || filter->shape.rank != 4) {
        return lite_fail(
            context, "%s: input has %d and filter %d dimensions, expected 4: %s->dims->size != 4 (%d != 4)",
            op, input->shape.rank, filter->shape.rank, input->shape.rank != 4 ? "input" : "filter",
            input->shape.rank != 4 ? input->shape.rank : filter->shape.rank);
    }
    if (strides->stride_h < 1 || strides->stride_w < 1) {
        return lite_fail(context, "%s: strides are %d and %d, expected at least 1", op, strides->stride_h,
                         strides->stride_w);
    }
    if (strides->dilation_h < 1 || strides->dilation_w < 1) {
        return lite_fail(context, "%s: dilations are %d and %d, expected at least 1", op, strides->dilation_h,
                         strides->dilation_w);
    }
    const int32_t* in = input->shape.dims;
    const int32_t* taps = filter->shape.dims;
    if (in[1] < 1 || in[2] < 1) {
        return lite_fail(context, "%s: the input has %d rows and %d columns", op, in[1], in[2]);
    }
    LITE_TRY(lite_conv_check_axis(context, op, strides->padding, in[1], taps[1], strides->stride_h,
                                  strides->dilation_h));
    LITE_TRY(lite_conv_check_axis(context, op, strides->padding, in[2], taps[2], strides->stride_w,
                                  strides->dilation_w));
    const LiteAxisPadding h =
        lite_axis_padding(strides->padding, in[1], taps[1], strides->stride_h, strides->dilation_h);
    const LiteAxisPadding w =
        lite_axis_padding(strides->padding, in[2], taps[2], strides->stride_w, strides->dilation_w);
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
        .stride_h = strides->stride_h,
        .stride_w = strides->stride_w,
        .dilation_h = strides->dilation_h,
        .dilation_w = strides->dilation_w,
        .pad_h = h.before,
        .pad_w = w.before,
    };
    return kTfLiteOk;
}
