// SPDX-License-Identifier: Apache-2.0
// Comparisons of two tensors that are broadcast to each other: the COMPARE lines of core/elementwise.def.
#include <string.h>

#include "core/semantics/quant.h"
#include "kernels-cpu/loops/compare_loops.h"
#include "kernels-cpu/loops/formulas.h"
#include "kernels-cpu/support/strings.h"

// Types in both sets are quantized where the tensor has a scale.
static const unsigned plain_types[kLiteCompareCount] = {
#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT) PLAIN,
#include "core/elementwise.def"
};
static const unsigned quantized_types[kLiteCompareCount] = {
#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT) QUANTIZED,
#include "core/elementwise.def"
};

// Quantized values are compared as reals, in units of 2^-8.
typedef struct CompareParams {
    int32_t zero_points[2];
    LiteMultiplier multipliers[2];
    int32_t values[2][256];  // of 8-bit inputs, by their bytes
    const LiteView* strings; // both inputs
} CompareParams;

static inline int32_t real_value(const CompareParams* p, int k, int32_t x) {
    return lite_multiply((int32_t)((uint32_t)(x - p->zero_points[k]) << 8), p->multipliers[k]);
}

#define real_value_i8(p, k, x) ((p)->values[k][(uint8_t)(x)])
#define real_value_u8(p, k, x) ((p)->values[k][x])
#define real_value_i16(p, k, x) real_value(p, k, x)
#define QUANTIZED_LOOP(SUFFIX, NAME)                                                                         \
    static void NAME##_quantized_##SUFFIX(const LiteRow* row) {                                              \
        const CompareParams* p = row->params;                                                                \
        LITE_BINARY_LOOP(row, stored_##SUFFIX, uint8_t,                                                      \
                         apply_##NAME##_i32(real_value_##SUFFIX(p, 0, a), real_value_##SUFFIX(p, 1, b)));    \
    }

// The inputs of these are the strings' numbers.
#define STRING_LOOP(NAME, EQUAL)                                                                             \
    static void NAME##_string(const LiteRow* row) {                                                          \
        const CompareParams* p = row->params;                                                                \
        LITE_BINARY_LOOP(row, int32_t, uint8_t, same_string(p, a, b) == (EQUAL));                            \
    }

static bool same_string(const CompareParams* p, int32_t a, int32_t b) {
    size_t a_length, b_length;
    const char* a_bytes = lite_strings_get(&p->strings[0], a, &a_length);
    const char* b_bytes = lite_strings_get(&p->strings[1], b, &b_length);
    return a_length == b_length && (a_length == 0 || memcmp(a_bytes, b_bytes, a_length) == 0);
}

// Loops of each comparison for each type; the table below names those that the lines ask for.
#define EACH_QUANTIZED(X, ...) X(i8, __VA_ARGS__) X(u8, __VA_ARGS__) X(i16, __VA_ARGS__)
#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT) EACH_QUANTIZED(QUANTIZED_LOOP, NAME)
#include "core/elementwise.def"
STRING_LOOP(EQUAL, true)
STRING_LOOP(NOT_EQUAL, false)

enum { kTypes = kTfLiteFloat8E5M2 + 1 };

static bool is_quantized(LiteCompare op, const LiteView* input) {
    return lite_types_contain(quantized_types[op], input->type) &&
           (input->affine != NULL || !lite_types_contain(plain_types[op], input->type));
}

// NULL when there is none.
static LiteRowFunction find_loop(LiteCompare op, const LiteView* input) {
    static const LiteRowFunction quantized[kLiteCompareCount][kTypes] = {
#define QUANTIZED_ENTRY(SUFFIX, NAME, TYPES)                                                                 \
    [kLiteCompare##NAME][type_##SUFFIX] = LITE_SET_HAS(TYPES, SUFFIX) ? NAME##_quantized_##SUFFIX : NULL,
#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT) EACH_QUANTIZED(QUANTIZED_ENTRY, NAME, QUANTIZED)
#include "core/elementwise.def"
    };
    if ((unsigned)input->type >= kTypes) return NULL;
    if (is_quantized(op, input)) return quantized[op][input->type];
    if (!lite_types_contain(plain_types[op], input->type)) return NULL;
    if (input->type == kTfLiteString) return op == kLiteCompareEQUAL ? EQUAL_string : NOT_EQUAL_string;
    return lite_compare_loop(op, input->type);
}

static TfLiteStatus compare_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* name,
                                    LiteCompare op) {
    LiteView inputs[2], output;
    LITE_TRY(lite_elementwise_prepare_binary(context, node, name, inputs, &output));
    LITE_TRY(lite_check_type(context, name, "output", &output, kTfLiteBool));
    if (find_loop(op, &inputs[0]) == NULL) return lite_check_fail_type(context, name, inputs[0].type);
    if (!is_quantized(op, &inputs[0])) return kTfLiteOk;
    LITE_TRY(lite_check_quantized(context, name, "input 0", &inputs[0]));
    return lite_check_quantized(context, name, "input 1", &inputs[1]);
}

// Compares the numbers 0, 1, 2, … that stand for the strings of both inputs.
static TfLiteStatus compare_strings(TfLiteOpaqueContext* context, const char* name, LiteRowFunction loop,
                                    LiteView inputs[2], const LiteView* output) {
    for (int k = 0; k < 2; k++) LITE_TRY(lite_strings_check(context, name, &inputs[k]));
    const int64_t count = inputs[0].count > inputs[1].count ? inputs[0].count : inputs[1].count;
    int32_t* numbers = lite_calloc((size_t)count, sizeof(*numbers));
    if (numbers == NULL) return lite_fail(context, "%s: out of memory", name);
    for (int64_t i = 0; i < count; i++) numbers[i] = (int32_t)i;
    LiteView numbered[2] = {inputs[0], inputs[1]};
    for (int k = 0; k < 2; k++) {
        numbered[k].type = kTfLiteInt32;
        numbered[k].data = numbers;
    }
    const CompareParams params = {.strings = inputs};
    const TfLiteStatus status = lite_elementwise_run(context, name, loop, &params, 10, output, numbered, 2);
    lite_free(numbers);
    return status;
}

// Fills in the parameters of quantized inputs; a faster loop where bytes compare as their values do.
static LiteRowFunction prepare_values(LiteCompare op, const LiteView inputs[2], LiteRowFunction loop,
                                      CompareParams* params) {
    int32_t first = 0, last = -1;
    if (inputs[0].type != kTfLiteInt16) lite_type_limits(inputs[0].type, &first, &last);
    bool distinct = first <= last;
    for (int k = 0; k < 2; k++) {
        params->zero_points[k] = inputs[k].zero_point;
        params->multipliers[k] = lite_quantize_multiplier((double)inputs[k].scale);
        for (int32_t x = first; x <= last; x++) {
            params->values[k][(uint8_t)x] = real_value(params, k, x);
            distinct = distinct &&
                       (x == first || params->values[k][(uint8_t)(x - 1)] < params->values[k][(uint8_t)x]);
        }
    }
    const bool same = inputs[0].scale == inputs[1].scale && inputs[0].zero_point == inputs[1].zero_point;
    return distinct && same ? lite_compare_loop(op, inputs[0].type) : loop;
}

static TfLiteStatus compare_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* name,
                                   LiteCompare op) {
    LiteView inputs[2], output;
    LITE_TRY(lite_kernel_views(context, node, name, inputs, 2, &output));
    if (output.count == 0) return kTfLiteOk;
    LiteRowFunction loop = find_loop(op, &inputs[0]);
    if (inputs[0].type == kTfLiteString) return compare_strings(context, name, loop, inputs, &output);
    CompareParams params;
    if (is_quantized(op, &inputs[0])) loop = prepare_values(op, inputs, loop, &params);
    return lite_elementwise_run(context, name, loop, &params, 1, &output, inputs, 2);
}

#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT)                                                              \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return compare_prepare(context, node, #NAME, kLiteCompare##NAME);                                    \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return compare_invoke(context, node, #NAME, kLiteCompare##NAME);                                     \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.prepare = prepare_##NAME, .invoke = invoke_##NAME};
#include "core/elementwise.def"
