// SPDX-License-Identifier: Apache-2.0
// Pieces of rows, joined and taken apart, against copies byte by byte.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels-cpu/support/pieces.h"
#include "tests/support/random_numbers.h"

enum { kMostPieces = 40, kMostBytes = 150 };

typedef struct Rows {
    int64_t rows, step;
    int count;
    int64_t bytes[kMostPieces], offsets[kMostPieces];
    char* own[kMostPieces];
    char *whole, *expected;
} Rows;

static char* random_bytes(int64_t count) {
    char* bytes = malloc((size_t)count + 1);
    for (int64_t i = 0; i <= count; i++) bytes[i] = (char)random_int(0, 255);
    return bytes;
}

// Between pieces there are bytes that belong to none.
static void begin(Rows* r) {
    r->rows = random_int(1, 400);
    r->count = random_int(1, kMostPieces);
    r->step = random_int(0, 5);
    for (int i = 0; i < r->count; i++) {
        r->bytes[i] = random_int(0, 3) == 0 ? 16 << random_int(0, 3) : random_int(1, kMostBytes);
        r->offsets[i] = r->step;
        r->step += r->bytes[i] + random_int(0, 2);
        r->own[i] = random_bytes(r->rows * r->bytes[i]);
    }
    r->whole = random_bytes(r->rows * r->step);
    r->expected = malloc((size_t)(r->rows * r->step) + 1);
    memcpy(r->expected, r->whole, (size_t)(r->rows * r->step) + 1);
}

static void copy(const Rows* r, bool joins) {
    LitePieces pieces = {
        .whole = r->whole, .rows = r->rows, .step = r->step, .joins = joins, .threads = random_int(1, 3)};
    for (int i = 0; i < r->count; i++)
        lite_pieces_add(&pieces, (LitePiece){r->own[i], r->bytes[i], r->offsets[i]});
    lite_pieces_end(&pieces);
    lite_pieces_end(&pieces); // nothing is left
}

static void end(Rows* r) {
    for (int i = 0; i < r->count; i++) free(r->own[i]);
    free(r->whole);
    free(r->expected);
}

static void pieces_are_joined(void** state) {
    (void)state;
    for (int n = 0; n < 200; n++) {
        Rows r;
        random_seed = (uint32_t)n;
        begin(&r);
        for (int i = 0; i < r.count; i++) {
            for (int64_t row = 0; row < r.rows; row++)
                memcpy(r.expected + row * r.step + r.offsets[i], r.own[i] + row * r.bytes[i],
                       (size_t)r.bytes[i]);
        }
        copy(&r, true);
        assert_memory_equal(r.whole, r.expected, (size_t)(r.rows * r.step) + 1);
        end(&r);
    }
}

static void pieces_are_taken_apart(void** state) {
    (void)state;
    for (int n = 0; n < 200; n++) {
        Rows r;
        random_seed = (uint32_t)n;
        begin(&r);
        copy(&r, false);
        for (int i = 0; i < r.count; i++) {
            for (int64_t row = 0; row < r.rows; row++)
                assert_memory_equal(r.own[i] + row * r.bytes[i], r.whole + row * r.step + r.offsets[i],
                                    (size_t)r.bytes[i]);
        }
        assert_memory_equal(r.whole, r.expected, (size_t)(r.rows * r.step) + 1);
        end(&r);
    }
}

// Small and narrow ones are left to what copies any strides, and so are rows that a cache does not hold.
static void large_rows_suit(void** state) {
    (void)state;
    assert_true(lite_pieces_suit(4096, 256, 64));
    assert_false(lite_pieces_suit(1, 1 << 20, 1 << 18));
    assert_false(lite_pieces_suit(4096, 256, 8));
    assert_false(lite_pieces_suit(16, 256, 64));
    assert_false(lite_pieces_suit(4096, 1 << 20, 1 << 18));
    assert_false(lite_pieces_suit(4096, 0, 0));
    assert_false(lite_pieces_suit(INT64_MAX, 256, 8));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_joined),
        cmocka_unit_test(pieces_are_taken_apart),
        cmocka_unit_test(large_rows_suit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
