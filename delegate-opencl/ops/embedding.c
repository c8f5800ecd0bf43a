// SPDX-License-Identifier: Apache-2.0
// EMBEDDING_LOOKUP (rows of a table, copied or dequantized) and EMBEDDING_LOOKUP_SPARSE (weighted sums of
// rows).
#include <string.h>

#include "core/semantics/half.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "kernels-cl/args/common.h"
#include "kernels-cl/args/embedding.h"

static bool is_packed(TfLiteType type) {
    return type == kTfLiteInt4 || type == kTfLiteInt2;
}

// Does the table hold small integers that become floats? Else bytes are copied.
static bool dequantizes(const LiteClNode* node) {
    const TfLiteType table = node->inputs[1]->type, output = node->outputs[0]->type;
    return (lite_cl_is_byte(table) || is_packed(table)) &&
           (output == kTfLiteFloat32 || output == kTfLiteFloat16);
}

static int row_length(const LiteShape* table) {
    return table->dims[0] > 0 ? (int)(lite_shape_elements(table) / table->dims[0]) : 0;
}

// Scales of blocks, as long as the table has whole ones in each row.
static bool check_blocks(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor* table = node->inputs[1];
    const LiteClBlocks* blocks = &table->blocks;
    const int length = row_length(&table->shape);
    if (!is_packed(table->type) || table->shape.rank != 2 || !dequantizes(node))
        return lite_cl_refuse(reason, "no kernel for blocks of %s", TfLiteTypeGetName(table->type));
    if (blocks->size < 1 || length % blocks->size != 0)
        return lite_cl_refuse(reason, "blocks of %d in rows of %d elements", blocks->size, length);
    return (blocks->scales != NULL &&
            blocks->scale_count >= (size_t)table->shape.dims[0] * (size_t)(length / blocks->size)) ||
           lite_cl_refuse(reason, "the blocks have no constant FLOAT16 scales");
}

static bool check_scales(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor* table = node->inputs[1];
    const TfLiteAffineQuantization* affine = table->affine;
    // Of rows that begin within a byte the reference reads the elements before.
    const int whole = table->type == kTfLiteInt2 ? 4 : table->type == kTfLiteInt4 ? 2 : 1;
    const int elements = table->blocks.size > 0 ? table->blocks.size : row_length(&table->shape);
    if (elements % whole != 0)
        return lite_cl_refuse(reason, "rows of %d elements are not whole bytes", elements);
    if (table->blocks.size != 0) return check_blocks(node, reason);
    if (affine == NULL || affine->scale == NULL || affine->zero_point == NULL || affine->scale->size < 1)
        return lite_cl_refuse(reason, "the table has no scale");
    if (affine->zero_point->size > 0 && affine->zero_point->data[0] != 0)
        return lite_cl_refuse(reason, "zero point %d", affine->zero_point->data[0]);
    return affine->scale->size == 1 ||
           (affine->quantized_dimension == 0 && affine->scale->size == table->shape.dims[0]) ||
           lite_cl_refuse(reason, "%d scales for %d rows", affine->scale->size, table->shape.dims[0]);
}

static bool check_copy(const LiteClNode* node, LiteClReason* reason) {
    const TfLiteType table = node->inputs[1]->type, output = node->outputs[0]->type;
    if (node->inputs[1]->blocks.size != 0) return lite_cl_refuse(reason, "no kernel that copies blocks");
    const bool is_float = output == kTfLiteFloat32 || output == kTfLiteFloat16;
    return (!is_packed(table) &&
            (table == output || (!is_float && lite_type_size(table) == lite_type_size(output)))) ||
           lite_cl_refuse(reason, "no kernel that copies %s to %s", TfLiteTypeGetName(table),
                          TfLiteTypeGetName(output));
}

static bool lookup_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *ids = &node->inputs[0]->shape, *table = &node->inputs[1]->shape;
    if (ids->rank != 1 || table->rank < 2)
        return lite_cl_refuse(reason, "%d dimensions of rows, %d of the table", ids->rank, table->rank);
    if (dequantizes(node) ? !check_scales(node, reason) : !check_copy(node, reason)) return false;
    *output = *table;
    output->dims[0] = ids->dims[0];
    return true;
}

static size_t scale_count(const LiteClTensor* table) {
    if (table->blocks.size == 0) return (size_t)table->affine->scale->size;
    return (size_t)table->shape.dims[0] * (size_t)(row_length(&table->shape) / table->blocks.size);
}

static void write_scales(const void* state, float* packed) {
    const LiteClTensor* table = state;
    const size_t count = scale_count(table);
    if (table->blocks.size == 0) {
        memcpy(packed, table->affine->scale->data, count * sizeof *packed);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint16_t half; // the model's bytes may be unaligned
        memcpy(&half, (const char*)table->blocks.scales + i * sizeof half, sizeof half);
        packed[i] = lite_f16_to_f32(half);
    }
}

static TfLiteStatus lookup_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor *table = node->inputs[1], *output = node->outputs[0];
    const bool scaled = dequantizes(node);
    const size_t scales = scaled ? scale_count(table) : 0;
    const int length = row_length(&table->shape), block = table->blocks.size;
    const LiteClEmbeddingArgs args = {.entries = node->inputs[0]->shape.dims[0],
                                      .rows = table->shape.dims[0],
                                      .length = length,
                                      .scale_step = block > 0 ? length / block : scales > 1,
                                      .block = block,
                                      .chunk = lite_cl_tune(plan->device->class)->chunk,
                                      .node = node->index + 1};
    LiteClPrelude prelude = {0};
    lite_cl_define(&prelude, "FOR_ROWS");
    if (block > 0) lite_cl_define(&prelude, "BLOCKS");
    if (scaled) {
        // UINT8 is read as signed, as in the reference.
        lite_cl_define_type(&prelude, "", table->type == kTfLiteUInt8 ? kTfLiteInt8 : table->type);
        lite_cl_define_type(&prelude, "OUT_", output->type);
        lite_cl_define(&prelude, "ROW_VALUE(v, scale) ((float)(v) * (scale))");
    } else {
        lite_cl_define_element(&prelude, table->type);
        lite_cl_define(&prelude, "LOAD(p, i) (p)[i]");
        lite_cl_define(&prelude, "OUT_TYPE TYPE");
        lite_cl_define(&prelude, "OUT_STORE(p, i, v) ((p)[i] = (v))");
        lite_cl_define(&prelude, "ROW_VALUE(v, scale) (v)");
    }
    const int none = lite_cl_scalar(plan, node, kTfLiteFloat32, 0);
    const size_t chunks = lite_cl_chunks(args.length, args.chunk);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_embedding,
        .kernel = "lookup",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 5,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]), lite_cl_plan_tensor(plan, table),
                    scaled ? lite_cl_plan_constant(
                                 plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleScales},
                                 scales * sizeof(float), write_scales, table)
                           : none,
                    lite_cl_plan_tensor(plan, output), lite_cl_plan_status(plan)},
        .items = {chunks > 0 ? chunks : 1, (size_t)args.entries, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_EMBEDDING_LOOKUP = {.min_inputs = 2,
                                              .max_inputs = 2,
                                              .inputs = "iT",
                                              .outputs = ".",
                                              .types = LITE_CL_ANY | LITE_TYPE(Int4) | LITE_TYPE(Int2),
                                              .infer = lookup_infer,
                                              .lower = lookup_lower};

enum { kIds, kIndices, kShape, kWeights, kTable, kInputs };

static bool sparse_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *indices = &node->inputs[kIndices]->shape, *ids = &node->inputs[kIds]->shape;
    const LiteShape *weights = &node->inputs[kWeights]->shape, *table = &node->inputs[kTable]->shape;
    LiteClInts dims;
    if (!lite_cl_constant_ints(node, kShape, &dims, reason)) return false;
    if (ids->rank != 1 || indices->rank != 2 || weights->rank != 1 || table->rank < 2 ||
        node->inputs[kShape]->shape.rank != 1 || ids->dims[0] != indices->dims[0] ||
        weights->dims[0] != indices->dims[0])
        return lite_cl_refuse(reason, "ids, indices, weights and table do not fit");
    if (dims.count < 1 || dims.count > LITE_CL_RANK || dims.count != indices->dims[1])
        return lite_cl_refuse(reason, "indices of %d dimensions, a shape of %d", indices->dims[1],
                              dims.count);
    for (int d = 0; d + 1 < dims.count; d++) {
        if (!lite_cl_append_dim(output, dims.values[d], reason)) return false;
    }
    for (int d = 1; d < table->rank; d++) {
        if (!lite_cl_append_dim(output, table->dims[d], reason)) return false;
    }
    return true;
}

static TfLiteStatus sparse_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteEmbeddingLookupSparseParams* params = node->params;
    const LiteShape* table = &node->inputs[kTable]->shape;
    LiteClTensor* output = node->outputs[0];
    LITE_TRY(lite_cl_fill(plan, output->type, lite_cl_scalar(plan, node, output->type, 0),
                          lite_cl_plan_tensor(plan, output), lite_shape_elements(&output->shape)));
    LiteClEmbeddingArgs args = {
        .entries = node->inputs[kIds]->shape.dims[0],
        .rank = node->inputs[kIndices]->shape.dims[1],
        .rows = table->dims[0],
        .length = row_length(table),
        .combiner = (int)params->combiner,
        .chunk = lite_cl_tune(plan->device->class)->chunk,
        .node = node->index + 1,
    };
    for (int d = 0; d < args.rank; d++) args.dims[d] = (int)lite_cl_int_at(node->inputs[kShape], d);
    LiteClPrelude prelude = {0};
    lite_cl_define(&prelude, "FOR_SPARSE");
    lite_cl_define(&prelude, "COMBINER_SUM %d", (int)kTfLiteCombinerTypeSum);
    lite_cl_define(&prelude, "COMBINER_MEAN %d", (int)kTfLiteCombinerTypeMean);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_embedding,
        .kernel = "lookup_sparse",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 6,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[kIds]),
                    lite_cl_plan_tensor(plan, node->inputs[kIndices]),
                    lite_cl_plan_tensor(plan, node->inputs[kWeights]),
                    lite_cl_plan_tensor(plan, node->inputs[kTable]), lite_cl_plan_tensor(plan, output),
                    lite_cl_plan_status(plan)},
        .items = {args.length > 0 ? lite_cl_chunks(args.length, args.chunk) : 1, 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_EMBEDDING_LOOKUP_SPARSE = {.rounds = kLiteClRoundsAll,
                                                     .params_size = sizeof(TfLiteEmbeddingLookupSparseParams),
                                                     .min_inputs = kInputs,
                                                     .max_inputs = kInputs,
                                                     .inputs = "iipff",
                                                     .outputs = "f",
                                                     .infer = sparse_infer,
                                                     .lower = sparse_lower};
