// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_PAD puts copies of a value before, after and between the elements. Negative padding cuts elements
// off.
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

static const char op[] = "STABLEHLO_PAD";

enum { kInput, kValue };

// So that sums of a few paddings do not overflow.
#define MAX_PADDING (INT64_MAX / 4)

typedef struct Padding {
    int64_t low;
    int64_t high;
    int64_t step; // from one element of the input to the next, in the output
} Padding;

static TfLiteStatus get_padding(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int axis,
                                Padding* padding) {
    const TfLiteStablehloPadParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "%s: no parameters", op);
    const int64_t low = params->edge_padding_low[axis], high = params->edge_padding_high[axis];
    const int64_t between = params->interior_padding[axis];
    if (between < 0 || between > MAX_PADDING || low < -MAX_PADDING || low > MAX_PADDING ||
        high < -MAX_PADDING || high > MAX_PADDING) {
        return lite_fail(context, "%s: padding %lld, %lld and between elements %lld of dimension %d", op,
                         (long long)low, (long long)high, (long long)between, axis);
    }
    *padding = (Padding){low, high, between + 1};
    return kTfLiteOk;
}

// As in the reference, nothing is left of any dimension when nothing is left of one.
static TfLiteStatus pad_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input;
    LITE_TRY(lite_kernel_input(context, node, op, kInput, &input));
    bool nothing = false;
    int64_t lengths[LITE_MAX_RANK];
    for (int i = 0; i < input.shape.rank; i++) {
        Padding p;
        int64_t span = 0;
        LITE_TRY(get_padding(context, node, i, &p));
        const int32_t length = input.shape.dims[i];
        if (length > 0 && (p.step > INT64_MAX / 4 / length)) {
            return lite_fail(context, "%s: %lld between %d elements of dimension %d are too many", op,
                             (long long)p.step - 1, length, i);
        }
        if (length > 0) span = (length - 1) * p.step + 1;
        lengths[i] = span + p.low + p.high;
        nothing = nothing || lengths[i] <= 0;
        if (lengths[i] > INT32_MAX) {
            return lite_fail(context, "%s: dimension %d would have %lld elements", op, i,
                             (long long)lengths[i]);
        }
    }
    for (int i = 0; i < input.shape.rank; i++) {
        LITE_TRY(lite_size_append(context, op, shape, nothing ? 0 : lengths[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus pad_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, value, output;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, op, kInput, &input));
    LITE_TRY(lite_kernel_input(context, node, op, kValue, &value));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(lite_check_types(context, op, "input", &input, LITE_TYPES_FIXED));
    LITE_TRY(lite_check_same_type(context, op, &input, &value));
    LITE_TRY(lite_check_same_type(context, op, &input, &output));
    if (input.shape.rank < 1) return lite_fail(context, "%s: the input is a scalar", op);
    if (value.count != 1) {
        return lite_fail(context, "%s: the padding value has %lld elements, expected 1", op,
                         (long long)value.count);
    }
    return lite_size_output(context, node, op, 0, pad_rule);
}

static TfLiteStatus pad_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, value, output;
    LITE_TRY(lite_kernel_input(context, node, op, kInput, &input));
    LITE_TRY(lite_kernel_input(context, node, op, kValue, &value));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    if (output.count == 0) return kTfLiteOk;
    LiteMove copy = {0}, fill = {0};
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK], first_from = 0, first_to = 0, copied = 1;
    lite_move_strides(&input.shape, from);
    lite_move_strides(&output.shape, to);
    for (int i = 0; i < input.shape.rank; i++) {
        Padding p;
        LITE_TRY(get_padding(context, node, i, &p));
        // Elements [begin, end) lie within the output.
        const int64_t begin = p.low < 0 ? (-p.low + p.step - 1) / p.step : 0;
        const int64_t room = output.shape.dims[i] - 1 - p.low;
        int64_t end = room < 0 ? 0 : room / p.step + 1;
        if (end > input.shape.dims[i]) end = input.shape.dims[i];
        if (end <= begin) {
            copied = 0;
            break;
        }
        copied *= end - begin;
        first_from += begin * from[i];
        first_to += (p.low + begin * p.step) * to[i];
        lite_move_add(&copy, end - begin, from[i], end - begin > 1 ? p.step * to[i] : to[i]);
    }
    if (copied < output.count) {
        lite_move_add(&fill, output.count, 0, 1);
        LITE_TRY(lite_move_tensor(context, op, &fill, &value, 0, &output, 0));
    }
    if (copied == 0) return kTfLiteOk;
    return lite_move_tensor(context, op, &copy, &input, first_from, &output, first_to);
}

const LiteKernel lite_kernel_STABLEHLO_PAD = {.prepare = pad_prepare, .invoke = pad_invoke};
