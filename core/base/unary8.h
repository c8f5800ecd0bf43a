// SPDX-License-Identifier: Apache-2.0
// Functions of one quantized number, bit for bit as the reference kernels compute them: the entries of the
// tables by which 8-bit operators are looked up.
#ifndef CORE_BASE_UNARY8_H_
#define CORE_BASE_UNARY8_H_

#include "core/base/quant.h"

// How numbers of the input's scale become numbers of the output's.
typedef struct LiteUnaryScale {
    float input_scale;
    float output_scale;
    int32_t input_zero;
    int32_t output_zero;
    LiteMultiplier multiplier; // of values, of non-negative ones in LEAKY_RELU
    LiteMultiplier negative;   // LEAKY_RELU: of negative values
    int32_t low;               // limits of the output
    int32_t high;
} LiteUnaryScale;

// `result` with the output's zero point, within its limits.
int32_t lite_unary_finish(const LiteUnaryScale* scale, int32_t result);

// Results for x, a value of the input.
int32_t lite_unary_rescale(const LiteUnaryScale* scale, int32_t x); // also the RELUs, within their range
int32_t lite_unary_absolute(const LiteUnaryScale* scale, int32_t x);
int32_t lite_unary_leaky_relu(const LiteUnaryScale* scale, int32_t x);

// Narrows the output's limits to the range of a RELU: its bounds as real numbers.
void lite_unary_relu_range(LiteUnaryScale* scale, float low, float high);

// A function of a real number, with the parameter that some have.
typedef float (*LiteFunction)(float x, float alpha);
// It, computed in float; NaN becomes 0.
int32_t lite_unary_real(const LiteUnaryScale* scale, LiteFunction function, float alpha, int32_t x);

// LOG: the logarithm of what is not positive is `lowest`, the smallest that the output can hold.
float lite_log_or_lowest(float x, float lowest);

#endif
