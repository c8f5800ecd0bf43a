// SPDX-License-Identifier: Apache-2.0
// Loops of recurrent operators over the cells of one batch, compiled for vectors.
#ifndef KERNELS_CPU_RECURRENT_RECURRENT_ROWS_H_
#define KERNELS_CPU_RECURRENT_RECURRENT_ROWS_H_

#include <stdint.h>

#include "tensorflow/lite/c/builtin_op_data.h"

// x += y and x += a * b, the second with a = scale * weights, too.
void lite_row_add(float* x, const float* y, int32_t count);
void lite_row_add_product(float* x, const float* a, const float* b, int32_t count);
void lite_row_add_scaled(float* x, const int8_t* weights, float scale, const float* b, int32_t count);

// x = (x - mean) / standard deviation * coefficients + bias.
void lite_row_normalize(float* x, const float* coefficients, const float* bias, int32_t count);

// out = activation(x); out may be x.
void lite_row_activate(TfLiteFusedActivation activation, const float* x, float* out, int32_t count);

// cell = clip(cell * forget + update * input); input NULL: 1 - forget; clip 0: none.
void lite_row_update_cell(float* cell, const float* forget, const float* update, const float* input,
                          float clip, int32_t count);
void lite_row_clip(float* x, float clip, int32_t count);
void lite_row_multiply(float* x, const float* y, int32_t count); // x *= y

#endif
