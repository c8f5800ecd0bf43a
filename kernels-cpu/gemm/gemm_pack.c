// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_pack.h"

#include <string.h>

#include "kernels-cpu/gemm/gemm_f32.h"
#include "kernels-cpu/gemm/gemm_int.h"

static void pack(LiteGemm* gemm, const LiteGemmWeights* w) {
    const void* values = w->values == NULL ? w->source : w->values;
    if (gemm->form == kLiteGemmFloat) {
        lite_gemm_pack_f32(gemm, values, w->column_step, w->depth_step);
    } else {
        lite_gemm_pack_int(gemm, w->type, values, w->column_step, w->depth_step, w->zero_point);
    }
}

typedef struct Job {
    const LiteGemm* gemm;
    const LiteGemmWeights* weights;
} Job;

static bool fill(void* argument, void* memory) {
    const Job* job = argument;
    LiteGemm gemm = *job->gemm;
    lite_gemm_place(&gemm, memory);
    pack(&gemm, job->weights);
    return true;
}

static bool renew(LiteGemm* gemm, const LiteGemmWeights* w) {
    int64_t key[11 + sizeof w->order / sizeof *w->order] = {(int64_t)(uintptr_t)w->source,
                                                            (int64_t)(uintptr_t)gemm->micro,
                                                            gemm->form,
                                                            gemm->shape.groups,
                                                            gemm->columns,
                                                            gemm->taps,
                                                            gemm->depth,
                                                            (int64_t)w->column_step,
                                                            (int64_t)w->depth_step};
    if (gemm->form != kLiteGemmFloat) {
        key[9] = w->type;
        key[10] = w->zero_point;
    }
    memcpy(key + 11, w->order, sizeof w->order);
    Job job = {gemm, w};
    const LiteSharedContents contents = {.key = key,
                                         .key_count = sizeof key / sizeof *key,
                                         .bytes = gemm->block_bytes,
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
        pack(gemm, weights);
        return kTfLiteOk;
    }
    if (!renew(gemm, weights)) {
        gemm->source = NULL;
        return lite_fail(context, "%s: out of memory for packed weights", op);
    }
    lite_gemm_place(gemm, lite_shared_memory(gemm->block));
    return kTfLiteOk;
}
