// SPDX-License-Identifier: Apache-2.0
// SPLIT and SPLIT_V: parts of a tensor along an axis.
#include "core/semantics/move.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/shape.h"

// The order of inputs differs.
typedef enum Form { kSplit, kSplitV } Form;

static LiteClTensor* value_of(const LiteClNode* node) {
    return node->inputs[node->op->variant == kSplit ? 1 : 0];
}

static bool read_axis(const LiteClNode* node, int* axis, LiteClReason* reason) {
    return lite_cl_constant_axis(node, node->op->variant == kSplit ? 0 : 2, value_of(node)->shape.rank, axis,
                                 reason);
}

static bool infer_parts(const LiteClNode* node, LiteShape* outputs, int axis, LiteClReason* reason) {
    const LiteShape* value = &value_of(node)->shape;
    const int parts = node->output_count, length = value->dims[axis];
    const LiteClTensor* sizes = node->op->variant == kSplitV ? node->inputs[1] : NULL;
    if (sizes == NULL && length % parts != 0)
        return lite_cl_refuse(reason, "%d elements into %d equal parts", length, parts);
    if (sizes != NULL && sizes->data == NULL) return lite_cl_refuse(reason, "input 1 is not constant");
    if (sizes != NULL && (sizes->shape.rank != 1 || sizes->shape.dims[0] != parts))
        return lite_cl_refuse(reason, "other than %d sizes", parts);
    int64_t known = 0;
    int open = -1;
    for (int i = 0; i < parts; i++) {
        const int64_t size = sizes == NULL ? length / parts : lite_cl_int_at(sizes, i);
        if (size < -1 || size > length || (size == -1 && open >= 0))
            return lite_cl_refuse(reason, "part %d has %lld elements", i, (long long)size);
        if (size == -1) open = i;
        known += size == -1 ? 0 : size;
        outputs[i] = *value;
        outputs[i].dims[axis] = (int32_t)size;
    }
    if (known > length || (open < 0 && known != length))
        return lite_cl_refuse(reason, "the sizes do not make up %d elements", length);
    if (open >= 0) outputs[open].dims[axis] = (int32_t)(length - known);
    return true;
}

static bool infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    int axis;
    const int count = *(const int*)node->params; // the parameters begin with it
    if (count != node->output_count)
        return lite_cl_refuse(reason, "%d parts for %d outputs", count, node->output_count);
    return read_axis(node, &axis, reason) && infer_parts(node, outputs, axis, reason);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor* value = value_of(node);
    const int64_t elements = lite_shape_elements(&value->shape);
    int axis = 0;
    lite_cl_agreed(read_axis(node, &axis, &(LiteClReason){0}));
    int64_t rows = 1, offset = 0;
    for (int d = 0; d < axis; d++) rows *= value->shape.dims[d];
    for (int i = 0; i < node->output_count && elements > 0; i++) {
        const int64_t width = lite_shape_elements(&node->outputs[i]->shape) / rows;
        LiteMove move = {0};
        lite_move_add(&move, rows, elements / rows, width);
        lite_move_add(&move, width, 1, 1);
        LITE_TRY(lite_cl_move_tensor(plan, &move, value, offset, node->outputs[i], 0));
        offset += width;
    }
    return kTfLiteOk;
}

#define SPLIT_OP(NAME, form, size, letters, count, element_types)                                            \
    const LiteClOp lite_cl_op_##NAME = {.params_size = (size),                                               \
                                        .min_inputs = (count),                                               \
                                        .max_inputs = (count),                                               \
                                        .max_outputs = LITE_CL_MANY,                                         \
                                        .inputs = (letters),                                                 \
                                        .types = (element_types),                                            \
                                        .variant = (form),                                                   \
                                        .infer = infer,                                                      \
                                        .lower = lower};
SPLIT_OP(SPLIT, kSplit, sizeof(TfLiteSplitParams), "PT", 2, LITE_TYPES_FLOAT | LITE_TYPES_INTEGER)
SPLIT_OP(SPLIT_V, kSplitV, sizeof(TfLiteSplitVParams), "TP", 3, LITE_TYPE(Float32) | LITE_TYPES_INTEGER)
