// SPDX-License-Identifier: Apache-2.0
// Mfcc: mel-frequency cepstral coefficients of spectrograms, [channels, windows, frequencies] ->
// [channels, windows, coefficients]. The frequencies are gathered in bands of equal width on the mel scale,
// each a triangle that overlaps its neighbours by half; the cosine transform of the bands' logarithms is
// kept.
#include <math.h>
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/size.h"
#include "oclite/flexbuffers.h"

#define OP "Mfcc"

enum { kSpectrogram, kRate };

typedef struct Options {
    int32_t coefficients;
    int32_t bands;
    float lowest; // frequencies in Hz
    float highest;
} Options;

static int64_t read_int(OcliteFlex map, const char* key) {
    OcliteFlex element;
    int64_t value = 0;
    if (oclite_flex_map_find(map, key, &element)) oclite_flex_int(element, &value);
    return value;
}

static int32_t clamp_i32(int64_t value) {
    return value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : (int32_t)value;
}

// Limits of frequencies are whole numbers, as in the reference.
static void* mfcc_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    OcliteFlex map;
    Options* options = lite_calloc(1, sizeof(*options));
    if (options == NULL || !oclite_flex_root(buffer, length, &map)) return options;
    options->highest = (float)read_int(map, "upper_frequency_limit");
    options->lowest = (float)read_int(map, "lower_frequency_limit");
    options->bands = clamp_i32(read_int(map, "filterbank_channel_count"));
    options->coefficients = clamp_i32(read_int(map, "dct_coefficient_count"));
    return options;
}

static void mfcc_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    lite_free(data);
}

static TfLiteStatus check_options(TfLiteOpaqueContext* context, const Options* o) {
    if (o == NULL) return lite_fail(context, OP ": out of memory");
    if (o->coefficients < 1 || o->bands < o->coefficients) {
        return lite_fail(context, OP ": dct_coefficient_count %d of filterbank_channel_count %d",
                         o->coefficients, o->bands);
    }
    if (o->lowest < 0.0f || o->highest <= o->lowest) {
        return lite_fail(context, OP ": lower_frequency_limit %g, upper_frequency_limit %g",
                         (double)o->lowest, (double)o->highest);
    }
    return kTfLiteOk;
}

static TfLiteStatus mfcc_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Options* o = TfLiteOpaqueNodeGetUserData(node);
    LiteView input, rate, output;
    LITE_TRY(lite_kernel_check_counts(context, node, OP, 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, OP, kSpectrogram, &input));
    LITE_TRY(lite_kernel_input(context, node, OP, kRate, &rate));
    LITE_TRY(lite_kernel_output(context, node, OP, 0, &output));
    LITE_TRY(lite_check_types(context, OP, "spectrogram", &input, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, OP, "sample rate", &rate, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_types(context, OP, "output", &output, LITE_TYPE(Float32)));
    if (input.shape.rank != 3) {
        return lite_fail(context, OP ": spectrogram has %d dimensions, expected 3", input.shape.rank);
    }
    if (input.shape.dims[2] < 2) {
        return lite_fail(context, OP ": spectrogram of %d frequencies", input.shape.dims[2]);
    }
    if (rate.count != 1) return lite_fail(context, OP ": sample rate of %lld numbers", (long long)rate.count);
    LITE_TRY(check_options(context, o));
    LiteShape shape = input.shape;
    shape.dims[2] = o->coefficients;
    return lite_kernel_resize(context, output.tensor, &shape);
}

// What one run works with.
typedef struct Work {
    const Options* options;
    int32_t frequencies;
    int32_t first, last; // frequencies in use; last < first: none
    bool silent;         // the bands reach beyond the spectrogram: all coefficients are 0
    int32_t* band;       // of each frequency: it falls in this band, which may be -1, and rises in the next
    double* weight;      // of each frequency in the band where it falls
    double* sums;        // of each band
    double* cosines;     // coefficients x bands
} Work;

static double to_mel(double frequency) {
    return 1127.0 * log1p(frequency / 700.0);
}

// Assigns the frequencies to the bands, whose centres are evenly spaced.
static void make_bands(Work* w, int32_t rate, double* centres) {
    const double step = 0.5 * rate / (w->frequencies - 1); // Hz from one frequency to the next
    const double end = (double)w->options->highest / step;
    w->silent = !(end < w->frequencies);
    if (w->silent) return;
    w->last = (int32_t)end;
    w->first = (int32_t)(1.5 + (double)w->options->lowest / step); // never the constant part
    const double low = to_mel((double)w->options->lowest);
    const double spacing = (to_mel((double)w->options->highest) - low) / (w->options->bands + 1.0);
    for (int32_t i = 0; i <= w->options->bands; i++) centres[i] = low + spacing * (i + 1.0);
    for (int32_t i = w->first, band = -1; i <= w->last; i++) {
        const double mel = to_mel(i * step);
        while (band + 1 < w->options->bands && centres[band + 1] < mel) band++;
        const double left = band >= 0 ? centres[band] : low;
        w->band[i] = band;
        w->weight[i] = (centres[band + 1] - mel) / (centres[band + 1] - left);
    }
}

static void make_cosines(Work* w) {
    const int32_t bands = w->options->bands;
    const double norm = sqrt(2.0 / bands), angle = 3.14159265358979323846 / bands;
    double* cosine = w->cosines;
    for (int32_t i = 0; i < w->options->coefficients; i++) {
        for (int32_t j = 0; j < bands; j++) *cosine++ = norm * cos(i * angle * (j + 0.5));
    }
}

static void transform_window(const Work* w, const float* strengths, float* coefficients) {
    const int32_t bands = w->options->bands;
    memset(w->sums, 0, (size_t)bands * sizeof(double));
    for (int32_t i = w->first; i <= w->last; i++) {
        const double magnitude = sqrt((double)strengths[i]);
        const double falling = magnitude * w->weight[i];
        if (w->band[i] >= 0) w->sums[w->band[i]] += falling;
        if (w->band[i] + 1 < bands) w->sums[w->band[i] + 1] += magnitude - falling;
    }
    for (int32_t j = 0; j < bands; j++) w->sums[j] = log(w->sums[j] < 1e-12 ? 1e-12 : w->sums[j]);
    const double* cosine = w->cosines;
    for (int32_t i = 0; i < w->options->coefficients; i++) {
        double sum = 0.0;
        for (int32_t j = 0; j < bands; j++) sum += *cosine++ * w->sums[j];
        coefficients[i] = (float)sum;
    }
}

static TfLiteStatus make_tables(TfLiteOpaqueContext* context, Work* w, int32_t rate, LiteArena* arena) {
    const size_t frequencies = (size_t)w->frequencies, bands = (size_t)w->options->bands;
    const size_t coefficients = (size_t)w->options->coefficients;
    double* centres = lite_arena_alloc(arena, bands + 1, sizeof(double));
    w->band = lite_arena_alloc(arena, frequencies, sizeof(int32_t));
    w->weight = lite_arena_alloc(arena, frequencies, sizeof(double));
    w->sums = lite_arena_alloc(arena, bands, sizeof(double));
    w->cosines = lite_arena_alloc(arena, coefficients, bands * sizeof(double));
    if (centres == NULL || w->band == NULL || w->weight == NULL || w->sums == NULL || w->cosines == NULL) {
        return lite_fail(context, OP ": out of memory for %d bands", w->options->bands);
    }
    make_bands(w, rate, centres);
    make_cosines(w);
    return kTfLiteOk;
}

static TfLiteStatus mfcc_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Work work = {.options = TfLiteOpaqueNodeGetUserData(node)};
    LiteView input, rate, output;
    LITE_TRY(lite_kernel_input(context, node, OP, kSpectrogram, &input));
    LITE_TRY(lite_kernel_input(context, node, OP, kRate, &rate));
    LITE_TRY(lite_kernel_output(context, node, OP, 0, &output));
    const int32_t hertz = *(const int32_t*)rate.data;
    if (hertz <= 0) return lite_fail(context, OP ": a sample rate of %d", hertz);
    if (output.count == 0) return kTfLiteOk;
    LiteArena arena = {0};
    work.frequencies = input.shape.dims[2];
    TfLiteStatus status = make_tables(context, &work, hertz, &arena);
    if (status == kTfLiteOk && work.silent) memset(output.data, 0, output.bytes);
    if (status == kTfLiteOk && !work.silent) {
        const int32_t coefficients = output.shape.dims[2];
        for (int64_t i = 0; i < output.count / coefficients && !lite_cancelled(); i++) {
            transform_window(&work, (const float*)input.data + i * work.frequencies,
                             (float*)output.data + i * coefficients);
        }
    }
    lite_arena_free(&arena);
    return status;
}

const LiteKernel lite_kernel_Mfcc = {
    .init = mfcc_init, .free = mfcc_free, .prepare = mfcc_prepare, .invoke = mfcc_invoke};
