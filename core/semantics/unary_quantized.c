// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/unary_quantized.h"

#include <math.h>
#include <string.h>

#include "core/semantics/fixedpoint.h"

int32_t lite_unary_finish(const LiteUnaryScale* s, int32_t result) {
    const int32_t sum = (int32_t)((uint32_t)result + (uint32_t)s->output_zero); // wraps around
    return lite_clamp_i32(sum, s->low, s->high);
}

static int32_t rescale(const LiteUnaryScale* s, int32_t x) {
    return lite_unary_finish(s, lite_multiply(x - s->input_zero, s->multiplier));
}

static int32_t absolute(const LiteUnaryScale* s, int32_t x) {
    const int32_t distance = x - s->input_zero;
    return lite_unary_finish(s, lite_multiply(distance < 0 ? -distance : distance, s->multiplier));
}

static int32_t leaky_relu(const LiteUnaryScale* s, int32_t x) {
    const int32_t distance = x - s->input_zero;
    if (distance >= 0) return lite_unary_finish(s, lite_multiply(distance, s->multiplier));
    if (s->negative.value >= 0) return lite_unary_finish(s, lite_multiply(distance, s->negative));
    const LiteMultiplier magnitude = {-s->negative.value, s->negative.shift};
    return lite_unary_finish(s, -lite_multiply(distance, magnitude));
}

static void narrow_to_relu(LiteUnaryScale* s, float low, float high) {
    const float low_steps = roundf(low / s->output_scale), high_steps = roundf(high / s->output_scale);
    const int32_t zero = s->output_zero;
    if (low_steps > -65536.0f && (int32_t)low_steps + zero > s->low) s->low = (int32_t)low_steps + zero;
    if (high_steps < 65536.0f && (int32_t)high_steps + zero < s->high) s->high = (int32_t)high_steps + zero;
}

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

const uint16_t lite_sigmoid_table[256] = {
    32768, 33451, 34133, 34813, 35493, 36169, 36843, 37513, 38180, 38841, 39498, 40149, 40794, 41432, 42064,
    42688, 43304, 43912, 44511, 45102, 45683, 46255, 46817, 47369, 47911, 48443, 48964, 49475, 49975, 50464,
    50942, 51409, 51865, 52311, 52745, 53169, 53581, 53983, 54374, 54755, 55125, 55485, 55834, 56174, 56503,
    56823, 57133, 57433, 57724, 58007, 58280, 58544, 58800, 59048, 59288, 59519, 59743, 59959, 60168, 60370,
    60565, 60753, 60935, 61110, 61279, 61441, 61599, 61750, 61896, 62036, 62172, 62302, 62428, 62549, 62666,
    62778, 62886, 62990, 63090, 63186, 63279, 63368, 63454, 63536, 63615, 63691, 63765, 63835, 63903, 63968,
    64030, 64090, 64148, 64204, 64257, 64308, 64357, 64405, 64450, 64494, 64536, 64576, 64614, 64652, 64687,
    64721, 64754, 64786, 64816, 64845, 64873, 64900, 64926, 64950, 64974, 64997, 65019, 65039, 65060, 65079,
    65097, 65115, 65132, 65149, 65164, 65179, 65194, 65208, 65221, 65234, 65246, 65258, 65269, 65280, 65291,
    65301, 65310, 65319, 65328, 65337, 65345, 65352, 65360, 65367, 65374, 65381, 65387, 65393, 65399, 65404,
    65410, 65415, 65420, 65425, 65429, 65433, 65438, 65442, 65445, 65449, 65453, 65456, 65459, 65462, 65465,
    65468, 65471, 65474, 65476, 65479, 65481, 65483, 65485, 65488, 65489, 65491, 65493, 65495, 65497, 65498,
    65500, 65501, 65503, 65504, 65505, 65507, 65508, 65509, 65510, 65511, 65512, 65513, 65514, 65515, 65516,
    65517, 65517, 65518, 65519, 65520, 65520, 65521, 65522, 65522, 65523, 65523, 65524, 65524, 65525, 65525,
    65526, 65526, 65526, 65527, 65527, 65528, 65528, 65528, 65529, 65529, 65529, 65529, 65530, 65530, 65530,
    65530, 65531, 65531, 65531, 65531, 65531, 65532, 65532, 65532, 65532, 65532, 65532, 65533, 65533, 65533,
    65533, 65533, 65533, 65533, 65533, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534,
    65535,
};

// |x| in units of 1 / (24 * 2^bits): the table's index and, in the lower bits, the place between entries.
static int64_t table_position(const LiteUnaryScale* p, int32_t x) {
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

static int32_t logistic(const LiteUnaryScale* p, int32_t x) {
    const int64_t position = table_position(p, x);
    const int32_t value = table_value(position, 9, 0x7FFF << 10);
    return (position >= 0 ? value + (1 << 9) : (1 << 25) - value + (1 << 9) - 1) >> 10;
}

// 2 * logistic(2x) - 1.
static int32_t hyperbolic_tangent(const LiteUnaryScale* p, int32_t x) {
    const int64_t position = table_position(p, x);
    const int32_t value = table_value(position, 8, 0xFFFF << 8);
    return (position >= 0 ? value - (1 << 23) + (1 << 7) : -value + (1 << 23) + (1 << 7) - 1) >> 8;
}

// NaN becomes 0.
static int32_t compute_real(const LiteUnaryScale* s, LiteFunction function, float alpha, int32_t x) {
    const float real = s->input_scale * (float)(x - s->input_zero);
    const float inverse_scale = 1.0f / s->output_scale;
    const float result = roundf(function(real, alpha) * inverse_scale) + (float)s->output_zero;
    if (isnan(result)) return 0;
    if (result <= (float)s->low) return s->low;
    return result >= (float)s->high ? s->high : (int32_t)result;
}

// The logarithm of what is not positive is the smallest that the output can hold.
static float log_or_lowest(float x, float lowest) {
    return x <= 0.0f ? lowest : logf(x);
}

static float rsqrt_or_highest(float x, float highest) {
    return x <= 0.0f ? highest : 1.0f / sqrtf(x);
}

static bool is_named(const char* name, const char* other) {
    return strcmp(name, other) == 0;
}

// The input's scale as a multiplier and a right shift, to units of 1 / (3 * 4096).
static TfLiteStatus scale_to_table(const char* name, LiteUnaryScale* s, const LiteReporter* reporter) {
    if (fabsf(log2f(s->output_scale * 32768.0f)) >= 1e-3f) {
        return lite_report(reporter, "%s: output has scale %g, expected 1/32768", name,
                           (double)s->output_scale);
    }
    const double log2_scale = log2((double)s->input_scale);
    const double rounded = round(log2_scale);
    const int left_shift = 12 + (int)rounded; // scales of 2^-12, or 2^-11, are taken exactly
    if (fabs(log2_scale - rounded) < 1e-3 && left_shift >= 0 &&
        left_shift <= (is_named(name, "TANH") ? 1 : 0)) {
        s->multiplier = (LiteMultiplier){3 << left_shift, 0};
        return kTfLiteOk;
    }
    double multiplier = (double)s->input_scale * 4096.0 * 3.0;
    int shift = 0;
    for (; multiplier <= 32767.0 / 2.0 && shift <= 30; shift++) multiplier *= 2.0;
    if (multiplier > INT32_MAX) {
        return lite_report(reporter, "%s: input has scale %g, too large", name, (double)s->input_scale);
    }
    s->multiplier = (LiteMultiplier){(int32_t)multiplier, shift};
    return kTfLiteOk;
}

static TfLiteStatus scale_hard_swish(const char* name, LiteUnaryScale* s, const LiteReporter* reporter) {
    const float fine_scale = 1.0f / 128.0f * s->input_scale;
    s->multiplier = lite_quantize_multiplier((double)(fine_scale / s->output_scale));
    s->negative = lite_quantize_multiplier((double)(fine_scale / (3.0f / 32768.0f)));
    if (s->multiplier.shift <= 0) return kTfLiteOk;
    return lite_report(reporter, "%s: output scale %g is too small for input scale %g", name,
                       (double)s->output_scale, (double)s->input_scale);
}

// Operators with integer arithmetic, or parameters of their own in float.
static TfLiteStatus choose_8(const char* name, LiteUnaryRule* rule, const LiteReporter* reporter) {
    LiteUnaryScale* s = &rule->scale;
    if (is_named(name, "RSQRT")) {
        s->multiplier = lite_quantize_multiplier(1.0 / (double)(sqrtf(s->input_scale) * s->output_scale));
        rule->integer = inverse_square_root;
    } else if (is_named(name, "HARD_SWISH")) {
        rule->integer = hard_swish;
        return scale_hard_swish(name, s, reporter);
    } else if (is_named(name, "LOGISTIC") && s->output_scale != 1.0f / 256.0f) {
        return lite_report(reporter, "%s: output has scale %g, expected 1/256", name,
                           (double)s->output_scale);
    }
    return kTfLiteOk;
}

static TfLiteStatus choose_16(const char* name, LiteUnaryRule* rule, const LiteReporter* reporter) {
    if (is_named(name, "RSQRT")) {
        rule->function = rsqrt_or_highest;
        rule->alpha = (float)INT16_MAX * rule->scale.output_scale;
    } else if (is_named(name, "LOGISTIC") || is_named(name, "TANH")) {
        rule->integer = is_named(name, "TANH") ? hyperbolic_tangent : logistic;
        return scale_to_table(name, &rule->scale, reporter);
    }
    return kTfLiteOk;
}

// Those with one form for all types.
static void choose(const char* name, LiteUnaryRule* rule) {
    static const struct {
        const char* name;
        float low;
        float high;
    } relus[] = {{"RELU", 0.0f, INFINITY},
                 {"RELU6", 0.0f, 6.0f},
                 {"RELU_0_TO_1", 0.0f, 1.0f},
                 {"RELU_N1_TO_1", -1.0f, 1.0f}};
    LiteUnaryScale* s = &rule->scale;
    for (size_t i = 0; i < sizeof relus / sizeof relus[0]; i++) {
        if (!is_named(name, relus[i].name)) continue;
        narrow_to_relu(s, relus[i].low, relus[i].high);
        rule->integer = rescale;
    }
    if (is_named(name, "ABS")) rule->integer = absolute;
    if (is_named(name, "SQRT")) rule->integer = square_root;
    if (is_named(name, "LEAKY_RELU")) {
        s->negative = lite_quantize_multiplier((double)(s->input_scale * rule->alpha / s->output_scale));
        rule->integer = leaky_relu;
    }
    if (is_named(name, "LOG")) {
        rule->function = log_or_lowest;
        rule->alpha = (float)(s->low - s->output_zero) * s->output_scale;
    }
}

TfLiteStatus lite_unary_rule(const char* name, const LiteUnaryEnd* input, const LiteUnaryEnd* output,
                             LiteFunction function, float alpha, LiteUnaryRule* rule,
                             const LiteReporter* reporter) {
    *rule = (LiteUnaryRule){.function = function, .alpha = alpha};
    rule->scale =
        (LiteUnaryScale){.input_scale = input->scale,
                         .output_scale = output->scale,
                         .input_zero = input->zero_point,
                         .output_zero = output->zero_point,
                         .multiplier = lite_quantize_multiplier((double)(input->scale / output->scale))};
    lite_type_limits(output->type, &rule->scale.low, &rule->scale.high);
    rule->is_root = is_named(name, "SQRT") || is_named(name, "RSQRT");
    choose(name, rule);
    const bool symmetric = input->type == kTfLiteInt16 && !is_named(name, "GELU");
    if (symmetric && (input->zero_point != 0 || output->zero_point != 0)) {
        return lite_report(reporter, "%s: INT16 tensors have zero points %d and %d, expected 0", name,
                           input->zero_point, output->zero_point);
    }
    return input->type == kTfLiteInt16 ? choose_16(name, rule, reporter) : choose_8(name, rule, reporter);
}

void lite_unary_table8(const LiteUnaryRule* rule, TfLiteType type, uint8_t table[256]) {
    const LiteUnaryScale* s = &rule->scale;
    int32_t first = 0, last = 0;
    lite_type_limits(type, &first, &last);
    for (int32_t x = first; x <= last; x++) {
        const int32_t result = rule->is_root && x < s->input_zero ? s->low
                               : rule->integer != NULL            ? rule->integer(s, x)
                                                       : compute_real(s, rule->function, rule->alpha, x);
        table[(uint8_t)x] = (uint8_t)lite_clamp_i32(result, s->low, s->high);
    }
}

// To an integer within [low, high]; NaN becomes 0.
static int32_t to_integer(float x, int32_t low, int32_t high) {
    if (isnan(x)) return 0;
    if (x <= (float)low) return low;
    if (x >= (float)high) return high;
    return (int32_t)x;
}

void lite_unary_table16(const LiteUnaryRule* rule, int16_t table[LITE_LUT16_SIZE]) {
    const LiteUnaryScale* s = &rule->scale;
    const LiteFunction function = rule->function;
    const float alpha = rule->alpha;
    const int steps = LITE_LUT16_SIZE - 1;
    const float input_min = s->input_scale * (float)(INT16_MIN - s->input_zero);
    const float input_max = s->input_scale * (float)(INT16_MAX - s->input_zero);
    const float output_min = s->output_scale * (float)(INT16_MIN - s->output_zero);
    const float output_max = s->output_scale * (float)(INT16_MAX - s->output_zero);
    const float step = (input_max - input_min) / (float)steps;
    const float half_step = step / 2.0f;
    const float inverse_scale = 65536.0f / (output_max - output_min);
    for (int i = 0; i < steps; i++) {
        const float x = input_min + (float)i * step;
        const float value = function(x, alpha);
        const float middle = function(x + half_step, alpha);
        const float next = function(input_min + (float)(i + 1) * step, alpha);
        // Half of the error in the middle of the step is taken off the ends.
        const float sample = roundf(value * inverse_scale);
        const float interpolated = roundf((next * inverse_scale + sample) / 2.0f);
        const float bias = roundf((interpolated - roundf(middle * inverse_scale)) / 2.0f);
        table[i] = (int16_t)to_integer(sample - bias, INT16_MIN, INT16_MAX);
    }
    const float last = roundf(function(input_max, alpha) * inverse_scale);
    table[steps] = (int16_t)to_integer(last, INT16_MIN, INT16_MAX);
}
