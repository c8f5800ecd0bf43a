// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/recurrent/recurrent.h"

#include <math.h>
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/gemm/gemm_f32.h"
#include "kernels-cpu/gemm/gemm_int.h"
#include "kernels-cpu/gemm/gemm_pack.h"
#include "kernels-cpu/support/sparse.h"

// Rows of inputs multiplied at once: as many as use a panel of weights well.
#define CHUNK_ROWS 64
#define CARVE_ALIGNMENT 64

TfLiteStatus lite_sequence(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                           bool time_major, LiteSequence* sequence) {
    if (input->shape.rank != 3) {
        return lite_fail(context, "%s: the input has %d dimensions, expected 3", op, input->shape.rank);
    }
    const int32_t* dims = input->shape.dims;
    *sequence = (LiteSequence){dims[time_major ? 0 : 1], dims[time_major ? 1 : 0], time_major, false};
    return kTfLiteOk;
}

int32_t lite_sequence_chunk(const LiteSequence* sequence) {
    const int32_t steps = sequence->batches < 1 ? CHUNK_ROWS : CHUNK_ROWS / sequence->batches;
    if (steps >= sequence->steps) return sequence->steps;
    return steps < 1 ? 1 : steps;
}

static size_t row_of(const LiteSequence* s, int32_t step, int32_t batch) {
    const size_t t = (size_t)(s->backward ? s->steps - 1 - step : step);
    return s->time_major ? t * (size_t)s->batches + (size_t)batch : (size_t)batch * (size_t)s->steps + t;
}

void lite_sequence_gather(const LiteSequence* sequence, int32_t first, int32_t count, const void* from,
                          size_t row_bytes, void* to) {
    if (row_bytes == 0) return;
    char* out = to;
    for (int32_t step = first; step < first + count; step++) {
        for (int32_t b = 0; b < sequence->batches; b++, out += row_bytes) {
            memcpy(out, (const char*)from + row_of(sequence, step, b) * row_bytes, row_bytes);
        }
    }
}

void lite_sequence_scatter(const LiteSequence* sequence, int32_t step, const void* from, size_t row_bytes,
                           void* to, size_t to_row_bytes) {
    for (int32_t b = 0; b < sequence->batches; b++) {
        memcpy((char*)to + row_of(sequence, step, b) * to_row_bytes,
               (const char*)from + (size_t)b * row_bytes, row_bytes);
    }
}

void lite_recurrent_init(LiteRecurrent* recurrent) {
    memset(recurrent, 0, sizeof(*recurrent));
    recurrent->scratch = recurrent->workspace = -1;
    recurrent->limit = INFINITY;
}

void lite_recurrent_free(LiteRecurrent* recurrent) {
    for (int p = 0; p < LITE_PRODUCTS; p++) lite_gemm_free(&recurrent->products[p]);
}

static bool all_constant(const LiteWeights* weights) {
    for (int g = 0; g < weights->count; g++) {
        const LiteView* gate = weights->gates[g];
        if (gate != NULL && (!gate->constant || gate->data == NULL)) return false;
    }
    return true;
}

static bool any_folded(const LiteWeights* weights) {
    for (int g = 0; g < weights->count; g++) {
        if (weights->gates[g] != NULL && weights->gates[g]->folded) return true;
    }
    return false;
}

// The data of the first gate stands for those of all.
static const void* source_of(const LiteWeights* weights) {
    for (int g = 0; g < weights->count; g++) {
        if (weights->gates[g] != NULL) return weights->gates[g]->data;
    }
    return NULL;
}

// Packs the gates by way of a copy in which they lie one below the other; sparse ones are expanded there.
static TfLiteStatus pack(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                         const LiteWeights* weights) {
    const size_t element = gemm->form == kLiteGemmFloat ? sizeof(float) : 1;
    const size_t part = (size_t)weights->columns * (size_t)weights->depth * element;
    char* all = lite_calloc((size_t)weights->count * part + 1, 1);
    if (all == NULL) return lite_fail(context, "%s: out of memory for weights", op);
    TfLiteStatus status = kTfLiteOk;
    for (int g = 0; g < weights->count && status == kTfLiteOk; g++) {
        const LiteView* gate = weights->gates[g];
        if (gate == NULL || part == 0) continue;
        if (lite_kernel_sparsity(gate) == NULL) {
            memcpy(all + (size_t)g * part, gate->data, part);
        } else {
            status = lite_sparse_view_expand(context, op, gate, all + (size_t)g * part);
        }
    }
    LiteGemmWeights packed = {.type = kTfLiteInt8, // UINT8 weights are read as signed, as in the reference
                              .values = all,
                              .column_step = (size_t)weights->depth,
                              .depth_step = 1,
                              .source = source_of(weights),
                              .order = {weights->count}};
    for (int g = 0; g < weights->count; g++) {
        const LiteView* gate = weights->gates[g];
        packed.order[1 + g] = gate == NULL ? 0 : (int64_t)(uintptr_t)gate->data;
    }
    if (status == kTfLiteOk) status = lite_gemm_pack(context, op, gemm, &packed);
    if (status != kTfLiteOk) gemm->source = NULL;
    lite_free(all);
    return status;
}

// Where the packed gates are shared; NULL unless all of them can be.
static LiteShared* shared_of(TfLiteOpaqueContext* context, const LiteWeights* weights) {
    LiteShared* shared = NULL;
    for (int g = 0; g < weights->count; g++) {
        if (weights->gates[g] == NULL) continue;
        shared = lite_kernel_shared(context, weights->gates[g]);
        if (shared == NULL) return NULL;
    }
    return shared;
}

TfLiteStatus lite_recurrent_prepare(TfLiteOpaqueContext* context, const char* op, LiteRecurrent* recurrent,
                                    const LiteWeights* weights) {
    for (int p = 0; p < LITE_PRODUCTS; p++) {
        const int64_t columns = (int64_t)weights[p].count * weights[p].columns;
        if (columns > INT32_MAX) return lite_fail(context, "%s: the weights are too large", op);
        const LiteConvShape shape =
            lite_conv_shape_of_product(1, weights[p].count > 0 ? weights[p].depth : 0, (int32_t)columns);
        LITE_TRY(lite_gemm_prepare_weights(context, op, &recurrent->products[p], &shape, weights[p].form,
                                           shared_of(context, &weights[p])));
    }
    for (int p = 0; p < LITE_PRODUCTS; p++) {
        LiteGemm* gemm = &recurrent->products[p];
        const bool changed = gemm->source != source_of(&weights[p]) || any_folded(&weights[p]);
        if (weights[p].count == 0 || !all_constant(&weights[p]) || !changed) continue;
        LITE_TRY(pack(context, op, gemm, &weights[p]));
    }
    // Last, as a new temporary invalidates the views that packing looks at.
    return lite_gemm_prepare_scratch(context, op, recurrent->products, LITE_PRODUCTS, &recurrent->scratch);
}

TfLiteStatus lite_recurrent_pack(TfLiteOpaqueContext* context, const char* op, LiteRecurrent* recurrent,
                                 const LiteWeights* weights) {
    for (int p = 0; p < LITE_PRODUCTS; p++) {
        if (weights[p].count == 0 || all_constant(&weights[p])) continue;
        LITE_TRY(pack(context, op, &recurrent->products[p], &weights[p]));
    }
    return kTfLiteOk;
}

LiteGemm lite_recurrent_product(const LiteRecurrent* recurrent, int product, int32_t rows) {
    LiteGemm gemm = recurrent->products[product];
    gemm.shape.batches = rows;
    return gemm;
}

void* lite_carve(LiteCarver* carver, int64_t rows, int64_t columns, size_t element) {
    size_t count, bytes;
    if (!lite_size_mul((size_t)rows, (size_t)columns, &count) || !lite_size_mul(count, element, &bytes) ||
        bytes > SIZE_MAX / 2 - CARVE_ALIGNMENT - carver->used) {
        carver->overflow = true;
        return NULL;
    }
    void* part = carver->base == NULL ? NULL : carver->base + carver->used;
    carver->used += (bytes + CARVE_ALIGNMENT - 1) / CARVE_ALIGNMENT * CARVE_ALIGNMENT;
    return part;
}

TfLiteStatus lite_carve_prepare(TfLiteOpaqueContext* context, const char* op, const LiteCarver* carver,
                                int* workspace) {
    const size_t lines = carver->used / CARVE_ALIGNMENT + 1;
    if (carver->overflow || lines > INT32_MAX) return lite_fail(context, "%s: the cell is too large", op);
    const LiteShape shape = {2, {(int32_t)lines, CARVE_ALIGNMENT}};
    return lite_kernel_temporary(context, workspace, kTfLiteInt8, &shape, false);
}

TfLiteStatus lite_carve_begin(TfLiteOpaqueContext* context, const char* op, int workspace,
                              LiteCarver* carver) {
    LiteView view;
    LITE_TRY(lite_kernel_temporary_view(context, op, workspace, &view));
    *carver = (LiteCarver){.base = view.data};
    return kTfLiteOk;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

void lite_recurrent_carve(LiteCarver* carver, const LiteWeights* weights, const LiteSequence* sequence,
                          bool hybrid, LiteRecurrentBuffers* buffers) {
    memset(buffers, 0, sizeof(*buffers));
    const int64_t batches = sequence->batches;
    const int64_t rows = batches * lite_sequence_chunk(sequence);
    const LiteWeights* input = &weights[kLiteOfInput];
    const LiteWeights* aux = &weights[kLiteOfAux];
    const LiteWeights* state = &weights[kLiteOfState];
    const int64_t input_depth = larger(input->depth, aux->count > 0 ? aux->depth : 0);
    buffers->rows = lite_carve(carver, rows, input_depth, sizeof(float));
    buffers->input = lite_carve(carver, rows, (int64_t)input->count * input->columns, sizeof(float));
    buffers->aux = lite_carve(carver, rows, (int64_t)aux->count * aux->columns, sizeof(float));
    buffers->state = lite_carve(carver, batches, (int64_t)state->count * state->columns, sizeof(float));
    if (!hybrid) return;
    const int64_t state_depth = larger(state->depth, weights[kLiteOfHidden].depth);
    buffers->quantized.values = lite_carve(carver, rows, larger(input_depth, state_depth), 1);
    buffers->quantized.scales = lite_carve(carver, rows, 1, sizeof(float));
    buffers->quantized.zero_points = lite_carve(carver, rows, 1, sizeof(int32_t));
}

typedef struct HybridSink {
    const LiteWeights* weights;
    const float* scales;
    float* out;
} HybridSink;

static void store_hybrid(const void* argument, const LiteTile* tile) {
    const HybridSink* sink = argument;
    const LiteWeights* weights = sink->weights;
    const size_t width = (size_t)weights->count * (size_t)weights->columns;
    for (int n = 0; n < tile->columns;) {
        const int gate = (tile->column + n) / weights->columns;
        const int64_t end = (int64_t)(gate + 1) * weights->columns - tile->column;
        const int next = end < tile->columns ? (int)end : tile->columns;
        const float weight = weights->gates[gate] == NULL ? 0.0f : weights->gates[gate]->scale;
        for (int r = 0; r < tile->rows; r++) {
            const float scale = sink->scales[tile->row + r] * weight;
            float* out = sink->out + (size_t)(tile->row + r) * width + tile->column;
            for (int i = n; i < next; i++) out[i] = (float)tile->sums[r * tile->step + i] * scale;
        }
        n = next;
    }
}

TfLiteStatus lite_recurrent_multiply(TfLiteOpaqueContext* context, const char* op,
                                     const LiteRecurrent* recurrent, const LiteWeights* weights, int product,
                                     int32_t rows, const float* input, const LiteRecurrentBuffers* buffers,
                                     float* out) {
    const LiteGemm gemm = lite_recurrent_product(recurrent, product, rows);
    if (gemm.form == kLiteGemmFloat) {
        return lite_gemm_run_f32(context, op, &gemm, input, -recurrent->limit, recurrent->limit, out, NULL);
    }
    const LiteHybridInput* q = &buffers->quantized;
    const size_t depth = (size_t)weights[product].depth;
    for (size_t r = 0; r < (size_t)rows; r++) {
        lite_hybrid_quantize(input + r * depth, (int64_t)depth, recurrent->asymmetric, q->values + r * depth,
                             q->scales + r, q->zero_points + r);
    }
    const HybridSink sink = {&weights[product], q->scales, out};
    const LiteGemmInput quantized = {kTfLiteInt8, q->values, q->zero_points, true};
    return lite_gemm_run_int(context, op, &gemm, &quantized, store_hybrid, &sink);
}

// Products of the inputs of `count` steps from `first` on.
static TfLiteStatus multiply_inputs(TfLiteOpaqueContext* context, const char* op, const LiteRecurrentRun* run,
                                    int product, int32_t first, int32_t count, const float* from,
                                    float* out) {
    const LiteSequence* s = &run->sequence;
    const size_t row_bytes = (size_t)run->weights[product].depth * sizeof(float);
    lite_sequence_gather(s, first, count, from, row_bytes, run->buffers.rows);
    return lite_recurrent_multiply(context, op, run->recurrent, run->weights, product, s->batches * count,
                                   run->buffers.rows, &run->buffers, out);
}

TfLiteStatus lite_recurrent_run(TfLiteOpaqueContext* context, const char* op, const LiteRecurrentRun* run,
                                LiteStepBody body, void* argument) {
    const LiteSequence* s = &run->sequence;
    const LiteRecurrentBuffers* buffers = &run->buffers;
    const LiteWeights* weights = run->weights;
    const size_t step_size =
        (size_t)s->batches * (size_t)weights[kLiteOfInput].count * (size_t)weights[kLiteOfInput].columns;
    const int32_t chunk = lite_sequence_chunk(s);
    for (int32_t first = 0; first < s->steps; first += chunk) {
        const int32_t count = s->steps - first < chunk ? s->steps - first : chunk;
        LITE_TRY(multiply_inputs(context, op, run, kLiteOfInput, first, count, run->input, buffers->input));
        if (run->aux != NULL) {
            LITE_TRY(multiply_inputs(context, op, run, kLiteOfAux, first, count, run->aux, buffers->aux));
        }
        for (int32_t i = 0; i < count; i++) {
            LiteStep step = {.index = first + i, .input = buffers->input + (size_t)i * step_size};
            if (run->aux != NULL) step.aux = buffers->aux + (size_t)i * step_size;
            if (weights[kLiteOfState].count > 0) {
                LITE_TRY(lite_recurrent_multiply(context, op, run->recurrent, weights, kLiteOfState,
                                                 s->batches, run->state, buffers, buffers->state));
                step.state = buffers->state;
            }
            if (lite_cancelled()) return kTfLiteOk; // the state remains that of the last step
            LITE_TRY(body(argument, &step));
        }
    }
    return kTfLiteOk;
}

TfLiteStatus lite_check_state(TfLiteOpaqueContext* context, const char* op, const char* what,
                              const LiteView* state, TfLiteType type, int64_t count) {
    if (!state->variable) return lite_fail(context, "%s: the %s state is not a variable", op, what);
    const bool fits = lite_type_size(state->type) >= lite_type_size(type);
    if (fits && state->count == count) return kTfLiteOk;
    return lite_fail(context, "%s: the %s state has %lld elements of type %s, expected %lld of type %s", op,
                     what, (long long)state->count, TfLiteTypeGetName(state->type), (long long)count,
                     TfLiteTypeGetName(type));
}
