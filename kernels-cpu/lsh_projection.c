// SPDX-License-Identifier: Apache-2.0
// LSH_PROJECTION computes bits of a locality-sensitive hash. For each seed, the bit is the sign of a sum over
// the items of the input: the hash of the seed with the item, times the item's weight. DENSE outputs the
// bits. SPARSE outputs one number per hash function; the ranges of these numbers do not overlap.
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/fingerprint.h"
#include "kernels-cpu/support/size.h"

static const char op[] = "LSH_PROJECTION";

typedef struct Views {
    LiteView seeds; // [functions, bits]
    LiteView input;
    LiteView weights;
    LiteView output;
    bool has_weights;
} Views;

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Views* v) {
    LITE_TRY(lite_kernel_input(context, node, op, 0, &v->seeds));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &v->input));
    v->has_weights = TfLiteOpaqueNodeNumberOfInputs(node) > 2;
    if (v->has_weights) LITE_TRY(lite_kernel_input(context, node, op, 2, &v->weights));
    return lite_kernel_output(context, node, op, 0, &v->output);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteLSHProjectionParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "%s: has no parameters", op);
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 3, 1));
    Views v;
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(lite_check_types(context, op, "seeds", &v.seeds, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, op, "output", &v.output, LITE_TYPE(Int32)));
    if (v.seeds.shape.rank != 2 || v.seeds.shape.dims[1] > 32) {
        return lite_fail(context, "%s: the seeds have %d dimensions, expected 2, the second at most 32", op,
                         v.seeds.shape.rank);
    }
    if (v.input.shape.rank < 1 || v.input.shape.dims[0] < 1) {
        return lite_fail(context, "%s: the input has no items", op);
    }
    if (v.has_weights) {
        LITE_TRY(lite_check_types(context, op, "weights", &v.weights, LITE_TYPE(Float32)));
        if (v.weights.shape.rank != 1 || v.weights.shape.dims[0] != v.input.shape.dims[0]) {
            return lite_fail(context, "%s: %lld weights for %d items", op, (long long)v.weights.count,
                             v.input.shape.dims[0]);
        }
    }
    if (params->type != kTfLiteLshProjectionSparse && params->type != kTfLiteLshProjectionDense) {
        return lite_fail(context, "%s: there is no projection type %d", op, (int)params->type);
    }
    LiteShape out = {0};
    const bool dense = params->type == kTfLiteLshProjectionDense;
    LITE_TRY(lite_size_append(context, op, &out, dense ? v.seeds.count : v.seeds.shape.dims[0]));
    return lite_kernel_resize(context, v.output.tensor, &out);
}

// `key` has room for a seed and an item.
static int32_t sign_bit(const Views* v, float seed, char* key, size_t item_bytes) {
    memcpy(key, &seed, sizeof(seed));
    double score = 0.0;
    // Items without a byte are all alike, and a model needs no memory to have any number of them.
    const int32_t items = item_bytes == 0 && !v->has_weights ? 1 : v->input.shape.dims[0];
    for (int32_t i = 0; i < items && !lite_cancelled_at((int64_t)i * (int64_t)item_bytes); i++) {
        if (item_bytes > 0) {
            memcpy(key + sizeof(seed), (const char*)v->input.data + (size_t)i * item_bytes, item_bytes);
        }
        const double hash = (double)(int64_t)lite_fingerprint64(key, sizeof(seed) + item_bytes);
        score += v->has_weights ? (double)((const float*)v->weights.data)[i] * hash : hash;
    }
    return score > 0.0;
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteLSHProjectionParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    Views v;
    LITE_TRY(get_views(context, node, &v));
    const int32_t bits = v.seeds.shape.dims[1];
    const size_t item_bytes = v.input.bytes / (size_t)v.input.shape.dims[0];
    const float* seeds = v.seeds.data;
    int32_t* out = v.output.data;
    char* key = lite_malloc(sizeof(float) + item_bytes);
    if (key == NULL) return lite_fail(context, "%s: out of memory", op);
    for (int32_t f = 0; f < v.seeds.shape.dims[0]; f++) {
        uint32_t signature = 0;
        for (int32_t b = 0; b < bits && !lite_cancelled(); b++) {
            const int32_t bit = sign_bit(&v, *seeds++, key, item_bytes);
            signature = signature << 1 | (uint32_t)bit;
            if (params->type == kTfLiteLshProjectionDense) *out++ = bit;
        }
        // With 32 bits there is no room for ranges; the shift is that of x86-64, modulo 32.
        const uint32_t range = UINT32_C(1) << (bits & 31);
        if (params->type == kTfLiteLshProjectionSparse) *out++ = (int32_t)(signature + (uint32_t)f * range);
    }
    lite_free(key);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_LSH_PROJECTION = {.prepare = prepare, .invoke = invoke};
