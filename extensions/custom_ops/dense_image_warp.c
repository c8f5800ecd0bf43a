// SPDX-License-Identifier: Apache-2.0
// DenseImageWarp: each output pixel is the input at its own place less the flow [y, x] there, interpolated
// between four pixels. Places outside of the image are moved to its border.
#include <math.h>

#include "extensions/custom_ops/list.h"
#include "extensions/custom_ops/view.h"

static const char op[] = "DenseImageWarp";

enum { kImage, kFlow, kInputs };

static TfLiteStatus check_flow(TfLiteOpaqueContext* context, const LiteCustomView* image,
                               const LiteCustomView* flow) {
    LITE_EXTENSION_TRY(lite_custom_check_rank(context, op, "flow", flow, 4));
    LITE_EXTENSION_TRY(lite_custom_check_rank(context, op, "input", image, 4));
    for (int i = 0; i < 3; i++) {
        if (image->dims[i] == flow->dims[i]) continue;
        return lite_extension_fail(context, "%s: input_shape.Dims(%d) != flow_shape.Dims(%d) (%lld != %lld)",
                                   op, i, i, (long long)image->dims[i], (long long)flow->dims[i]);
    }
    if (image->dims[1] < 2 || image->dims[2] < 2) {
        return lite_extension_fail(context, "%s: an image of %lld by %lld pixels, at least 2 by 2 are needed",
                                   op, (long long)image->dims[1], (long long)image->dims[2]);
    }
    if (flow->dims[3] == 2) return kTfLiteOk;
    return lite_extension_fail(context, "%s: The last dimension of flow tensor must be 2. It is %lld", op,
                               (long long)flow->dims[3]);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView image, flow, output;
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, op, kInputs, kInputs, 1));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kImage, &image));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kFlow, &flow));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "input", &image, 1u << kTfLiteFloat32));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "flow", &flow, 1u << kTfLiteFloat32));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "output", &output, 1u << kTfLiteFloat32));
    LITE_EXTENSION_TRY(check_flow(context, &image, &flow));
    return lite_custom_resize_like(context, op, &output, &image);
}

// The pixel before a place, and how far the place is from there to the next one. NaN is the first pixel.
typedef struct Place {
    int64_t before;
    float part;
} Place;

static Place place_of(int64_t index, float flow, int64_t length) {
    const float at = (float)index - flow, last = (float)(length - 2);
    const float before = fminf(fmaxf(0.0f, floorf(at)), last);
    return (Place){(int64_t)before, fminf(fmaxf(0.0f, at - before), 1.0f)};
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView image, flow, output;
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kImage, &image));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kFlow, &flow));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    if (output.count == 0) return kTfLiteOk;
    const int64_t height = image.dims[1], width = image.dims[2], channels = image.dims[3];
    for (int64_t pixel = 0; pixel < output.count / channels; pixel++) {
        const float* moved = (const float*)flow.data + pixel * 2;
        const Place y = place_of(pixel / width % height, moved[0], height);
        const Place x = place_of(pixel % width, moved[1], width);
        const float* top = (const float*)image.data +
                           ((pixel / width / height * height + y.before) * width + x.before) * channels;
        const float* bottom = top + width * channels;
        float* to = (float*)output.data + pixel * channels;
        for (int64_t c = 0; c < channels; c++) {
            const float above = x.part * (top[c + channels] - top[c]) + top[c];
            const float below = x.part * (bottom[c + channels] - bottom[c]) + bottom[c];
            to[c] = y.part * (below - above) + above;
        }
    }
    return kTfLiteOk;
}

const LiteExtensionOperator lite_custom_dense_image_warp = {.name = op, .prepare = prepare, .invoke = invoke};
