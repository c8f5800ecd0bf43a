// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL: [..., rows, depth] times [..., depth, columns]; leading dimensions broadcast, either operand
// may be stored with its last two dimensions swapped.
#include "core/semantics/move.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/convert.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/direct.h"
#include "delegate-opencl/ops/conv/hybrid.h"
#include "delegate-opencl/ops/conv/matmul.h"
#include "delegate-opencl/plan/product.h"
#include "delegate-opencl/plan/tuning.h"

typedef struct Matmul {
    int rows;
    int depth;
    int columns;
    LiteShape batch[3]; // of the operands and the output
} Matmul;

static bool find_matmul(const LiteClNode* node, Matmul* m, LiteClReason* reason) {
    const TfLiteBatchMatMulParams* params = node->params;
    const LiteShape *left = &node->inputs[0]->shape, *right = &node->inputs[1]->shape;
    if (left->rank < 2 || left->rank > 5 || right->rank < 2 || right->rank > 5)
        return lite_cl_refuse(reason, "operands of %d and %d dimensions", left->rank, right->rank);
    *m = (Matmul){.rows = left->dims[left->rank - (params->adj_x ? 1 : 2)],
                  .depth = left->dims[left->rank - (params->adj_x ? 2 : 1)],
                  .columns = right->dims[right->rank - (params->adj_y ? 2 : 1)],
                  .batch = {*left, *right}};
    if (right->dims[right->rank - (params->adj_y ? 1 : 2)] != m->depth)
        return lite_cl_refuse(reason, "the operands are not equally deep");
    m->batch[0].rank -= 2;
    m->batch[1].rank -= 2;
    if (!lite_shape_broadcast(&m->batch[0], &m->batch[1], &m->batch[2]))
        return lite_cl_refuse(reason, "the batch dimensions do not broadcast");
    return lite_shape_elements(&m->batch[2]) <= 4096 || lite_cl_refuse(reason, "more than 4096 matrices");
}

static bool is_hybrid(const LiteClNode* node) {
    return lite_cl_is_hybrid(node->inputs[0], node->inputs[1]);
}

static bool check_types(const LiteClNode* node, LiteClReason* reason) {
    const TfLiteType left = node->inputs[0]->type, right = node->inputs[1]->type;
    const TfLiteType output = node->outputs[0]->type;
    const bool is_half =
        node->as_float16 && left == kTfLiteFloat16 && (right == kTfLiteFloat16 || right == kTfLiteFloat32);
    const bool is_float =
        is_half || (left == kTfLiteFloat32 && (right == kTfLiteFloat32 || right == kTfLiteInt8));
    const bool is_8 = left == kTfLiteInt8 && right == kTfLiteInt8;
    const bool is_16 = left == kTfLiteInt16 && (right == kTfLiteInt16 || right == kTfLiteInt8);
    return (output == left && (is_float || is_8 || is_16)) || (is_8 && output == kTfLiteInt32) ||
           lite_cl_refuse(reason, "no kernel for %s times %s giving %s", TfLiteTypeGetName(left),
                          TfLiteTypeGetName(right), TfLiteTypeGetName(output));
}

// Plain sums need no scales.
static bool check_quantization(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor *left = node->inputs[0], *right = node->inputs[1], *output = node->outputs[0];
    if (left->type == kTfLiteFloat32 || left->type == kTfLiteFloat16 || output->type == kTfLiteInt32)
        return true;
    if (!lite_cl_check_quantized(left, reason) || !lite_cl_check_quantized(right, reason) ||
        !lite_cl_check_quantized(output, reason)) {
        return false;
    }
    if (right->affine == NULL || right->affine->scale == NULL || right->affine->scale->size != 1)
        return lite_cl_refuse(reason, "no kernel for more than one scale of the right operand");
    const bool zeros = left->zero_point == 0 && right->zero_point == 0 && output->zero_point == 0;
    return left->type != kTfLiteInt16 || zeros ||
           lite_cl_refuse(reason, "zero points %d, %d and %d with INT16", (int)left->zero_point,
                          (int)right->zero_point, (int)output->zero_point);
}

static bool matmul_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    Matmul m;
    if (!check_types(node, reason) || !check_quantization(node, reason) || !find_matmul(node, &m, reason) ||
        !lite_cl_hybrid_check(node->inputs[0], node->inputs[1], m.columns, reason)) {
        return false;
    }
    if (is_hybrid(node) && m.depth < 1) return lite_cl_refuse(reason, "operands without depth");
    *output = m.batch[2];
    output->dims[output->rank++] = m.rows;
    output->dims[output->rank++] = m.columns;
    return true;
}

// The storage of an operand with its last two dimensions in order.
static LiteClTensor in_order(LiteClPlan* plan, LiteClTensor* tensor, bool swapped, TfLiteStatus* status) {
    LiteClTensor ordered = *tensor;
    ordered.storage = lite_cl_plan_tensor(plan, tensor);
    if (!swapped) return ordered;
    LiteShape* shape = &ordered.shape;
    const int64_t rows = tensor->shape.dims[shape->rank - 1], columns = tensor->shape.dims[shape->rank - 2];
    const int64_t count = lite_shape_elements(shape);
    LiteMove move = {0};
    lite_move_add(&move, rows * columns > 0 ? count / (rows * columns) : 0, rows * columns, rows * columns);
    lite_move_add(&move, rows, 1, columns);
    lite_move_add(&move, columns, rows, 1);
    const int scratch = lite_cl_scratch(plan, shape, tensor->type);
    *status = lite_cl_move_storage(plan, &move, tensor->type, ordered.storage, 0, scratch, 0);
    ordered.storage = scratch;
    return ordered;
}

// Which matrix of an operand goes with one of the output.
static int matrix_of(const LiteShape* batch, const LiteShape* output, int number) {
    int at = 0, stride = 1;
    for (int d = 0; d < output->rank; d++) {
        const int size = output->dims[output->rank - 1 - d], index = number % size;
        number /= size;
        if (d >= batch->rank) continue;
        const int length = batch->dims[batch->rank - 1 - d];
        at += length == 1 ? 0 : index * stride;
        stride *= length;
    }
    return at;
}

// Of integers, and of floats by bytes.
static TfLiteStatus lower_each(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteBatchMatMulParams* params = node->params;
    Matmul m = {0};
    lite_cl_agreed(find_matmul(node, &m, &(LiteClReason){0}));
    TfLiteStatus status = kTfLiteOk;
    LiteClTensor left = in_order(plan, node->inputs[0], params->adj_x, &status);
    LITE_TRY(status);
    LiteClTensor right = in_order(plan, node->inputs[1], params->adj_y, &status);
    LITE_TRY(status);
    LiteClHybrid hybrid;
    if (is_hybrid(node))
        LITE_TRY(lite_cl_quantize_rows(plan, &left, m.depth, params->asymmetric_quantize_inputs, &hybrid));
    const int matrices = (int)lite_shape_elements(&m.batch[2]);
    for (int i = 0; i < matrices; i++) {
        LiteClDirectConv matmul = {.args = lite_cl_direct_matmul_args(m.rows, m.depth, m.columns),
                                   .input = &left,
                                   .weights = {&right, 1, (int64_t)m.depth * m.columns, m.columns, 1},
                                   .coarse = true,
                                   .infinite = true,
                                   .bare = node->outputs[0]->type == kTfLiteInt32,
                                   .hybrid = is_hybrid(node) ? &hybrid : NULL};
        const int matrix = matrix_of(&m.batch[0], &m.batch[2], i);
        matmul.args.x_offset = matrix * m.rows * m.depth;
        matmul.args.row_offset = matrix * m.rows;
        matmul.args.w_offset = matrix_of(&m.batch[1], &m.batch[2], i) * m.depth * m.columns;
        matmul.args.y_offset = i * m.rows * m.columns;
        LITE_TRY(lite_cl_direct_conv_lower(plan, node, &matmul));
    }
    return kTfLiteOk;
}

static TfLiteStatus lower_floats(LiteClPlan* plan, const LiteClNode* node, const LiteClNode* owner) {
    const TfLiteBatchMatMulParams* params = node->params;
    Matmul m = {0};
    lite_cl_agreed(find_matmul(node, &m, &(LiteClReason){0}));
    const LiteClMatmul matmul = {
        .node = owner,
        .rows = m.rows,
        .depth = m.depth,
        .columns = m.columns,
        .left = {lite_cl_plan_tensor(plan, node->inputs[0]), params->adj_x, m.batch[0]},
        .right = {lite_cl_plan_tensor(plan, node->inputs[1]), params->adj_y, m.batch[1]},
        .batch = m.batch[2],
        .output = lite_cl_plan_tensor(plan, node->outputs[0])};
    return lite_cl_matmul_lower(plan, &matmul);
}

// The storage of a tensor, converted where its type is another one.
static int stored_as(LiteClPlan* plan, LiteClTensor* tensor, TfLiteType type, TfLiteStatus* status) {
    const int storage = lite_cl_plan_tensor(plan, tensor);
    if (tensor->type == type) return storage;
    const int made = lite_cl_scratch(plan, &tensor->shape, type);
    if (*status == kTfLiteOk)
        *status = lite_cl_cast_storage(plan, lite_shape_elements(&tensor->shape), tensor->type, storage, type,
                                       made);
    return made;
}

// Our kernels compute with float32; halves are converted before and after.
static TfLiteStatus lower_own(LiteClPlan* plan, const LiteClNode* node) {
    LiteClNode wide = *node;
    LiteClTensor tensors[3] = {*node->inputs[0], *node->inputs[1], *node->outputs[0]};
    LiteClTensor *inputs[2] = {&tensors[0], &tensors[1]}, *outputs[1] = {&tensors[2]};
    TfLiteStatus status = kTfLiteOk;
    if (node->inputs[0]->type == kTfLiteFloat32 && !is_hybrid(node)) return lower_floats(plan, node, node);
    if (node->inputs[0]->type != kTfLiteFloat16) return lower_each(plan, node);
    wide.inputs = inputs;
    wide.outputs = outputs;
    for (int i = 0; i < 3; i++) {
        tensors[i].type = kTfLiteFloat32;
        tensors[i].as_float16 = false;
        tensors[i].data = NULL;
        tensors[i].storage = i < 2 ? stored_as(plan, node->inputs[i], kTfLiteFloat32, &status)
                                   : lite_cl_scratch(plan, &tensors[i].shape, kTfLiteFloat32);
    }
    LITE_TRY(status);
    LITE_TRY(lower_floats(plan, &wide, node));
    return lite_cl_cast_storage(plan, lite_shape_elements(&tensors[2].shape), kTfLiteFloat32,
                                tensors[2].storage, kTfLiteFloat16,
                                lite_cl_plan_tensor(plan, node->outputs[0]));
}

// Does the operand have a matrix for each of the output's, or one for all?
static bool is_regular(const LiteShape* batch, const LiteShape* output) {
    const int64_t count = lite_shape_elements(batch);
    return count == 1 || count == lite_shape_elements(output);
}

static bool suits_clblast(const LiteClPlan* plan, const LiteClNode* node, const Matmul* m) {
    const TfLiteType type = node->inputs[0]->type;
    if (!LITE_CL_HAS_CLBLAST || plan->gemm_by == kLiteClGemmByUs) return false;
    if (m->rows < 1 || m->depth < 1 || m->columns < 1 || lite_shape_elements(&m->batch[2]) < 1) return false;
    if (type == kTfLiteFloat16) return lite_cl_clblast_has(plan->device, kLiteClClblastHalves, NULL);
    return type == kTfLiteFloat32 && node->inputs[1]->type == kTfLiteFloat32;
}

// A batch in one product where the operands allow it, else a product for each matrix.
static TfLiteStatus lower_clblast(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteBatchMatMulParams* params = node->params;
    Matmul m = {0};
    lite_cl_agreed(find_matmul(node, &m, &(LiteClReason){0}));
    TfLiteStatus status = kTfLiteOk;
    const int storages[3] = {lite_cl_plan_tensor(plan, node->inputs[0]),
                             stored_as(plan, node->inputs[1], node->inputs[0]->type, &status),
                             lite_cl_plan_tensor(plan, node->outputs[0])};
    LITE_TRY(status);
    const size_t rows = (size_t)m.rows, depth = (size_t)m.depth, columns = (size_t)m.columns;
    const bool halves = node->inputs[0]->type == kTfLiteFloat16;
    const LiteClClblastKind batches = halves ? kLiteClClblastHalfBatches : kLiteClClblastBatches;
    const int matrices = (int)lite_shape_elements(&m.batch[2]);
    const bool whole =
        matrices == 1 || (is_regular(&m.batch[0], &m.batch[2]) && is_regular(&m.batch[1], &m.batch[2]) &&
                          lite_cl_clblast_has(plan->device, batches, NULL));
    for (int i = 0; i < (whole ? 1 : matrices); i++) {
        const size_t a = (size_t)matrix_of(&m.batch[0], &m.batch[2], i);
        const size_t b = (size_t)matrix_of(&m.batch[1], &m.batch[2], i);
        const LiteClProduct product = {
            .halves = halves,
            .rows = rows,
            .depth = depth,
            .columns = columns,
            .a = {params->adj_x, a * rows * depth, lite_shape_elements(&m.batch[0]) > 1 ? rows * depth : 0},
            .b = {params->adj_y, b * depth * columns,
                  lite_shape_elements(&m.batch[1]) > 1 ? depth * columns : 0},
            .c = {false, (size_t)i * rows * columns, rows * columns},
            .count = whole ? (size_t)matrices : 1};
        LITE_TRY(lite_cl_plan_product(plan, &product, storages));
    }
    return kTfLiteOk;
}

// Measures the node between tensors that are nowhere else.
static TfLiteStatus launch_trial(const void* state, LiteClPlan* plan, const LiteClVariant* variant) {
    LiteClNode node = *(const LiteClNode*)state;
    LiteClTensor tensors[3] = {*node.inputs[0], *node.inputs[1], *node.outputs[0]};
    LiteClTensor* inputs[2] = {&tensors[0], &tensors[1]};
    LiteClTensor* outputs[1] = {&tensors[2]};
    for (int i = 0; i < 3; i++) {
        tensors[i].storage = -1;
        tensors[i].data = NULL;
    }
    node.inputs = inputs;
    node.outputs = outputs;
    return variant->clblast ? lower_clblast(plan, &node) : lower_own(plan, &node);
}

static TfLiteStatus matmul_lower(LiteClPlan* plan, const LiteClNode* node) {
    Matmul m = {0};
    lite_cl_agreed(find_matmul(node, &m, &(LiteClReason){0}));
    if (!suits_clblast(plan, node, &m)) return lower_own(plan, node);
    LiteClVariant variant = {lite_cl_tile(plan->device->class, false, m.rows, m.columns), 0,
                             plan->gemm_by == kLiteClGemmByClblast};
    if (!variant.clblast && plan->tuning) {
        const LiteClTuningKey key = {.type = node->inputs[0]->type,
                                     .rows = m.rows,
                                     .columns = m.columns,
                                     .depth = m.depth,
                                     .groups = (int)lite_shape_elements(&m.batch[2]),
                                     .clblast = true,
                                     .direct = true};
        lite_cl_tuning_choose(plan->device, &key, launch_trial, node, &variant);
    }
    return variant.clblast ? lower_clblast(plan, node) : lower_own(plan, node);
}

const LiteClOp lite_cl_op_BATCH_MATMUL = {
    .rounds = kLiteClRoundsFilter,
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteBatchMatMulParams, asymmetric_quantize_inputs),
    .min_inputs = 2,
    .max_inputs = 2,
    .inputs = "Tw",
    .outputs = ".",
    .types = LITE_TYPE(Float32) | LITE_TYPE(Int8) | LITE_TYPE(Int16),
    .float16 = true,
    .infer = matmul_infer,
    .lower = matmul_lower,
};
