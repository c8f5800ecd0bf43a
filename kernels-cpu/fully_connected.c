// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED: input [..., depth] times weights [units, depth], plus bias [units].
#include <string.h>

#include "core/base/types.h"
#include "core/semantics/shuffled.h"
#include "kernels-cpu/fully_connected/dense_sink.h"
#include "kernels-cpu/gemm/gemm_f32.h"
#include "kernels-cpu/gemm/gemm_pack.h"
#include "kernels-cpu/support/activation.h"
#include "kernels-cpu/support/sparse.h"

static const char op[] = "FULLY_CONNECTED";

static void* dense_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    LiteDenseData* data = lite_calloc(1, sizeof(*data));
    if (data == NULL) return NULL;
    data->onednn.scratch_tensor = data->gemm.scratch_tensor = -1;
    data->hybrid.values = data->hybrid.scales = data->hybrid.zero_points = -1;
    return data;
}

static void dense_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    LiteDenseData* data = user_data;
    if (data == NULL) return;
    lite_onednn_free(&data->onednn);
    lite_gemm_free(&data->gemm);
    lite_conv_quant_free(&data->quant);
    lite_block_weights_free(&data->blocks);
    lite_free(data->scales);
    lite_free(data);
}

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteDenseViews* v) {
    memset(v, 0, sizeof(*v));
    LITE_TRY(lite_kernel_input(context, node, op, 0, &v->input));
    LITE_TRY(lite_kernel_sparse_input(context, node, op, 1, &v->weights));
    if (v->weights.type != kTfLiteFloat32 && v->weights.type != kTfLiteInt8) {
        LITE_TRY(lite_kernel_input(context, node, op, 1,
                                   &v->weights)); // sparse ones of other types are not expanded
    }
    v->has_bias = lite_kernel_has_input(node, 2);
    if (v->has_bias) LITE_TRY(lite_kernel_input(context, node, op, 2, &v->bias));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &v->output));
    if (v->weights.shape.rank != 2) {
        return lite_fail(context, "%s: the weights have %d dimensions, expected 2", op,
                         v->weights.shape.rank);
    }
    v->units = v->weights.shape.dims[0];
    v->depth = v->weights.shape.dims[1];
    int64_t rows = 1;
    if (v->depth > 0) {
        rows = v->input.count / v->depth;
    } else {
        for (int i = 0; i + 1 < v->input.shape.rank; i++) rows *= v->input.shape.dims[i];
    }
    if (rows > INT32_MAX) {
        return lite_fail(context, "%s: the input has %lld rows, too many", op, (long long)rows);
    }
    v->rows = (int32_t)rows;
    return kTfLiteOk;
}

static bool is_small_int(TfLiteType type) {
    return type == kTfLiteInt8 || type == kTfLiteInt4 || type == kTfLiteInt2;
}

static TfLiteStatus check_types(TfLiteOpaqueContext* context, const LiteDenseViews* v) {
    const TfLiteType input = v->input.type;
    const TfLiteType weights = v->weights.type;
    const TfLiteType output = v->output.type;
    const TfLiteType bias = v->has_bias ? v->bias.type : kTfLiteNoType;
    bool right = false;
    if (input == kTfLiteFloat32) {
        const bool known = weights == kTfLiteFloat32 || weights == kTfLiteUInt8 || is_small_int(weights);
        right = known && output == kTfLiteFloat32 && (!v->has_bias || bias == kTfLiteFloat32);
    } else {
        if (input == kTfLiteUInt8) {
            right = weights == kTfLiteUInt8 && (output == kTfLiteUInt8 || output == kTfLiteInt16);
        } else if (input == kTfLiteInt8) {
            right = (is_small_int(weights) && output == kTfLiteInt8) ||
                    (weights == kTfLiteInt8 && output == kTfLiteInt16);
        } else if (input == kTfLiteInt16) {
            right = (is_small_int(weights) || weights == kTfLiteInt16) && output == kTfLiteInt16;
        }
        right = right &&
                (!v->has_bias || bias == kTfLiteInt32 || (bias == kTfLiteInt64 && input == kTfLiteInt16));
    }
    if (right) return kTfLiteOk;
    return lite_fail(context, "%s: %s input, %s weights, %s bias and %s output do not go together", op,
                     TfLiteTypeGetName(input), TfLiteTypeGetName(weights), TfLiteTypeGetName(bias),
                     TfLiteTypeGetName(output));
}

static TfLiteStatus check_zero_points(TfLiteOpaqueContext* context, const LiteDenseViews* v) {
    const bool packed = v->weights.type == kTfLiteInt4 || v->weights.type == kTfLiteInt2;
    const TfLiteIntArray* zero_points = v->weights.affine == NULL ? NULL : v->weights.affine->zero_point;
    for (int i = 0; packed && zero_points != NULL && i < zero_points->size; i++) {
        if (zero_points->data[i] != 0) {
            return lite_fail(context, "%s: %s weights have zero point %d, expected 0", op,
                             TfLiteTypeGetName(v->weights.type), zero_points->data[i]);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus check_params(TfLiteOpaqueContext* context, const LiteDenseViews* v, bool is_hybrid,
                                 const TfLiteFullyConnectedParams* params) {
    const TfLiteFusedActivation a = params->activation;
    if (!is_hybrid && a != kTfLiteActNone && a != kTfLiteActRelu && a != kTfLiteActReluN1To1 &&
        a != kTfLiteActRelu6) {
        return lite_fail(context, "%s: fused activation %d is not a range", op, (int)a);
    }
    if (v->has_bias && v->bias.count != v->units) {
        return lite_fail(context, "%s: the bias has %lld elements for %d units", op, (long long)v->bias.count,
                         v->units);
    }
    const int rank = v->input.shape.rank;
    if (params->keep_num_dims && (rank < 1 || v->input.shape.dims[rank - 1] != v->depth)) {
        return lite_fail(context, "%s: the last dimension of the input is not the depth of the weights, %d",
                         op, v->depth);
    }
    return kTfLiteOk;
}

// Shuffled weights come with a second output, which receives the input as the reference multiplies it.
static TfLiteStatus check_shuffled(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                   const LiteDenseViews* v, const TfLiteFullyConnectedParams* params) {
    LiteView workspace;
    if (params->weights_format != kTfLiteFullyConnectedWeightsFormatShuffled4x16Int8) {
        return lite_fail(context, "%s: there is no weights format %d", op, (int)params->weights_format);
    }
    if (v->input.type != kTfLiteUInt8 || v->output.type != kTfLiteInt16) {
        return lite_fail(context,
                         "%s: shuffled weights go with UINT8 inputs and INT16 outputs, not %s and %s", op,
                         TfLiteTypeGetName(v->input.type), TfLiteTypeGetName(v->output.type));
    }
    if ((v->rows != 1 && v->rows != 4) || v->depth % 16 != 0 || v->units % 4 != 0) {
        return lite_fail(context, "%s: shuffled weights with %d rows, depth %d and %d units", op, v->rows,
                         v->depth, v->units);
    }
    LITE_TRY(lite_kernel_output(context, node, op, 1, &workspace));
    if (workspace.type == kTfLiteUInt8 && workspace.count >= v->input.count) return kTfLiteOk;
    return lite_fail(context, "%s: the workspace has %lld elements of type %s, expected %lld of UINT8", op,
                     (long long)workspace.count, TfLiteTypeGetName(workspace.type),
                     (long long)v->input.count);
}

static TfLiteStatus fill_workspace(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                   const LiteDenseViews* v) {
    LiteView workspace;
    LITE_TRY(lite_kernel_output(context, node, op, 1, &workspace));
    lite_shuffle_rows(v->input.data, v->rows, v->depth, workspace.data);
    return kTfLiteOk;
}

static TfLiteStatus resize_output(TfLiteOpaqueContext* context, const LiteDenseViews* v, bool keep_num_dims) {
    LiteShape out = {2, {v->rows, v->units}};
    if (keep_num_dims) {
        out = v->input.shape;
        out.dims[out.rank - 1] = v->units;
    }
    return lite_kernel_resize(context, v->output.tensor, &out);
}

// Sums are scaled in double precision here, as in the reference: one rounding, not two.
static TfLiteStatus prepare_quantized(TfLiteOpaqueContext* context, LiteDenseData* data,
                                      const LiteDenseViews* v, const TfLiteFullyConnectedParams* params) {
    const int32_t old_channels = data->quant.channels;
    LITE_TRY(lite_conv_quant_prepare(context, op, &data->quant, &v->input, &v->weights,
                                     v->has_bias ? &v->bias : NULL, &v->output, params->activation,
                                     v->units));
    if (v->has_bias && v->weights.affine->scale->size == 1) {
        LITE_TRY(lite_check_bias_scale(context, op, &v->input, &v->weights, &v->bias, &v->output));
    }
    if (data->scales == NULL || old_channels != v->units) {
        lite_free(data->scales);
        data->scales = lite_calloc((size_t)v->units + 1, sizeof(double));
        if (data->scales == NULL) return lite_fail(context, "%s: out of memory for %d units", op, v->units);
    }
    for (int32_t n = 0; n < v->units; n++) {
        data->scales[n] =
            (double)v->input.scale * (double)lite_channel_scale(&v->weights, n) / (double)v->output.scale;
    }
    if (v->input.type != kTfLiteInt16) {
        data->accumulator = kTfLiteInt32;
        return kTfLiteOk;
    }
    return lite_check_bias_type(context, op, v->has_bias ? &v->bias : NULL, params->quantized_bias_type,
                                &data->accumulator);
}

static TfLiteStatus check_hybrid(TfLiteOpaqueContext* context, const LiteDenseViews* v) {
    const TfLiteAffineQuantization* affine = v->weights.affine;
    const bool right = affine != NULL && affine->scale != NULL &&
                       (affine->scale->size == 1 || affine->scale->size == v->units);
    if (right) return kTfLiteOk;
    return lite_fail(context, "%s: the weights have no scale for each of %d units", op, v->units);
}

// The reference computes INT8 to INT16 on the bytes of input and weights as if they were UINT8.
static bool reads_unsigned(const LiteDenseViews* v) {
    return v->input.type == kTfLiteInt8 && v->output.type == kTfLiteInt16;
}

// Packs the weights; sparse and shuffled ones are put in order on the way.
static TfLiteStatus pack(TfLiteOpaqueContext* context, LiteDenseData* data, const LiteDenseViews* v) {
    const LiteView* weights = &v->weights;
    void* dense = NULL;
    TfLiteStatus status = kTfLiteOk;
    if (lite_kernel_sparsity(weights) != NULL) {
        dense = lite_calloc((size_t)weights->count + 1, lite_type_size(weights->type));
        if (dense == NULL) return lite_fail(context, "%s: out of memory for sparse weights", op);
        status = lite_sparse_view_expand(context, op, weights, dense);
    } else if (data->is_shuffled) {
        dense = lite_calloc((size_t)weights->count + 1, 1);
        if (dense == NULL) return lite_fail(context, "%s: out of memory for shuffled weights", op);
        lite_unshuffle_weights(weights->data, v->units, v->depth, dense);
    }
    const bool is_signed = data->is_hybrid || data->is_shuffled; // as the reference reads UINT8
    const bool has_zero_point =
        data->gemm.form != kLiteGemmFloat && !is_signed && weights->affine->scale->size == 1;
    LiteGemmWeights packed = {.type = weights->type,
                              .values = dense,
                              .column_step = (size_t)v->depth,
                              .depth_step = 1,
                              .zero_point = has_zero_point ? weights->zero_point : 0,
                              .source = weights->data,
                              .order = {data->is_shuffled}};
    if (is_signed && packed.type == kTfLiteUInt8) packed.type = kTfLiteInt8;
    if (reads_unsigned(v)) packed.type = kTfLiteUInt8;
    if (status == kTfLiteOk) status = lite_gemm_pack(context, op, &data->gemm, &packed);
    lite_free(dense);
    return status;
}

static TfLiteStatus prepare_onednn(TfLiteOpaqueContext* context, LiteDenseData* data, const LiteDenseViews* v,
                                   TfLiteFusedActivation activation, const LiteConvShape* shape) {
    LiteOnednnProblem problem = {.shape = shape,
                                 .input = &v->input,
                                 .weights = &v->weights,
                                 .bias = v->has_bias ? &v->bias : NULL,
                                 .output = &v->output};
    lite_onednn_set_strides(&problem);
    lite_activation_range_f32(activation, &problem.low, &problem.high);
    return lite_onednn_prepare(context, &data->onednn, &problem);
}

static TfLiteStatus prepare_blockwise(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                      LiteDenseData* data, LiteDenseViews* v) {
    int temporaries[3];
    LiteBlocks blocks;
    LITE_TRY(lite_blocks(context, op, &v->weights, LITE_TYPE(Int4), &blocks));
    LITE_TRY(lite_block_weights_reserve(context, op, &data->blocks, &v->weights));
    LITE_TRY(lite_hybrid_prepare(context, op, &data->hybrid, v->rows, v->input.count, temporaries));
    LITE_TRY(lite_kernel_set_temporaries(node, temporaries, 3));
    LITE_TRY(get_views(context, node, v)); // temporaries have been added
    if (lite_kernel_is_unpacked(&v->weights, data->blocks.source))
        lite_block_weights_unpack(&data->blocks, &v->weights, &blocks);
    return kTfLiteOk;
}

static TfLiteStatus dense_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteDenseData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteFullyConnectedParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (data == NULL || params == NULL) return lite_fail(context, "%s: has no parameters", op);
    data->is_shuffled = params->weights_format != kTfLiteFullyConnectedWeightsFormatDefault;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 3, data->is_shuffled ? 2 : 1));
    LiteDenseViews v;
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(check_types(context, &v));
    LITE_TRY(check_zero_points(context, &v));
    const bool is_float = v.input.type == kTfLiteFloat32;
    data->epilogue = NULL;
    data->is_plain = false;
    data->is_hybrid = is_float && v.weights.type != kTfLiteFloat32;
    LITE_TRY(check_params(context, &v, data->is_hybrid, params));
    if (data->is_shuffled) LITE_TRY(check_shuffled(context, node, &v, params));
    if (!is_float) LITE_TRY(prepare_quantized(context, data, &v, params));
    const bool blockwise = data->is_hybrid && lite_is_blockwise(&v.weights);
    if (LITE_HAS_HYBRID && data->is_hybrid && !blockwise) LITE_TRY(check_hybrid(context, &v));
    LITE_TRY(resize_output(context, &v, params->keep_num_dims));
    if (blockwise) return prepare_blockwise(context, node, data, &v);
    const LiteConvShape shape = lite_conv_shape_of_product(v.rows, v.depth, v.units);
    LITE_TRY(prepare_onednn(context, data, &v, params->activation, &shape));
    if (data->onednn.plan != NULL) {
        lite_gemm_free(&data->gemm);
        return lite_kernel_set_temporaries(node, &data->onednn.scratch_tensor, 1);
    }
    LITE_TRY(lite_gemm_prepare(context, op, &data->gemm, &shape, lite_gemm_form(v.input.type, v.weights.type),
                               lite_kernel_shared(context, &v.weights)));
    int temporaries[4] = {data->gemm.scratch_tensor};
    if (LITE_HAS_HYBRID && data->is_hybrid) {
        LITE_TRY(lite_hybrid_prepare(context, op, &data->hybrid, v.rows, v.input.count, temporaries + 1));
    }
    LITE_TRY(lite_kernel_set_temporaries(node, temporaries, data->is_hybrid ? 4 : 1));
    data->is_plain = is_float && v.weights.constant && v.rows > 0 && v.depth > 0 && v.units > 0;
    const bool packs =
        v.weights.type != kTfLiteInt16 && lite_kernel_is_unpacked(&v.weights, data->gemm.source);
    if (!packs) return kTfLiteOk;
    LITE_TRY(get_views(context, node, &v)); // temporaries have been added
    return pack(context, data, &v);
}

// The input is always quantized asymmetrically, as in the reference.
static TfLiteStatus multiply_blocks(TfLiteOpaqueContext* context, LiteDenseData* data,
                                    const LiteDenseViews* v, TfLiteFusedActivation activation) {
    LiteHybridInput quantized;
    LiteBlockProduct product = {.weights = &data->blocks,
                                .input = &quantized,
                                .rows = v->rows,
                                .depth = v->depth,
                                .units = v->units,
                                .bias = v->has_bias ? v->bias.data : NULL,
                                .activation = activation,
                                .output = v->output.data};
    LITE_TRY(lite_blocks(context, op, &v->weights, LITE_TYPE(Int4), &product.blocks));
    lite_hybrid_input(context, &data->hybrid, v->input.data, v->rows, v->depth, true, &quantized);
    if (!v->weights.constant) lite_block_weights_unpack(&data->blocks, &v->weights, &product.blocks);
    lite_block_product(&product, lite_kernel_num_threads(context));
    return kTfLiteOk;
}

// What a product of floats reads and writes besides its packed weights.
typedef struct Operands {
    const float* input;
    const TfLiteFloatArray* scales; // hybrid: of the weights
    const float* bias;
    float* output;
} Operands;

static TfLiteStatus run_hybrid(TfLiteOpaqueContext* context, LiteDenseData* data,
                               const TfLiteFullyConnectedParams* params, const Operands* o) {
    const LiteConvShape* shape = &data->gemm.shape;
    LiteHybridInput quantized;
    lite_hybrid_input(context, &data->hybrid, o->input, lite_gemm_rows(shape), shape->in_c,
                      params->asymmetric_quantize_inputs, &quantized);
    const LiteDenseHybridSink sink = {{quantized.scales, o->scales, o->bias, o->output, shape->out_c},
                                      params->activation};
    const LiteGemmInput input = {kTfLiteInt8, quantized.values, quantized.zero_points, true};
    return lite_gemm_run_int(context, op, &data->gemm, &input, lite_dense_store_hybrid, &sink);
}

static TfLiteStatus run_float(TfLiteOpaqueContext* context, LiteDenseData* data,
                              const TfLiteFullyConnectedParams* params, const Operands* o) {
    if (LITE_HAS_HYBRID && data->is_hybrid) return run_hybrid(context, data, params, o);
    float low, high;
    lite_activation_range_f32(params->activation, &low, &high);
    lite_gemm_bias_f32(&data->gemm, o->bias);
    data->gemm.epilogue = data->epilogue;
    return lite_gemm_run_f32(context, op, &data->gemm, o->input, low, high, o->output, NULL);
}

// Weights have been packed: all that has to be found is where tensors are.
static TfLiteStatus run_plain(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, LiteDenseData* data,
                              const TfLiteFullyConnectedParams* params) {
    Operands o = {.input = lite_kernel_input_data(context, node, 0),
                  .bias = lite_kernel_input_data(context, node, 2),
                  .output = lite_kernel_output_data(context, node, 0)};
    if (data->is_hybrid) o.scales = lite_kernel_input_affine(context, node, 1)->scale;
    return run_float(context, data, params, &o);
}

static TfLiteStatus dense_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteDenseData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteFullyConnectedParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (data->is_plain) return run_plain(context, node, data, params);
    LiteDenseViews v;
    LITE_TRY(get_views(context, node, &v));
    if (v.output.count == 0) return kTfLiteOk;
    if (v.depth == 0) { // nothing to sum; the reference does not even add the bias
        memset(v.output.data, 0, v.output.bytes);
        if (data->epilogue != NULL) lite_epilogue_run(data->epilogue, 0, v.rows, 0, v.units);
        return kTfLiteOk;
    }
    LiteDenseSink sink = {.data = data, .views = &v, .scale_sums = lite_scale_sums()};
    const void* bias = v.has_bias ? v.bias.data : NULL;
    if (data->onednn.plan != NULL) {
        const LiteOnednnData run = {v.input.data, bias,          NULL,          lite_dense_store_8,
                                    &sink,        v.output.data, data->epilogue};
        return lite_onednn_run(context, op, &data->onednn, &run);
    }
    if (v.weights.type == kTfLiteInt16) {
        lite_dense_multiply_16x16(data, &v);
        return kTfLiteOk;
    }
    if (LITE_HAS_HYBRID && data->is_hybrid && lite_is_blockwise(&v.weights)) {
        return multiply_blocks(context, data, &v, params->activation);
    }
    if (!v.weights.constant) LITE_TRY(pack(context, data, &v));
    if (v.input.type == kTfLiteFloat32) {
        const TfLiteFloatArray* scales = data->is_hybrid ? v.weights.affine->scale : NULL;
        return run_float(context, data, params, &(Operands){v.input.data, scales, bias, v.output.data});
    }
    const TfLiteType type = reads_unsigned(&v) ? kTfLiteUInt8 : v.input.type;
    const int32_t middle = 128; // the zero point that shuffled weights go with
    const int32_t* zero_point = data->is_shuffled ? &middle : &v.input.zero_point;
    if (data->is_shuffled) LITE_TRY(fill_workspace(context, node, &v));
    const LiteGemmInput input = {type, v.input.data, zero_point, false};
    data->gemm.add = v.input.type == kTfLiteInt16 ? NULL : bias;
    return lite_gemm_run_int(context, op, &data->gemm, &input,
                             v.output.type == kTfLiteInt16 ? lite_dense_store_16 : lite_dense_store_8, &sink);
}

static bool dense_take(TfLiteOpaqueNode* node, const LiteEpilogue* epilogue) {
    LiteDenseData* data = TfLiteOpaqueNodeGetUserData(node);
    if (data->is_hybrid) return false;
    data->epilogue = epilogue;
    return true;
}

static const LiteLines dense_lines = {.take = dense_take};
const LiteKernel lite_kernel_FULLY_CONNECTED = {.init = dense_init,
                                                .free = dense_free,
                                                .prepare = dense_prepare,
                                                .invoke = dense_invoke,
                                                .lines = LITE_HAS_TYPE(kTfLiteFloat32) ? &dense_lines : NULL};
