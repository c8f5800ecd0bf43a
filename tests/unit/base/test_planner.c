// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/base/planner.h"
#include "tests/support/random_numbers.h"

static int overlap_in_time(const LiteUsage* a, const LiteUsage* b) {
    return a->first <= b->last && b->first <= a->last;
}

static void check_plan(const LiteUsage* usages, int count, size_t alignment, size_t total) {
    size_t most_alive = 0;
    for (int i = 0; i < count; i++) {
        assert_int_equal(usages[i].offset % alignment, 0);
        assert_true(usages[i].offset + usages[i].bytes <= total || usages[i].bytes == 0);
        size_t alive = 0; // in the first step of i
        for (int k = 0; k < count; k++) {
            if (usages[k].first <= usages[i].first && usages[i].first <= usages[k].last)
                alive += usages[k].bytes;
            if (i == k || !overlap_in_time(&usages[i], &usages[k])) continue;
            if (usages[i].bytes == 0 || usages[k].bytes == 0) continue;
            const int apart = usages[i].offset + usages[i].bytes <= usages[k].offset ||
                              usages[k].offset + usages[k].bytes <= usages[i].offset;
            assert_true(apart);
        }
        if (alive > most_alive) most_alive = alive;
    }
    assert_true(total >= most_alive);
}

static void random_plans_never_overlap(void** state) {
    (void)state;
    for (int round = 0; round < 10000; round++) {
        random_seed = (uint32_t)round;
        LiteUsage usages[24] = {0}, again[24];
        const int count = (int)random_below(24);
        const int steps = 1 + (int)random_below(30);
        for (int i = 0; i < count; i++) {
            const int first = (int)random_below((uint32_t)steps);
            const int last = first + (int)random_below(5);
            const size_t bytes = random_below(4) == 0 ? 64 : random_below(300);
            usages[i] = (LiteUsage){bytes, first, last, 12345};
        }
        memcpy(again, usages, sizeof again);
        const size_t alignment = (size_t)1 << random_below(7);
        size_t total, total_again;
        assert_true(lite_planner_place(usages, count, alignment, &total));
        check_plan(usages, count, alignment, total);
        assert_true(lite_planner_place(again, count, alignment, &total_again));
        assert_int_equal(total, total_again);
        for (int i = 0; i < count; i++) assert_int_equal(usages[i].offset, again[i].offset);
        size_t close;
        assert_true(lite_planner_place_closely(again, count, alignment, &close));
        check_plan(again, count, alignment, close);
        assert_true(close <= total);
    }
}

// A block of a network: a residual lives beside two that are twice as large, one after the other. The
// largest first leave no place for the residual but above them.
static void other_orders_close_gaps(void** state) {
    (void)state;
    LiteUsage usages[] = {{100, 0, 3, 0}, {200, 1, 2, 0}, {200, 2, 3, 0}, {100, 3, 4, 0},
                          {100, 4, 7, 0}, {200, 5, 6, 0}, {200, 6, 7, 0}, {100, 7, 8, 0}};
    const int count = (int)(sizeof usages / sizeof usages[0]);
    size_t total, close;
    assert_true(lite_planner_place(usages, count, 4, &total));
    assert_true(lite_planner_place_closely(usages, count, 4, &close));
    check_plan(usages, count, 4, close);
    assert_int_equal(close, 500); // what is alive together
    assert_true(close <= total);
}

static void a_chain_needs_two_buffers(void** state) {
    (void)state;
    LiteUsage usages[10];
    for (int i = 0; i < 10; i++) usages[i] = (LiteUsage){128, i, i + 1, 0};
    size_t total;
    assert_true(lite_planner_place(usages, 10, 64, &total));
    assert_int_equal(total, 256);
}

static void nothing_needs_nothing(void** state) {
    (void)state;
    size_t total = 1;
    assert_true(lite_planner_place(NULL, 0, 64, &total));
    assert_int_equal(total, 0);
    LiteUsage empty = {0, 0, 5, 77};
    assert_true(lite_planner_place(&empty, 1, 64, &total));
    assert_int_equal(total, 0);
    assert_int_equal(empty.offset, 0);
}

static void sizes_that_overflow_are_refused(void** state) {
    (void)state;
    size_t total;
    LiteUsage usages[2] = {{SIZE_MAX - 10, 0, 1, 0}, {SIZE_MAX - 10, 0, 1, 0}};
    assert_false(lite_planner_place(usages, 2, 64, &total));
    LiteUsage apart[2] = {{SIZE_MAX / 2, 0, 0, 0}, {SIZE_MAX / 2, 1, 1, 0}};
    assert_true(lite_planner_place(apart, 2, 64, &total));
    assert_int_equal(total, SIZE_MAX / 2);
}

static void many_buffers_are_placed_quickly(void** state) {
    (void)state;
    const int count = 300000;
    LiteUsage* usages = lite_calloc((size_t)count, sizeof *usages);
    assert_non_null(usages);
    for (int i = 0; i < count; i++) usages[i] = (LiteUsage){4, 0, 1, 0};
    size_t total;
    assert_true(lite_planner_place(usages, count, 64, &total));
    for (int i = 1; i < count; i++) assert_int_equal(usages[i].offset, usages[i - 1].offset + 64);
    lite_free(usages);
}

static void running_out_of_memory_is_reported(void** state) {
    (void)state;
    LiteUsage usage = {64, 0, 1, 0};
    size_t total;
    lite_memory_fail_after(0);
    assert_false(lite_planner_place(&usage, 1, 64, &total));
    for (int left = 0; left < 2; left++) {
        lite_memory_fail_after(left);
        assert_false(lite_planner_place_closely(&usage, 1, 64, &total));
    }
    lite_memory_fail_after(-1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_plans_never_overlap),
        cmocka_unit_test(other_orders_close_gaps),
        cmocka_unit_test(a_chain_needs_two_buffers),
        cmocka_unit_test(nothing_needs_nothing),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(many_buffers_are_placed_quickly),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
