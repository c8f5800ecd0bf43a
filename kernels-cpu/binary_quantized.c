// SPDX-License-Identifier: Apache-2.0
// Binary operators on quantized integers, bit for bit as the reference kernels.
#include <math.h>

#include "core/base/fixedpoint.h"
#include "kernels-cpu/binary.h"

// Results of the operators before clamping; a and b without their zero points.
static inline int32_t rescaled(const LiteBinaryQuantized* q, int k, int32_t x) {
    return lite_multiply((int32_t)((uint32_t)x << q->left_shift), q->multipliers[k]);
}

static inline int32_t quantized_ADD(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return lite_multiply(lite_wrapping_add(rescaled(q, 0, a), rescaled(q, 1, b)), q->multiplier);
}

static inline int32_t quantized_SUB(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return lite_multiply(lite_wrapping_sub(rescaled(q, 0, a), rescaled(q, 1, b)), q->multiplier);
}

static inline int32_t quantized_MUL(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return lite_multiply(a * b, q->multiplier);
}

static inline int32_t quantized_SQUARED_DIFFERENCE(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    const int32_t difference = lite_wrapping_sub(rescaled(q, 0, a), rescaled(q, 1, b));
    return lite_multiply((int32_t)((uint32_t)difference * (uint32_t)difference), q->multiplier);
}

static inline int32_t quantized_PRELU(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return a >= 0 ? lite_multiply(a, q->multipliers[0])
                  : lite_multiply((int32_t)((uint32_t)a * (uint32_t)b), q->multipliers[1]);
}

static inline int32_t quantized_DIV(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    if (b < 0) {
        a = -a;
        b = -b;
    }
    int reciprocal_shift;
    const int32_t reciprocal = lite_reciprocal(b, &reciprocal_shift);
    const int headroom = __builtin_clrsb(a);
    const int32_t quotient = lite_doubling_high_mul((int32_t)((uint32_t)a << headroom), reciprocal);
    return lite_reference_shift_right(lite_doubling_high_mul(quotient, q->multiplier.value),
                                      reciprocal_shift + headroom - q->multiplier.shift, 32);
}

// 16-bit addition and subtraction with scales that are powers of 2: one input is shifted, the sum saturates.
static inline int32_t quantized_ADD_POT(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return lite_scale_pot(a, q->multipliers[0].shift) + lite_scale_pot(b, q->multipliers[1].shift);
}

static inline int32_t quantized_SUB_POT(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return lite_scale_pot(a, q->multipliers[0].shift) - lite_scale_pot(b, q->multipliers[1].shift);
}

// 16-bit inputs in [-1, 1) to an 8-bit output: the product's upper 8 bits.
static inline int32_t quantized_MUL_16(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    (void)q;
    const int32_t product = a * b;
    const int32_t nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
    const int32_t high = (product + nudge) / (1 << 15);
    return lite_rounding_shift_right(high > INT16_MAX ? INT16_MAX : high, 8);
}

#define LOOP(NAME, NAMED, IN, OUT)                                                                           \
    static inline int32_t NAMED##_clamped(int32_t a, int32_t b, const LiteBinaryQuantized* q) {              \
        const int32_t y = quantized_##NAME(a - q->zero_points[0], b - q->zero_points[1], q);                 \
        return lite_clamp_i32(lite_wrapping_add(y, q->zero_point), q->low, q->high);                         \
    }                                                                                                        \
    static void NAMED(const LiteRow* row) {                                                                  \
        const LiteBinaryQuantized q = *(const LiteBinaryQuantized*)row->params;                              \
        LITE_BINARY_LOOP(row, IN, OUT, NAMED##_clamped(a, b, &q));                                           \
    }
#define LOOPS_8(NAME) LOOP(NAME, NAME##_i8, int8_t, int8_t) LOOP(NAME, NAME##_u8, uint8_t, uint8_t)
#define LOOP_16(NAME) LOOP(NAME, NAME##_i16, int16_t, int16_t)
LOOP_16(ADD)
LOOP_16(ADD_POT)
LOOP_16(SUB)
LOOP_16(SUB_POT)
LOOP_16(MUL)
LOOP(MUL_16, MUL_i16_i8, int16_t, int8_t)
LOOP(MUL_16, MUL_i16_u8, int16_t, uint8_t)
LOOPS_8(DIV)
LOOP_16(DIV)
LOOPS_8(PRELU)
LOOP_16(PRELU)
LOOP(SQUARED_DIFFERENCE, SQUARED_DIFFERENCE_i8, int8_t, int8_t)

// 8 bits: sums or products of some elements, which are then scaled together.
enum { kColumns = LITE_MICRO_MAX_PANEL, kPiece = 16 * kColumns };

static void finish_piece(const int32_t* values, int count, const LiteBinaryQuantized* q, uint8_t* out) {
    int32_t multipliers[kColumns], shifts[kColumns];
    for (int i = 0; i < kColumns; i++) {
        multipliers[i] = q->multiplier.value;
        shifts[i] = q->multiplier.shift;
    }
    const LiteRequantization scale = {multipliers, shifts, q->zero_point, q->low, q->high};
    const LiteMicro* micro = lite_micro();
    const int whole = count / kColumns * kColumns;
    micro->requantize(count / kColumns, kColumns, values, kColumns, &scale, out, kColumns);
    micro->requantize(1, count - whole, values + whole, 0, &scale, out + whole, 0);
}

#define PIECES(NAME, IN, VALUE)                                                                              \
    static void NAME(const LiteRow* row) {                                                                   \
        const LiteBinaryTables* tables = row->params;                                                        \
        const LiteBinaryQuantized q = tables->scalars;                                                       \
        const int32_t *left = tables->scaled[0], *right = tables->scaled[1];                                 \
        (void)left, (void)right;                                                                             \
        int32_t values[kPiece];                                                                              \
        LiteRow piece = *row;                                                                                \
        piece.out = values;                                                                                  \
        for (int64_t at = 0; at < row->count; at += piece.count) {                                           \
            piece.count = row->count - at < kPiece ? row->count - at : kPiece;                               \
            for (int k = 0; k < 2; k++) piece.in[k] = (const IN*)row->in[k] + at * row->step[k];             \
            LITE_BINARY_LOOP(&piece, IN, int32_t, VALUE);                                                    \
            finish_piece(values, (int)piece.count, &q, (uint8_t*)row->out + at);                             \
        }                                                                                                    \
    }
// ADD and SUB, int8 and uint8: what depends on one input comes from a table.
PIECES(table_sum, uint8_t, lite_wrapping_add(left[a], right[b]))
PIECES(MUL_i8, int8_t, (a - q.zero_points[0]) * (b - q.zero_points[1]))
PIECES(MUL_u8, uint8_t, (a - q.zero_points[0]) * (b - q.zero_points[1]))

// The same in fixed point where rounding is certain.
static void sum_8(const LiteRow* row) {
    const LiteBinaryTables* tables = row->params;
    const LiteMicro* micro = lite_micro();
    if (micro->sum_bytes == NULL || tables->sum.bits == 0 || row->step[0] == 0 || row->step[1] == 0) {
        table_sum(row);
        return;
    }
    LiteRow rest = *row;
    while (rest.count > 0) {
        const int count = rest.count < INT32_MAX ? (int)rest.count : INT32_MAX;
        int64_t done = micro->sum_bytes(count, rest.in[0], rest.in[1], &tables->sum, rest.out);
        for (int part = 0; part < 2; part++) { // what is certain, then a block that may not be
            rest.in[0] = (const uint8_t*)rest.in[0] + done;
            rest.in[1] = (const uint8_t*)rest.in[1] + done;
            rest.out = (uint8_t*)rest.out + done;
            rest.count -= done;
            if (part == 1 || rest.count == 0) break;
            LiteRow block = rest;
            block.count = done = rest.count < LITE_SUM_BLOCK ? rest.count : LITE_SUM_BLOCK;
            table_sum(&block);
        }
    }
}

// log2(scale) when that is an integer, up to the reference's tolerance.
static bool exact_log2(float scale, int* log2_scale) {
    const double exact = log2((double)scale);
    const double rounded = round(exact);
    if (!(fabs(exact - rounded) < 1e-3)) return false;
    *log2_scale = (int)rounded;
    return true;
}

// ADD and SUB: both inputs to twice the larger scale, with left_shift more bits.
static void scale_sum(const LiteView inputs[2], const LiteView* output, LiteBinaryQuantized* q, int squares) {
    const double twice_max = 2.0 * (double)fmaxf(inputs[0].scale, inputs[1].scale);
    for (int k = 0; k < 2; k++) {
        q->multipliers[k] = lite_quantize_multiplier((double)inputs[k].scale / twice_max);
    }
    const double unit = squares ? twice_max * twice_max : twice_max;
    const int shift = squares ? 2 * q->left_shift : q->left_shift;
    q->multiplier = lite_quantize_multiplier(unit / (ldexp(1.0, shift) * (double)output->scale));
}

// Chooses the power-of-2 form and sets its shifts when scales allow; false: the general form.
static bool scale_pot(const LiteView inputs[2], const LiteView* output, LiteBinaryQuantized* q) {
    int log2_scales[2], log2_output;
    if (!exact_log2(inputs[0].scale, &log2_scales[0]) || !exact_log2(inputs[1].scale, &log2_scales[1]) ||
        !exact_log2(output->scale, &log2_output)) {
        return false;
    }
    for (int k = 0; k < 2; k++) q->multipliers[k].shift = log2_scales[k] - log2_output;
    return true;
}

// The multiplier that is meant, with the bits that it has.
static double real_multiplier(LiteMultiplier m) {
    return ldexp((double)m.value, m.shift - 31);
}

// The sum as one formula in fixed point, with as many fractional bits as there is room for. What the
// reference rounds on the way adds up to the margin, in output steps: up to 1 for each input and, in the
// first of the two roundings of the result, 2^-(shift + 1); here up to half a unit for each step of an input
// from the middle of its range.
static void approximate_sum(const LiteBinaryQuantized* q, const LiteView inputs[2], bool subtract,
                            LiteByteSum* sum) {
    const double result = real_multiplier(q->multiplier);
    const bool is_signed = inputs[0].type == kTfLiteInt8;
    const int32_t middle = is_signed ? 0 : 128;
    double scales[2];
    for (int k = 0; k < 2; k++) {
        scales[k] = ldexp(real_multiplier(q->multipliers[k]), q->left_shift) * result;
        if (q->multipliers[k].shift > 0) return;
    }
    const double largest = 255 * (scales[0] + scales[1]) + 512;
    int bits = 22;
    while (bits >= 16 && !(ldexp(largest, bits) < 0x1p31)) bits--;
    const int right = q->multiplier.shift < 0 ? -q->multiplier.shift : 0;
    const double margin = 130 + ldexp(2 * result, bits) + ldexp(1.0, bits - right - 1);
    if (bits < 16 || !(margin < ldexp(0.0625, bits))) return;
    if (subtract) scales[1] = -scales[1];
    double start = ldexp(q->zero_point + 0.5, bits) + margin;
    for (int k = 0; k < 2; k++) {
        sum->scales[k] = (int32_t)lrint(ldexp(scales[k], bits));
        start -= ldexp(scales[k], bits) * (q->zero_points[k] - middle) + (double)sum->scales[k] * middle;
    }
    sum->is_signed = is_signed;
    sum->start = (int32_t)lrint(start);
    sum->bits = bits;
    sum->margin = 1;
    while (sum->margin < 2 * margin) sum->margin *= 2;
    sum->low = q->low;
    sum->high = q->high;
}

static TfLiteStatus quantize_sum(TfLiteOpaqueContext* context, const char* name, bool subtract,
                                 const LiteView inputs[2], const LiteView* output, bool pot_scale,
                                 LiteBinaryTables* tables, LiteRowFunction* function) {
    LiteBinaryQuantized* q = &tables->scalars;
    const TfLiteType type = output->type;
    if (type == kTfLiteInt16 && pot_scale && scale_pot(inputs, output, q)) {
        const int shift_a = q->multipliers[0].shift, shift_b = q->multipliers[1].shift;
        if (shift_a > 0 || shift_b > 0 || (shift_a != 0 && shift_b != 0)) {
            return lite_fail(context, "%s: scales of 2^%d and 2^%d times the output's are not supported",
                             name, shift_a, shift_b);
        }
        *function = subtract ? SUB_POT_i16 : ADD_POT_i16;
        return kTfLiteOk;
    }
    q->left_shift = type == kTfLiteInt16 ? 15 : 20;
    scale_sum(inputs, output, q, 0);
    *function = subtract ? SUB_i16 : ADD_i16;
    if (type == kTfLiteInt16) return kTfLiteOk;
    int32_t first = 0, last = 0;
    lite_type_limits(type, &first, &last);
    for (int32_t x = first; x <= last; x++) {
        tables->scaled[0][(uint8_t)x] = rescaled(q, 0, x - q->zero_points[0]);
        const int32_t right = rescaled(q, 1, x - q->zero_points[1]);
        tables->scaled[1][(uint8_t)x] = subtract ? lite_wrapping_sub(0, right) : right;
    }
    tables->sum.bits = 0;
    approximate_sum(q, inputs, subtract, &tables->sum);
    *function = sum_8;
    return kTfLiteOk;
}

static void quantize_mul(const LiteView inputs[2], const LiteView* output, LiteBinaryQuantized* q,
                         LiteRowFunction* function) {
    if (output->type != inputs[0].type) { // int16 to 8 bits
        *function = output->type == kTfLiteInt8 ? MUL_i16_i8 : MUL_i16_u8;
        return;
    }
    // The reference multiplies and divides scales as floats.
    q->multiplier = lite_quantize_multiplier((double)(inputs[0].scale * inputs[1].scale / output->scale));
    *function = output->type == kTfLiteInt8 ? MUL_i8 : output->type == kTfLiteUInt8 ? MUL_u8 : MUL_i16;
}

static void quantize_div(const LiteView inputs[2], const LiteView* output, LiteBinaryQuantized* q,
                         LiteRowFunction* function) {
    q->multiplier = lite_quantize_multiplier((double)(inputs[0].scale / (inputs[1].scale * output->scale)));
    *function = output->type == kTfLiteInt8 ? DIV_i8 : output->type == kTfLiteUInt8 ? DIV_u8 : DIV_i16;
}

static void quantize_prelu(const LiteView inputs[2], const LiteView* output, LiteBinaryQuantized* q,
                           LiteRowFunction* function) {
    const float scale = inputs[0].scale;
    q->multipliers[0] = lite_quantize_multiplier((double)(scale / output->scale));
    q->multipliers[1] = lite_quantize_multiplier((double)(scale * inputs[1].scale / output->scale));
    *function = output->type == kTfLiteInt8 ? PRELU_i8 : output->type == kTfLiteUInt8 ? PRELU_u8 : PRELU_i16;
}

TfLiteStatus lite_binary_quantized(TfLiteOpaqueContext* context, const char* name, LiteBinary op,
                                   const LiteView inputs[2], const LiteView* output,
                                   TfLiteFusedActivation activation, bool pot_scale, LiteBinaryTables* tables,
                                   LiteRowFunction* function) {
    LiteBinaryQuantized* quantized = &tables->scalars;
    // Asymmetric int16 has been accepted by the reference for these two only.
    const bool asymmetric = op == kLiteBinaryDIV || op == kLiteBinaryPRELU;
    *quantized = (LiteBinaryQuantized){.zero_point = output->zero_point};
    static const char* const names[2] = {"input 0", "input 1"};
    for (int k = 0; k < 2; k++) {
        LITE_TRY(lite_check_quantized(context, name, names[k], &inputs[k]));
        if (!asymmetric) LITE_TRY(lite_check_symmetric(context, name, names[k], &inputs[k]));
        quantized->zero_points[k] = inputs[k].zero_point;
    }
    LITE_TRY(lite_check_quantized(context, name, "output", output));
    if (!asymmetric) LITE_TRY(lite_check_symmetric(context, name, "output", output));
    if (lite_activation_range_quantized(activation, output->type, output->scale, output->zero_point,
                                        &quantized->low, &quantized->high) != kTfLiteOk) {
        return lite_fail(context, "%s: fused activation %d is not supported", name, (int)activation);
    }
    switch (op) {
    case kLiteBinaryADD:
    case kLiteBinarySUB:
        return quantize_sum(context, name, op == kLiteBinarySUB, inputs, output, pot_scale, tables, function);
    case kLiteBinaryMUL:
        quantize_mul(inputs, output, quantized, function);
        return kTfLiteOk;
    case kLiteBinaryDIV:
        quantize_div(inputs, output, quantized, function);
        return kTfLiteOk;
    case kLiteBinaryPRELU:
        quantize_prelu(inputs, output, quantized, function);
        return kTfLiteOk;
    case kLiteBinarySQUARED_DIFFERENCE:
        quantized->left_shift = 7;
        scale_sum(inputs, output, quantized, 1);
        *function = SQUARED_DIFFERENCE_i8;
        return kTfLiteOk;
    default:
        return lite_fail_type(context, name, output->type);
    }
}
