// SPDX-License-Identifier: Apache-2.0
// Resampler, a custom operator of TensorFlow Addons, reads pixels of an image [batch, height, width,
// channels] at places (x, y), which a warp [batch, ..., 2] gives. It interpolates between four neighbours;
// pixels outside are zero.
#include <math.h>

#include "core/base/parallel.h"
#include "kernels-cpu/support/size.h"

static const char op[] = "Resampler";

enum { kGrain = 4096 }; // elements worth a thread

typedef struct Views {
    LiteView image, warp, output;
} Views;

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Views* v) {
    LITE_TRY(lite_kernel_input(context, node, op, 0, &v->image));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &v->warp));
    return lite_kernel_output(context, node, op, 0, &v->output);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Views v;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 2, 1));
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(lite_check_types(context, op, "image", &v.image, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, op, "warp", &v.warp, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, op, "output", &v.output, LITE_TYPE(Float32)));
    const LiteShape *image = &v.image.shape, *warp = &v.warp.shape;
    if (image->rank != 4 || warp->rank < 2 || warp->dims[warp->rank - 1] != 2 ||
        warp->dims[0] != image->dims[0]) {
        return lite_fail(context, "%s: an image of shape %s and a warp of shape %s do not fit together", op,
                         lite_shape_text(image).text, lite_shape_text(warp).text);
    }
    LiteShape shape = *warp;
    shape.dims[shape.rank - 1] = image->dims[3];
    return lite_kernel_resize(context, v.output.tensor, &shape);
}

typedef struct Job {
    const float* image;
    const float* warp;
    float* output;
    int64_t height, width, channels;
    int64_t points; // of one image
} Job;

static void sample_points(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Job* job = argument;
    for (int64_t point = begin; point < end; point++) {
        const float x = job->warp[2 * point], y = job->warp[2 * point + 1];
        float* to = job->output + point * job->channels;
        for (int64_t c = 0; c < job->channels; c++) to[c] = 0.0f;
        if (!(x > -1.0f && y > -1.0f && x < (float)job->width && y < (float)job->height)) continue;
        const float left = floorf(x), top = floorf(y);
        for (int corner = 0; corner < 4; corner++) {
            const int64_t at_y = (int64_t)top + corner / 2, at_x = (int64_t)left + corner % 2;
            if (at_y < 0 || at_y >= job->height || at_x < 0 || at_x >= job->width) continue;
            const float weight_y = corner / 2 == 0 ? 1.0f - (y - top) : y - top;
            const float weight = weight_y * (corner % 2 == 0 ? 1.0f - (x - left) : x - left);
            const int64_t pixel = (point / job->points * job->height + at_y) * job->width + at_x;
            const float* from = job->image + pixel * job->channels;
            for (int64_t c = 0; c < job->channels; c++) to[c] += weight * from[c];
        }
    }
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Views v;
    LITE_TRY(get_views(context, node, &v));
    if (v.output.count == 0) return kTfLiteOk;
    const int32_t* dims = v.image.shape.dims;
    Job job = {
        v.image.data, v.warp.data, v.output.data, dims[1], dims[2], dims[3], v.warp.count / 2 / dims[0]};
    const int64_t grain = job.channels < kGrain ? kGrain / job.channels : 1;
    lite_parallel_for(lite_kernel_num_threads(context), v.warp.count / 2, grain, sample_points, &job);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_Resampler = {.prepare = prepare, .invoke = invoke};
