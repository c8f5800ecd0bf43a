// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm.h"

#include <string.h>

#include "core/base/host.h"
#include "kernels-cpu/gemm/gemm_x3_plan.h"
#include "kernels-cpu/support/zeros.h"

#define ITEM_BYTES(form) ((form) == kLiteGemmBytes ? 256 * 1024 : 128 * 1024)
// Bytes: from this depth on, weights are worth using for more rows; outputs of fewer steps fill the cache.
#define DEEP 256
// Float: rows of a work item, and their bytes.
#define LEAST_ROWS 64
#define MOST_ROWS 192
#define ROWS_BYTES ((size_t)256 * 1024)
// Float: filter lines of at most so many elements are read in one go.
#define MERGED_DEPTH 32

void lite_gemm_free(LiteGemm* gemm) {
    lite_shared_release(gemm->block);
    lite_free(gemm->own);
    lite_free(gemm->init);
    gemm->precision = kLitePrecisionFloat32;
    gemm->block = NULL;
    gemm->packed = NULL;
    gemm->source = NULL;
    gemm->bias = gemm->zeros = gemm->own = NULL;
    gemm->init = NULL;
    gemm->sums = NULL;
}

LiteGemmForm lite_gemm_form(TfLiteType input, TfLiteType weights) {
    if (weights == kTfLiteFloat32) return kLiteGemmFloat;
    return input == kTfLiteInt16 ? kLiteGemmPairs : kLiteGemmBytes;
}

static size_t element_size(LiteGemmForm form) {
    return form == kLiteGemmFloat ? sizeof(float) : form == kLiteGemmPairs ? sizeof(int16_t) : 1;
}

// Derived sizes; false when they overflow.
static bool derive(LiteGemm* gemm) {
    const LiteConvShape* shape = &gemm->shape;
    int64_t taps = (int64_t)shape->filter_h * shape->filter_w;
    gemm->depth = shape->in_c / shape->groups;
    gemm->columns = shape->out_c / shape->groups;
    gemm->panels = gemm->columns / gemm->micro->panel + (gemm->columns % gemm->micro->panel != 0);
    if (taps > INT32_MAX) return false;
    taps *= shape->filter_d;
    if (taps > INT32_MAX || (gemm->depth > 0 && taps > (INT32_MAX - 3) / gemm->depth)) return false;
    gemm->taps = (int32_t)taps;
    const bool merged = gemm->form == kLiteGemmFloat && shape->groups == 1 && shape->dilation_w == 1 &&
                        taps > 0 && gemm->depth <= MERGED_DEPTH / shape->filter_w;
    gemm->runs = merged ? gemm->taps / shape->filter_w : gemm->taps;
    gemm->run_depth = merged ? gemm->depth * shape->filter_w : gemm->depth;
    const size_t group = gemm->form == kLiteGemmFloat ? 1 : gemm->form == kLiteGemmPairs ? 2 : 4;
    gemm->steps = ((size_t)taps * (size_t)gemm->depth + group - 1) / group * group;
    // Rows that begin with a cache line are read in whole ones.
    const bool aligned = gemm->form == kLiteGemmBytes && gemm->steps > 64;
    gemm->row_step = aligned ? (gemm->steps + 63) / 64 * 64 : gemm->steps;
    return lite_size_mul(gemm->steps, (size_t)gemm->micro->panel, &gemm->panel_size);
}

void lite_gemm_place(LiteGemm* gemm, void* memory) {
    gemm->packed = memory;
    gemm->sums = gemm->form == kLiteGemmFloat ? NULL : (int32_t*)(void*)((char*)memory + gemm->packed_bytes);
}

static void set_block_bytes(LiteGemm* gemm, size_t element) {
    const size_t panels = (size_t)gemm->shape.groups * (size_t)gemm->panels;
    const size_t sums = gemm->form == kLiteGemmFloat ? 0 : panels * (size_t)gemm->micro->panel;
    gemm->packed_bytes = (panels * gemm->panel_size * element + 63) / 64 * 64;
    gemm->block_bytes = gemm->packed_bytes + sums * sizeof(int32_t);
}

void lite_gemm_set_precision(LiteGemm* gemm, LitePrecision precision) {
    gemm->precision = precision;
    if (gemm->form == kLiteGemmFloat) set_block_bytes(gemm, lite_weight_bytes(precision));
}

// Sizes of the block, where they do not overflow, whatever the precision is.
static bool size_block(LiteGemm* gemm) {
    size_t panels, elements, bytes;
    if (!lite_size_mul((size_t)gemm->shape.groups, (size_t)gemm->panels, &panels) ||
        !lite_size_mul(panels, gemm->panel_size, &elements) ||
        !lite_size_mul(elements, element_size(gemm->form), &bytes) || bytes > SIZE_MAX / 2) {
        return false;
    }
    set_block_bytes(gemm, element_size(gemm->form));
    return true;
}

// Most products need no memory here: each interpreter of a model would have it.
static bool allocate_bias(LiteGemm* gemm, size_t columns) {
    const size_t zeros = (size_t)gemm->run_depth;
    const bool is_whole = gemm->columns % gemm->micro->panel == 0;
    const size_t own_columns = is_whole && columns <= kLiteZeros ? 0 : columns;
    const size_t own_zeros = zeros <= kLiteZeros ? 0 : zeros;
    gemm->bias = gemm->zeros = lite_zeros();
    if (own_columns + own_zeros == 0) return true;
    gemm->own = lite_calloc(own_columns + own_zeros, sizeof *gemm->own);
    if (gemm->own == NULL) return false;
    if (own_columns > 0) gemm->bias = gemm->own;
    if (own_zeros > 0) gemm->zeros = gemm->own + own_columns;
    return true;
}

static TfLiteStatus allocate(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm) {
    lite_gemm_free(gemm);
    if (!size_block(gemm)) return lite_fail(context, "%s: the weights are too large", op);
    const size_t columns = (size_t)gemm->shape.groups * (size_t)gemm->panels * (size_t)gemm->micro->panel;
    bool whole = true;
    if (gemm->form == kLiteGemmFloat) {
        whole = allocate_bias(gemm, columns);
    } else if (columns > LITE_STACK_SUMS) {
        gemm->init = lite_calloc(columns, sizeof(int32_t));
        whole = gemm->init != NULL;
    }
    if (gemm->shared == NULL && !gemm->is_lent) {
        gemm->block = lite_shared_new_private(gemm->block_bytes);
        whole = whole && gemm->block != NULL;
        if (gemm->block != NULL) lite_gemm_place(gemm, lite_shared_memory(gemm->block));
    }
    if (whole) return kTfLiteOk;
    lite_gemm_free(gemm);
    return lite_fail(context, "%s: out of memory for packed weights", op);
}

LitePrecision lite_gemm_precision(const TfLiteOpaqueContext* context, const LiteMicro* micro,
                                  const LiteShared* shared) {
    if (shared == NULL) return kLitePrecisionFloat32;
    const LitePrecision wanted = lite_host(context)->precision;
    return micro->precisions & LITE_PRECISION_BIT(wanted) ? wanted : kLitePrecisionFloat32;
}

// Constant weights of floats, where the processor has what it takes.
static bool multiplies_x3(const LiteGemm* gemm) {
    if (gemm->form != kLiteGemmFloat || gemm->shared == NULL) return false;
    return LITE_HAS_X3 && gemm->micro->gemm_x3 != NULL &&
           lite_x3_suits(&(LiteX3Sizes){.rows = lite_gemm_rows(&gemm->shape),
                                        .inputs = gemm->shape.batches * lite_gemm_image(&gemm->shape),
                                        .steps = gemm->steps,
                                        .runs = gemm->runs,
                                        .run_depth = gemm->run_depth,
                                        .panels = gemm->panels});
}

TfLiteStatus lite_gemm_prepare_weights(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                                       const LiteConvShape* shape, LiteGemmForm form, LiteShared* shared) {
    const LiteGemm old = *gemm;
    gemm->shape = *shape;
    gemm->shared = shared;
    gemm->micro = lite_micro();
    // A single tile of rows waits for the weights.
    const bool is_tile = lite_gemm_rows(shape) <= gemm->micro->rows;
    const bool widens = gemm->micro->gemm_u8 == NULL || (gemm->micro->slow_bytes && !is_tile);
    gemm->form = form == kLiteGemmBytes && widens ? kLiteGemmPairs : form;
    gemm->wanted =
        form == kLiteGemmFloat ? lite_gemm_precision(context, gemm->micro, shared) : kLitePrecisionFloat32;
    if (!derive(gemm)) {
        lite_gemm_free(gemm); // it has been packed for other sizes
        return lite_fail(context, "%s: the filter is too large", op);
    }
    gemm->is_x3 = multiplies_x3(gemm);
    gemm->rows = form != kLiteGemmFloat ? gemm->micro->rows
                 : gemm->is_x3          ? LITE_X3_ROWS
                                        : gemm->micro->rows_f32;
    const bool same = old.block != NULL && old.shared == shared && old.micro == gemm->micro &&
                      old.form == gemm->form && old.shape.groups == shape->groups &&
                      old.panel_size == gemm->panel_size && old.panels == gemm->panels &&
                      old.depth == gemm->depth && old.run_depth == gemm->run_depth &&
                      old.wanted == gemm->wanted;
    return same ? kTfLiteOk : allocate(context, op, gemm);
}

// Bytes of a gathered element; those that become pairs lie behind these.
static size_t gathered_size(LiteGemmForm form) {
    return form == kLiteGemmPairs ? sizeof(int16_t) + 1 : 1;
}

// Rows of floats that stay in the second cache while they are multiplied by one panel after the other; at
// most as many as leave the panel's results in the first one.
static size_t most_rows_f32(size_t depth) {
    const size_t rows = depth > 0 ? ROWS_BYTES / (depth * sizeof(float)) : MOST_ROWS;
    return rows < LEAST_ROWS ? LEAST_ROWS : rows > MOST_ROWS ? MOST_ROWS : rows;
}

// Scratch of one thread: the row pointers, with room for merged lines, or gathered rows of a work item; at
// its end panels.
static size_t size_scratch(LiteGemm* gemm) {
    const size_t merged = gemm->runs == gemm->taps ? 0 : (size_t)gemm->run_depth * sizeof(float);
    const size_t per_row = gemm->form == kLiteGemmFloat ? (size_t)gemm->runs * (sizeof(float*) + merged)
                                                        : gemm->row_step * gathered_size(gemm->form);
    const size_t per_tile = per_row * (size_t)gemm->rows;
    const bool is_deep = gemm->form == kLiteGemmBytes && gemm->steps >= DEEP;
    size_t most = is_deep ? LITE_ITEM_ROWS : LITE_ITEM_ROWS / 2; // rows
    if (gemm->form == kLiteGemmFloat) most = most_rows_f32(gemm->steps);
    most /= (size_t)gemm->rows;
    size_t tiles = per_tile > 0 ? ITEM_BYTES(gemm->form) / per_tile : most;
    if (tiles > most) tiles = most;
    if (gemm->form == kLiteGemmFloat && tiles > LITE_ITEM_TILES) tiles = LITE_ITEM_TILES;
    if (tiles < 1) tiles = 1;
    if (LITE_HAS_X3 && gemm->is_x3) tiles = (size_t)lite_x3_most_tiles(gemm->steps);
    gemm->tiles = (int)tiles;
    const size_t parts = LITE_HAS_X3 && gemm->is_x3
                             ? lite_x3_scratch(gemm->steps, (size_t)gemm->shape.groups * (size_t)gemm->panels)
                             : 0;
    const size_t panels = (size_t)gemm->own_panels * gemm->panel_size * sizeof(float);
    return (per_tile * tiles + LITE_GATHER_SLACK + 63) / 64 * 64 + (panels + 63) / 64 * 64 + parts;
}

TfLiteStatus lite_gemm_prepare_scratch(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemms,
                                       int64_t count, int* scratch_tensor) {
    size_t bytes = 0;
    for (int64_t i = 0; i < count; i++) {
        const size_t scratch = size_scratch(gemms + i);
        if (scratch > bytes) bytes = scratch;
    }
    if (bytes > INT32_MAX) return lite_fail(context, "%s: the filter is too large", op);
    int threads = lite_kernel_num_threads(context);
    while (threads > 1 && bytes > (size_t)INT32_MAX / (size_t)threads) threads--;
    const LiteShape scratch = {1, {bytes > LITE_STACK_SCRATCH ? (int32_t)(bytes * (size_t)threads) : 0}};
    // Products of several pairs get ready again when the node's list is complete.
    const bool is_needed = *scratch_tensor >= 0 || scratch.dims[0] > 0 || (count > 0 && gemms[0].is_lent);
    if (is_needed) LITE_TRY(lite_kernel_temporary(context, scratch_tensor, kTfLiteInt8, &scratch, false));
    for (int64_t i = 0; i < count; i++) {
        gemms[i].scratch = bytes;
        gemms[i].threads = threads;
        gemms[i].scratch_tensor = *scratch_tensor;
    }
    return kTfLiteOk;
}

TfLiteStatus lite_gemm_prepare(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                               const LiteConvShape* shape, LiteGemmForm form, LiteShared* shared) {
    LITE_TRY(lite_gemm_prepare_weights(context, op, gemm, shape, form, shared));
    return lite_gemm_prepare_scratch(context, op, gemm, 1, &gemm->scratch_tensor);
}
