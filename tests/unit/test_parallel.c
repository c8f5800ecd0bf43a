// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/parallel.h"

enum { kMost = 1000, kMostThreads = 64 };

typedef struct Log {
    unsigned char visits[kMost];
    int64_t begin[kMostThreads];
    int64_t end[kMostThreads];
} Log;

// Parts are disjoint, so that no two threads write the same element.
static void visit(void* argument, int64_t begin, int64_t end, int thread) {
    Log* log = argument;
    log->begin[thread] = begin;
    log->end[thread] = end;
    for (int64_t i = begin; i < end; i++) log->visits[i]++;
}

static void every_element_is_visited_once(void** state) {
    (void)state;
    static const int threads[] = {-1, 0, 1, 2, 3, 7, 64};
    static const int64_t grains[] = {-5, 1, 2, 10, 999, 5000};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        for (size_t g = 0; g < sizeof grains / sizeof grains[0]; g++) {
            for (int64_t count = 0; count <= kMost; count += count < 20 ? 1 : 97) {
                Log log = {0};
                lite_parallel_for(threads[t], count, grains[g], visit, &log);
                for (int64_t i = 0; i < kMost; i++) assert_int_equal(log.visits[i], i < count);
            }
        }
    }
}

static void parts_are_not_smaller_than_the_grain(void** state) {
    (void)state;
    for (int64_t count = 1; count <= kMost; count += 13) {
        Log log = {0};
        lite_parallel_for(8, count, 50, visit, &log);
        for (int i = 0; i < kMostThreads; i++) {
            const int64_t size = log.end[i] - log.begin[i];
            if (size > 0 && log.end[i] != count) assert_true(size >= 50);
        }
    }
}

static void the_split_is_always_the_same(void** state) {
    (void)state;
    Log first = {0};
    lite_parallel_for(5, 997, 3, visit, &first);
    for (int i = 0; i < 20; i++) {
        Log log = {0};
        lite_parallel_for(5, 997, 3, visit, &log);
        assert_memory_equal(log.begin, first.begin, sizeof log.begin);
        assert_memory_equal(log.end, first.end, sizeof log.end);
    }
}

static void there_is_a_processor(void** state) {
    (void)state;
    assert_true(lite_processor_count() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_visited_once),
        cmocka_unit_test(parts_are_not_smaller_than_the_grain),
        cmocka_unit_test(the_split_is_always_the_same),
        cmocka_unit_test(there_is_a_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
