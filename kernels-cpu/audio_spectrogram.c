// SPDX-License-Identifier: Apache-2.0
// AudioSpectrogram computes the strengths of the frequencies in windows of a sound: [samples, channels] ->
// [channels, windows, frequencies].
#include <math.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/fft.h"
#include "kernels-cpu/support/size.h"
#include "oclite/flexbuffers.h"

#define OP "AudioSpectrogram"

typedef struct Spectrogram {
    int64_t window; // samples in a window, and from one to the next
    int64_t stride;
    bool squared;
    // Made in prepare when there is a window.
    LiteArena arena;
    int32_t length;      // of the transform: the window is filled up to a power of two
    double* weights;     // of the samples in a window
    LiteComplex* roots;  // of the transform
    LiteComplex* buffer; // length / 2 + 1
} Spectrogram;

static void read_int(OcliteFlex map, const char* key, int64_t* value) {
    OcliteFlex element;
    if (oclite_flex_map_find(map, key, &element)) oclite_flex_int(element, value);
}

static void* spectrogram_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    OcliteFlex map, element;
    Spectrogram* s = lite_calloc(1, sizeof(*s));
    if (s == NULL || !oclite_flex_root(buffer, length, &map)) return s;
    read_int(map, "window_size", &s->window);
    read_int(map, "stride", &s->stride);
    if (oclite_flex_map_find(map, "magnitude_squared", &element)) oclite_flex_bool(element, &s->squared);
    return s;
}

static void spectrogram_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    Spectrogram* s = data;
    if (s != NULL) lite_arena_free(&s->arena);
    lite_free(s);
}

// A Hann window that begins again after its last sample.
static TfLiteStatus make_tables(TfLiteOpaqueContext* context, Spectrogram* s) {
    lite_arena_free(&s->arena);
    s->weights = lite_arena_alloc(&s->arena, (size_t)s->window, sizeof(double));
    s->roots = lite_fft_roots(&s->arena, s->length);
    s->buffer = lite_arena_alloc(&s->arena, (size_t)s->length / 2 + 1, sizeof(LiteComplex));
    if (s->weights == NULL || s->roots == NULL || s->buffer == NULL) {
        return lite_fail(context, OP ": out of memory for windows of %lld samples", (long long)s->window);
    }
    for (int64_t i = 0; i < s->window; i++) {
        s->weights[i] = 0.5 - 0.5 * cos(2.0 * 3.14159265358979323846 * (double)i / (double)s->window);
    }
    return kTfLiteOk;
}

static TfLiteStatus spectrogram_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Spectrogram* s = TfLiteOpaqueNodeGetUserData(node);
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, OP, 1, 1, 1));
    LITE_TRY(lite_kernel_input(context, node, OP, 0, &input));
    LITE_TRY(lite_kernel_output(context, node, OP, 0, &output));
    LITE_TRY(lite_check_types(context, OP, "input", &input, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, OP, "output", &output, LITE_TYPE(Float32)));
    if (s == NULL) return lite_fail(context, OP ": out of memory");
    if (input.shape.rank != 2) {
        return lite_fail(context, OP ": input has %d dimensions, expected 2", input.shape.rank);
    }
    if (s->window < 2 || s->window > 1 << 30 || s->stride < 1) {
        return lite_fail(context, OP ": window_size %lld, stride %lld", (long long)s->window,
                         (long long)s->stride);
    }
    for (s->length = 2; s->length < s->window;) s->length *= 2;
    const int32_t samples = input.shape.dims[0], channels = input.shape.dims[1];
    const int64_t windows = samples < s->window ? 0 : 1 + (samples - s->window) / s->stride;
    LiteShape shape = {0};
    LITE_TRY(lite_size_append(context, OP, &shape, channels));
    LITE_TRY(lite_size_append(context, OP, &shape, windows));
    LITE_TRY(lite_size_append(context, OP, &shape, s->length / 2 + 1));
    LITE_TRY(lite_kernel_resize(context, output.tensor, &shape));
    return windows > 0 ? make_tables(context, s) : kTfLiteOk;
}

// The window that begins at `samples`, which are `step` apart.
static void transform_window(const Spectrogram* s, const float* samples, int64_t step, float* strengths) {
    double* numbers = (double*)s->buffer; // two to an element
    for (int64_t i = 0; i < s->window; i++) numbers[i] = (double)samples[i * step] * s->weights[i];
    for (int64_t i = s->window; i < s->length; i++) numbers[i] = 0.0;
    lite_fft_transform_real(s->buffer, s->length, s->roots);
    for (int32_t i = 0; i <= s->length / 2; i++) {
        const LiteComplex x = s->buffer[i];
        const float strength = (float)(x.re * x.re + x.im * x.im);
        strengths[i] = s->squared ? strength : sqrtf(strength);
    }
}

static TfLiteStatus spectrogram_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Spectrogram* s = TfLiteOpaqueNodeGetUserData(node);
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, OP, 0, &input));
    LITE_TRY(lite_kernel_output(context, node, OP, 0, &output));
    const int32_t channels = output.shape.dims[0], windows = output.shape.dims[1];
    float* strengths = output.data;
    for (int32_t channel = 0; channel < channels; channel++) {
        for (int32_t i = 0; i < windows && !lite_cancelled(); i++, strengths += output.shape.dims[2]) {
            const float* samples = (const float*)input.data + i * s->stride * channels + channel;
            transform_window(s, samples, channels, strengths);
        }
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_AudioSpectrogram = {.init = spectrogram_init,
                                                 .free = spectrogram_free,
                                                 .prepare = spectrogram_prepare,
                                                 .invoke = spectrogram_invoke};
