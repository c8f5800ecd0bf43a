// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/conv_border.h"

#include "core/base/cpu_path.h"

void lite_conv_border_find(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                           const LiteLines* lines, TfLiteOpaqueNode* producer, LiteConvBorder* border) {
    *border = (LiteConvBorder){0};
    if (lite_cpu_path_compares() || lines->find_border == NULL) return;
    LiteConvBorder found = {.node = producer};
    if (!lines->find_border(context, producer, &found.at)) return;
    LiteView inner;
    if (lite_kernel_input(context, producer, op, 0, &inner) != kTfLiteOk || inner.count == 0) return;
    if (inner.type != input->type || inner.shape.rank != 4 || input->shape.rank != 4) return;
    found.in_h = inner.shape.dims[1];
    found.in_w = inner.shape.dims[2];
    *border = found;
}

void lite_conv_border_shape(const LiteConvBorder* border, LiteConvShape* shape) {
    if (border == NULL || border->node == NULL) return;
    shape->in_h = border->in_h;
    shape->in_w = border->in_w;
    shape->pad_h += border->at.above;
    shape->pad_w += border->at.left;
}

// Along one axis: the first window ends, and the last one begins, in the input.
static bool is_axis_usual(int32_t in, int32_t out, int32_t filter, int32_t stride, int32_t dilation,
                          int32_t pad) {
    const int64_t window = (int64_t)(filter - 1) * dilation + 1;
    return pad < window && (int64_t)(out - 1) * stride - pad < in;
}

bool lite_conv_border_is_usual(const LiteConvShape* s) {
    return is_axis_usual(s->in_h, s->out_h, s->filter_h, s->stride_h, s->dilation_h, s->pad_h) &&
           is_axis_usual(s->in_w, s->out_w, s->filter_w, s->stride_w, s->dilation_w, s->pad_w);
}

TfLiteStatus lite_conv_border_input(TfLiteOpaqueContext* context, const char* op,
                                    const LiteConvBorder* border, LiteView* input) {
    if (border->node == NULL) return kTfLiteOk;
    LiteView inner;
    LITE_TRY(lite_kernel_input(context, border->node, op, 0, &inner));
    input->data = inner.data;
    return kTfLiteOk;
}
