// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/conv_phases.h"

#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/gemm/gemm_f32.h"
#include "kernels-cpu/gemm/gemm_pack.h"

// Each phase has weights of its own; only strides that no model has make so many.
enum { kMaxPhases = 1 << 20 };
// So many that are shared: each is a block of its own.
enum { kMaxSharedPhases = 64 };

void lite_phases_free(LitePhases* phases) {
    for (int32_t i = 0; phases->gemms != NULL && i < phases->count; i++) lite_gemm_free(phases->gemms + i);
    lite_free(phases->gemms);
    phases->gemms = NULL;
    phases->count = 0;
    phases->packed = NULL;
}

static int32_t common_divisor(int32_t a, int32_t b) {
    while (b != 0) {
        const int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// From one tap of a phase to the next.
static int32_t tap_step(const LiteTransposed* s, int axis) {
    return s->stride[axis] / common_divisor(s->stride[axis], s->dilation[axis]);
}

// Numbers of phase `index` along each dimension.
static void numbers_of(const LitePhases* phases, int32_t index, int32_t numbers[kLiteSpace]) {
    for (int axis = kLiteSpace - 1; axis >= 0; axis--) {
        numbers[axis] = index % phases->counts[axis];
        index /= phases->counts[axis];
    }
}

// Along one dimension: a phase has taps `number`, `number` + step, … of the filter, the last of them first.
typedef struct Phase {
    int32_t taps;
    int32_t dilation; // inputs from one tap to the next
    int32_t outputs;
    int32_t first_output;
    int32_t pad; // inputs before the first that there is, for the first tap of the first output
} Phase;

static Phase phase_of(const LiteTransposed* s, int axis, int32_t number) {
    const int32_t step = tap_step(s, axis), stride = s->stride[axis], out = s->out[axis];
    const int64_t offset = (int64_t)number * s->dilation[axis] - s->pad[axis];
    Phase phase = {.taps = (s->filter[axis] - number - 1) / step + 1};
    phase.dilation = phase.taps > 1 ? (int32_t)((int64_t)s->dilation[axis] * step / stride) : 1;
    phase.first_output = (int32_t)((offset % stride + stride) % stride);
    phase.outputs = phase.first_output < out ? (out - phase.first_output - 1) / stride + 1 : 0;
    const int64_t last_tap_reads = (phase.first_output - offset) / stride;
    phase.pad = (int32_t)((int64_t)(phase.taps - 1) * phase.dilation - last_tap_reads);
    return phase;
}

// The convolution of a phase, and where its outputs are.
static LiteConvShape shape_of(const LitePhases* phases, int32_t index, LiteGrid* grid) {
    const LiteTransposed* s = &phases->shape;
    int32_t numbers[kLiteSpace];
    numbers_of(phases, index, numbers);
    const Phase z = phase_of(s, kLiteDepth, numbers[kLiteDepth]);
    const Phase y = phase_of(s, kLiteHeight, numbers[kLiteHeight]);
    const Phase x = phase_of(s, kLiteWidth, numbers[kLiteWidth]);
    const int64_t line = (int64_t)s->out[kLiteWidth] * s->out_c;
    const int64_t plane = s->out[kLiteHeight] * line;
    grid->first = z.first_output * plane + y.first_output * line + (int64_t)x.first_output * s->out_c;
    grid->batch = s->out[kLiteDepth] * plane;
    grid->plane = s->stride[kLiteDepth] * plane;
    grid->line = s->stride[kLiteHeight] * line;
    grid->pixel = (int64_t)s->stride[kLiteWidth] * s->out_c;
    const LiteConvShape shape = {
        .batches = s->batches,
        .in_d = s->in[kLiteDepth],
        .in_h = s->in[kLiteHeight],
        .in_w = s->in[kLiteWidth],
        .in_c = s->in_c,
        .filter_d = z.taps,
        .filter_h = y.taps,
        .filter_w = x.taps,
        .out_d = z.outputs,
        .out_h = y.outputs,
        .out_w = x.outputs,
        .out_c = s->out_c,
        .stride_d = 1,
        .stride_h = 1,
        .stride_w = 1,
        .dilation_d = z.dilation,
        .dilation_h = y.dilation,
        .dilation_w = x.dilation,
        .pad_d = z.pad,
        .pad_h = y.pad,
        .pad_w = x.pad,
        .groups = 1,
    };
    return shape;
}

static TfLiteStatus allocate(TfLiteOpaqueContext* context, const char* op, LitePhases* phases,
                             const int32_t counts[kLiteSpace]) {
    if (phases->gemms != NULL && memcmp(phases->counts, counts, sizeof(phases->counts)) == 0) {
        return kTfLiteOk;
    }
    lite_phases_free(phases);
    int64_t count = 1;
    for (int axis = 0; axis < kLiteSpace; axis++) {
        phases->counts[axis] = counts[axis];
        count *= counts[axis];
        if (count > kMaxPhases) {
            return lite_fail(context, "%s: filter and strides make more than %d convolutions", op,
                             kMaxPhases);
        }
    }
    phases->gemms = lite_calloc((size_t)count, sizeof(LiteGemm));
    if (phases->gemms == NULL) return lite_fail(context, "%s: out of memory for the weights", op);
    phases->count = (int32_t)count;
    return kTfLiteOk;
}

TfLiteStatus lite_phases_prepare(TfLiteOpaqueContext* context, const char* op, LitePhases* phases,
                                 const LiteTransposed* shape, LiteGemmForm form, LiteShared* shared) {
    int32_t counts[kLiteSpace];
    for (int axis = 0; axis < kLiteSpace; axis++) {
        const int32_t step = tap_step(shape, axis);
        counts[axis] = shape->filter[axis] < step ? shape->filter[axis] : step;
    }
    LITE_TRY(allocate(context, op, phases, counts));
    phases->shape = *shape;
    for (int32_t i = 0; i < phases->count; i++) {
        LiteGemm* gemm = phases->gemms + i;
        LiteGrid grid;
        const LiteConvShape of_phase = shape_of(phases, i, &grid);
        LITE_TRY(lite_gemm_prepare_weights(context, op, gemm, &of_phase, form,
                                           phases->count > kMaxSharedPhases ? NULL : shared));
        if (gemm->source == NULL) phases->packed = NULL;
    }
    return lite_gemm_prepare_scratch(context, op, phases->gemms, phases->count, &phases->scratch_tensor);
}

// The last tap of a phase.
static int64_t last_tap(const LiteTransposed* s, int axis, int32_t number) {
    const int32_t step = tap_step(s, axis);
    return number + (int64_t)(s->filter[axis] - number - 1) / step * step;
}

// The weights of one phase, its taps one after the other, the last first, [out][taps][in].
static void gather(const LitePhases* phases, int32_t index, const LiteView* weights, int64_t tap, int64_t out,
                   char* to) {
    const LiteTransposed* s = &phases->shape;
    const size_t element = lite_type_size(weights->type), run = (size_t)s->in_c * element;
    int32_t numbers[kLiteSpace];
    int64_t last[kLiteSpace], step[kLiteSpace];
    numbers_of(phases, index, numbers);
    for (int axis = 0; axis < kLiteSpace; axis++) {
        last[axis] = last_tap(s, axis, numbers[axis]);
        step[axis] = tap_step(s, axis);
    }
    for (int32_t o = 0; o < s->out_c; o++) {
        const char* from = (const char*)weights->data + (size_t)(o * out) * element;
        for (int64_t z = last[kLiteDepth]; z >= 0; z -= step[kLiteDepth]) {
            for (int64_t y = last[kLiteHeight]; y >= 0; y -= step[kLiteHeight]) {
                const int64_t line = (z * s->filter[kLiteHeight] + y) * s->filter[kLiteWidth];
                for (int64_t x = last[kLiteWidth]; x >= 0; x -= step[kLiteWidth]) {
                    memcpy(to, from + (size_t)((line + x) * tap) * element, run);
                    to += run;
                }
            }
        }
    }
}

static TfLiteStatus pack(TfLiteOpaqueContext* context, const char* op, LitePhases* phases, int32_t index,
                         const LiteView* weights, int64_t tap, int64_t out, const void* values) {
    LiteGemm* gemm = phases->gemms + index;
    const LiteTransposed* s = &phases->shape;
    const LiteGemmWeights packed = {
        .type = weights->type,
        .values = values,
        .column_step = (size_t)gemm->taps * (size_t)gemm->depth,
        .depth_step = 1,
        .zero_point = weights->type == kTfLiteUInt8 ? weights->zero_point : 0,
        .source = weights->data,
        .order = {index + 1, tap, out, s->filter[kLiteDepth], s->filter[kLiteHeight], s->filter[kLiteWidth],
                  tap_step(s, kLiteDepth), tap_step(s, kLiteHeight), tap_step(s, kLiteWidth)}};
    return lite_gemm_pack(context, op, gemm, &packed);
}

TfLiteStatus lite_phases_pack(TfLiteOpaqueContext* context, const char* op, LitePhases* phases,
                              const LiteView* weights, int64_t tap, int64_t out) {
    char* part = lite_malloc(weights->bytes + 1);
    if (part == NULL) return lite_fail(context, "%s: out of memory for the weights", op);
    TfLiteStatus status = kTfLiteOk;
    for (int32_t i = 0; i < phases->count && status == kTfLiteOk; i++) {
        gather(phases, i, weights, tap, out, part);
        status = pack(context, op, phases, i, weights, tap, out, part);
    }
    phases->packed = status == kTfLiteOk ? weights->data : NULL;
    lite_free(part);
    return status;
}

static void fill_floats(const LiteConvSink* sink, int64_t pixels, int32_t channels) {
    const float* bias = sink->bias;
    float* out = sink->output;
    for (int64_t i = 0; i < pixels && !lite_cancelled_at(i); i++, out += channels) {
        for (int32_t c = 0; c < channels; c++) {
            const float x = bias == NULL ? 0.0f : bias[c];
            out[c] = lite_clamp_f32(x, sink->low, sink->high);
        }
    }
}

static void fill_integers(const LiteConvSink* sink, LiteTileSink store, int64_t pixels, int32_t channels) {
    const int32_t* bias = store == lite_conv_store_8 ? sink->bias : NULL;
    static const int32_t zeros[LITE_MICRO_MAX_PANEL];
    static const int64_t wide_zeros[LITE_MICRO_MAX_PANEL];
    LiteTile tile = {.rows = 1, .sums = zeros, .wide = wide_zeros, .step = LITE_MICRO_MAX_PANEL};
    for (; tile.row < pixels && !lite_cancelled_at(tile.row); tile.row++) {
        for (tile.column = 0; tile.column < channels; tile.column += tile.step) {
            const int32_t left = channels - tile.column;
            tile.columns = left < tile.step ? left : tile.step;
            if (bias != NULL) tile.sums = bias + tile.column;
            store(sink, &tile);
        }
    }
}

// Where the strides leave outputs without a tap, all outputs begin as products that are 0.
static void fill(const LitePhases* phases, LiteTileSink store, const LiteConvSink* sink) {
    const LiteTransposed* s = &phases->shape;
    bool whole = true;
    for (int axis = 0; axis < kLiteSpace; axis++) whole = whole && phases->counts[axis] == s->stride[axis];
    if (whole) return;
    const int64_t pixels =
        (int64_t)s->batches * s->out[kLiteDepth] * s->out[kLiteHeight] * s->out[kLiteWidth];
    if (phases->gemms->form == kLiteGemmFloat || store == lite_conv_store_hybrid) {
        fill_floats(sink, pixels, s->out_c);
    } else {
        fill_integers(sink, store, pixels, s->out_c);
    }
}

// Are the outputs of a phase all that there are, one after the other?
static bool is_dense(const LiteConvShape* s, const LiteGrid* grid) {
    return grid->first == 0 && grid->pixel == s->out_c && grid->line == s->out_w * grid->pixel &&
           grid->plane == s->out_h * grid->line && grid->batch == s->out_d * grid->plane;
}

TfLiteStatus lite_phases_run(TfLiteOpaqueContext* context, const char* op, LitePhases* phases,
                             const LiteTransposed* shape, const LiteGemmInput* input, LiteTileSink store,
                             const LiteConvSink* common) {
    LiteConvSink sink = *common;
    phases->shape = *shape;
    sink.gemm = phases->gemms;
    sink.grid = NULL;
    fill(phases, store, &sink);
    for (int32_t i = 0; i < phases->count; i++) {
        LiteGemm* gemm = phases->gemms + i;
        LiteGrid grid;
        gemm->shape = shape_of(phases, i, &grid);
        sink.gemm = gemm;
        sink.grid = is_dense(&gemm->shape, &grid) ? NULL : &grid;
        if (gemm->form != kLiteGemmFloat) {
            gemm->add = store == lite_conv_store_8 ? sink.bias : NULL;
            LITE_TRY(lite_gemm_run_int(context, op, gemm, input, store, &sink));
        } else {
            lite_gemm_bias_f32(gemm, sink.bias);
            LITE_TRY(lite_gemm_run_f32(context, op, gemm, input->data, sink.low, sink.high, sink.output,
                                       sink.grid));
        }
    }
    return kTfLiteOk;
}
