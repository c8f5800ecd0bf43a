// SPDX-License-Identifier: Apache-2.0
// Guesses at what an unknown word was meant to be.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/nearest.h"

static void distances(void** state) {
    (void)state;
    assert_int_equal(lite_edit_distance("", "abc"), 3);
    assert_int_equal(lite_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(lite_edit_distance("num-runs", "num_runs"), 0);
    assert_int_equal(lite_edit_distance("Atan", "aTAN"), 0);
    assert_int_equal(lite_edit_distance("Atna", "Atan"), 1);
    assert_int_equal(lite_edit_distance("abcd", "badc"), 2);
    assert_int_equal(lite_edit_distance("abc", ""), 3);
    char long_word[1000];
    memset(long_word, 'a', sizeof(long_word));
    long_word[sizeof(long_word) - 1] = '\0';
    assert_int_equal(lite_edit_distance(long_word, long_word), 0);
}

static void the_nearest_counts_if_it_is_near(void** state) {
    (void)state;
    const char* best = NULL;
    lite_nearest("num_rnus", "warmup_runs", &best);
    assert_null(best);
    lite_nearest("num_rnus", "num_runs", &best);
    lite_nearest("num_rnus", "num_rows", &best);
    assert_string_equal(best, "num_runs");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(the_nearest_counts_if_it_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
