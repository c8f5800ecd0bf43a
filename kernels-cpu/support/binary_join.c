// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/binary_join.h"

#include "core/base/cpu_path.h"
#include "core/base/parallel.h"

// Every thread reads all weights of the convolution: it needs pixels to use them for.
#define MIN_PIXELS 64
// Outputs of fewer bytes for each thread are in its caches anyway, and so many pixels of more would not be.
#define MIN_BYTES (16 * 1024)
#define MAX_BYTES (128 * 1024)

static size_t round_up(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

static size_t pixel_bytes(const LiteView* output) {
    return (size_t)output->shape.dims[3] * sizeof(float);
}

// Floats, except where another path is asked for by name: there each node is on its own.
static bool is_wanted(const LiteView* output, int threads) {
    const LiteCpuPath path = lite_cpu_path();
    if (path == kLiteCpuReference || path == kLiteCpuOneDnn) return false;
    if (output->type != kTfLiteFloat32 || output->shape.rank != 4 || output->count == 0) return false;
    const int64_t pixels = output->count / output->shape.dims[3];
    return pixels / threads >= MIN_PIXELS &&
           (double)output->count / threads * (double)sizeof(float) >= MIN_BYTES;
}

TfLiteStatus lite_binary_join(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int input,
                              const LiteLines* lines, TfLiteOpaqueNode* producer, LiteBinaryJoin* join) {
    LiteView inputs[2], output;
    LITE_TRY(lite_kernel_views(context, node, op, inputs, 2, &output));
    const int threads = lite_kernel_num_threads(context);
    for (int k = 0; k < 2; k++) {
        if (!lite_shape_equal(&inputs[k].shape, &output.shape) || inputs[k].type != output.type) {
            return kTfLiteOk;
        }
    }
    if (!is_wanted(&output, threads)) return kTfLiteOk;
    LiteLineSource source = {.begin = NULL};
    LITE_TRY(lines->offer(context, producer, &source));
    if (source.begin == NULL) return kTfLiteOk;
    const size_t pixels = round_up((size_t)source.pixels * pixel_bytes(&output));
    if (pixels > MAX_BYTES || source.scratch > INT32_MAX - pixels) return kTfLiteOk;
    join->input = input;
    join->scratch = pixels + source.scratch;
    join->threads = threads;
    while (join->threads > 1 && join->scratch > (size_t)INT32_MAX / (size_t)join->threads) join->threads--;
    const LiteShape scratch = {1, {(int32_t)(join->scratch * (size_t)join->threads)}};
    LITE_TRY(lite_kernel_temporary(context, &join->scratch_tensor, kTfLiteInt8, &scratch, false));
    LITE_TRY(TfLiteOpaqueNodeSetTemporaries(node, &join->scratch_tensor, 1));
    join->source = source;
    return kTfLiteOk;
}

typedef struct Run {
    const LiteBinaryJoin* join;
    LiteRow base;
    LiteRowFunction function;
    int64_t pixels;
    int64_t items;
    int64_t channels;
    size_t pixel_bytes;
    char* scratch;
} Run;

static void run_items(void* argument, int64_t begin, int64_t end, int thread) {
    const Run* run = argument;
    const LiteLineSource* source = &run->join->source;
    float* computed = (float*)(void*)(run->scratch + (size_t)thread * run->join->scratch);
    void* lent = (char*)computed + run->join->scratch - source->scratch;
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = run->pixels * i / run->items, next = run->pixels * (i + 1) / run->items;
        const size_t offset = (size_t)first * run->pixel_bytes;
        source->compute_pixels(source->node, first, next, lent, computed);
        LiteRow row = run->base;
        row.out = (char*)run->base.out + offset;
        row.in[run->join->input] = computed;
        row.in[1 - run->join->input] = (const char*)run->base.in[1 - run->join->input] + offset;
        row.count = (next - first) * run->channels;
        run->function(&row);
    }
}

TfLiteStatus lite_binary_join_run(TfLiteOpaqueContext* context, const char* op, const LiteBinaryJoin* join,
                                  LiteRowFunction function, const void* params, const LiteView* other,
                                  const LiteView* output) {
    LiteView scratch;
    LITE_TRY(lite_kernel_temporary_view(context, op, join->scratch_tensor, &scratch));
    LITE_TRY(join->source.begin(context, join->source.node));
    Run run = {.join = join,
               .base = {.out = output->data, .step = {1, 1}, .params = params},
               .function = function,
               .channels = output->shape.dims[3],
               .pixel_bytes = pixel_bytes(output),
               .scratch = scratch.data};
    run.base.in[1 - join->input] = other->data;
    run.pixels = output->count / run.channels;
    int threads = lite_kernel_num_threads(context);
    if (threads > join->threads) threads = join->threads;
    run.items = (run.pixels + join->source.pixels - 1) / join->source.pixels;
    run.items = (run.items + threads - 1) / threads * threads;
    lite_parallel_share(threads, run.items, run_items, &run);
    return kTfLiteOk;
}
