// SPDX-License-Identifier: Apache-2.0
// Reductions of integers of all types, which compilers make vectors of in any order, in columns and in runs
// of random shapes, on every instruction set: against one element after the other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/cpu_path.h"
#include "kernels-cpu/loops/reduce_loops.h"
#include "tests/support/random_numbers.h"

enum { kElements = 16 * 1024, kRounds = 60 };

static union {
    uint8_t bytes[kElements * sizeof(int64_t)];
    int64_t aligned;
} numbers;

static int fill(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof numbers.bytes; i++) numbers.bytes[i] = (uint8_t)random_next();
    return 0;
}

// Element i of a type of `size` bytes.
static int64_t number_at(const void* data, int64_t i, size_t size, bool is_signed) {
    uint64_t bits = 0;
    memcpy(&bits, (const char*)data + (size_t)i * size, size); // of a little-endian machine
    if (is_signed && size < sizeof bits && bits >> (8 * size - 1) != 0) bits |= UINT64_MAX << 8 * size;
    return (int64_t)bits;
}

static int64_t join(LiteReduction reduction, int64_t all, int64_t x) {
    switch (reduction) {
    case kLiteReduceSum:
        return (int64_t)((uint64_t)all + (uint64_t)x);
    case kLiteReduceProduct:
        return (int64_t)((uint64_t)all * (uint64_t)x);
    case kLiteReduceMaximum:
        return x > all ? x : all;
    default:
        return x < all ? x : all;
    }
}

typedef struct Reduced {
    LiteReduction reduction;
    LiteReduceEnd end;
    size_t size; // of an element
    bool is_signed;
    LiteReduceLoops loops;
} Reduced;

static void check(const Reduced* c, const LiteReduceRows* rows, bool is_run) {
    static LiteAccumulators got;
    const int64_t outputs = is_run ? rows->outputs : rows->count;
    c->loops.start(&got, outputs);
    if (is_run) {
        c->loops.run(&got, 0, rows);
    } else {
        c->loops.columns(&got, rows);
    }
    for (int64_t o = 0; o < outputs; o++) {
        const int64_t first = is_run ? o * rows->next : o;
        int64_t want = number_at(numbers.bytes, first, c->size, c->is_signed);
        for (int64_t row = 0; row < rows->rows; row++) {
            for (int64_t i = 0; i < (is_run ? rows->count : 1); i++) {
                if (row == 0 && i == 0) continue;
                const int64_t x =
                    number_at(numbers.bytes, first + row * rows->stride + i, c->size, c->is_signed);
                want = join(c->reduction, want, x);
            }
        }
        if (memcmp((char*)&got + (size_t)(o * c->loops.size), &want, (size_t)c->loops.size) != 0) {
            fail_msg("%s, reduction %d of %zu bytes: %lld rows of %lld, %lld apart: output %lld",
                     lite_cpu_path_name(lite_cpu_path()), (int)c->reduction, c->size, (long long)rows->rows,
                     (long long)rows->count, (long long)rows->stride, (long long)o);
        }
    }
}

static void check_shapes(const Reduced* c) {
    for (int i = 0; i < kRounds; i++) {
        LiteReduceRows rows = {.data = numbers.bytes, .rows = random_int(1, 40), .count = random_int(1, 160)};
        rows.stride = rows.count + (random_below(2) ? 0 : random_int(1, 20));
        if (rows.rows * rows.stride <= kElements) check(c, &rows, false);
        rows.rows = random_int(1, 5);
        rows.outputs = random_int(1, 70);
        rows.next = rows.rows * rows.stride;
        if (rows.outputs * rows.next <= kElements) check(c, &rows, true);
    }
}

static void check_types(void) {
    static const struct {
        TfLiteType type;
        size_t size;
        bool is_signed;
    } types[] = {{kTfLiteInt8, 1, true},
                 {kTfLiteUInt8, 1, false},
                 {kTfLiteInt16, 2, true},
                 {kTfLiteInt32, 4, true},
                 {kTfLiteInt64, 8, true}};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        for (int reduction = kLiteReduceSum; reduction <= kLiteReduceMinimum; reduction++) {
            // Those that are divided have accumulators of their own.
            for (int end = kLiteReduceStore; end <= kLiteReduceDivide; end++) {
                Reduced c = {
                    (LiteReduction)reduction, (LiteReduceEnd)end, types[t].size, types[t].is_signed, {0}};
                if (end == kLiteReduceDivide && reduction != kLiteReduceSum) continue;
                assert_true(lite_reduce_loops(c.reduction, c.end, types[t].type, &c.loops));
                check_shapes(&c);
            }
        }
    }
}

static void all_shapes_are_whole(void** state) {
    (void)state;
    for (int path = kLiteCpuReference; path < kLiteCpuOneDnn; path++) {
        if (lite_cpu_path_choose((LiteCpuPath)path)) check_types();
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_shapes_are_whole)};
    return cmocka_run_group_tests(tests, fill, NULL);
}
