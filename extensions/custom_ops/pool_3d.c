// SPDX-License-Identifier: Apache-2.0
// MaxPool3D and AvgPool3D over [batches, depth, height, width, channels]. Averages are of what lies inside of
// the input; those of integers are rounded, halves away from zero.
#include <float.h>
#include <math.h>
#include <string.h>

#include "extensions/custom_ops/list.h"
#include "extensions/custom_ops/view.h"
#include "extensions/custom_ops/window.h"
#include "oclite/oclite.h"

static const char max_op[] = "MaxPool3D";
static const char average_op[] = "AvgPool3D";

static void* init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    OcliteFlex map, value;
    const char* format;
    LiteCustomWindow* window = lite_custom_window_create(buffer, length, 3, &map);
    if (window == NULL || window->fault != NULL) return window;
    if (!oclite_flex_map_find(map, "data_format", &value) || !oclite_flex_string(value, &format, NULL) ||
        strcmp(format, "NDHWC") != 0) {
        window->fault = "data_format is not NDHWC";
    }
    return window;
}

static TfLiteStatus check_scales(TfLiteOpaqueContext* context, const char* op, const LiteCustomView* input,
                                 const LiteCustomView* output) {
    const TfLiteQuantizationParams from = TfLiteOpaqueTensorGetQuantizationParams(input->tensor),
                                   to = TfLiteOpaqueTensorGetQuantizationParams(output->tensor);
    if (input->type != kTfLiteInt8) return kTfLiteOk;
    if (fabs((double)from.scale - (double)to.scale) <= 1e-6 && from.zero_point == to.zero_point) {
        return kTfLiteOk;
    }
    return lite_extension_fail(context, "%s: input has scale %g and zero point %d, output %g and %d", op,
                               (double)from.scale, from.zero_point, (double)to.scale, to.zero_point);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op) {
    static const uint32_t types = 1u << kTfLiteFloat32 | 1u << kTfLiteInt16 | 1u << kTfLiteInt8;
    const LiteCustomWindow* window;
    LiteCustomView input, output;
    int64_t shape[5];
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, op, 1, 1, 1));
    LITE_EXTENSION_TRY(lite_custom_window_of(context, node, op, &window));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, 0, &input));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    LITE_EXTENSION_TRY(lite_custom_check_rank(context, op, "input", &input, 5));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "input", &input, types));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "output", &output, 1u << input.type));
    LITE_EXTENSION_TRY(check_scales(context, op, &input, &output));
    LITE_EXTENSION_TRY(lite_custom_window_shape(context, op, window, &input, shape));
    return lite_extension_set_shape(context, op, output.tensor, 5, shape);
}

// A window over the channels of one image, and what its elements are.
typedef struct Job {
    const LiteCustomView* input;
    int64_t image;
    LiteCustomSpan spans[3];
    bool is_average;
} Job;

// What a window's elements begin with, how one is added, and what becomes of the sum.
#define DEFINE_POOL(NAME, TYPE, SUM, LOWEST, FINISH)                                                         \
    static void pool_##NAME(const Job* job, TYPE* to) {                                                      \
        const int64_t* dims = job->input->dims;                                                              \
        const int64_t channels = dims[4];                                                                    \
        const LiteCustomSpan *d = &job->spans[0], *h = &job->spans[1], *w = &job->spans[2];                  \
        const int64_t elements = (d->end - d->begin) * (h->end - h->begin) * (w->end - w->begin);            \
        for (int64_t c = 0; c < channels; c++) {                                                             \
            SUM sum = job->is_average ? 0 : (LOWEST);                                                        \
            for (int64_t z = d->begin; z < d->end; z++) {                                                    \
                for (int64_t y = h->begin; y < h->end; y++) {                                                \
                    const TYPE* from = (const TYPE*)job->input->data + c +                                   \
                                       ((job->image * dims[1] + z) * dims[2] + y) * dims[3] * channels;      \
                    for (int64_t x = w->begin; x < w->end; x++) {                                            \
                        const TYPE value = from[x * channels];                                               \
                        sum = job->is_average ? sum + value : sum < value ? value : sum;                     \
                    }                                                                                        \
                }                                                                                            \
            }                                                                                                \
            to[c] = (TYPE)(FINISH);                                                                          \
        }                                                                                                    \
    }

static float bounded(float value) {
    return value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : value;
}

static int64_t rounded(int64_t sum, int64_t count) {
    return (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
}

DEFINE_POOL(f32, float, float, -FLT_MAX, bounded(job->is_average ? sum / (float)elements : sum))
DEFINE_POOL(i8, int8_t, int64_t, INT8_MIN, job->is_average ? rounded(sum, elements) : sum)
DEFINE_POOL(i16, int16_t, int64_t, INT16_MIN, job->is_average ? rounded(sum, elements) : sum)

static void pool_pixel(const Job* job, LiteCustomView* output, int64_t pixel) {
    const int64_t at = pixel * job->input->dims[4];
    if (output->type == kTfLiteFloat32) pool_f32(job, (float*)output->data + at);
    if (output->type == kTfLiteInt8) pool_i8(job, (int8_t*)output->data + at);
    if (output->type == kTfLiteInt16) pool_i16(job, (int16_t*)output->data + at);
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                           bool is_average) {
    const LiteCustomWindow* window;
    LiteCustomView input, output;
    LITE_EXTENSION_TRY(lite_custom_window_of(context, node, op, &window));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, 0, &input));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    if (output.count == 0) return kTfLiteOk;
    const int64_t pixels = output.count / output.dims[4];
    for (int64_t pixel = 0; pixel < pixels && !oclite_context_is_cancelled(context); pixel++) {
        Job job = {.input = &input, .is_average = is_average};
        int64_t rest = pixel;
        for (int i = 2; i >= 0; i--) {
            job.spans[i] = lite_custom_window_span(window, i, input.dims[i + 1], rest % output.dims[i + 1]);
            rest /= output.dims[i + 1];
        }
        job.image = rest;
        pool_pixel(&job, &output, pixel);
    }
    return kTfLiteOk;
}

static TfLiteStatus max_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return prepare(context, node, max_op);
}

static TfLiteStatus max_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return invoke(context, node, max_op, false);
}

static TfLiteStatus average_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return prepare(context, node, average_op);
}

static TfLiteStatus average_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return invoke(context, node, average_op, true);
}

const LiteExtensionOperator lite_custom_max_pool_3d = {.name = max_op,
                                                       .init = init,
                                                       .free = lite_custom_window_free,
                                                       .prepare = max_prepare,
                                                       .invoke = max_invoke};
const LiteExtensionOperator lite_custom_average_pool_3d = {.name = average_op,
                                                           .init = init,
                                                           .free = lite_custom_window_free,
                                                           .prepare = average_prepare,
                                                           .invoke = average_invoke};
const LiteExtensionOperator lite_custom_average_pool_3d_too = {.name = "AveragePool3D",
                                                               .init = init,
                                                               .free = lite_custom_window_free,
                                                               .prepare = average_prepare,
                                                               .invoke = average_invoke};
