// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/recurrent/recurrent_rows.h"

#include <math.h>
#include <stddef.h>

#include "kernels-cpu/loops/vector_math.h"
#include "kernels-cpu/support/activation.h"

void lite_row_add(float* x, const float* y, int32_t count) {
    for (int32_t i = 0; i < count; i++) x[i] += y[i];
}

void lite_row_multiply(float* x, const float* y, int32_t count) {
    for (int32_t i = 0; i < count; i++) x[i] *= y[i];
}

void lite_row_add_product(float* x, const float* a, const float* b, int32_t count) {
    for (int32_t i = 0; i < count; i++) x[i] += a[i] * b[i];
}

void lite_row_add_scaled(float* x, const int8_t* weights, float scale, const float* b, int32_t count) {
    for (int32_t i = 0; i < count; i++) x[i] += scale * (float)weights[i] * b[i];
}

void lite_row_normalize(float* x, const float* coefficients, const float* bias, int32_t count) {
    float sum = 0.0f;
    for (int32_t i = 0; i < count; i++) sum += x[i];
    const float mean = sum / (float)count;
    float squares = 0.0f;
    for (int32_t i = 0; i < count; i++) squares += (x[i] - mean) * (x[i] - mean);
    const float inverse = 1.0f / sqrtf(squares / (float)count + 1e-8f);
    for (int32_t i = 0; i < count; i++) x[i] = (x[i] - mean) * inverse * coefficients[i] + bias[i];
}

void lite_row_activate(TfLiteFusedActivation activation, const float* x, float* out, int32_t count) {
    switch (activation) {
    case kTfLiteActSigmoid:
        for (int32_t i = 0; i < count; i++) out[i] = lite_logisticf(x[i]);
        break;
    case kTfLiteActTanh:
        for (int32_t i = 0; i < count; i++) out[i] = lite_tanhf(x[i]);
        break;
    default:
        for (int32_t i = 0; i < count; i++) out[i] = lite_activate(activation, x[i]);
    }
}

void lite_row_clip(float* x, float clip, int32_t count) {
    for (int32_t i = 0; i < count; i++) x[i] = x[i] < -clip ? -clip : x[i] < clip ? x[i] : clip;
}

void lite_row_update_cell(float* cell, const float* forget, const float* update, const float* input,
                          float clip, int32_t count) {
    if (input != NULL) {
        for (int32_t i = 0; i < count; i++) cell[i] = cell[i] * forget[i] + update[i] * input[i];
    } else {
        for (int32_t i = 0; i < count; i++) cell[i] = cell[i] * forget[i] + update[i] * (1.0f - forget[i]);
    }
    if (clip > 0.0f) lite_row_clip(cell, clip, count);
}
