// SPDX-License-Identifier: Apache-2.0
// Unary operators on quantized integers, bit for bit as the reference kernels. 8-bit operators are tables of
// 256 results; 16-bit ones are computed, or interpolated in a table of 513.
#include <math.h>

#include "core/base/fixedpoint.h"
#include "kernels-cpu/unary.h"

static int32_t square_root(const LiteUnaryScale* p, int32_t x) {
    const float root = sqrtf(p->input_scale * (float)(x - p->input_zero)) / p->output_scale;
    return lite_unary_finish(p, root < 65536.0f ? (int32_t)root : 65536);
}

static int32_t inverse_square_root(const LiteUnaryScale* p, int32_t x) {
    const int32_t distance = x - p->input_zero;
    if (distance == 0) return p->high;
    const int precision = 20; // bits after the point that the intermediate result keeps
    LiteMultiplier inverse = lite_inverse_sqrt(distance);
    inverse.shift += precision;
    LiteMultiplier multiplier = p->multiplier;
    multiplier.shift -= precision;
    if (multiplier.shift < -31) return lite_unary_finish(p, 0);
    return lite_unary_finish(p, lite_multiply(lite_multiply(1, inverse), multiplier));
}

// 16-bit fixed point, as HARD_SWISH is computed.
static int16_t saturate_i16(int32_t x) {
    return (int16_t)lite_clamp_i32(x, INT16_MIN, INT16_MAX);
}

static int16_t doubling_high_mul_i16(int16_t a, int16_t b) {
    const int32_t product = a * b;
    const int32_t nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
    return saturate_i16((product + nudge) / (1 << 15));
}

static int16_t reduce_multiplier(LiteMultiplier m) {
    return (int16_t)(m.value >= INT32_MAX - (1 << 15) ? INT16_MAX : (m.value + (1 << 15)) >> 16);
}

// p->multiplier leads from 1/128 of the input's scale to the output's, p->negative to 3/32768.
static int32_t hard_swish(const LiteUnaryScale* p, int32_t x) {
    const int16_t fine = (int16_t)((x - p->input_zero) * 128);
    const int16_t unshifted = doubling_high_mul_i16(fine, reduce_multiplier(p->multiplier));
    const int shift = p->negative.shift;
    int16_t gate = fine; // x / 3, saturating at -1 and 1, then (x + 3) / 6
    if (shift > 1) gate = saturate_i16(lite_scale_pot(gate, shift - 1));
    gate = doubling_high_mul_i16(gate, reduce_multiplier(p->negative));
    if (shift > 0) gate = saturate_i16(gate * 2);
    if (shift < 0) gate = (int16_t)lite_scale_pot(gate, shift);
    gate = (int16_t)((gate + (1 << 15)) >> 1);
    const int16_t product = (int16_t)(gate * unshifted / (1 << 15));
    return lite_unary_finish(p, lite_reference_shift_right(product, -p->multiplier.shift, 16));
}

typedef int32_t (*IntegerFunction)(const LiteUnaryScale* p, int32_t x);

static void row_lut8(const LiteRow* row) {
    lite_look_up()(((const LiteUnaryParams*)row->params)->table.lut8, row->in[0], row->count, row->out);
}

static void row_lut16(const LiteRow* row) {
    const int16_t* table = ((const LiteUnaryParams*)row->params)->table.lut16;
    const int16_t* in = row->in[0];
    int16_t* out = row->out;
    for (int64_t i = 0; i < row->count; i++) out[i] = lite_lut16_at(table, in[i]);
}

#define ROW_16(NAME, FUNCTION)                                                                               \
    static void NAME(const LiteRow* row) {                                                                   \
        const LiteUnaryScale* p = &((const LiteUnaryParams*)row->params)->scale;                             \
        const int16_t* in = row->in[0];                                                                      \
        int16_t* out = row->out;                                                                             \
        for (int64_t i = 0; i < row->count; i++) out[i] = (int16_t)FUNCTION(p, in[i]);                       \
    }
ROW_16(row_rescale, lite_unary_rescale)
ROW_16(row_absolute, lite_unary_absolute)
ROW_16(row_leaky_relu, lite_unary_leaky_relu)
ROW_16(row_square_root, square_root)

// |x| in units of 1 / (24 * 2^bits): the table's index and, in the lower bits, the place between entries.
static int64_t table_position(const LiteUnaryScale* p, int16_t x) {
    const int shift = p->multiplier.shift;
    const int64_t round = shift > 0 ? INT64_C(1) << (shift - 1) : 0;
    const int64_t position = ((int64_t)x * p->multiplier.value + round) >> shift;
    return position;
}

// The table of 1 / (1 + exp(-x)) at |position|, with `bits` more bits.
static int32_t table_value(int64_t position, int bits, int32_t beyond) {
    const int64_t magnitude = position < 0 ? -position : position;
    const int64_t index = magnitude >> bits;
    if (index >= 255) return beyond;
    const int32_t here = lite_sigmoid_table[index], next = lite_sigmoid_table[index + 1];
    return (here << bits) + (int32_t)(magnitude & ((1 << bits) - 1)) * (next - here);
}

static int32_t logistic(const LiteUnaryScale* p, int16_t x) {
    const int64_t position = table_position(p, x);
    const int32_t value = table_value(position, 9, 0x7FFF << 10);
    return (position >= 0 ? value + (1 << 9) : (1 << 25) - value + (1 << 9) - 1) >> 10;
}

// 2 * logistic(2x) - 1.
static int32_t hyperbolic_tangent(const LiteUnaryScale* p, int16_t x) {
    const int64_t position = table_position(p, x);
    const int32_t value = table_value(position, 8, 0xFFFF << 8);
    return (position >= 0 ? value - (1 << 23) + (1 << 7) : -value + (1 << 23) + (1 << 7) - 1) >> 8;
}
ROW_16(row_logistic, logistic)
ROW_16(row_tanh, hyperbolic_tangent)

// The table in pairs, and what is beyond it.
static void sigmoid_steps(LiteUnary op, uint32_t steps[256]) {
    for (uint32_t i = 0; i < 255; i++) {
        steps[i] = (uint32_t)lite_sigmoid_table[i] << 16 | lite_sigmoid_table[i + 1];
    }
    steps[255] = op == kLiteUnaryTANH ? 0xFFFFFFFF : 0xFFFEFFFE;
}

// The input's scale as a multiplier and a right shift, to units of 1 / (3 * 4096).
static TfLiteStatus scale_to_table(TfLiteOpaqueContext* context, const char* name, LiteUnary op,
                                   const LiteView* input, const LiteView* output, LiteUnaryScale* p) {
    if (fabsf(log2f(output->scale * 32768.0f)) >= 1e-3f) {
        return lite_fail(context, "%s: output has scale %g, expected 1/32768", name, (double)output->scale);
    }
    const double log2_scale = log2((double)input->scale);
    const double rounded = round(log2_scale);
    const int left_shift = 12 + (int)rounded; // scales of 2^-12, or 2^-11, are taken exactly
    if (fabs(log2_scale - rounded) < 1e-3 && left_shift >= 0 &&
        left_shift <= (op == kLiteUnaryTANH ? 1 : 0)) {
        p->multiplier = (LiteMultiplier){3 << left_shift, 0};
        return kTfLiteOk;
    }
    double multiplier = (double)input->scale * 4096.0 * 3.0;
    int shift = 0;
    for (; multiplier <= 32767.0 / 2.0 && shift <= 30; shift++) multiplier *= 2.0;
    if (multiplier > INT32_MAX) {
        return lite_fail(context, "%s: input has scale %g, too large", name, (double)input->scale);
    }
    p->multiplier = (LiteMultiplier){(int32_t)multiplier, shift};
    return kTfLiteOk;
}

static float rsqrt_or_highest(float x, float alpha) {
    return x <= 0.0f ? alpha : 1.0f / sqrtf(x);
}

static LiteMultiplier ratio(const LiteView* input, const LiteView* output) {
    return lite_quantize_multiplier((double)(input->scale / output->scale));
}

static void relu_range(LiteUnary op, LiteUnaryScale* scale) {
    const float high = op == kLiteUnaryRELU ? INFINITY : op == kLiteUnaryRELU6 ? 6.0f : 1.0f;
    lite_unary_relu_range(scale, op == kLiteUnaryRELU_N1_TO_1 ? -1.0f : 0.0f, high);
}

static TfLiteStatus scale_hard_swish(TfLiteOpaqueContext* context, const char* name, const LiteView* input,
                                     const LiteView* output, LiteUnaryScale* p) {
    const float fine_scale = 1.0f / 128.0f * input->scale;
    p->multiplier = lite_quantize_multiplier((double)(fine_scale / output->scale));
    p->negative = lite_quantize_multiplier((double)(fine_scale / (3.0f / 32768.0f)));
    if (p->multiplier.shift <= 0) return kTfLiteOk;
    return lite_fail(context, "%s: output scale %g is too small for input scale %g", name,
                     (double)output->scale, (double)input->scale);
}

// Operators with integer arithmetic: sets *integer (8 bits) and *row (16 bits, NULL when there is none).
static TfLiteStatus choose_integer(TfLiteOpaqueContext* context, const char* name, LiteUnary op,
                                   const LiteView* input, const LiteView* output, LiteUnaryParams* p,
                                   IntegerFunction* integer, LiteRowFunction* row) {
    LiteUnaryScale* scale = &p->scale;
    scale->multiplier = ratio(input, output);
    switch (op) {
    case kLiteUnaryRELU:
    case kLiteUnaryRELU6:
        *row = row_rescale; // fall through
    case kLiteUnaryRELU_0_TO_1:
    case kLiteUnaryRELU_N1_TO_1:
        relu_range(op, scale);
        *integer = lite_unary_rescale;
        return kTfLiteOk;
    case kLiteUnaryABS:
        *integer = lite_unary_absolute;
        *row = row_absolute;
        return kTfLiteOk;
    case kLiteUnaryLEAKY_RELU:
        scale->negative = lite_quantize_multiplier((double)(input->scale * p->alpha / output->scale));
        *integer = lite_unary_leaky_relu;
        *row = row_leaky_relu;
        return kTfLiteOk;
    case kLiteUnarySQRT:
        *integer = square_root;
        *row = row_square_root;
        return kTfLiteOk;
    case kLiteUnaryHARD_SWISH:
        *integer = hard_swish;
        return scale_hard_swish(context, name, input, output, scale);
    case kLiteUnaryRSQRT:
        scale->multiplier = lite_quantize_multiplier(1.0 / (double)(sqrtf(input->scale) * output->scale));
        *integer = input->type == kTfLiteInt16 ? NULL : inverse_square_root;
        return kTfLiteOk;
    default:
        return kTfLiteOk;
    }
}

// Operators computed in float.
static TfLiteStatus choose_table(TfLiteOpaqueContext* context, const char* name, LiteUnary op,
                                 const LiteView* input, const LiteView* output, LiteUnaryParams* p,
                                 LiteRowFunction* row) {
    LiteFunction function = lite_unary_function(op);
    float alpha = p->alpha;
    if (op == kLiteUnaryLOG) {
        function = lite_log_or_lowest;
        const int32_t lowest = input->type == kTfLiteInt8 ? INT8_MIN : INT16_MIN;
        alpha = (float)(lowest - output->zero_point) * output->scale;
    } else if (op == kLiteUnaryRSQRT) {
        function = rsqrt_or_highest;
        alpha = (float)INT16_MAX * output->scale;
    } else if (op == kLiteUnaryLOGISTIC && input->type != kTfLiteInt16 && output->scale != 1.0f / 256.0f) {
        return lite_fail(context, "%s: output has scale %g, expected 1/256", name, (double)output->scale);
    }
    if (input->type != kTfLiteInt16) {
        for (int32_t x = p->scale.low; x <= p->scale.high; x++)
            p->table.lut8[(uint8_t)x] = (uint8_t)lite_unary_real(&p->scale, function, alpha, x);
        *row = row_lut8;
    } else if (op == kLiteUnaryLOGISTIC || op == kLiteUnaryTANH) {
        LITE_TRY(scale_to_table(context, name, op, input, output, &p->scale));
        *row = op == kLiteUnaryTANH ? row_tanh : row_logistic;
        if (p->scale.multiplier.value < LITE_SIGMOID_LIMIT) {
            sigmoid_steps(op, p->table.steps);
            *row = lite_unary_sigmoid_loop(op);
        }
    } else {
        lite_lut16(input, output, function, alpha, p->table.lut16);
        *row = row_lut16;
    }
    return kTfLiteOk;
}

TfLiteStatus lite_unary_quantized(TfLiteOpaqueContext* context, const char* name, LiteUnary op,
                                  const LiteView* input, const LiteView* output, LiteUnaryParams* params,
                                  LiteRowFunction* function) {
    LITE_TRY(lite_check_quantized(context, name, "input", input));
    LITE_TRY(lite_check_quantized(context, name, "output", output));
    LITE_TRY(lite_check_symmetric(context, name, "input", input));
    LITE_TRY(lite_check_symmetric(context, name, "output", output));
    LiteUnaryScale* scale = &params->scale;
    *scale = (LiteUnaryScale){.input_scale = input->scale,
                              .output_scale = output->scale,
                              .input_zero = input->zero_point,
                              .output_zero = output->zero_point};
    lite_type_limits(output->type, &scale->low, &scale->high);
    IntegerFunction integer = NULL;
    *function = NULL;
    LITE_TRY(choose_integer(context, name, op, input, output, params, &integer, function));
    if (integer == NULL) return choose_table(context, name, op, input, output, params, function);
    if (input->type == kTfLiteInt16) {
        return *function != NULL ? kTfLiteOk : lite_fail_type(context, name, input->type);
    }
    const int32_t low = scale->low, high = scale->high;
    int32_t first = 0, last = 0;
    lite_type_limits(input->type, &first, &last);
    const bool root = op == kLiteUnarySQRT || op == kLiteUnaryRSQRT;
    for (int32_t x = first; x <= last; x++) {
        const int32_t result = root && x < scale->input_zero ? low : integer(scale, x);
        params->table.lut8[(uint8_t)x] = (uint8_t)lite_clamp_i32(result, low, high);
    }
    *function = row_lut8;
    return kTfLiteOk;
}
