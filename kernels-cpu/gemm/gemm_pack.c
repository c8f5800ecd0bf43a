// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_pack.h"

#include <string.h>

#include "kernels-cpu/gemm/gemm_int.h"
#include "kernels-cpu/gemm/gemm_pack_f32.h"
#include "kernels-cpu/support/packed.h"
#include "kernels-cpu/support/selected.h"

static bool pack(LiteGemm* gemm, const LiteGemmWeights* w) {
    const void* values = w->values == NULL ? w->source : w->values;
    if (LITE_HAS_TYPE(kTfLiteFloat32) && gemm->form == kLiteGemmFloat) {
        return lite_gemm_pack_f32(gemm, values, w->column_step, w->depth_step);
    }
    lite_gemm_pack_int(gemm, w->type, values, w->column_step, w->depth_step, w->zero_point);
    return true;
}

typedef struct Job {
    const LiteGemm* gemm;
    const LiteGemmWeights* weights;
} Job;

static bool fill(void* argument, void* memory) {
    const Job* job = argument;
    LiteGemm gemm = *job->gemm;
    lite_gemm_place(&gemm, memory);
    return pack(&gemm, job->weights);
}

// The bytes that packing reads.
static LiteBytes contents_of(const LiteGemm* gemm, const LiteGemmWeights* w) {
    const size_t columns = (size_t)gemm->shape.groups * (size_t)gemm->columns;
    const size_t steps = (size_t)gemm->taps * (size_t)gemm->depth;
    const TfLiteType type = gemm->form == kLiteGemmFloat ? kTfLiteFloat32 : w->type;
    LiteBytes contents = {w->values == NULL ? w->source : w->values, 0};
    if (columns == 0 || steps == 0) return contents;
    const size_t last = (columns - 1) * w->column_step + (steps - 1) * w->depth_step;
    contents.size = lite_is_packed(type) ? last / (8 / (size_t)lite_packed_bits(type)) + 1
                                         : (last + 1) * lite_type_size(type);
    return contents;
}

static bool renew(LiteGemm* gemm, const LiteGemmWeights* w, LitePrecision precision) {
    lite_gemm_set_precision(gemm, precision);
    int64_t key[11 + sizeof w->order / sizeof *w->order] = {(int64_t)(uintptr_t)w->source,
                                                            (int64_t)(uintptr_t)gemm->micro,
                                                            gemm->form,
                                                            gemm->shape.groups,
                                                            gemm->columns,
                                                            gemm->taps,
                                                            gemm->depth,
                                                            (int64_t)w->column_step,
                                                            (int64_t)w->depth_step};
    if (gemm->form == kLiteGemmFloat) {
        key[9] = precision;
    } else {
        key[9] = w->type;
        key[10] = w->zero_point;
    }
    memcpy(key + 11, w->order, sizeof w->order);
    const LiteSharedSource source = {.kind = "product",
                                     .table = gemm->micro->name,
                                     .contents = contents_of(gemm, w),
                                     .numbers = key + 2,
                                     .number_count = 9};
    Job job = {gemm, w};
    const LiteSharedContents contents = {.key = key,
                                         .key_count = sizeof key / sizeof *key,
                                         .bytes = gemm->block_bytes,
                                         .precision = precision,
                                         .source = &source,
                                         .fill = fill,
                                         .argument = &job};
    return lite_shared_replace(&gemm->block, gemm->shared, &contents);
}

TfLiteStatus lite_gemm_pack(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                            const LiteGemmWeights* weights) {
    const bool is_float = gemm->form == kLiteGemmFloat;
    gemm->zero_point = is_float ? 0 : lite_gemm_packed_zero_point(gemm, weights->type, weights->zero_point);
    gemm->source = weights->source;
    if (gemm->shared == NULL) {
        (void)pack(gemm, weights); // as floats, which fit
        return kTfLiteOk;
    }
    // Weights for which halves cannot stand, and those that there is no memory for, as floats.
    const bool is_half = gemm->wanted != kLitePrecisionFloat32;
    if (!(is_half && renew(gemm, weights, gemm->wanted)) && !renew(gemm, weights, kLitePrecisionFloat32)) {
        gemm->source = NULL;
        return lite_fail(context, "%s: out of memory for packed weights", op);
    }
    lite_gemm_place(gemm, lite_shared_memory(gemm->block));
    return kTfLiteOk;
}
