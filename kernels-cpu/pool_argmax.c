// SPDX-License-Identifier: Apache-2.0
// MaxPoolingWithArgmax2D and MaxUnpooling2D, custom operators of MediaPipe. Pooling also stores where in its
// window each maximum is: y * filter_w + x, as FLOAT32, plus 0.1, which the reader cuts off. Unpooling puts
// values back to such places, with zeros around them. It also takes the indices of MaxPoolWithArgmax, an
// operator of LiteRT: INT32 tensors of the numbers of elements in each image of the output.
#include <float.h>
#include <string.h>

#include "core/base/cancel.h"
#include "core/base/parallel.h"
#include "core/semantics/custom_options.h"
#include "core/semantics/quant.h"
#include "kernels-cpu/support/size.h"

static const char pool_op[] = "MaxPoolingWithArgmax2D";
static const char unpool_op[] = "MaxUnpooling2D";

enum { kGrain = 4096 }; // elements worth a thread

typedef struct Options {
    bool valid;
    LitePoolOptions pool;
} Options;

// Windows over [images, in_h, in_w, channels], one for each of out_h by out_w pixels.
typedef struct Job {
    const LitePoolOptions* options;
    int32_t in_h, in_w, out_h, out_w, channels;
    int32_t pad_h, pad_w; // before the first pixel
    const float* wide;    // what the windows are over
    const float* narrow;  // a value and a place for each window
    const float* places;
    float *output, *output_places;
} Job;

static void* options_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    Options* options = lite_calloc(1, sizeof(*options));
    if (options == NULL) return NULL;
    options->valid = lite_struct_options(buffer, length, &options->pool, sizeof(options->pool));
    return options;
}

static void options_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    lite_free(data);
}

static TfLiteStatus check_options(TfLiteOpaqueContext* context, const char* op, const Options* options) {
    if (options == NULL) return lite_fail(context, "%s: out of memory", op);
    if (!options->valid) return lite_fail(context, "%s: the options are too short", op);
    const LitePoolOptions* o = &options->pool;
    if (o->padding != kTfLitePaddingSame && o->padding != kTfLitePaddingValid) {
        return lite_fail(context, "%s: padding %d is neither SAME nor VALID", op, o->padding);
    }
    if (o->stride_h < 1 || o->stride_w < 1 || o->filter_h < 1 || o->filter_w < 1) {
        return lite_fail(context, "%s: strides of %d and %d, a filter of %d by %d", op, o->stride_h,
                         o->stride_w, o->filter_h, o->filter_w);
    }
    return kTfLiteOk;
}

static TfLiteStatus check_image(TfLiteOpaqueContext* context, const char* op, const char* what,
                                const LiteView* view) {
    LITE_TRY(lite_check_types(context, op, what, view, LITE_TYPE(Float32)));
    if (view->shape.rank == 4) return kTfLiteOk;
    return lite_fail(context, "%s: %s of %d dimensions, expected 4", op, what, view->shape.rank);
}

static TfLiteStatus pool_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Options* options = TfLiteOpaqueNodeGetUserData(node);
    LiteView input;
    LITE_TRY(lite_kernel_check_counts(context, node, pool_op, 1, 1, 2));
    LITE_TRY(check_options(context, pool_op, options));
    LITE_TRY(lite_kernel_input(context, node, pool_op, 0, &input));
    LITE_TRY(check_image(context, pool_op, "input", &input));
    const LitePoolOptions* o = &options->pool;
    const int32_t* in = input.shape.dims;
    const TfLitePadding padding = (TfLitePadding)o->padding;
    const LiteShape shape = {4,
                             {in[0], lite_axis_padding(padding, in[1], o->filter_h, o->stride_h, 1).out,
                              lite_axis_padding(padding, in[2], o->filter_w, o->stride_w, 1).out, in[3]}};
    for (int i = 0; i < 2; i++) {
        LiteView output;
        LITE_TRY(lite_kernel_output(context, node, pool_op, i, &output));
        LITE_TRY(
            lite_check_types(context, pool_op, i == 0 ? "output" : "places", &output, LITE_TYPE(Float32)));
        LITE_TRY(lite_kernel_resize(context, output.tensor, &shape));
    }
    return kTfLiteOk;
}

typedef struct Pixel {
    int64_t image, y, x;
} Pixel;

static Pixel pixel_at(int64_t number, int32_t height, int32_t width) {
    return (Pixel){number / width / height, number / width % height, number % width};
}

static void pool_pixels(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Job* job = argument;
    const LitePoolOptions* o = job->options;
    float low, high;
    lite_activation_range_f32((TfLiteFusedActivation)o->activation, &low, &high);
    for (int64_t number = begin; number < end; number++) {
        const Pixel pixel = pixel_at(number, job->out_h, job->out_w);
        const int64_t top = pixel.y * o->stride_h - job->pad_h, left = pixel.x * o->stride_w - job->pad_w;
        const int64_t y_end = job->in_h - top < o->filter_h ? job->in_h - top : o->filter_h;
        const int64_t x_end = job->in_w - left < o->filter_w ? job->in_w - left : o->filter_w;
        for (int64_t c = 0; c < job->channels; c++) {
            float best = -FLT_MAX;
            int64_t place = 0;
            for (int64_t y = top < 0 ? -top : 0; y < y_end && !lite_cancelled_at(y * o->filter_w); y++) {
                for (int64_t x = left < 0 ? -left : 0; x < x_end; x++) {
                    const int64_t at =
                        ((pixel.image * job->in_h + top + y) * job->in_w + left + x) * job->channels + c;
                    if (!(job->wide[at] > best)) continue;
                    best = job->wide[at];
                    place = y * o->filter_w + x;
                }
            }
            job->output[number * job->channels + c] = lite_clamp_f32(best, low, high);
            job->output_places[number * job->channels + c] = (float)place + 0.1f;
        }
    }
}

static void run_pixels(TfLiteOpaqueContext* context, Job* job, int64_t elements,
                       void (*pixels)(void* argument, int64_t begin, int64_t end, int thread)) {
    if (elements == 0) return;
    const int64_t grain = job->channels < kGrain ? kGrain / job->channels : 1;
    lite_parallel_for(lite_kernel_num_threads(context), elements / job->channels, grain, pixels, job);
}

// What both operators say of a job: options, sizes and the output.
static Job job_of(const LitePoolOptions* options, const LiteShape* input, const LiteView* output) {
    return (Job){.options = options,
                 .in_h = input->dims[1],
                 .in_w = input->dims[2],
                 .out_h = output->shape.dims[1],
                 .out_w = output->shape.dims[2],
                 .channels = input->dims[3],
                 .output = output->data};
}

static TfLiteStatus pool_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const LitePoolOptions* o = &((const Options*)TfLiteOpaqueNodeGetUserData(node))->pool;
    LiteView input, output, places;
    LITE_TRY(lite_kernel_input(context, node, pool_op, 0, &input));
    LITE_TRY(lite_kernel_output(context, node, pool_op, 0, &output));
    LITE_TRY(lite_kernel_output(context, node, pool_op, 1, &places));
    const TfLitePadding padding = (TfLitePadding)o->padding;
    Job job = job_of(o, &input.shape, &output);
    job.pad_h = lite_axis_padding(padding, job.in_h, o->filter_h, o->stride_h, 1).before;
    job.pad_w = lite_axis_padding(padding, job.in_w, o->filter_w, o->stride_w, 1).before;
    job.wide = input.data;
    job.output_places = places.data;
    run_pixels(context, &job, output.count, pool_pixels);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_MaxPoolingWithArgmax2D = {
    .init = options_init, .free = options_free, .prepare = pool_prepare, .invoke = pool_invoke};

// With places, the output is as large as if filters lay side by side; windows that are further apart are
// centred. With indices it is what SAME or VALID windows of these strides are over.
static int64_t unpooled(const LitePoolOptions* o, bool by_index, int32_t windows, int32_t filter,
                        int32_t stride) {
    if (!by_index) return (int64_t)windows * filter;
    if (o->padding == kTfLitePaddingSame) return (int64_t)windows * stride;
    return ((int64_t)windows - 1) * stride + filter;
}

static TfLiteStatus check_unpool(TfLiteOpaqueContext* context, const LiteView* input, const LiteView* places,
                                 const LiteView* output) {
    const bool by_index = places->type == kTfLiteInt32;
    LITE_TRY(check_image(context, unpool_op, "input", input));
    if (!by_index) LITE_TRY(check_image(context, unpool_op, "places", places));
    LITE_TRY(lite_check_types(context, unpool_op, "output", output, LITE_TYPE(Float32)));
    if (lite_shape_equal(&input->shape, &places->shape)) return kTfLiteOk;
    return lite_fail(context, "%s: %s the input is %s, its places %s", unpool_op,
                     by_index ? "Input and indices must have the same shape." : "not a place for each value:",
                     lite_shape_text(&input->shape).text, lite_shape_text(&places->shape).text);
}

static TfLiteStatus unpool_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Options* options = TfLiteOpaqueNodeGetUserData(node);
    LiteView input, places, output;
    LITE_TRY(lite_kernel_check_counts(context, node, unpool_op, 2, 2, 1));
    LITE_TRY(check_options(context, unpool_op, options));
    LITE_TRY(lite_kernel_input(context, node, unpool_op, 0, &input));
    LITE_TRY(lite_kernel_input(context, node, unpool_op, 1, &places));
    LITE_TRY(lite_kernel_output(context, node, unpool_op, 0, &output));
    LITE_TRY(check_unpool(context, &input, &places, &output));
    const LitePoolOptions* o = &options->pool;
    const bool by_index = places.type == kTfLiteInt32;
    const int32_t* in = input.shape.dims;
    LiteShape shape = {0};
    LITE_TRY(lite_size_append(context, unpool_op, &shape, in[0]));
    LITE_TRY(
        lite_size_append(context, unpool_op, &shape, unpooled(o, by_index, in[1], o->filter_h, o->stride_h)));
    LITE_TRY(
        lite_size_append(context, unpool_op, &shape, unpooled(o, by_index, in[2], o->filter_w, o->stride_w)));
    LITE_TRY(lite_size_append(context, unpool_op, &shape, in[3]));
    return lite_kernel_resize(context, output.tensor, &shape);
}

// Of several values for one element the last one counts.
static TfLiteStatus unpool_indices(TfLiteOpaqueContext* context, const LiteView* input,
                                   const LiteView* indices, const LiteView* output) {
    if (output->count > 0) memset(output->data, 0, output->bytes);
    if (input->count == 0) return kTfLiteOk;
    const int64_t images = input->shape.dims[0];
    const int64_t in_size = input->count / images, out_size = output->count / images;
    for (int64_t i = 0; i < input->count; i++) {
        const int32_t index = ((const int32_t*)indices->data)[i];
        if (index < 0 || index >= out_size) {
            return lite_fail(context, "%s: index %d, of %lld elements of an image", unpool_op, index,
                             (long long)out_size);
        }
        ((float*)output->data)[i / in_size * out_size + index] = ((const float*)input->data)[i];
    }
    return kTfLiteOk;
}

// The first and the last window (exclusive) over a place; `windows` there are.
static void windows_over(int64_t place, int32_t filter, int32_t stride, int32_t windows, int64_t* begin,
                         int64_t* end) {
    *begin = place < filter ? 0 : (place - filter) / stride + 1;
    *end = place / stride + 1 < windows ? place / stride + 1 : windows;
}

// The value of the last window that has it at this place. Places that are none of the window are left out.
static float value_at(const Job* job, const Pixel* pixel, int64_t channel) {
    const LitePoolOptions* o = job->options;
    const int64_t y = pixel->y + job->pad_h, x = pixel->x + job->pad_w;
    int64_t y_begin, y_end, x_begin, x_end;
    windows_over(y, o->filter_h, o->stride_h, job->in_h, &y_begin, &y_end);
    windows_over(x, o->filter_w, o->stride_w, job->in_w, &x_begin, &x_end);
    for (int64_t wy = y_end - 1; wy >= y_begin; wy--) {
        for (int64_t wx = x_end - 1; wx >= x_begin; wx--) {
            const int64_t at = ((pixel->image * job->in_h + wy) * job->in_w + wx) * job->channels + channel;
            const int64_t place = (y - wy * o->stride_h) * o->filter_w + x - wx * o->stride_w;
            const float said = job->places[at];
            if (said > -1.0f && said < 2147483648.0f && (int32_t)said == place) return job->narrow[at];
        }
    }
    return 0.0f;
}

static void unpool_pixels(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Job* job = argument;
    for (int64_t number = begin; number < end; number++) {
        const Pixel pixel = pixel_at(number, job->out_h, job->out_w);
        for (int64_t c = 0; c < job->channels; c++) {
            job->output[number * job->channels + c] = value_at(job, &pixel, c);
        }
    }
}

static int32_t padding_of(int32_t windows, int32_t filter, int32_t stride) {
    const int64_t total = ((int64_t)windows - 1) * stride + filter - (int64_t)windows * filter;
    return total > 0 ? (int32_t)(total / 2 < INT32_MAX ? total / 2 : INT32_MAX) : 0;
}

static TfLiteStatus unpool_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const LitePoolOptions* o = &((const Options*)TfLiteOpaqueNodeGetUserData(node))->pool;
    LiteView input, places, output;
    LITE_TRY(lite_kernel_input(context, node, unpool_op, 0, &input));
    LITE_TRY(lite_kernel_input(context, node, unpool_op, 1, &places));
    LITE_TRY(lite_kernel_output(context, node, unpool_op, 0, &output));
    if (places.type == kTfLiteInt32) return unpool_indices(context, &input, &places, &output);
    Job job = job_of(o, &input.shape, &output);
    job.pad_h = padding_of(job.in_h, o->filter_h, o->stride_h);
    job.pad_w = padding_of(job.in_w, o->filter_w, o->stride_w);
    job.narrow = input.data;
    job.places = places.data;
    run_pixels(context, &job, output.count, unpool_pixels);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_MaxUnpooling2D = {
    .init = options_init, .free = options_free, .prepare = unpool_prepare, .invoke = unpool_invoke};
