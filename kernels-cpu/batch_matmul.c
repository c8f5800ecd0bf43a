// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL: [..., rows, depth] times [..., depth, columns]; leading dimensions broadcast, and either
// operand may be stored with its last two dimensions swapped (adj_x, adj_y).
#include <math.h>

#include "core/base/cancel.h"
#include "core/semantics/quant.h"
#include "kernels-cpu/conv/conv_quant.h"
#include "kernels-cpu/gemm/gemm_batch.h"
#include "kernels-cpu/gemm/gemm_int.h"
#include "kernels-cpu/gemm/gemm_pack.h"
#include "kernels-cpu/gemm/hybrid.h"
#include "kernels-cpu/onednn/onednn.h"
#include "kernels-cpu/support/move.h"
#include "kernels-cpu/support/selected.h"

static const char op[] = "BATCH_MATMUL";

typedef struct MatmulViews {
    LiteView left, right, output;
    int32_t rows; // of a left matrix; all, as far as the floats of one right matrix are multiplied by them
    int32_t depth;
    int32_t columns;
    bool is_hybrid;
} MatmulViews;

typedef struct MatmulData {
    LiteOnednn onednn; // the right operand is one constant matrix
    LiteGemm gemm;     // else one matrix of it at a time
    LiteHybrid hybrid;
    int transposed; // temporary: one matrix of the left operand, when it is stored swapped
    LiteMultiplier multiplier;
    bool is_float;       // and not left to oneDNN
    bool is_batch;       // and the right operand is not one constant matrix
    LiteGemmBatch batch; // then
    int lent;            // temporary: for steps that run as one with this one
    MatmulViews views;   // in an inference of these
    LiteGemmBatchJob job;
    int64_t packed; // the batch of a constant right operand that is packed, -1: none
} MatmulData;

static void* matmul_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    MatmulData* data = lite_calloc(1, sizeof(*data));
    if (data == NULL) return NULL;
    data->onednn.scratch_tensor = data->gemm.scratch_tensor = data->transposed = -1;
    data->batch.packed_tensor = data->lent = -1;
    data->hybrid.values = data->hybrid.scales = data->hybrid.zero_points = -1;
    return data;
}

static void matmul_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    MatmulData* data = user_data;
    if (data == NULL) return;
    lite_onednn_free(&data->onednn);
    lite_gemm_free(&data->gemm);
    lite_gemm_batch_free(&data->batch);
    lite_free(data);
}

// Matrices of an operand, or of the output.
static int64_t matrices_of(const LiteShape* shape) {
    int64_t count = 1;
    for (int i = 0; i + 2 < shape->rank; i++) count *= shape->dims[i];
    return count;
}

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                              const TfLiteBatchMatMulParams* params, MatmulViews* v) {
    LITE_TRY(lite_kernel_input(context, node, op, 0, &v->left));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &v->right));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &v->output));
    const LiteShape *left = &v->left.shape, *right = &v->right.shape;
    if (left->rank < 2 || left->rank > 5 || right->rank < 2 || right->rank > 5) {
        return lite_fail(context, "%s: operands have %d and %d dimensions, expected 2 to 5", op, left->rank,
                         right->rank);
    }
    v->rows = left->dims[left->rank - (params->adj_x ? 1 : 2)];
    v->depth = left->dims[left->rank - (params->adj_x ? 2 : 1)];
    v->columns = right->dims[right->rank - (params->adj_y ? 2 : 1)];
    const int32_t depth = right->dims[right->rank - (params->adj_y ? 1 : 2)];
    if (depth != v->depth) {
        return lite_fail(context, "%s: the left operand is %d deep, the right one %d", op, v->depth, depth);
    }
    v->is_hybrid = v->left.type == kTfLiteFloat32 && v->right.type == kTfLiteInt8;
    const bool is_float = v->left.type == kTfLiteFloat32 && v->right.type == kTfLiteFloat32;
    const int64_t rows = matrices_of(left) * v->rows;
    if (is_float && !params->adj_x && matrices_of(right) == 1 && rows <= INT32_MAX) v->rows = (int32_t)rows;
    return kTfLiteOk;
}

static TfLiteStatus check_types(TfLiteOpaqueContext* context, const MatmulViews* v) {
    const TfLiteType left = v->left.type, right = v->right.type, output = v->output.type;
    const bool is_float = left == kTfLiteFloat32 && (right == kTfLiteFloat32 || right == kTfLiteInt8);
    const bool is_8 = left == kTfLiteInt8 && right == kTfLiteInt8;
    const bool is_16 = left == kTfLiteInt16 && (right == kTfLiteInt16 || right == kTfLiteInt8);
    const bool right_output = (is_float && output == kTfLiteFloat32) ||
                              (is_8 && (output == kTfLiteInt8 || output == kTfLiteInt32)) ||
                              (is_16 && output == kTfLiteInt16);
    if (right_output) return kTfLiteOk;
    return lite_fail(context, "%s: %s times %s giving %s is not supported", op, TfLiteTypeGetName(left),
                     TfLiteTypeGetName(right), TfLiteTypeGetName(output));
}

static bool zero_point_fits(int32_t zero_point, bool is_16) {
    return is_16 ? zero_point == 0 : zero_point >= INT8_MIN && zero_point <= INT8_MAX;
}

static TfLiteStatus prepare_quantized(TfLiteOpaqueContext* context, MatmulData* data, const MatmulViews* v) {
    if (v->is_hybrid) {
        const TfLiteAffineQuantization* affine = v->right.affine;
        const bool right = affine != NULL && affine->scale != NULL &&
                           (affine->scale->size == 1 || affine->scale->size == v->columns);
        if (right) return kTfLiteOk;
        return lite_fail(context, "%s: the right operand has no scale for each of %d columns", op,
                         v->columns);
    }
    if (v->left.type == kTfLiteFloat32 || v->output.type == kTfLiteInt32) return kTfLiteOk;
    LITE_TRY(lite_check_scale(context, op, "left operand", v->left.scale));
    LITE_TRY(lite_check_scale(context, op, "right operand", v->right.scale));
    LITE_TRY(lite_check_scale(context, op, "output", v->output.scale));
    const bool is_16 = v->left.type == kTfLiteInt16;
    if (!zero_point_fits(v->left.zero_point, is_16) || !zero_point_fits(v->right.zero_point, is_16) ||
        !zero_point_fits(v->output.zero_point, is_16)) {
        return lite_fail(context, "%s: zero points are %d, %d and %d, which %s tensors cannot have", op,
                         v->left.zero_point, v->right.zero_point, v->output.zero_point,
                         TfLiteTypeGetName(v->left.type));
    }
    const double product = (double)(v->left.scale * v->right.scale);
    data->multiplier = lite_quantize_multiplier(product / (double)v->output.scale);
    return kTfLiteOk;
}

// The output's shape: leading dimensions broadcast, then rows and columns.
static TfLiteStatus output_shape(TfLiteOpaqueContext* context, const MatmulViews* v, bool adj_x,
                                 LiteShape* out) {
    LiteShape left = v->left.shape;
    LiteShape right = v->right.shape;
    left.rank -= 2;
    right.rank -= 2;
    if (!lite_shape_broadcast(&left, &right, out)) {
        return lite_fail(context, "%s: the batch dimensions of the operands do not broadcast: %s and %s", op,
                         lite_shape_text(&left).text, lite_shape_text(&right).text);
    }
    out->dims[out->rank] = left.dims[left.rank + (adj_x ? 1 : 0)];
    out->dims[out->rank + 1] = v->columns;
    out->rank += 2;
    return kTfLiteOk;
}

static TfLiteStatus prepare_onednn(TfLiteOpaqueContext* context, MatmulData* data, const MatmulViews* v,
                                   bool adj_y, const LiteConvShape* shape) {
    const LiteOnednnProblem problem = {.shape = shape,
                                       .input = &v->left,
                                       .weights = &v->right,
                                       .output = &v->output,
                                       .out_stride = adj_y ? v->depth : 1,
                                       .in_stride = adj_y ? 1 : v->columns,
                                       .row_stride = 1,
                                       .column_stride = 1,
                                       .low = -INFINITY,
                                       .high = INFINITY};
    if (v->right.count == (int64_t)v->depth * v->columns) {
        return lite_onednn_prepare(context, &data->onednn, &problem);
    }
    lite_onednn_free(&data->onednn);
    return kTfLiteOk;
}

static TfLiteStatus pack(TfLiteOpaqueContext* context, MatmulData* data, const MatmulViews* v, bool adj_y,
                         const void* right) {
    if (data->onednn.plan != NULL || v->right.type == kTfLiteInt16) return kTfLiteOk;
    const bool raw = v->is_hybrid || v->output.type == kTfLiteInt32;
    const LiteGemmWeights weights = {.type = kTfLiteInt8,
                                     .source = right,
                                     .column_step = adj_y ? (size_t)v->depth : 1,
                                     .depth_step = adj_y ? 1 : (size_t)v->columns,
                                     .zero_point = raw ? 0 : v->right.zero_point};
    return lite_gemm_pack(context, op, &data->gemm, &weights);
}

static LiteGemmColumns columns_of(const MatmulViews* v, bool adj_y) {
    return (LiteGemmColumns){v->right.data, adj_y ? (size_t)v->depth : 1, adj_y ? 1 : (size_t)v->columns};
}

// One constant matrix that is shared is packed at once; several of integers are packed one after the other,
// in each inference.
static TfLiteStatus prepare_gemm(TfLiteOpaqueContext* context, MatmulData* data, const MatmulViews* v,
                                 bool adj_y, const LiteConvShape* shape) {
    const bool is_one = v->right.count == (int64_t)v->depth * v->columns;
    data->is_batch = v->right.type == kTfLiteFloat32 && !(is_one && v->right.constant);
    if (data->is_batch) {
        LiteGemmColumns right = columns_of(v, adj_y);
        if (!v->right.constant) right.first = NULL; // what it holds now is of the last inference
        data->batch.matrices = matrices_of(&v->right.shape);
        return lite_gemm_batch_prepare(context, op, &data->gemm, shape, &right,
                                       lite_kernel_shared(context, &v->right), &data->batch);
    }
    data->gemm.is_lent = false;
    LiteShared* shared = is_one ? lite_kernel_shared(context, &v->right) : NULL;
    LITE_TRY(lite_gemm_prepare(context, op, &data->gemm, shape, lite_gemm_form(v->left.type, v->right.type),
                               shared));
    if (shared == NULL) return kTfLiteOk;
    data->packed = 0;
    return pack(context, data, v, adj_y, v->right.data);
}

static TfLiteStatus matmul_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    MatmulData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteBatchMatMulParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (data == NULL || params == NULL) return lite_fail(context, "%s: has no parameters", op);
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 2, 1));
    MatmulViews v;
    LITE_TRY(get_views(context, node, params, &v));
    LITE_TRY(check_types(context, &v));
    LITE_TRY(prepare_quantized(context, data, &v));
    LiteShape out;
    LITE_TRY(output_shape(context, &v, params->adj_x, &out));
    LITE_TRY(lite_kernel_resize(context, v.output.tensor, &out));
    const LiteConvShape shape = lite_conv_shape_of_product(v.rows, v.depth, v.columns);
    LITE_TRY(prepare_onednn(context, data, &v, params->adj_y, &shape));
    data->packed = -1;
    data->is_batch = false;
    if (data->onednn.plan == NULL) LITE_TRY(prepare_gemm(context, data, &v, params->adj_y, &shape));
    data->gemm.epilogue = NULL;
    data->is_float = v.right.type == kTfLiteFloat32 && data->onednn.plan == NULL;
    int temporaries[7] = {data->onednn.plan != NULL ? data->onednn.scratch_tensor
                                                    : data->gemm.scratch_tensor};
    int count = 1;
    if (params->adj_x) {
        const LiteShape matrix = {2, {v.rows, v.depth}};
        LITE_TRY(lite_kernel_temporary(context, &data->transposed, v.left.type, &matrix, false));
        temporaries[count++] = data->transposed;
    }
    if (data->is_batch) {
        const LiteShape none = {1, {0}};
        LITE_TRY(lite_kernel_temporary(context, &data->lent, kTfLiteInt8, &none, false));
        temporaries[count++] = data->batch.packed_tensor;
        temporaries[count++] = data->lent;
    }
    if (v.is_hybrid) {
        LITE_TRY(lite_hybrid_prepare(context, op, &data->hybrid, v.rows, (int64_t)v.rows * v.depth,
                                     temporaries + count));
        count += 3;
    }
    return lite_kernel_set_temporaries(node, temporaries, count);
}

typedef struct MatmulSink {
    const MatmulData* data;
    const MatmulViews* views;
    const LiteMicro* micro;
    LiteTileSink store;
    const float* scales; // hybrid: of each row
    void* output;
} MatmulSink;

static void store(const void* argument, const LiteTile* tile) {
    const MatmulSink* sink = argument;
    const MatmulViews* v = sink->views;
    for (int r = 0; r < tile->rows; r++) {
        const size_t at = (size_t)(tile->row + r) * (size_t)v->columns + (size_t)tile->column;
        for (int n = 0; n < tile->columns; n++) {
            const int from = r * tile->step + n;
            if (v->output.type == kTfLiteInt32) {
                ((int32_t*)sink->output)[at + n] = tile->sums[from];
            } else {
                const int32_t x = lite_multiply_i64(tile->wide[from], sink->data->multiplier);
                ((int16_t*)sink->output)[at + n] = (int16_t)lite_clamp_i32(x, INT16_MIN, INT16_MAX);
            }
        }
    }
}

static void store_hybrid(const void* argument, const LiteTile* tile) {
    const MatmulSink* sink = argument;
    const MatmulViews* v = sink->views;
    lite_hybrid_store_rows(
        &(LiteHybridRows){sink->scales, v->right.affine->scale, NULL, sink->output, v->columns}, tile);
}

static void store_8(const void* argument, const LiteTile* tile) {
    const MatmulSink* sink = argument;
    const size_t columns = (size_t)sink->views->columns;
    uint8_t* out = (uint8_t*)sink->output + (size_t)tile->row * columns + tile->column;
    int32_t multiplier[LITE_MICRO_MAX_PANEL], shift[LITE_MICRO_MAX_PANEL];
    const LiteRequantization scale = {multiplier, shift,    sink->views->output.zero_point,
                                      INT8_MIN,   INT8_MAX, NULL};
    for (int n = 0; n < LITE_MICRO_MAX_PANEL; n++) {
        multiplier[n] = sink->data->multiplier.value;
        shift[n] = sink->data->multiplier.shift;
    }
    for (int n = 0; n < tile->columns; n += LITE_MICRO_MAX_PANEL) { // tiles of oneDNN are wider
        const int left = tile->columns - n;
        sink->micro->requantize(tile->rows, left < LITE_MICRO_MAX_PANEL ? left : LITE_MICRO_MAX_PANEL,
                                tile->sums + n, (size_t)tile->step, &scale, out + n, columns);
    }
}

// INT16 times INT16: products of 32 bits, which the packed kernels do not take.
static void multiply_16x16(const MatmulSink* sink, const int16_t* left, const int16_t* right, bool adj_y) {
    const MatmulViews* v = sink->views;
    const size_t column_step = adj_y ? (size_t)v->depth : 1;
    const size_t depth_step = adj_y ? 1 : (size_t)v->columns;
    int16_t* out = sink->output;
    for (int32_t r = 0; r < v->rows; r++, left += v->depth) {
        for (int32_t n = 0; n < v->columns && !lite_cancelled(); n++) {
            const int16_t* from = right + (size_t)n * column_step;
            int64_t sum = 0;
            for (int32_t k = 0; k < v->depth; k++) sum += (int32_t)left[k] * from[k * depth_step];
            const int32_t x = lite_multiply_i64(sum, sink->data->multiplier);
            *out++ = (int16_t)lite_clamp_i32(x, INT16_MIN, INT16_MAX);
        }
    }
}

// *left becomes the matrix as it is multiplied.
static TfLiteStatus transpose_left(TfLiteOpaqueContext* context, const MatmulData* data, const MatmulViews* v,
                                   const void** left) {
    LiteView transposed;
    LITE_TRY(lite_kernel_temporary_view(context, op, data->transposed, &transposed));
    LiteMove move = {0};
    lite_move_add(&move, v->rows, 1, v->depth);
    lite_move_add(&move, v->depth, v->rows, 1);
    lite_move_run(&move, *left, transposed.data, lite_type_size(v->left.type),
                  lite_kernel_num_threads(context));
    *left = transposed.data;
    return kTfLiteOk;
}

// One pair of matrices; the right one is packed already (except INT16).
static TfLiteStatus multiply(TfLiteOpaqueContext* context, MatmulData* data, MatmulSink* sink,
                             const TfLiteBatchMatMulParams* params, const void* left, const void* right) {
    const MatmulViews* v = sink->views;
    if (params->adj_x) LITE_TRY(transpose_left(context, data, v, &left));
    if (data->onednn.plan != NULL) {
        const LiteOnednnData run = {
            .input = left, .sink = sink->store, .argument = sink, .output = sink->output};
        return lite_onednn_run(context, op, &data->onednn, &run);
    }
    if (v->right.type == kTfLiteInt16) {
        multiply_16x16(sink, left, right, params->adj_y);
        return kTfLiteOk;
    }
    if (v->right.type == kTfLiteFloat32) {
        return lite_gemm_run_f32(context, op, &data->gemm, left, -INFINITY, INFINITY, sink->output, NULL);
    }
    LiteGemmInput input = {v->left.type, left, &v->left.zero_point, false};
    LiteHybridInput quantized;
    if (v->is_hybrid) {
        lite_hybrid_input(context, &data->hybrid, left, v->rows, v->depth, params->asymmetric_quantize_inputs,
                          &quantized);
        sink->scales = quantized.scales;
        input = (LiteGemmInput){kTfLiteInt8, quantized.values, quantized.zero_points, true};
    } else if (v->output.type == kTfLiteInt32) {
        input.zero_points = NULL; // plain sums of products, as in the reference
    }
    return lite_gemm_run_int(context, op, &data->gemm, &input, sink->store, sink);
}

// Number of the operand's matrix for batch `batch` of the output.
static int64_t matrix_of(const LiteShape* shape, const LiteShape* out, int64_t batch) {
    int64_t matrix = 0, step = 1;
    for (int i = out->rank - 3; i >= 0; i--) {
        const int at = i - (out->rank - shape->rank);
        const int64_t index = batch % out->dims[i];
        batch /= out->dims[i];
        if (at < 0) continue;
        if (shape->dims[at] != 1) matrix += index * step;
        step *= shape->dims[at];
    }
    return matrix;
}

static void find_pair(const void* argument, int64_t pair, int64_t* left, int64_t* right) {
    const MatmulViews* v = argument;
    *left = matrix_of(&v->left.shape, &v->output.shape, pair);
    *right = matrix_of(&v->right.shape, &v->output.shape, pair);
}

static LiteGemmBatchJob job_of(const MatmulData* data, const MatmulViews* v,
                               const TfLiteBatchMatMulParams* params) {
    return (LiteGemmBatchJob){.gemm = &data->gemm,
                              .batch = &data->batch,
                              .left = v->left.data,
                              .right = columns_of(v, params->adj_y),
                              .output = v->output.data,
                              .find = find_pair,
                              .argument = v};
}

// Pairs of matrices of floats; with adj_x one after the other, each left one having been transposed.
static TfLiteStatus multiply_batch(TfLiteOpaqueContext* context, MatmulData* data, const MatmulViews* v,
                                   const TfLiteBatchMatMulParams* params, int64_t pairs) {
    LiteGemmBatchJob job = job_of(data, v, params);
    LITE_TRY(lite_gemm_batch_begin(context, op, &job, false));
    if (!params->adj_x) return lite_gemm_batch_run(context, op, &job, 0, pairs);
    MatmulViews one = *v; // left matrix
    one.left.shape.rank = 2;
    job.argument = &one;
    for (int64_t p = 0; p < pairs && !lite_cancelled(); p++) {
        int64_t matrix, right;
        find_pair(v, p, &matrix, &right);
        const void* left = (const float*)v->left.data + matrix * v->rows * v->depth;
        LITE_TRY(transpose_left(context, data, v, &left));
        job.left = left;
        LITE_TRY(lite_gemm_batch_run(context, op, &job, p, p + 1));
    }
    return kTfLiteOk;
}

static TfLiteStatus matmul_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    MatmulData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteBatchMatMulParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    MatmulViews v;
    LITE_TRY(get_views(context, node, params, &v));
    if (v.output.count == 0) return kTfLiteOk;
    const int64_t batches = v.output.count / v.rows / v.columns;
    if (data->is_batch) return multiply_batch(context, data, &v, params, batches);
    const size_t left_size = (size_t)v.rows * (size_t)v.depth * lite_type_size(v.left.type);
    const size_t right_size = (size_t)v.columns * (size_t)v.depth * lite_type_size(v.right.type);
    const size_t out_size = (size_t)v.rows * (size_t)v.columns * lite_type_size(v.output.type);
    MatmulSink sink = {.data = data,
                       .views = &v,
                       .micro = lite_micro(),
                       .store = v.is_hybrid                    ? store_hybrid
                                : v.output.type == kTfLiteInt8 ? store_8
                                                               : store};
    if (!v.right.constant) data->packed = -1;
    for (int64_t b = 0; b < batches && !lite_cancelled(); b++) {
        const int64_t left = matrix_of(&v.left.shape, &v.output.shape, b);
        const int64_t right = matrix_of(&v.right.shape, &v.output.shape, b);
        const char* right_matrix = (const char*)v.right.data + (size_t)right * right_size;
        if (data->packed != right) LITE_TRY(pack(context, data, &v, params->adj_y, right_matrix));
        data->packed = right;
        sink.output = (char*)v.output.data + (size_t)b * out_size;
        data->gemm.epilogue_row = b * v.rows;
        LITE_TRY(multiply(context, data, &sink, params, (const char*)v.left.data + (size_t)left * left_size,
                          right_matrix));
    }
    return kTfLiteOk;
}

static bool matmul_take(TfLiteOpaqueNode* node, const LiteEpilogue* epilogue) {
    MatmulData* data = TfLiteOpaqueNodeGetUserData(node);
    if (data->is_float) data->gemm.epilogue = epilogue;
    return data->is_float;
}

// As the first or the last of steps that run as one by rows.

static TfLiteStatus begin_rows(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    MatmulData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteBatchMatMulParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LITE_TRY(get_views(context, node, params, &data->views));
    data->job = job_of(data, &data->views, params);
    return lite_gemm_batch_begin(context, op, &data->job, true);
}

static void multiply_rows(const TfLiteOpaqueNode* node, const float* left, int64_t first, int64_t count,
                          void* scratch, float* out) {
    const MatmulData* data = TfLiteOpaqueNodeGetUserData(node);
    const int64_t rows = data->views.rows, row = first % rows;
    lite_gemm_batch_rows(&data->job, first / rows, left, row, row + count, scratch, out);
}

// Not with a left operand that is transposed, or repeated for several right ones.
static TfLiteStatus matmul_product(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                   LiteRowProduct* product) {
    MatmulData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteBatchMatMulParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    MatmulViews v;
    if (!data->is_batch || params->adj_x) return kTfLiteOk;
    LITE_TRY(get_views(context, node, params, &v));
    if (matrices_of(&v.left.shape) != matrices_of(&v.output.shape)) return kTfLiteOk;
    if (product->block > 0) {
        LITE_TRY(lite_gemm_batch_widen(context, op, &data->gemm, product->block, &data->batch));
        const LiteShape lent = {1, {(int32_t)product->lent}};
        LITE_TRY(lite_kernel_temporary(context, &data->lent, kTfLiteInt8, &lent, false));
    }
    product->node = node;
    product->rows = v.rows;
    product->columns = v.columns;
    product->tile = data->gemm.rows;
    product->scratch = data->gemm.scratch;
    product->begin = begin_rows;
    product->multiply = multiply_rows;
    product->memory = data->lent;
    return kTfLiteOk;
}

static const LiteLines matmul_lines = {.take = matmul_take, .product = matmul_product};

const LiteKernel lite_kernel_BATCH_MATMUL = {.init = matmul_init,
                                             .free = matmul_free,
                                             .prepare = matmul_prepare,
                                             .invoke = matmul_invoke,
                                             .lines = LITE_HAS_TYPE(kTfLiteFloat32) ? &matmul_lines : NULL};
