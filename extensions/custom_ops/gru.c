// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_GRU: of input x and state h, gates [r u] = sigmoid(W [x h] + b), a candidate
// c = tanh(V [x rh] + d), and the next state (1 - u) c + u h, which is also the output.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extensions/custom_ops/list.h"
#include "extensions/custom_ops/view.h"
#include "oclite/oclite.h"

static const char op[] = "UNIDIRECTIONAL_SEQUENCE_GRU";

enum { kInput, kState, kGateWeights, kGateBias, kWeights, kBias, kInputs };
enum { kOutput, kOutputState, kOutputs };

static const char* const names[kInputs] = {"input",     "input state",       "gate weights",
                                           "gate bias", "candidate weights", "candidate bias"};

static TfLiteStatus fetch(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                          LiteCustomView inputs[kInputs], LiteCustomView outputs[kOutputs]) {
    for (int i = 0; i < kInputs; i++) {
        LITE_EXTENSION_TRY(lite_custom_input(context, node, op, i, &inputs[i]));
    }
    for (int i = 0; i < kOutputs; i++) {
        LITE_EXTENSION_TRY(lite_custom_output(context, node, op, i, &outputs[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus check_dims(TfLiteOpaqueContext* context, const LiteCustomView* view, const char* what,
                               int rank, int64_t first, int64_t second) {
    if (view->rank == rank && view->dims[0] == first && (rank == 1 || view->dims[1] == second)) {
        return kTfLiteOk;
    }
    const char* format = rank == 1 ? "%s: %s is %s, expected [%lld]" : "%s: %s is %s, expected [%lld,%lld]";
    return lite_extension_fail(context, format, op, what, lite_custom_shape_text(view).text, (long long)first,
                               (long long)second);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView in[kInputs], out[kOutputs];
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, op, kInputs, kInputs, kOutputs));
    LITE_EXTENSION_TRY(fetch(context, node, in, out));
    for (int i = 0; i < kInputs; i++) {
        LITE_EXTENSION_TRY(lite_custom_check_types(context, op, names[i], &in[i], 1u << kTfLiteFloat32));
    }
    for (int i = 0; i < kOutputs; i++) {
        LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "output", &out[i], 1u << kTfLiteFloat32));
    }
    LITE_EXTENSION_TRY(lite_custom_check_rank(context, op, names[kInput], &in[kInput], 3));
    LITE_EXTENSION_TRY(lite_custom_check_rank(context, op, names[kState], &in[kState], 2));
    const int64_t times = in[kInput].dims[0], batches = in[kInput].dims[1], features = in[kInput].dims[2];
    const int64_t units = in[kState].dims[1], both = features + units;
    LITE_EXTENSION_TRY(check_dims(context, &in[kState], names[kState], 2, batches, units));
    LITE_EXTENSION_TRY(check_dims(context, &in[kGateWeights], names[kGateWeights], 2, 2 * units, both));
    LITE_EXTENSION_TRY(check_dims(context, &in[kGateBias], names[kGateBias], 1, 2 * units, 0));
    LITE_EXTENSION_TRY(check_dims(context, &in[kWeights], names[kWeights], 2, units, both));
    LITE_EXTENSION_TRY(check_dims(context, &in[kBias], names[kBias], 1, units, 0));
    const int64_t dims[] = {times, batches, units};
    LITE_EXTENSION_TRY(lite_extension_set_shape(context, op, out[kOutput].tensor, 3, dims));
    return lite_extension_set_shape(context, op, out[kOutputState].tensor, 2, dims + 1);
}

typedef struct Cell {
    int64_t features, units;
    const float *gate_weights, *gate_bias, *weights, *bias;
    float* joined; // [x h], and then [x rh]
    float* gates;  // [r u]
} Cell;

static float dot(const float* a, const float* b, int64_t count) {
    float sum = 0.0f;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

// One step of one batch. `to` may not be `state`.
static void step(const Cell* cell, const float* input, const float* state, float* to) {
    const int64_t units = cell->units, both = cell->features + units;
    float* second = cell->joined + cell->features;
    memcpy(cell->joined, input, (size_t)cell->features * sizeof(float));
    memcpy(second, state, (size_t)units * sizeof(float));
    for (int64_t i = 0; i < 2 * units; i++) {
        const float sum = dot(cell->joined, cell->gate_weights + i * both, both) + cell->gate_bias[i];
        cell->gates[i] = 1.0f / (1.0f + expf(-sum));
    }
    for (int64_t i = 0; i < units; i++) second[i] = state[i] * cell->gates[i];
    for (int64_t i = 0; i < units; i++) {
        const float candidate = tanhf(dot(cell->joined, cell->weights + i * both, both) + cell->bias[i]);
        const float keep = cell->gates[units + i];
        to[i] = (1.0f - keep) * candidate + keep * state[i];
    }
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView in[kInputs], out[kOutputs];
    LITE_EXTENSION_TRY(fetch(context, node, in, out));
    if (out[kOutputState].count == 0) return kTfLiteOk;
    Cell cell = {.features = in[kInput].dims[2],
                 .units = in[kState].dims[1],
                 .gate_weights = in[kGateWeights].data,
                 .gate_bias = in[kGateBias].data,
                 .weights = in[kWeights].data,
                 .bias = in[kBias].data};
    cell.joined = calloc((size_t)(cell.features + 3 * cell.units), sizeof(float));
    if (cell.joined == NULL) return lite_extension_fail(context, "%s: out of memory", op);
    cell.gates = cell.joined + cell.features + cell.units;
    const int64_t batches = in[kInput].dims[1], steps = in[kInput].dims[0] * batches;
    const float* input = in[kInput].data;
    float* output = out[kOutput].data;
    for (int64_t i = 0; i < steps && !oclite_context_is_cancelled(context); i++) {
        const float* state = i < batches ? (const float*)in[kState].data + i * cell.units
                                         : output + (i - batches) * cell.units;
        step(&cell, input + i * cell.features, state, output + i * cell.units);
    }
    memcpy(out[kOutputState].data,
           steps > 0 ? output + (steps - batches) * cell.units : (const float*)in[kState].data,
           (size_t)out[kOutputState].count * sizeof(float));
    free(cell.joined);
    return kTfLiteOk;
}

const LiteExtensionOperator lite_custom_gru = {.name = op, .prepare = prepare, .invoke = invoke};
