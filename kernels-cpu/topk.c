// SPDX-License-Identifier: Apache-2.0
// TOPK_V2 finds the k largest elements of each row, in descending order, and their indices. Among equals the
// first one comes first.
#include <string.h>

#include "core/base/cancel.h"
#include "core/base/parallel.h"
#include "kernels-cpu/support/ranking.h"
#include "kernels-cpu/support/size.h"

enum { kGrain = 16 * 1024 }; // elements worth a thread

static TfLiteStatus resize_outputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, k, output;
    int64_t rows;
    LITE_TRY(lite_kernel_input(context, node, "TOPK_V2", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "TOPK_V2", 1, &k));
    if (k.count != 1 || k.data == NULL) return lite_fail(context, "TOPK_V2: k is not one number");
    const int64_t wanted = lite_ints_at(&k, 0);
    LiteShape shape = input.shape;
    const int32_t length = shape.dims[shape.rank - 1];
    if (wanted > length) {
        return lite_fail(context,
                         "TOPK_V2: %lld of %d elements: TopK k is higher than the internal dimension.",
                         (long long)wanted, length);
    }
    LITE_TRY(lite_size_product(context, "TOPK_V2", &shape, 0, shape.rank - 1, &rows));
    LITE_TRY(lite_kernel_output(context, node, "TOPK_V2", 1, &output));
    if (output.type == kTfLiteInt16 && length > INT16_MAX && rows > 0) {
        return lite_fail(context, "TOPK_V2: rows of %d elements have no indices of type INT16", length);
    }
    shape.dims[shape.rank - 1] = wanted < 0 ? 0 : (int32_t)wanted; // as in the reference
    for (int i = 0; i < 2; i++) {
        LITE_TRY(lite_kernel_output(context, node, "TOPK_V2", i, &output));
        LITE_TRY(lite_kernel_resize(context, output.tensor, &shape));
    }
    return kTfLiteOk;
}

static TfLiteStatus topk_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, k, values, indices;
    LITE_TRY(lite_kernel_check_counts(context, node, "TOPK_V2", 2, 2, 2));
    LITE_TRY(lite_kernel_input(context, node, "TOPK_V2", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "TOPK_V2", 1, &k));
    LITE_TRY(lite_kernel_output(context, node, "TOPK_V2", 0, &values));
    LITE_TRY(lite_kernel_output(context, node, "TOPK_V2", 1, &indices));
    if (!lite_ranking_supports(input.type)) {
        return lite_fail(context, "TOPK_V2: input of type %s is not supported",
                         TfLiteTypeGetName(input.type));
    }
    LITE_TRY(lite_check_same_type(context, "TOPK_V2", &input, &values));
    LITE_TRY(lite_check_types(context, "TOPK_V2", "k", &k, LITE_TYPE(Int32) | LITE_TYPE(Int16)));
    LITE_TRY(lite_check_types(context, "TOPK_V2", "indices", &indices, LITE_TYPE(Int32) | LITE_TYPE(Int16)));
    if (input.shape.rank < 1) return lite_fail(context, "TOPK_V2: the input is a scalar");
    if (k.constant) return resize_outputs(context, node);
    lite_kernel_set_dynamic(values.tensor);
    lite_kernel_set_dynamic(indices.tensor);
    return kTfLiteOk;
}

typedef struct TopKJob {
    const LiteView* input;
    const LiteView* values;
    const LiteView* indices;
    int32_t length; // of a row
    int32_t k;
    int32_t* chosen; // k for each thread
} TopKJob;

// The elements of row `row` that `chosen` names.
static void store_row(const TopKJob* job, int64_t row, const int32_t* chosen) {
    const size_t size = lite_type_size(job->values->type);
    const char* from = (const char*)job->input->data + (size_t)(row * job->length) * size;
    char* to = (char*)job->values->data + (size_t)(row * job->k) * size;
    for (int32_t i = 0; i < job->k && !lite_cancelled_at(i); i++) {
        memcpy(to + (size_t)i * size, from + (size_t)chosen[i] * size, size);
        if (job->indices->type == kTfLiteInt16) {
            ((int16_t*)job->indices->data)[row * job->k + i] = (int16_t)chosen[i];
        } else {
            ((int32_t*)job->indices->data)[row * job->k + i] = chosen[i];
        }
    }
}

static void run_rows(void* argument, int64_t begin, int64_t end, int thread) {
    const TopKJob* job = argument;
    const size_t size = lite_type_size(job->input->type);
    int32_t* chosen = job->chosen + (size_t)thread * (size_t)job->k;
    for (int64_t row = begin; row < end; row++) {
        const char* x = (const char*)job->input->data + (size_t)(row * job->length) * size;
        lite_ranking_select(x, job->input->type, job->length, job->k, chosen);
        store_row(job, row, chosen);
    }
}

static TfLiteStatus topk_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, values, indices;
    LITE_TRY(lite_kernel_output(context, node, "TOPK_V2", 0, &values));
    if (values.dynamic) LITE_TRY(resize_outputs(context, node));
    LITE_TRY(lite_kernel_input(context, node, "TOPK_V2", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "TOPK_V2", 0, &values));
    LITE_TRY(lite_kernel_output(context, node, "TOPK_V2", 1, &indices));
    if (values.count == 0) return kTfLiteOk;
    TopKJob job = {.input = &input,
                   .values = &values,
                   .indices = &indices,
                   .length = input.shape.dims[input.shape.rank - 1],
                   .k = values.shape.dims[values.shape.rank - 1]};
    const int64_t rows = input.count / job.length;
    const int64_t threads = lite_kernel_num_threads(context) < rows ? lite_kernel_num_threads(context) : rows;
    LiteArena arena = {0};
    job.chosen = lite_arena_alloc(&arena, (size_t)threads * (size_t)job.k, sizeof(int32_t));
    if (job.chosen == NULL) return lite_fail(context, "TOPK_V2: out of memory");
    lite_parallel_for((int)threads, rows, kGrain / job.length + 1, run_rows, &job);
    lite_arena_free(&arena);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_TOPK_V2 = {.prepare = topk_prepare, .invoke = topk_invoke};
