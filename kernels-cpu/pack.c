// SPDX-License-Identifier: Apache-2.0
// PACK stacks tensors of one shape along a new axis. UNPACK is the opposite.
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

static const uint32_t pack_types = LITE_TYPE(Float32) | LITE_TYPES_INTEGER | LITE_TYPE(UInt32);
static const uint32_t unpack_types = LITE_TYPE(Float32) | LITE_TYPES_HALF | LITE_TYPE(Int8) |
                                     LITE_TYPE(UInt8) | LITE_TYPE(Int16) | LITE_TYPE(Int32) | LITE_TYPE(Bool);

// Elements before an axis and from it on.
static void split_counts(const LiteShape* shape, int axis, int64_t* outer, int64_t* inner) {
    *outer = 1;
    *inner = 1;
    for (int i = 0; i < shape->rank; i++) *(i < axis ? outer : inner) *= shape->dims[i];
}

// Copies the inputs, or with `places` tells what they are.
static TfLiteStatus move_inputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    const TfLitePackParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    const int count = params->values_count;
    LiteView input, output;
    int axis;
    LITE_TRY(lite_kernel_output(context, node, "PACK", 0, &output));
    LITE_TRY(lite_ints_axis(context, "PACK", params->axis, output.shape.rank, &axis));
    for (int i = 0; i < count; i++) {
        int64_t outer, inner;
        LiteMove copy = {0};
        LITE_TRY(lite_kernel_input(context, node, "PACK", i, &input));
        split_counts(&input.shape, axis, &outer, &inner);
        lite_move_add(&copy, outer, inner, inner * count);
        lite_move_add(&copy, inner, 1, 1);
        LITE_TRY(lite_move_or_place(context, "PACK", places, &copy, &input, 0, &output, i * inner));
    }
    return kTfLiteOk;
}

static TfLiteStatus pack_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return move_inputs(context, node, NULL);
}

static bool pack_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    return move_inputs(context, node, places) == kTfLiteOk;
}

static const LiteLines pack_lines = {.find_places = pack_places};

static TfLiteStatus pack_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLitePackParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "PACK: no parameters");
    const int count = params->values_count;
    if (count < 1) return lite_fail(context, "PACK: packs %d tensors", count);
    LiteView first, input, output;
    int axis;
    LITE_TRY(lite_kernel_check_counts(context, node, "PACK", count, count, 1));
    LITE_TRY(lite_kernel_input(context, node, "PACK", 0, &first));
    LITE_TRY(lite_kernel_output(context, node, "PACK", 0, &output));
    LITE_TRY(lite_check_types(context, "PACK", "input", &first, pack_types));
    LITE_TRY(lite_check_same_type(context, "PACK", &first, &output));
    LITE_TRY(lite_ints_axis(context, "PACK", params->axis, first.shape.rank + 1, &axis));
    for (int i = 0; i < count; i++) {
        LITE_TRY(lite_kernel_input(context, node, "PACK", i, &input));
        LITE_TRY(lite_check_same_type(context, "PACK", &first, &input));
        LITE_TRY(lite_check_same_quantization(context, "PACK", &input, &output));
        if (!lite_shape_equal(&first.shape, &input.shape)) {
            return lite_fail(
                context, "PACK: inputs 0 and %d differ in shape: HaveSameShapes(input0, input) was not true.",
                i);
        }
    }
    LiteShape shape = {0};
    for (int i = 0; i <= first.shape.rank; i++) {
        const int32_t length = i == axis ? count : first.shape.dims[i < axis ? i : i - 1];
        LITE_TRY(lite_size_append(context, "PACK", &shape, length));
    }
    return lite_kernel_resize(context, output.tensor, &shape);
}

const LiteKernel lite_kernel_PACK = {
    .prepare = pack_prepare, .invoke = pack_invoke, .lines = &pack_lines, .fold = kLiteFoldSizes};

static TfLiteStatus unpack_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteUnpackParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "UNPACK: no parameters");
    LiteView input, output;
    int axis;
    LITE_TRY(lite_kernel_check_counts(context, node, "UNPACK", 1, 1, params->num));
    LITE_TRY(lite_kernel_input(context, node, "UNPACK", 0, &input));
    LITE_TRY(lite_check_types(context, "UNPACK", "input", &input, unpack_types));
    if (input.count == 0) return lite_fail(context, "UNPACK: the input is empty");
    LITE_TRY(lite_ints_axis(context, "UNPACK", params->axis, input.shape.rank, &axis));
    if (input.shape.dims[axis] != params->num) {
        return lite_fail(context, "UNPACK: axis %d has %d elements for %d outputs", axis,
                         input.shape.dims[axis], params->num);
    }
    LiteShape shape = {0};
    for (int i = 0; i < input.shape.rank; i++) {
        if (i != axis) LITE_TRY(lite_size_append(context, "UNPACK", &shape, input.shape.dims[i]));
    }
    for (int i = 0; i < params->num; i++) {
        LITE_TRY(lite_kernel_output(context, node, "UNPACK", i, &output));
        LITE_TRY(lite_check_same_type(context, "UNPACK", &input, &output));
        LITE_TRY(lite_check_same_quantization(context, "UNPACK", &input, &output));
        LITE_TRY(lite_kernel_resize(context, output.tensor, &shape));
    }
    return kTfLiteOk;
}

// Copies the parts, or with `places` tells what they are.
static TfLiteStatus move_parts(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    const TfLiteUnpackParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, output;
    int axis;
    LITE_TRY(lite_kernel_input(context, node, "UNPACK", 0, &input));
    LITE_TRY(lite_ints_axis(context, "UNPACK", params->axis, input.shape.rank, &axis));
    for (int i = 0; i < params->num; i++) {
        int64_t outer, inner;
        LiteMove copy = {0};
        LITE_TRY(lite_kernel_output(context, node, "UNPACK", i, &output));
        split_counts(&output.shape, axis, &outer, &inner);
        lite_move_add(&copy, outer, inner * params->num, inner);
        lite_move_add(&copy, inner, 1, 1);
        LITE_TRY(lite_move_or_place(context, "UNPACK", places, &copy, &input, i * inner, &output, 0));
    }
    return kTfLiteOk;
}

static TfLiteStatus unpack_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return move_parts(context, node, NULL);
}

static bool unpack_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    return move_parts(context, node, places) == kTfLiteOk;
}

static const LiteLines unpack_lines = {.find_places = unpack_places};
const LiteKernel lite_kernel_UNPACK = {
    .prepare = unpack_prepare, .invoke = unpack_invoke, .lines = &unpack_lines};
