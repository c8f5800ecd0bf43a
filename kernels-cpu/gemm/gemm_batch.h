// SPDX-License-Identifier: Apache-2.0
// Products of floats of several pairs of matrices of one shape. Right ones that are computed are packed in
// each inference, some matrices at a time and by all threads, or with few rows each panel by whoever uses it;
// constant ones are packed in prepare.
#ifndef KERNELS_CPU_GEMM_GEMM_BATCH_H_
#define KERNELS_CPU_GEMM_GEMM_BATCH_H_

#include "kernels-cpu/gemm/gemm_f32.h"

// Zero-initialised is empty but for the temporary's number, which is -1 before the first prepare.
typedef struct LiteGemmBatch {
    int64_t matrices;       // right ones
    int64_t group;          // matrices that are packed at a time; 0: each panel where it is used
    LiteSharedBlock* block; // of constants, which are all packed; NULL: there are none
    int packed_tensor;      // temporary, else
} LiteGemmBatch;

void lite_gemm_batch_free(LiteGemmBatch* batch);

// `right` is the first of the right matrices, one after the other: its contents where they are constant, else
// NULL. Prepares `gemm` for one pair, and the temporary; so the node has two.
TfLiteStatus lite_gemm_batch_prepare(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                                     const LiteConvShape* shape, const LiteGemmColumns* right,
                                     LiteShared* shared, LiteGemmBatch* batch);
// Gets ready for lite_gemm_batch_rows with at most `block` rows at a time.
TfLiteStatus lite_gemm_batch_widen(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                                   int64_t block, LiteGemmBatch* batch);

// What is multiplied in an inference.
typedef struct LiteGemmBatchJob {
    const LiteGemm* gemm;
    const LiteGemmBatch* batch;
    const float* left;
    LiteGemmColumns right; // the first one
    float* output;
    // Numbers of the left and the right matrix of a pair. From any thread.
    void (*find)(const void* argument, int64_t pair, int64_t* left, int64_t* right);
    const void* argument;
    // Set by lite_gemm_batch_begin.
    float* packed;
    int64_t first; // right matrix that is packed there
} LiteGemmBatchJob;

// Finds the memory for packed matrices. With `whole` all of them are packed.
TfLiteStatus lite_gemm_batch_begin(TfLiteOpaqueContext* context, const char* op, LiteGemmBatchJob* job,
                                   bool whole);
// Pairs [first, end), on all threads.
TfLiteStatus lite_gemm_batch_run(TfLiteOpaqueContext* context, const char* op, LiteGemmBatchJob* job,
                                 int64_t first, int64_t end);
// Rows [first, end) of a pair whose matrices are packed as a whole, on the calling thread. `left` NULL: the
// job's, else one that has these rows alone. `scratch` has gemm->scratch bytes.
void lite_gemm_batch_rows(const LiteGemmBatchJob* job, int64_t pair, const float* left, int64_t first,
                          int64_t end, void* scratch, float* output);

#endif
