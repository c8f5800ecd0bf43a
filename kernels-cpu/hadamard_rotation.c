// SPDX-License-Identifier: Apache-2.0
// aeq.hadamard_rotation, of models that were quantized after a rotation: the Walsh-Hadamard transform of each
// `hadamard_size` neighbours, divided by the square root of their number. The rows have as many as fit; they
// lie one behind the other from the first element on, and what is behind them is passed on.
#include <math.h>
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/check.h"
#include "oclite/flexbuffers.h"

static const char op[] = "aeq.hadamard_rotation";

typedef struct Options {
    int64_t size; // 0: there is none
} Options;

static void* hadamard_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    OcliteFlex map, value;
    Options* options = lite_calloc(1, sizeof(*options));
    if (options == NULL || buffer == NULL || !oclite_flex_root(buffer, length, &map)) return options;
    if (oclite_flex_map_find(map, "hadamard_size", &value)) oclite_flex_int(value, &options->size);
    return options;
}

static void hadamard_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    lite_free(data);
}

static TfLiteStatus hadamard_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Options* options = TfLiteOpaqueNodeGetUserData(node);
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 1, 1, 1));
    if (options == NULL) return lite_fail(context, "%s: out of memory", op);
    if (options->size < 1 || options->size > INT32_MAX || (options->size & (options->size - 1)) != 0) {
        return lite_fail(context, "%s: hadamard_size %lld is not a power of two", op,
                         (long long)options->size);
    }
    LITE_TRY(lite_kernel_views(context, node, op, &input, 1, &output));
    LITE_TRY(lite_check_types(context, op, "input", &input, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, op, "output", &output, LITE_TYPE(Float32)));
    if (input.shape.rank != 2 && input.shape.rank != 3) {
        return lite_fail(context, "%s: input of %d dimensions, expected 2 or 3", op, input.shape.rank);
    }
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

static void transform(float* x, int64_t n) {
    for (int64_t half = 1; half < n; half *= 2) {
        for (int64_t first = 0; first < n && !lite_cancelled_at(first); first += 2 * half) {
            for (int64_t i = first; i < first + half; i++) {
                const float a = x[i], b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
        }
    }
    const float factor = 1.0f / sqrtf((float)n);
    for (int64_t i = 0; i < n; i++) x[i] *= factor;
}

static TfLiteStatus hadamard_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const int64_t size = ((const Options*)TfLiteOpaqueNodeGetUserData(node))->size;
    LiteView input, output;
    LITE_TRY(lite_kernel_views(context, node, op, &input, 1, &output));
    if (output.count == 0) return kTfLiteOk;
    memcpy(output.data, input.data, output.bytes);
    const int64_t columns = input.shape.dims[input.shape.rank - 1];
    const int64_t transforms = input.count / columns * (columns / size);
    for (int64_t i = 0; i < transforms && !lite_cancelled(); i++)
        transform((float*)output.data + i * size, size);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_aeq_hadamard_rotation = {
    .init = hadamard_init, .free = hadamard_free, .prepare = hadamard_prepare, .invoke = hadamard_invoke};
