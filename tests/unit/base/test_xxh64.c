// SPDX-License-Identifier: Apache-2.0
// XXH64 against values of the published implementation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/xxh64.h"

static void known_values(void** state) {
    (void)state;
    unsigned char bytes[101];
    for (int i = 0; i < 101; i++) bytes[i] = (unsigned char)(i * 7);
    static const struct {
        size_t size;
        uint64_t seed;
        uint64_t hash;
    } known[] = {
        {0, UINT64_C(0), UINT64_C(0xef46db3751d8e999)},
        {0, UINT64_C(1), UINT64_C(0xd5afba1336a3be4b)},
        {1, UINT64_C(3), UINT64_C(0xab0f69cc1c0fac14)},
        {3, UINT64_C(0), UINT64_C(0x9ff70a635a6209ab)},
        {4, UINT64_C(0), UINT64_C(0xae5acdc00a55ac41)},
        {7, UINT64_C(9), UINT64_C(0x2dd03c42ff8ba493)},
        {8, UINT64_C(0), UINT64_C(0x87116b3365b924eb)},
        {12, UINT64_C(18446744073709551615), UINT64_C(0xdb0503bd1455d9be)},
        {31, UINT64_C(0), UINT64_C(0x0f187c62b1e722b7)},
        {32, UINT64_C(0), UINT64_C(0x91b0cb0931a8c629)},
        {33, UINT64_C(1), UINT64_C(0xe10df65d739e0fcd)},
        {63, UINT64_C(0), UINT64_C(0x219110bf13e2fa26)},
        {64, UINT64_C(0), UINT64_C(0xbf3052e3445775d0)},
        {71, UINT64_C(7), UINT64_C(0x337857e2fe3c2703)},
        {96, UINT64_C(0), UINT64_C(0x0c1298bedcd0a493)},
        {100, UINT64_C(8589934592), UINT64_C(0xaa26d89269555e05)},
        {101, UINT64_C(0), UINT64_C(0x42312f4d55d9bd17)},
    };
    assert_true(lite_xxh64("a", 1, 0) == UINT64_C(0xd24ec4f1a98c6e5b));
    assert_true(lite_xxh64("abc", 3, 0) == UINT64_C(0x44bc2cf5ad770999));
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_true(lite_xxh64(bytes, known[i].size, known[i].seed) == known[i].hash);
    }
}

// Each bit counts, wherever it is.
static void each_bit_counts(void** state) {
    (void)state;
    unsigned char bytes[77] = {0};
    for (size_t size = 1; size <= sizeof bytes; size++) {
        const uint64_t before = lite_xxh64(bytes, size, 5);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_true(lite_xxh64(bytes, size, 5) != before);
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        assert_true(lite_xxh64(bytes, size, 6) != before);
        assert_true(lite_xxh64(bytes, size - 1, 5) != before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_values), cmocka_unit_test(each_bit_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
