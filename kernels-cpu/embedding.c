// SPDX-License-Identifier: Apache-2.0
// EMBEDDING_LOOKUP copies or dequantizes rows of a table by their indices. EMBEDDING_LOOKUP_SPARSE computes
// weighted sums of rows.
#include <math.h>
#include <string.h>

#include "core/base/cancel.h"
#include "core/semantics/half.h"
#include "kernels-cpu/gemm/blockwise.h"
#include "kernels-cpu/support/packed.h"
#include "kernels-cpu/support/size.h"

// Types of tables that become floats.
#define PACKED (LITE_TYPE(Int4) | LITE_TYPE(Int2))
#define SMALL (LITE_TYPES_BYTE | PACKED)

static const char lookup_op[] = "EMBEDDING_LOOKUP";
static const char sparse_op[] = "EMBEDDING_LOOKUP_SPARSE";

typedef struct LookupViews {
    LiteView rows; // numbers of rows
    LiteView table;
    LiteView output;
    bool blockwise; // the table
    int32_t table_rows;
    int64_t columns; // elements of a row
} LookupViews;

static TfLiteStatus get_lookup(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LookupViews* v) {
    LITE_TRY(lite_kernel_input(context, node, lookup_op, 0, &v->rows));
    LITE_TRY(lite_kernel_input(context, node, lookup_op, 1, &v->table));
    LITE_TRY(lite_kernel_output(context, node, lookup_op, 0, &v->output));
    v->blockwise = lite_is_blockwise(&v->table);
    if (v->rows.type != kTfLiteInt32 || v->rows.shape.rank != 1) {
        return lite_fail(context, "%s: row numbers are %s of %d dimensions, expected INT32 of 1", lookup_op,
                         TfLiteTypeGetName(v->rows.type), v->rows.shape.rank);
    }
    if (v->table.shape.rank < 2) {
        return lite_fail(context, "%s: the table has %d dimensions, expected 2 or more", lookup_op,
                         v->table.shape.rank);
    }
    v->table_rows = v->table.shape.dims[0];
    LiteShape row = v->table.shape;
    row.dims[0] = 1;
    if (!lite_shape_count(row.dims, row.rank, &v->columns)) {
        return lite_fail(context, "%s: rows of the table are too long: %s", lookup_op,
                         lite_shape_text(&v->table.shape).text);
    }
    return kTfLiteOk;
}

static bool dequantizes(const LookupViews* v) {
    return v->blockwise ||
           (lite_types_contain(SMALL, v->table.type) && lite_types_contain(LITE_TYPES_FLOAT, v->output.type));
}

// Bytes are copied, whatever integers the output takes them for; floats would have to be dequantized.
static TfLiteStatus check_copy(TfLiteOpaqueContext* context, const LookupViews* v) {
    const TfLiteType type = v->table.type;
    if (lite_is_packed(type)) {
        LITE_TRY(lite_check_same_type(context, lookup_op, &v->table, &v->output));
        if (v->columns % (8 / lite_packed_bits(type)) == 0) return kTfLiteOk;
        return lite_fail(context, "%s: rows of %lld elements of type %s are not whole bytes", lookup_op,
                         (long long)v->columns, TfLiteTypeGetName(type));
    }
    LITE_TRY(lite_check_types(context, lookup_op, "table", &v->table, LITE_TYPES_FIXED));
    const bool is_float = lite_types_contain(LITE_TYPES_FLOAT, v->output.type);
    if (v->output.type == type || (!is_float && lite_type_size(v->output.type) == lite_type_size(type)))
        return kTfLiteOk;
    return lite_fail(context, "%s: a table of type %s cannot become %s", lookup_op, TfLiteTypeGetName(type),
                     TfLiteTypeGetName(v->output.type));
}

// Scales of the whole table or one per row, zero points 0.
static TfLiteStatus check_affine(TfLiteOpaqueContext* context, const LookupViews* v) {
    const TfLiteAffineQuantization* affine = v->table.affine;
    if (affine == NULL) return kTfLiteOk;
    if (affine->scale == NULL || affine->zero_point == NULL) {
        return lite_fail(context, "%s: the table has scales or zero points only", lookup_op);
    }
    const bool reads = dequantizes(v);
    if (reads && v->output.type == kTfLiteFloat32 && affine->zero_point->size > 0 &&
        affine->zero_point->data[0] != 0) {
        return lite_fail(context, "%s: the table has zero point %d, expected 0", lookup_op,
                         affine->zero_point->data[0]);
    }
    if (affine->scale->size <= 1) return kTfLiteOk;
    if (reads && affine->quantized_dimension == 0 && affine->scale->size == v->table_rows) return kTfLiteOk;
    return lite_fail(context, "%s: the table has %d scales along dimension %d for %d rows", lookup_op,
                     affine->scale->size, affine->quantized_dimension, v->table_rows);
}

static TfLiteStatus lookup_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_TRY(lite_kernel_check_counts(context, node, lookup_op, 2, 2, 1));
    LookupViews v;
    LITE_TRY(get_lookup(context, node, &v));
    if (!dequantizes(&v)) LITE_TRY(check_copy(context, &v));
    LITE_TRY(check_affine(context, &v));
    LiteBlocks blocks;
    if (v.blockwise) {
        LITE_TRY(lite_check_types(context, lookup_op, "output", &v.output, LITE_TYPES_FLOAT));
        LITE_TRY(lite_blocks(context, lookup_op, &v.table, PACKED, &blocks));
    }
    LiteShape out = v.table.shape;
    out.dims[0] = v.rows.shape.dims[0];
    return lite_kernel_resize(context, v.output.tensor, &out);
}

static void store(const LiteView* output, int64_t at, float x) {
    if (output->type == kTfLiteFloat32) {
        ((float*)output->data)[at] = x;
    } else {
        ((uint16_t*)output->data)[at] = lite_f32_to_f16(x);
    }
}

// `count` elements of the table from `from` on, UINT8 ones read as signed, as in the reference. It begins at
// a whole byte, too: where the row begins within one, with the elements before.
static void dequantize(const LookupViews* v, int64_t from, int64_t count, float scale, int64_t to) {
    const TfLiteType type = v->table.type;
    if (lite_is_packed(type)) {
        from -= from % (8 / lite_packed_bits(type));
        for (int64_t i = 0; i < count; i++) {
            store(&v->output, to + i, (float)lite_packed_get(v->table.data, type, from + i) * scale);
        }
        return;
    }
    const int8_t* table = (const int8_t*)v->table.data + from;
    if (v->output.type == kTfLiteFloat32) {
        float* out = (float*)v->output.data + to;
        for (int64_t i = 0; i < count; i++) out[i] = (float)table[i] * scale;
        return;
    }
    for (int64_t i = 0; i < count; i++) store(&v->output, to + i, (float)table[i] * scale);
}

static float row_scale(const LookupViews* v, int32_t row) {
    const TfLiteAffineQuantization* affine = v->table.affine;
    return affine != NULL && affine->scale->size > 1 ? affine->scale->data[row] : v->table.scale;
}

static TfLiteStatus lookup_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LookupViews v;
    LITE_TRY(get_lookup(context, node, &v));
    LiteBlocks blocks = {0};
    if (v.blockwise) LITE_TRY(lite_blocks(context, lookup_op, &v.table, PACKED, &blocks));
    const int32_t* rows = v.rows.data;
    const size_t row_bytes = v.table_rows < 1 ? 0 : v.table.bytes / (size_t)v.table_rows;
    for (int64_t i = 0; i < v.rows.count && !lite_cancelled(); i++) {
        if (rows[i] < 0 || rows[i] >= v.table_rows) {
            return lite_fail(
                context,
                "%s: row %d is outside [0, %d): Embedding Lookup: index out of bounds. Got %d, and "
                "bounds are [0, %d]",
                lookup_op, rows[i], v.table_rows, rows[i], v.table_rows - 1);
        }
        const int64_t from = rows[i] * v.columns;
        for (int64_t b = 0; b < blocks.count; b++) {
            const float scale = lite_f16_to_f32(blocks.scales[rows[i] * blocks.count + b]);
            dequantize(&v, from + b * blocks.size, blocks.size, scale, i * v.columns + b * blocks.size);
        }
        if (v.blockwise) continue;
        if (dequantizes(&v)) {
            dequantize(&v, from, v.columns, row_scale(&v, rows[i]), i * v.columns);
        } else if (row_bytes > 0) {
            memcpy((char*)v.output.data + (size_t)i * row_bytes,
                   (const char*)v.table.data + (size_t)rows[i] * row_bytes, row_bytes);
        }
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_EMBEDDING_LOOKUP = {.prepare = lookup_prepare, .invoke = lookup_invoke};

// EMBEDDING_LOOKUP_SPARSE: entry i of a sparse tensor is row ids[i] with a weight; the entries that differ
// only in their last index are combined.

typedef struct SparseViews {
    LiteView ids;
    LiteView indices; // [entries, dimensions]
    LiteView shape;   // of the sparse tensor
    LiteView weights;
    LiteView table;
    int rank; // of the sparse tensor
} SparseViews;

static TfLiteStatus get_sparse(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, SparseViews* v) {
    LiteView* const views[] = {&v->ids, &v->indices, &v->shape, &v->weights, &v->table};
    static const int ranks[] = {1, 2, 1, 1};
    static const char* const names[] = {"ids", "indices", "shape", "weights", "table"};
    for (int i = 0; i < 5; i++) {
        LITE_TRY(lite_kernel_input(context, node, sparse_op, i, views[i]));
        const TfLiteType type = i < 3 ? kTfLiteInt32 : kTfLiteFloat32;
        if (views[i]->type != type) {
            return lite_fail(context, "%s: %s are %s, expected %s", sparse_op, names[i],
                             TfLiteTypeGetName(views[i]->type), TfLiteTypeGetName(type));
        }
        const int rank = views[i]->shape.rank;
        if (i < 4 ? rank != ranks[i] : rank < 2) {
            return lite_fail(context, "%s: %s have %d dimensions", sparse_op, names[i], rank);
        }
    }
    v->rank = v->indices.shape.dims[1];
    const int32_t entries = v->indices.shape.dims[0];
    if (v->ids.shape.dims[0] != entries || v->weights.shape.dims[0] != entries) {
        return lite_fail(context, "%s: %d ids and %d weights for %d entries", sparse_op, v->ids.shape.dims[0],
                         v->weights.shape.dims[0], entries);
    }
    return kTfLiteOk;
}

static TfLiteStatus sparse_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    SparseViews v;
    LITE_TRY(get_sparse(context, node, &v));
    if (v.rank < 1 || v.shape.count != v.rank) {
        return lite_fail(context, "%s: indices of %d dimensions, a shape of %lld", sparse_op, v.rank,
                         (long long)v.shape.count);
    }
    for (int i = 0; i + 1 < v.rank; i++) {
        LITE_TRY(lite_size_append(context, sparse_op, shape, ((const int32_t*)v.shape.data)[i]));
    }
    for (int i = 1; i < v.table.shape.rank; i++) {
        LITE_TRY(lite_size_append(context, sparse_op, shape, v.table.shape.dims[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus sparse_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_TRY(lite_kernel_check_counts(context, node, sparse_op, 5, 5, 1));
    if (TfLiteOpaqueNodeGetBuiltinData(node) == NULL) {
        return lite_fail(context, "%s: has no parameters", sparse_op);
    }
    SparseViews v;
    LiteView output;
    LITE_TRY(get_sparse(context, node, &v));
    LITE_TRY(lite_kernel_output(context, node, sparse_op, 0, &output));
    LITE_TRY(lite_check_same_type(context, sparse_op, &v.table, &output));
    return lite_size_output(context, node, sparse_op, 1u << 2, sparse_rule);
}

// The entries that a row of the output has received without a break.
typedef struct Bucket {
    int64_t row;
    int64_t entries;
    float total;   // of the weights
    float squares; // of the weights
} Bucket;

static void finish_bucket(const Bucket* bucket, TfLiteCombinerType combiner, float* row, int64_t length) {
    if (bucket->entries == 0 || combiner == kTfLiteCombinerTypeSum) return;
    const float divisor = combiner == kTfLiteCombinerTypeMean ? bucket->total : sqrtf(bucket->squares);
    for (int64_t i = 0; i < length; i++) row[i] /= divisor;
}

// The row of the output that entry `i` belongs to.
static TfLiteStatus output_row(TfLiteOpaqueContext* context, const SparseViews* v, int64_t i, int64_t* row) {
    const int32_t* index = (const int32_t*)v->indices.data + i * v->rank;
    const int32_t* shape = v->shape.data;
    *row = 0;
    for (int d = 0; d + 1 < v->rank; d++) {
        if (index[d] < 0 || index[d] >= shape[d]) {
            return lite_fail(context, "%s: index %d of entry %lld is %d, outside [0, %d)", sparse_op, d,
                             (long long)i, index[d], shape[d]);
        }
        *row = *row * shape[d] + index[d];
    }
    return kTfLiteOk;
}

static TfLiteStatus sparse_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteEmbeddingLookupSparseParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    SparseViews v;
    LiteView output;
    LITE_TRY(get_sparse(context, node, &v));
    LITE_TRY(lite_size_output_view(context, node, sparse_op, sparse_rule, &output));
    const int32_t rows = v.table.shape.dims[0];
    const int64_t length = rows > 0 ? v.table.count / rows : 0;
    const int32_t* ids = v.ids.data;
    float* out = output.data;
    if (output.count > 0) memset(out, 0, (size_t)output.count * sizeof(float));
    Bucket bucket = {0};
    for (int64_t i = 0; i < v.ids.count && !lite_cancelled(); i++) {
        if (ids[i] < 0 || ids[i] >= rows) {
            return lite_fail(
                context,
                "%s: id %d is outside [0, %d): Embedding Lookup Sparse: index out of bounds. Got "
                "%d, and bounds are [0, %d]",
                sparse_op, ids[i], rows, ids[i], rows - 1);
        }
        int64_t row;
        LITE_TRY(output_row(context, &v, i, &row));
        if (row != bucket.row) {
            finish_bucket(&bucket, params->combiner, out + bucket.row * length, length);
            bucket = (Bucket){.row = row};
        }
        const float weight = ((const float*)v.weights.data)[i];
        bucket.entries++;
        bucket.total += weight;
        bucket.squares += weight * weight;
        const float* from = (const float*)v.table.data + ids[i] * length;
        float* to = out + row * length;
        for (int64_t k = 0; k < length; k++) to[k] += from[k] * weight;
    }
    finish_bucket(&bucket, params->combiner, out + bucket.row * length, length);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_EMBEDDING_LOOKUP_SPARSE = {.prepare = sparse_prepare, .invoke = sparse_invoke};
