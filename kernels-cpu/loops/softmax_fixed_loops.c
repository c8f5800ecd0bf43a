// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/softmax_fixed_loops.h"

#include <string.h>

#include "core/semantics/unary_quantized.h"
#include "kernels-cpu/loops/lookup_loops.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"

// Short rows are done in blocks: what there is one of for each row, and what for each element, is computed in
// vectors over the block. Of long rows each of the 256 differences to the largest element is computed once.
enum {
    kDifferences = 256,
    kBlock = 1024, // elements, at most
    kRows = 128,   // the same of rows
};

typedef struct Block {
    int32_t sums[kRows]; // of exponentials, later what the operator makes of them
    int32_t shifts[kRows];
    int32_t values[kBlock];
} Block;

// The largest element, the sum of all exponentials, and for each element what the table has for it.
#define DEFINE_LOOK_UP(NAME, IN)                                                                             \
    static inline int32_t NAME(const IN* in, int64_t depth, const int32_t table[kDifferences],               \
                               const int32_t addends[kDifferences], int32_t* restrict out) {                 \
        IN most = in[0];                                                                                     \
        for (int64_t i = 1; i < depth; i++) most = in[i] > most ? in[i] : most;                              \
        int32_t sum = 0; /* each is at most 2^19 */                                                          \
        for (int64_t i = 0; i < depth; i++) {                                                                \
            const int64_t difference = (int64_t)most - in[i];                                                \
            sum += addends[difference];                                                                      \
            out[i] = table[difference];                                                                      \
        }                                                                                                    \
        return sum;                                                                                          \
    }
DEFINE_LOOK_UP(look_up_u8, uint8_t)
DEFINE_LOOK_UP(look_up_i8, int8_t)
LITE_SUM_OF_EXPS(sum_of_exps_u8, uint8_t)
LITE_SUM_OF_EXPS(sum_of_exps_i8, int8_t)

// SOFTMAX: the reciprocal of the sum times each exponential, rounded to the bits of the output.
static inline void reciprocals(const LiteSoftmaxFixed* fixed, int count, Block* block) {
    (void)fixed;
    for (int i = 0; i < count; i++) {
        int shift;
        block->sums[i] = lite_reciprocal(block->sums[i], &shift);
        block->shifts[i] = shift;
    }
}

static inline void multiply(const Block* block, int row, int64_t depth, int bits, int32_t* values) {
    const int wanted = block->shifts[row] + LITE_SOFTMAX_SUM_BITS - bits, right = wanted < 31 ? wanted : 31;
    const int32_t reciprocal = wanted > 31 ? 0 : block->sums[row]; // 0: all are below half
    for (int64_t i = 0; i < depth; i++) {
        values[i] = lite_rounding_shift_right(lite_doubling_high_mul(reciprocal, values[i]), right);
    }
}

// LOG_SOFTMAX: the exponentials' arguments less the logarithm of the sum; the least integer at and below the
// argument whose difference to the largest element is too large to have a logarithm.
static inline void logarithms(const LiteSoftmaxFixed* fixed, int count, Block* block) {
    for (int i = 0; i < count; i++) {
        block->sums[i] = lite_log(block->sums[i]);
        block->shifts[i] = lite_multiply(lite_wrapping_add(block->sums[i], INT32_MIN), fixed->reverse);
    }
    const int32_t lowest = fixed->scale.diff_min - 1;
    for (int i = 0; i < count; i++) {
        const int32_t none = block->shifts[i] > lowest ? block->shifts[i] : lowest;
        block->shifts[i] = none > -kDifferences ? fixed->table.scaled[-none] : INT32_MIN;
    }
}

static inline void subtract(const Block* block, int row, int64_t depth, int bits, int32_t* values) {
    const int32_t log_sum = block->sums[row], none = block->shifts[row];
    for (int64_t i = 0; i < depth; i++) {
        const int32_t scaled = lite_wrapping_sub(values[i], log_sum);
        values[i] = lite_rounding_shift_right(values[i] <= none ? INT32_MIN : scaled, bits);
    }
}

// ROW_TERMS makes of the sums of a block what END_ROW takes of them for the elements of a row, to which
// OFFSET is added.
#define DEFINE_ROWS(NAME, SUFFIX, IN, OUT, TABLE, ROW_TERMS, END_ROW, BITS, OFFSET, LOW, HIGH)               \
    static inline void NAME##_narrow(const int32_t* values, int64_t count, OUT* restrict out) {              \
        for (int64_t i = 0; i < count; i++) out[i] = (OUT)lite_clamp_i32(values[i] + (OFFSET), LOW, HIGH);   \
    }                                                                                                        \
    static void NAME##_long(const LiteSoftmaxFixed* fixed, const IN* in, int64_t depth, OUT* out) {          \
        Block block;                                                                                         \
        IN most;                                                                                             \
        OUT results[kDifferences], of_input[kDifferences];                                                   \
        block.sums[0] = sum_of_exps_##SUFFIX(in, depth, &fixed->table, &most);                               \
        ROW_TERMS(fixed, 1, &block);                                                                         \
        memcpy(block.values, fixed->table.TABLE, sizeof fixed->table.TABLE);                                 \
        END_ROW(&block, 0, kDifferences, BITS, block.values);                                                \
        NAME##_narrow(block.values, kDifferences, results);                                                  \
        for (int i = 0; i < kDifferences; i++) of_input[(uint8_t)(most - i)] = results[i];                   \
        if (sizeof(OUT) == 1) {                                                                              \
            lite_look_up()((const uint8_t*)of_input, (const uint8_t*)in, depth, (uint8_t*)out);              \
        } else {                                                                                             \
            for (int64_t i = 0; i < depth; i++) out[i] = of_input[(uint8_t)in[i]];                           \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME(const LiteSoftmaxFixed* fixed, const void* input, int64_t rows, int64_t depth,          \
                     void* output) {                                                                         \
        const IN* in = input;                                                                                \
        OUT* out = output;                                                                                   \
        const int64_t fitting = kBlock / depth, most = fitting < kRows ? fitting : kRows;                    \
        Block block;                                                                                         \
        for (int64_t row = 0; row < rows; row += depth < kDifferences ? most : 1) {                          \
            if (depth >= kDifferences) {                                                                     \
                NAME##_long(fixed, in + row * depth, depth, out + row * depth);                              \
                continue;                                                                                    \
            }                                                                                                \
            int count = 0;                                                                                   \
            for (; count < most && row + count < rows; count++) {                                            \
                block.sums[count] = look_up_##SUFFIX(in + (row + count) * depth, depth, fixed->table.TABLE,  \
                                                     fixed->table.addends, block.values + count * depth);    \
            }                                                                                                \
            ROW_TERMS(fixed, count, &block);                                                                 \
            for (int i = 0; i < count; i++) END_ROW(&block, i, depth, BITS, block.values + i * depth);       \
            NAME##_narrow(block.values, count* depth, out + row * depth);                                    \
        }                                                                                                    \
    }
#define DEFINE_SOFTMAX(NAME, SUFFIX, IN, OUT, LOW, HIGH, BITS)                                               \
    DEFINE_ROWS(NAME, SUFFIX, IN, OUT, exps, reciprocals, multiply, BITS, LOW, LOW, HIGH)
#define DEFINE_LOG_SOFTMAX(NAME, SUFFIX, TYPE, LOW, HIGH)                                                    \
    DEFINE_ROWS(NAME, SUFFIX, TYPE, TYPE, scaled, logarithms, subtract, 22, HIGH, LOW, HIGH)
DEFINE_SOFTMAX(softmax_u8, u8, uint8_t, uint8_t, 0, UINT8_MAX, 8)
DEFINE_SOFTMAX(softmax_i8, i8, int8_t, int8_t, INT8_MIN, INT8_MAX, 8)
DEFINE_SOFTMAX(softmax_u8_16, u8, uint8_t, int16_t, INT16_MIN, INT16_MAX, 16)
DEFINE_SOFTMAX(softmax_i8_16, i8, int8_t, int16_t, INT16_MIN, INT16_MAX, 16)
DEFINE_LOG_SOFTMAX(log_softmax_u8, u8, uint8_t, 0, UINT8_MAX)
DEFINE_LOG_SOFTMAX(log_softmax_i8, i8, int8_t, INT8_MIN, INT8_MAX)

LITE_EXPORT_LOOPS(LiteSoftmaxFixedRows, lite_softmax_fixed_rows,
                  (TfLiteType input, TfLiteType output, bool logarithm), (input, output, logarithm)) {
    const bool is_signed = input == kTfLiteInt8;
    if (lite_has_LOG_SOFTMAX && logarithm) return is_signed ? log_softmax_i8 : log_softmax_u8;
    if (LITE_HAS_TYPE(kTfLiteInt16) && output == kTfLiteInt16)
        return is_signed ? softmax_i8_16 : softmax_u8_16;
    return is_signed ? softmax_i8 : softmax_u8;
}

// Exponentials of differences to a row's largest element, from the table: 15 fractional bits. Reading it is
// the only step that is not done in vectors.
static void exponentials_16(const LiteSoftmaxTable16* table, const int32_t* differences, int count,
                            int16_t* restrict out) {
    const LiteMultiplier multiplier = table->multiplier;
    int32_t positions[kBlock], steps[kBlock];
    for (int i = 0; i < count; i++) { // the range of the table, from 0 on
        positions[i] = lite_clamp_i32(lite_multiply(differences[i], multiplier), -65535, 0) + 65535;
    }
    for (int i = 0; i < count; i++) memcpy(&steps[i], &table->exps[positions[i] >> 7], sizeof steps[i]);
    for (int i = 0; i < count; i++) {
        int16_t ends[2]; // lite_lut16_at
        memcpy(ends, &steps[i], sizeof ends);
        const int32_t slope = ends[1] - ends[0];
        out[i] = (int16_t)(ends[0] + ((slope * (positions[i] & 0x7F) + 64) >> 7));
    }
}

// Makes a row's exponentials, of which none is negative and one is 1, its results.
static void divide_row_16(const LiteSoftmaxTable16* table, int64_t depth, int16_t* row) {
    int64_t all = 0;
    for (int64_t at = 0; at < depth; at += kBlock) {
        const int64_t count = depth - at < kBlock ? depth - at : kBlock;
        int32_t some = 0;
        for (int64_t i = 0; i < count; i++) some += row[at + i];
        all += some;
    }
    // The sum is 2^n * (1 + x): x in 16 bits around 0 goes into the second table.
    const int32_t sum = lite_saturate_i32(all);
    const int zeros = __builtin_clz((uint32_t)sum), shift = 31 - zeros;
    const int64_t normalized = (((int64_t)sum << (zeros - 1)) + (1 << 13)) >> 14;
    const int32_t x = lite_clamp_i32((int32_t)(normalized - (1 << 15) - (1 << 16)), INT16_MIN, INT16_MAX);
    const int32_t reciprocal = lite_lut16_at(table->reciprocals, (int16_t)x);
    const int32_t half = shift > 0 ? 1 << (shift - 1) : 0;
    for (int64_t i = 0; i < depth; i++) {
        row[i] = (int16_t)lite_clamp_i32((row[i] * reciprocal + half) >> shift, 0, INT16_MAX);
    }
}

static void subtract_largest(const int16_t* in, int64_t count, int16_t most, int32_t* restrict differences) {
    for (int64_t i = 0; i < count; i++) differences[i] = in[i] - most;
}

static int16_t largest_of(const int16_t* in, int64_t count) {
    int16_t most = in[0];
    for (int64_t i = 1; i < count; i++) most = in[i] > most ? in[i] : most;
    return most;
}

// Short rows in blocks, long ones in parts.
static void softmax_16(const LiteSoftmaxTable16* table, const int16_t* in, int64_t rows, int64_t depth,
                       int16_t* out) {
    int32_t differences[kBlock] = {0};
    const int64_t fitting = depth < kBlock ? kBlock / depth : 1;
    for (int64_t row = 0; row < rows; row += fitting) {
        const int64_t count = rows - row < fitting ? rows - row : fitting;
        const int16_t* from = in + row * depth;
        int16_t* to = out + row * depth;
        if (depth < kBlock) {
            for (int64_t i = 0; i < count * depth; i += depth)
                subtract_largest(from + i, depth, largest_of(from + i, depth), differences + i);
            exponentials_16(table, differences, (int)(count * depth), to);
        } else {
            const int16_t most = largest_of(from, depth);
            for (int64_t at = 0; at < depth; at += kBlock) {
                const int64_t part = depth - at < kBlock ? depth - at : kBlock;
                subtract_largest(from + at, part, most, differences);
                exponentials_16(table, differences, (int)part, to + at);
            }
        }
        for (int64_t i = 0; i < count * depth; i += depth) divide_row_16(table, depth, to + i);
    }
}

LITE_EXPORT_LOOPS(LiteSoftmax16Rows, lite_softmax_16_rows, (void), ()) {
    return LITE_HAS_TYPE(kTfLiteInt16) ? softmax_16 : NULL;
}
