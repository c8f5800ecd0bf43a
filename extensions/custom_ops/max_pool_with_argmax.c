// SPDX-License-Identifier: Apache-2.0
// MaxPoolWithArgmax also stores where each maximum is: the number of its element in its own image.
#include <float.h>

#include "extensions/custom_ops/list.h"
#include "extensions/custom_ops/view.h"
#include "extensions/custom_ops/window.h"
#include "oclite/oclite.h"

static const char op[] = "MaxPoolWithArgmax";

enum { kOutput, kIndices, kOutputs };

static void* init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    OcliteFlex map, value;
    bool includes_batch = false;
    LiteCustomWindow* window = lite_custom_window_create(buffer, length, 2, &map);
    if (window == NULL || window->fault != NULL) return window;
    if (oclite_flex_map_find(map, "include_batch_in_index", &value) &&
        (!oclite_flex_bool(value, &includes_batch) || includes_batch)) {
        window->fault = "include_batch_in_index is not false, which alone is supported";
    }
    return window;
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const LiteCustomWindow* window;
    LiteCustomView input, output, indices;
    int64_t shape[4];
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, op, 1, 1, kOutputs));
    LITE_EXTENSION_TRY(lite_custom_window_of(context, node, op, &window));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, 0, &input));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, kOutput, &output));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, kIndices, &indices));
    LITE_EXTENSION_TRY(lite_custom_check_rank(context, op, "input", &input, 4));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "input", &input, 1u << kTfLiteFloat32));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "output", &output, 1u << kTfLiteFloat32));
    if (indices.type != kTfLiteInt32) {
        return lite_extension_fail(context, "%s: indices->type == kTfLiteInt32 was not true. It is %s", op,
                                   TfLiteTypeGetName(indices.type));
    }
    if (input.count > 0 && input.count / input.dims[0] > INT32_MAX) {
        return lite_extension_fail(context, "%s: images of %lld elements, which INT32 does not count", op,
                                   (long long)(input.count / input.dims[0]));
    }
    LITE_EXTENSION_TRY(lite_custom_window_shape(context, op, window, &input, shape));
    LITE_EXTENSION_TRY(lite_extension_set_shape(context, op, indices.tensor, 4, shape));
    return lite_extension_set_shape(context, op, output.tensor, 4, shape);
}

// The maximum of a window in one channel of an image of `width`; the first one of several.
static void pool(const float* image, int64_t width, int64_t channels, const LiteCustomSpan spans[2],
                 int64_t channel, float* value, int32_t* index) {
    float best = -FLT_MAX;
    int64_t place = channel;
    for (int64_t y = spans[0].begin; y < spans[0].end; y++) {
        for (int64_t x = spans[1].begin; x < spans[1].end; x++) {
            const int64_t at = (y * width + x) * channels + channel;
            if (!(image[at] > best)) continue;
            best = image[at];
            place = at;
        }
    }
    *value = best > FLT_MAX ? FLT_MAX : best;
    *index = (int32_t)place;
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const LiteCustomWindow* window;
    LiteCustomView input, output, indices;
    LITE_EXTENSION_TRY(lite_custom_window_of(context, node, op, &window));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, 0, &input));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, kOutput, &output));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, kIndices, &indices));
    if (output.count == 0) return kTfLiteOk;
    const int64_t height = input.dims[1], width = input.dims[2], channels = input.dims[3];
    const int64_t pixels = output.count / channels;
    for (int64_t pixel = 0; pixel < pixels && !oclite_context_is_cancelled(context); pixel++) {
        const int64_t x = pixel % output.dims[2], row = pixel / output.dims[2];
        const LiteCustomSpan spans[2] = {lite_custom_window_span(window, 0, height, row % output.dims[1]),
                                         lite_custom_window_span(window, 1, width, x)};
        const float* image = (const float*)input.data + row / output.dims[1] * height * width * channels;
        for (int64_t c = 0; c < channels; c++) {
            const int64_t at = pixel * channels + c;
            pool(image, width, channels, spans, c, (float*)output.data + at, (int32_t*)indices.data + at);
        }
    }
    return kTfLiteOk;
}

const LiteExtensionOperator lite_custom_max_pool_with_argmax = {
    .name = op, .init = init, .free = lite_custom_window_free, .prepare = prepare, .invoke = invoke};
