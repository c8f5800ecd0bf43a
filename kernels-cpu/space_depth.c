// SPDX-License-Identifier: Apache-2.0
// SPACE_TO_DEPTH and DEPTH_TO_SPACE move blocks of pixels into channels and back.
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

#define DEPTH_TYPES                                                                                          \
    (LITE_TYPE(Float32) | LITE_TYPE(Int8) | LITE_TYPE(UInt8) | LITE_TYPE(Int32) | LITE_TYPE(Int64))

// Both directions: the pixels of a block are channels of the deep side, row by row.
static TfLiteStatus check_depth(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                uint32_t types, int block, LiteView* input, LiteView* output) {
    LITE_TRY(lite_kernel_check_counts(context, node, op, 1, 1, 1));
    LITE_TRY(lite_kernel_input(context, node, op, 0, input));
    LITE_TRY(lite_kernel_output(context, node, op, 0, output));
    LITE_TRY(lite_check_types(context, op, "input", input, types));
    LITE_TRY(lite_check_same_type(context, op, input, output));
    if (input->shape.rank != 4) {
        return lite_fail(context,
                         "%s: input has %d dimensions, expected 4: NumDimensions(input) != 4 (%d != 4)", op,
                         input->shape.rank, input->shape.rank);
    }
    if (block < 1 || block > INT16_MAX) return lite_fail(context, "%s: blocks of %d", op, block);
    return kTfLiteOk;
}

// Moves between the deep tensor and the wide one, whose strides are given in the dimensions batch, row,
// column, row in the block, column in the block, channel.
static TfLiteStatus move_blocks(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                                LiteView* output, int block, bool to_depth) {
    const LiteShape* wide = to_depth ? &input->shape : &output->shape;
    const LiteShape* deep = to_depth ? &output->shape : &input->shape;
    int64_t w[LITE_MAX_RANK], d[LITE_MAX_RANK];
    lite_move_strides(wide, w);
    lite_move_strides(deep, d);
    const int64_t channels = wide->dims[3];
    const int64_t dims[6] = {deep->dims[0], deep->dims[1], deep->dims[2], block, block, channels};
    const int64_t in_wide[6] = {w[0], w[1] * block, w[2] * block, w[1], w[2], w[3]};
    const int64_t in_deep[6] = {d[0], d[1], d[2], channels * block, channels, d[3]};
    LiteMove copy = {0};
    for (int i = 0; i < 6; i++) {
        lite_move_add(&copy, dims[i], to_depth ? in_wide[i] : in_deep[i], to_depth ? in_deep[i] : in_wide[i]);
    }
    return lite_move_tensor(context, op, &copy, input, 0, output, 0);
}

static TfLiteStatus space_to_depth_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteSpaceToDepthParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "SPACE_TO_DEPTH: no parameters");
    LiteView input, output;
    LITE_TRY(check_depth(context, node, "SPACE_TO_DEPTH", DEPTH_TYPES, params->block_size, &input, &output));
    const int32_t* in = input.shape.dims;
    const int block = params->block_size;
    if (in[1] % block != 0 || in[2] % block != 0) {
        return lite_fail(context, "SPACE_TO_DEPTH: %d x %d pixels in blocks of %d", in[1], in[2], block);
    }
    LiteShape shape = {.rank = 3, .dims = {in[0], in[1] / block, in[2] / block}};
    LITE_TRY(lite_size_append(context, "SPACE_TO_DEPTH", &shape, (int64_t)in[3] * block * block));
    return lite_kernel_resize(context, output.tensor, &shape);
}

static TfLiteStatus space_to_depth_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteSpaceToDepthParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, "SPACE_TO_DEPTH", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "SPACE_TO_DEPTH", 0, &output));
    return move_blocks(context, "SPACE_TO_DEPTH", &input, &output, params->block_size, true);
}

const LiteKernel lite_kernel_SPACE_TO_DEPTH = {.prepare = space_to_depth_prepare,
                                               .invoke = space_to_depth_invoke};

static TfLiteStatus depth_to_space_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteDepthToSpaceParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "DEPTH_TO_SPACE: no parameters");
    LiteView input, output;
    LITE_TRY(check_depth(context, node, "DEPTH_TO_SPACE", DEPTH_TYPES | LITE_TYPE(Float16),
                         params->block_size, &input, &output));
    const int32_t* in = input.shape.dims;
    const int block = params->block_size;
    if (in[3] % ((int64_t)block * block) != 0) {
        return lite_fail(context, "DEPTH_TO_SPACE: %d channels in blocks of %d x %d", in[3], block, block);
    }
    LiteShape shape = {.rank = 1, .dims = {in[0]}};
    LITE_TRY(lite_size_append(context, "DEPTH_TO_SPACE", &shape, (int64_t)in[1] * block));
    LITE_TRY(lite_size_append(context, "DEPTH_TO_SPACE", &shape, (int64_t)in[2] * block));
    LITE_TRY(lite_size_append(context, "DEPTH_TO_SPACE", &shape, in[3] / ((int64_t)block * block)));
    return lite_kernel_resize(context, output.tensor, &shape);
}

static TfLiteStatus depth_to_space_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteDepthToSpaceParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, "DEPTH_TO_SPACE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "DEPTH_TO_SPACE", 0, &output));
    return move_blocks(context, "DEPTH_TO_SPACE", &input, &output, params->block_size, false);
}

const LiteKernel lite_kernel_DEPTH_TO_SPACE = {.prepare = depth_to_space_prepare,
                                               .invoke = depth_to_space_invoke};
