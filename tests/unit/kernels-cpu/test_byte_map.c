// SPDX-License-Identifier: Apache-2.0
// Functions of bytes: what is computed along lines is what the table says, on every instruction set.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/semantics/quant.h"
#include "kernels-cpu/micro/micro.h"
#include "kernels-cpu/quantized/byte_map.h"
#include "tests/support/random_numbers.h"

enum { kCount = 1003, kLead = 3 };

static double random_slope(void) {
    static const double special[] = {0.0, 0.5, 1.0, -1.0, 2.0, 0.1};
    if (random_next() % 4 == 0) return special[random_next() % 6];
    return ldexp((double)(random_next() % 2001) - 1000.0, (int)(random_next() % 6) - 12);
}

// Two lines that meet at the corner, rounded and cut off; with `odd` some results are moved.
static void fill_table(uint8_t table[LITE_LUT8_SIZE], bool signed_in, bool signed_out, int32_t corner,
                       int odd) {
    const double left = random_slope(), right = random_slope(),
                 origin = (double)(random_next() % 200) - 100.0;
    const int32_t low = signed_out ? -128 : 0, narrow = (int32_t)(random_next() % 40);
    for (int i = 0; i < LITE_LUT8_SIZE; i++) {
        const int32_t x = (signed_in ? i - 128 : i) - corner;
        const int32_t y = (int32_t)lrint(origin + x * (x < 0 ? left : right));
        table[(uint8_t)(x + corner)] = (uint8_t)lite_clamp_i32(y, low + narrow, low + 255 - narrow);
    }
    for (int i = 0; i < odd; i++) table[random_next() % 256] ^= 1;
}

static void check_map(const LiteByteMap* map) {
    static uint8_t in[kCount + kLead], got[kCount + kLead + 1];
    for (LiteCpuPath path = kLiteCpuReference; path < kLiteCpuPaths; path++) {
        if (!lite_cpu_path_choose(path)) continue;
        for (int lead = 0; lead <= kLead; lead++) {
            const int64_t count = lead == kLead ? random_next() % 40 : kCount;
            for (int i = 0; i < kCount; i++) in[lead + i] = (uint8_t)(i < 256 ? i : (int)random_next());
            memset(got, 0x55, sizeof got);
            lite_map_bytes()(map, in + lead, count, got + lead);
            for (int64_t i = 0; i < count; i++) assert_int_equal(got[lead + i], map->table[in[lead + i]]);
            assert_int_equal(got[lead + count], 0x55);
            lite_map_bytes()(map, in + lead, count, in + lead); // in place
            assert_memory_equal(in + lead, got + lead, count);
        }
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

static void maps_are_their_tables(void** state) {
    (void)state;
    static LiteByteMap map;
    int lines = 0;
    for (int i = 0; i < 400; i++) {
        const bool signed_in = random_next() % 2 == 0, signed_out = random_next() % 2 == 0;
        const int32_t corner = (int32_t)(random_next() % 256) - (signed_in ? 128 : 0);
        fill_table(map.table, signed_in, signed_out, corner, i % 4 == 0 ? (int)(random_next() % 8) : 0);
        const bool hidden = i % 8 == 1; // where the corner is not said
        lite_byte_map_find_lines(&map, signed_in, signed_out, hidden ? INT32_MAX : corner);
        lines += map.lines.found;
        check_map(&map);
    }
    assert_true(lines > 200);
}

static void other_tables_have_no_lines(void** state) {
    (void)state;
    static LiteByteMap map;
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < LITE_LUT8_SIZE; k++) map.table[k] = (uint8_t)random_next();
        lite_byte_map_find_lines(&map, true, true, 0);
        assert_false(map.lines.found);
        check_map(&map);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(maps_are_their_tables),
                                       cmocka_unit_test(other_tables_have_no_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
