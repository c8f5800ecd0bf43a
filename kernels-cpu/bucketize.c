// SPDX-License-Identifier: Apache-2.0
// BUCKETIZE counts, for each value, the boundaries that are not above it. The boundaries ascend.
#include "core/base/cancel.h"
#include "kernels-cpu/support/size.h"

static const uint32_t bucketize_types =
    LITE_TYPE(Float32) | LITE_TYPE(Float64) | LITE_TYPE(Int32) | LITE_TYPE(Int64);

static TfLiteStatus bucketize_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteBucketizeParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "BUCKETIZE", 1, 1, 1));
    LITE_TRY(lite_kernel_input(context, node, "BUCKETIZE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "BUCKETIZE", 0, &output));
    if (params == NULL) return lite_fail(context, "BUCKETIZE: no parameters");
    LITE_TRY(lite_check_types(context, "BUCKETIZE", "input", &input, bucketize_types));
    LITE_TRY(lite_check_types(context, "BUCKETIZE", "output", &output, LITE_TYPE(Int32)));
    for (int i = 1; i < params->num_boundaries; i++) {
        if (!(params->boundaries[i - 1] <= params->boundaries[i])) {
            return lite_fail(
                context, "BUCKETIZE: boundary %d is %g, and the one before it %g: Expected sorted boundaries",
                i, (double)params->boundaries[i], (double)params->boundaries[i - 1]);
        }
    }
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

// Values are compared with boundaries in the wider of the two types, integers as floats; NaN is above all.
#define DEFINE_BUCKETIZE(name, T, COMPARED)                                                                  \
    static void name(const TfLiteBucketizeParams* params, const LiteView* input, int32_t* buckets) {         \
        const T* values = input->data;                                                                       \
        for (int64_t i = 0; i < input->count && !lite_cancelled_at(i); i++) {                                \
            const COMPARED value = (COMPARED)values[i];                                                      \
            int first = 0;                                                                                   \
            for (int count = params->num_boundaries; count > 0;) {                                           \
                const int half = count / 2;                                                                  \
                const bool above = value < (COMPARED)params->boundaries[first + half];                       \
                first = above ? first : first + half + 1;                                                    \
                count = above ? half : count - half - 1;                                                     \
            }                                                                                                \
            buckets[i] = first;                                                                              \
        }                                                                                                    \
    }

DEFINE_BUCKETIZE(bucketize_f32, float, float)
DEFINE_BUCKETIZE(bucketize_f64, double, double)
DEFINE_BUCKETIZE(bucketize_i32, int32_t, float)
DEFINE_BUCKETIZE(bucketize_i64, int64_t, float)

static TfLiteStatus bucketize_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteBucketizeParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, "BUCKETIZE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "BUCKETIZE", 0, &output));
    switch (input.type) {
    case kTfLiteFloat32:
        bucketize_f32(params, &input, output.data);
        break;
    case kTfLiteFloat64:
        bucketize_f64(params, &input, output.data);
        break;
    case kTfLiteInt32:
        bucketize_i32(params, &input, output.data);
        break;
    default:
        bucketize_i64(params, &input, output.data);
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_BUCKETIZE = {.prepare = bucketize_prepare, .invoke = bucketize_invoke};
