// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_batch.h"

#include "core/base/parallel.h"
#include "kernels-cpu/gemm/gemm_pack_f32.h"

// Bytes of matrices that are packed at a time, unless one has more: they are in a cache when they are used.
#define GROUP_BYTES (1024 * 1024)
// Panels that are packed where they are used, and their bytes at most.
#define OWN_PANELS LITE_FEW_PANELS(1)
#define OWN_BYTES (256 * 1024)
// Elements that are worth a thread.
#define GRAIN (32 * 1024)

void lite_gemm_batch_free(LiteGemmBatch* batch) {
    lite_shared_release(batch->block);
    batch->block = NULL;
}

// Elements of a right matrix, as it lies and packed.
static size_t matrix_size(const LiteGemm* gemm) {
    return (size_t)gemm->columns * gemm->steps;
}
static size_t packed_size(const LiteGemm* gemm) {
    return (size_t)gemm->panels * gemm->panel_size;
}

typedef struct Packing {
    const LiteGemm* gemm;
    LiteGemmColumns right; // the first matrix
    float* to;
} Packing;

// Panels [begin, end) of all matrices.
static void pack_range(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Packing* p = argument;
    const int64_t panels = p->gemm->panels;
    for (int64_t next; begin < end; begin = next) {
        const int64_t matrix = begin / panels, first = begin % panels;
        next = end < (matrix + 1) * panels ? end : (matrix + 1) * panels;
        LiteGemmColumns right = p->right;
        right.first += (size_t)matrix * matrix_size(p->gemm);
        lite_gemm_pack_panels(p->gemm, &right, first, first + next - begin,
                              p->to + (size_t)begin * p->gemm->panel_size);
    }
}

static void pack_matrices(Packing* p, int64_t count, int threads) {
    const int64_t size = (int64_t)p->gemm->panel_size;
    lite_parallel_for(threads, count * p->gemm->panels, 1 + GRAIN / (size + 1), pack_range, p);
}

typedef struct Constants {
    Packing packing;
    int64_t count;
    LitePrecision precision;
} Constants;

static bool fill(void* argument, void* memory) {
    Constants* constants = argument;
    const LiteGemm* gemm = constants->packing.gemm;
    if (constants->precision == kLitePrecisionFloat32) {
        constants->packing.to = memory;
        pack_matrices(&constants->packing, constants->count, 1);
        return true;
    }
    LiteHalves halves = {.precision = constants->precision};
    LiteGemmColumns right = constants->packing.right;
    uint16_t* to = memory;
    for (int64_t i = 0; i < constants->count;
         i++, to += packed_size(gemm), right.first += matrix_size(gemm)) {
        if (!lite_gemm_pack_columns(gemm, &right, &halves, to)) return false;
    }
    return lite_halves_fit(&halves);
}

// False where there is no memory, or the precision does not fit the weights.
static bool renew(LiteGemm* gemm, const LiteGemmColumns* right, LiteShared* shared, LitePrecision precision,
                  LiteGemmBatch* batch) {
    const int64_t key[] = {(int64_t)(uintptr_t)right->first,
                           (int64_t)(uintptr_t)gemm->micro,
                           gemm->columns,
                           gemm->depth,
                           (int64_t)right->column_step,
                           batch->matrices,
                           precision};
    Constants constants = {{.gemm = gemm, .right = *right}, batch->matrices, precision};
    LiteSharedContents contents = {.key = key,
                                   .key_count = sizeof key / sizeof *key,
                                   .precision = precision,
                                   .fill = fill,
                                   .argument = &constants};
    gemm->precision = precision;
    return lite_size_mul(packed_size(gemm), (size_t)batch->matrices, &contents.bytes) &&
           lite_size_mul(contents.bytes, lite_weight_bytes(precision), &contents.bytes) &&
           lite_shared_replace(&batch->block, shared, &contents);
}

static TfLiteStatus pack_constants(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                                   const LiteGemmColumns* right, LiteShared* shared, LiteGemmBatch* batch) {
    const LitePrecision wanted = lite_gemm_precision(context, gemm->micro, shared);
    if (wanted != kLitePrecisionFloat32 && renew(gemm, right, shared, wanted, batch)) return kTfLiteOk;
    if (renew(gemm, right, shared, kLitePrecisionFloat32, batch)) return kTfLiteOk;
    return lite_fail(context, "%s: out of memory for packed weights", op);
}

static TfLiteStatus reserve(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                            LiteGemmBatch* batch) {
    size_t size;
    if (!lite_size_mul(packed_size(gemm), (size_t)batch->group, &size) || size > INT32_MAX)
        return lite_fail(context, "%s: the weights are too large", op);
    const LiteShape shape = {1, {(int32_t)size}};
    return lite_kernel_temporary(context, &batch->packed_tensor, kTfLiteFloat32, &shape, false);
}

TfLiteStatus lite_gemm_batch_prepare(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                                     const LiteConvShape* shape, const LiteGemmColumns* right,
                                     LiteShared* shared, LiteGemmBatch* batch) {
    gemm->is_lent = true;
    gemm->own_panels = 0;
    LITE_TRY(lite_gemm_prepare(context, op, gemm, shape, kLiteGemmFloat, NULL));
    const size_t bytes = packed_size(gemm) * sizeof(float);
    const int64_t group = bytes > 0 ? (int64_t)(GROUP_BYTES / bytes) : 1;
    batch->group = group < 1 ? 1 : group < batch->matrices ? group : batch->matrices;
    if (right->first != NULL && bytes > 0) {
        batch->group = 0;
        LITE_TRY(pack_constants(context, op, gemm, right, shared, batch));
        return reserve(context, op, gemm, batch);
    }
    lite_gemm_batch_free(batch);
    if (lite_gemm_rows(shape) <= (int64_t)gemm->tiles * gemm->rows &&
        gemm->panel_size <= OWN_BYTES / sizeof(float) / OWN_PANELS) {
        batch->group = 0;
        gemm->own_panels = OWN_PANELS;
        LITE_TRY(lite_gemm_prepare(context, op, gemm, shape, kLiteGemmFloat, NULL));
    }
    return reserve(context, op, gemm, batch);
}

TfLiteStatus lite_gemm_batch_widen(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                                   int64_t block, LiteGemmBatch* batch) {
    const bool is_whole = block >= lite_gemm_rows(&gemm->shape);
    if (batch->block != NULL || (gemm->own_panels > 0 && is_whole)) return kTfLiteOk;
    batch->group = batch->matrices;
    gemm->own_panels = 0;
    LITE_TRY(lite_gemm_prepare_scratch(context, op, gemm, 1, &gemm->scratch_tensor));
    return reserve(context, op, gemm, batch);
}

static Packing packing_of(const LiteGemmBatchJob* job, int64_t first) {
    Packing packing = {job->gemm, job->right, job->packed};
    packing.right.first += (size_t)first * matrix_size(job->gemm);
    return packing;
}

TfLiteStatus lite_gemm_batch_begin(TfLiteOpaqueContext* context, const char* op, LiteGemmBatchJob* job,
                                   bool whole) {
    job->first = 0;
    job->packed = job->batch->block != NULL ? lite_shared_memory(job->batch->block) : NULL;
    if (job->batch->group == 0) return kTfLiteOk;
    LiteView packed;
    LITE_TRY(lite_kernel_temporary_view(context, op, job->batch->packed_tensor, &packed));
    job->packed = packed.data;
    if (!whole) return kTfLiteOk;
    Packing packing = packing_of(job, 0);
    pack_matrices(&packing, job->batch->matrices, lite_kernel_num_threads(context));
    return kTfLiteOk;
}

static void find_pair(const void* argument, int64_t number, LiteGemmPair* pair) {
    const LiteGemmBatchJob* job = argument;
    const LiteGemm* gemm = job->gemm;
    const int64_t rows = lite_gemm_rows(&gemm->shape);
    int64_t left, right;
    job->find(job->argument, number, &left, &right);
    *pair = (LiteGemmPair){.left = job->left + left * rows * gemm->depth,
                           .right = job->right,
                           .output = job->output + number * rows * gemm->columns};
    pair->right.first += (size_t)right * matrix_size(gemm);
    if (gemm->own_panels > 0) return;
    const size_t matrix = packed_size(gemm) * lite_weight_bytes(gemm->precision);
    pair->packed = (char*)job->packed + (size_t)(right - job->first) * matrix;
}

// The pairs from `first` on whose right matrices can be packed together: these follow each other, or are the
// same. Returns where they end; *matrices becomes how many right ones there are.
static int64_t find_group(const LiteGemmBatchJob* job, int64_t first, int64_t end, int64_t* matrices) {
    int64_t left, right, last = job->first;
    int64_t next = first + 1;
    for (; next < end; next++) {
        job->find(job->argument, next, &left, &right);
        if (right != last && (right != last + 1 || right - job->first >= job->batch->group)) break;
        last = right;
    }
    *matrices = last - job->first + 1;
    return next;
}

TfLiteStatus lite_gemm_batch_run(TfLiteOpaqueContext* context, const char* op, LiteGemmBatchJob* job,
                                 int64_t first, int64_t end) {
    for (int64_t next; first < end; first = next) {
        next = end;
        if (job->batch->group > 0) {
            int64_t left, matrices;
            job->find(job->argument, first, &left, &job->first);
            next = find_group(job, first, end, &matrices);
            Packing packing = packing_of(job, job->first);
            pack_matrices(&packing, matrices, lite_kernel_num_threads(context));
        }
        const LiteGemmPairs pairs = {first, next, find_pair, job};
        LITE_TRY(lite_gemm_run_pairs_f32(context, op, job->gemm, &pairs));
    }
    return kTfLiteOk;
}

void lite_gemm_batch_rows(const LiteGemmBatchJob* job, int64_t number, const float* left, int64_t first,
                          int64_t end, void* scratch, float* output) {
    LiteGemmPair pair;
    find_pair(job, number, &pair);
    pair.output = output;
    if (left != NULL) {
        pair.left = left;
        end -= first;
        first = 0;
    }
    lite_gemm_rows_f32(job->gemm, &pair, first, end, scratch);
}
