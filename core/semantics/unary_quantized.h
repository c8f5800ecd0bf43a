// SPDX-License-Identifier: Apache-2.0
// Unary operators on quantized numbers, bit for bit as the reference kernels compute them. Those of 8 bits
// are looked up in tables of 256 results; those of 16 bits are computed, or interpolated in a table of 513.
#ifndef CORE_SEMANTICS_UNARY_QUANTIZED_H_
#define CORE_SEMANTICS_UNARY_QUANTIZED_H_

#include "core/base/status.h"
#include "core/semantics/quant.h"

// How numbers of the input's scale become numbers of the output's.
typedef struct LiteUnaryScale {
    float input_scale;
    float output_scale;
    int32_t input_zero;
    int32_t output_zero;
    LiteMultiplier multiplier; // of values, of non-negative ones in LEAKY_RELU
    LiteMultiplier negative;   // LEAKY_RELU: of negative values; HARD_SWISH: to 3/32768
    int32_t low;               // limits of the output
    int32_t high;
} LiteUnaryScale;

// `result` with the output's zero point, within its limits.
int32_t lite_unary_finish(const LiteUnaryScale* scale, int32_t result);

// A function of a real number, with the parameter that some have.
typedef float (*LiteFunction)(float x, float alpha);

enum { LITE_LUT16_SIZE = 513 };

typedef struct LiteUnaryRule {
    LiteUnaryScale scale;
    int32_t (*integer)(const LiteUnaryScale* scale,
                       int32_t x); // in integers; NULL: `function` of real numbers,
    LiteFunction function;         // for INT16 interpolated
    float alpha;
    bool is_root; // not defined below the input's zero point, except for UINT8
} LiteUnaryRule;

// One end of a unary operator.
typedef struct LiteUnaryEnd {
    TfLiteType type; // INT8, UINT8 or INT16
    float scale;
    int32_t zero_point;
} LiteUnaryEnd;

// The rule of the operator `name` between those ends of one type. `function` is its formula.
TfLiteStatus lite_unary_rule(const char* name, const LiteUnaryEnd* input, const LiteUnaryEnd* output,
                             LiteFunction function, float alpha, LiteUnaryRule* rule,
                             const LiteReporter* reporter);

// 8 bits: the results, each at the index of its number's byte.
void lite_unary_table8(const LiteUnaryRule* rule, TfLiteType type, uint8_t table[256]);

// A rule of 16 bits without `integer`: the function at the ends of 512 equal steps.
void lite_unary_table16(const LiteUnaryRule* rule, int16_t table[LITE_LUT16_SIZE]);

// 65536 / (1 + exp(-i / 24)), rounded as the reference's table is.
extern const uint16_t lite_sigmoid_table[256];

// Interpolates between two entries.
static inline int16_t lite_lut16_at(const int16_t table[LITE_LUT16_SIZE], int16_t x) {
    const int index = 256 + (x >> 7);
    const int16_t slope = (int16_t)(table[index + 1] - table[index]); // wraps, as in the reference
    return (int16_t)(table[index] + ((slope * (x & 0x7F) + 64) >> 7));
}

#endif
