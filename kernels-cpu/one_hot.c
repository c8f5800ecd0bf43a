// SPDX-License-Identifier: Apache-2.0
// ONE_HOT makes a row of each index, with one value "on" and all others "off".
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

enum { kIndices, kDepth, kOn, kOff };

static const uint32_t value_types = LITE_TYPE(Float32) | LITE_TYPE(Int32) | LITE_TYPE(Int64) |
                                    LITE_TYPE(Int8) | LITE_TYPE(UInt8) | LITE_TYPE(Bool);

// Where the new axis goes; -1 is after the last one.
static TfLiteStatus one_hot_axis(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int rank, int* axis) {
    const TfLiteOneHotParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "ONE_HOT: no parameters");
    if (params->axis < -1 || params->axis > rank) {
        return lite_fail(context, "ONE_HOT: axis %d for indices of %d dimensions", params->axis, rank);
    }
    *axis = params->axis == -1 ? rank : params->axis;
    return kTfLiteOk;
}

static TfLiteStatus one_hot_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView indices, depth_view;
    int64_t depth;
    int axis;
    LITE_TRY(lite_kernel_input(context, node, "ONE_HOT", kIndices, &indices));
    LITE_TRY(lite_kernel_input(context, node, "ONE_HOT", kDepth, &depth_view));
    LITE_TRY(lite_ints_read_one(context, "ONE_HOT", "depth", &depth_view, &depth));
    LITE_TRY(one_hot_axis(context, node, indices.shape.rank, &axis));
    for (int i = 0; i <= indices.shape.rank; i++) {
        const int64_t length = i == axis ? depth : indices.shape.dims[i < axis ? i : i - 1];
        LITE_TRY(lite_size_append(context, "ONE_HOT", shape, length));
    }
    return kTfLiteOk;
}

static TfLiteStatus one_hot_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView indices, depth, on, off, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "ONE_HOT", 4, 4, 1));
    LITE_TRY(lite_kernel_input(context, node, "ONE_HOT", kIndices, &indices));
    LITE_TRY(lite_kernel_input(context, node, "ONE_HOT", kDepth, &depth));
    LITE_TRY(lite_kernel_input(context, node, "ONE_HOT", kOn, &on));
    LITE_TRY(lite_kernel_input(context, node, "ONE_HOT", kOff, &off));
    LITE_TRY(lite_kernel_output(context, node, "ONE_HOT", 0, &output));
    LITE_TRY(lite_check_types(context, "ONE_HOT", "indices", &indices, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    LITE_TRY(lite_check_types(context, "ONE_HOT", "depth", &depth, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_types(context, "ONE_HOT", "output", &output, value_types));
    LITE_TRY(lite_check_same_type(context, "ONE_HOT", &on, &output));
    LITE_TRY(lite_check_same_type(context, "ONE_HOT", &off, &output));
    if (depth.count != 1 || on.count != 1 || off.count != 1) {
        return lite_fail(context,
                         "ONE_HOT: depth, on and off value have %lld, %lld and %lld elements, expected 1",
                         (long long)depth.count, (long long)on.count, (long long)off.count);
    }
    return lite_size_output(context, node, "ONE_HOT", 1u << kDepth, one_hot_rule);
}

static TfLiteStatus one_hot_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView indices, on, off, output;
    int axis;
    LITE_TRY(lite_size_output_view(context, node, "ONE_HOT", one_hot_rule, &output));
    LITE_TRY(lite_kernel_input(context, node, "ONE_HOT", kIndices, &indices));
    LITE_TRY(lite_kernel_input(context, node, "ONE_HOT", kOn, &on));
    LITE_TRY(lite_kernel_input(context, node, "ONE_HOT", kOff, &off));
    LITE_TRY(one_hot_axis(context, node, indices.shape.rank, &axis));
    if (output.count == 0) return kTfLiteOk;
    LiteMove fill = {0};
    lite_move_add(&fill, output.count, 0, 1);
    LITE_TRY(lite_move_tensor(context, "ONE_HOT", &fill, &off, 0, &output, 0));
    int64_t inner = 1;
    for (int i = axis; i < indices.shape.rank; i++) inner *= indices.shape.dims[i];
    const int64_t depth = output.shape.dims[axis];
    const size_t size = lite_type_size(output.type);
    for (int64_t i = 0; i < indices.count && !lite_cancelled_at(i); i++) {
        const int64_t index = lite_ints_at(&indices, i);
        if (index < 0 || index >= depth) continue; // a row without "on"
        const int64_t at = (i / inner * depth + index) * inner + i % inner;
        memcpy((char*)output.data + (size_t)at * size, on.data, size);
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_ONE_HOT = {.prepare = one_hot_prepare, .invoke = one_hot_invoke};
