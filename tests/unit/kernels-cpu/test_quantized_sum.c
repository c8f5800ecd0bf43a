// SPDX-License-Identifier: Apache-2.0
// ADD, SUB and MUL of 8 bits: all pairs of values, for many quantizations, against the formula that defines
// them, on every instruction set.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/semantics/quant.h"
#include "kernels-cpu/micro/micro.h"
#include "kernels-cpu/quantized/binary_quantized.h"
#include "tests/support/random_numbers.h"

enum { kPairs = 256 * 256 };

static int32_t expected(LiteBinary op, const LiteBinaryQuantized* q, int32_t x, int32_t y) {
    int32_t inputs[2] = {x - q->zero_points[0], y - q->zero_points[1]};
    int32_t result;
    if (op == kLiteBinaryMUL) {
        result = inputs[0] * inputs[1];
    } else {
        for (int k = 0; k < 2; k++) {
            inputs[k] = lite_multiply((int32_t)((uint32_t)inputs[k] << 20), q->multipliers[k]);
        }
        result = op == kLiteBinaryADD ? inputs[0] + inputs[1] : inputs[0] - inputs[1];
    }
    return lite_clamp_i32(lite_multiply(result, q->multiplier) + q->zero_point, q->low, q->high);
}

// Scales apart by up to 2^4 each way; now and then equal, or in a ratio that makes ties.
static float random_scale(void) {
    static const float special[] = {1.0f, 0.5f, 2.0f, 1.5f};
    if (random_next() % 4 == 0) return special[random_next() % 4];
    return ldexpf(1.0f + (float)(random_next() % 1000) / 1000.0f, (int)(random_next() % 9) - 4);
}

static LiteView random_view(TfLiteType type) {
    const int32_t zero_point = (int32_t)(random_next() % 256) - (type == kTfLiteInt8 ? 128 : 0);
    return (LiteView){.type = type, .scale = random_scale(), .zero_point = zero_point};
}

static void check_one(LiteBinary op, TfLiteType type, TfLiteFusedActivation activation) {
    static uint8_t left[kPairs], right[kPairs], got[kPairs + 1], before[2][kPairs];
    static LiteBinaryTables tables;
    const LiteView inputs[2] = {random_view(type), random_view(type)};
    const LiteView output = random_view(type);
    LiteRowFunction function = NULL;
    assert_int_equal(
        lite_binary_quantized(NULL, "OP", op, inputs, &output, activation, false, &tables, &function),
        kTfLiteOk);
    const uint32_t order = 2 * random_next() + 1; // pairs meet other neighbours each time
    for (uint32_t i = 0; i < kPairs; i++) {
        left[i] = (uint8_t)(i * order >> 8);
        right[i] = (uint8_t)(i * order);
    }
    // Now and then one number for all of a long row, or of a short one.
    const uint32_t kind = random_next() % 4;
    const int64_t count = kind == 3 ? random_next() % 200 : kPairs - random_next() % 100;
    LiteRow row = {got, {left, right}, {kind != 1, kind < 2}, count, &tables};
    memcpy(before[0], left, sizeof left);
    memcpy(before[1], right, sizeof right);
    const uint32_t over = random_next() % 4; // where the output is, if it may
    if (row.step[0] != 0 && row.step[1] != 0 && over < 2) {
        assert_true(tables.may_overwrite);
        memcpy(got, before[over], kPairs);
        row.in[over] = got;
    }
    got[count] = 77;
    function(&row);
    assert_int_equal(got[count], 77);
    for (int64_t i = 0; i < count; i++) {
        const uint8_t a = before[0][i * row.step[0]], b = before[1][i * row.step[1]];
        const int32_t x = type == kTfLiteInt8 ? (int8_t)a : a;
        const int32_t y = type == kTfLiteInt8 ? (int8_t)b : b;
        assert_int_equal(got[i], (uint8_t)expected(op, &tables.scalars, x, y));
    }
}

static void all_pairs_are_exact(void** state) {
    (void)state;
    static const LiteBinary ops[] = {kLiteBinaryADD, kLiteBinarySUB, kLiteBinaryMUL};
    static const TfLiteFusedActivation activations[] = {kTfLiteActNone, kTfLiteActRelu, kTfLiteActRelu6};
    for (LiteCpuPath path = kLiteCpuReference; path < kLiteCpuPaths; path++) {
        if (!lite_cpu_path_choose(path)) continue;
        for (int i = 0; i < 60; i++) {
            check_one(ops[i % 3], i / 3 % 2 == 0 ? kTfLiteInt8 : kTfLiteUInt8, activations[i / 6 % 3]);
        }
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_pairs_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
