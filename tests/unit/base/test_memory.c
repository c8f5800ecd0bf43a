// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/base/system.h"

static void sizes_that_overflow_fail(void** state) {
    (void)state;
    assert_null(lite_calloc(SIZE_MAX / 2, 3));
    assert_null(lite_malloc(SIZE_MAX));
    assert_null(lite_aligned_alloc(64, SIZE_MAX - 8));
    LiteArena arena = {0};
    assert_null(lite_arena_alloc(&arena, SIZE_MAX, SIZE_MAX));
    assert_null(lite_arena_alloc(&arena, 1, SIZE_MAX - 4));
    lite_arena_free(&arena);
}

static void nothing_can_be_allocated(void** state) {
    (void)state;
    void* a = lite_malloc(0);
    void* b = lite_calloc(0, 8);
    void* c = lite_aligned_alloc(64, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    lite_free(a);
    lite_free(b);
    lite_free(c);
    lite_free(NULL);
}

static void aligned_memory_is_aligned(void** state) {
    (void)state;
    for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        unsigned char* p = lite_aligned_alloc(alignment, 100);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % alignment, 0);
        memset(p, 1, (100 + alignment - 1) / alignment * alignment);
        lite_free(p);
    }
}

static void strings_are_copied(void** state) {
    (void)state;
    char* copy = lite_strdup("conv");
    assert_string_equal(copy, "conv");
    lite_free(copy);
    assert_null(lite_strdup(NULL));
}

static void failure_is_injected_from_a_point_on(void** state) {
    (void)state;
    lite_memory_fail_after(2);
    void* a = lite_malloc(8);
    void* b = lite_calloc(1, 8);
    assert_non_null(a);
    assert_non_null(b);
    assert_null(lite_malloc(8));
    assert_null(lite_aligned_alloc(64, 8));
    assert_null(lite_realloc(a, 100));
    assert_null(lite_strdup("x"));
    lite_memory_fail_after(-1);
    void* c = lite_realloc(a, 100);
    assert_non_null(c);
    lite_free(b);
    lite_free(c);
}

static void one_failure_is_injected(void** state) {
    (void)state;
    lite_memory_fail_once(1);
    void* a = lite_malloc(8);
    assert_int_equal(lite_memory_failures(), 0);
    assert_null(lite_malloc(8));
    assert_int_equal(lite_memory_failures(), 1);
    void* b = lite_malloc(8);
    assert_true(a != NULL && b != NULL);
    lite_memory_fail_after(-1);
    assert_int_equal(lite_memory_failures(), 0);
    lite_free(a);
    lite_free(b);
}

static void live_allocations_are_counted(void** state) {
    (void)state;
    lite_memory_count_live(true);
    assert_int_equal(lite_memory_live(), 0);
    LiteArena arena = {0};
    void* pointers[] = {lite_malloc(8),        lite_calloc(2, 8),
                        lite_realloc(NULL, 8), lite_aligned_alloc(64, 8),
                        lite_strdup("x"),      lite_arena_alloc(&arena, 1, 8)};
    enum { kOwn = 5 };
    assert_int_equal(lite_memory_live(), kOwn + 1);
    pointers[0] = lite_realloc(pointers[0], 100);
    lite_free(NULL);
    assert_int_equal(lite_memory_live(), kOwn + 1);
    for (int i = 0; i < kOwn; i++) lite_free(pointers[i]);
    lite_arena_free(&arena);
    assert_int_equal(lite_memory_live(), 0);
    lite_memory_count_live(false);
}

static void arena_memory_is_zeroed_aligned_and_disjoint(void** state) {
    (void)state;
    LiteArena arena = {0};
    unsigned char* pieces[300];
    for (size_t i = 0; i < 300; i++) {
        const size_t bytes = i % 7 == 0 ? 5000 : i;
        pieces[i] = lite_arena_alloc(&arena, bytes, 1);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        for (size_t k = 0; k < bytes; k++) assert_int_equal(pieces[i][k], 0);
        memset(pieces[i], (int)(i % 251) + 1, bytes);
    }
    for (size_t i = 0; i < 300; i++) {
        const size_t bytes = i % 7 == 0 ? 5000 : i;
        for (size_t k = 0; k < bytes; k++) assert_int_equal(pieces[i][k], i % 251 + 1);
    }
    lite_arena_free(&arena);
    assert_null(arena.blocks);
    lite_arena_free(&arena);
}

// A file of a control group with this text; its path is good until the next call.
static const char* group_file(const char* text) {
    static char path[32];
    strcpy(path, "/tmp/test_memory_XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return path;
}

// What control groups write, as cgroup's second and first version do.
static void limits_of_containers_are_read(void** state) {
    (void)state;
    static const struct {
        const char* text;
        size_t limit;
    } files[] = {{"1073741824\n", 1u << 30}, {"4096", 4096},
                 {"max\n", SIZE_MAX},        {"", SIZE_MAX},
                 {"-1\n", SIZE_MAX},         {"99999999999999999999999999\n", SIZE_MAX}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char* path = group_file(files[i].text);
        assert_int_equal(lite_read_memory_limit(path), files[i].limit);
        unlink(path);
        assert_int_equal(lite_read_memory_limit(path), SIZE_MAX);
    }
    assert_true(lite_physical_memory() <= lite_read_memory_limit("/sys/fs/cgroup/memory.max"));
}

static void processors_of_containers_are_read(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int limit;
    } files[] = {{"200000 100000\n", 2},
                 {"150000 100000\n", 2},
                 {"50000 100000", 1},
                 {"1000 100000\n", 1},
                 {"max 100000\n", INT_MAX},
                 {"", INT_MAX},
                 {"0 100000\n", INT_MAX},
                 {"100000 0\n", INT_MAX},
                 {"-1 100000\n", INT_MAX},
                 {"100000", INT_MAX},
                 {"99999999999999999999999999 100000\n", INT_MAX},
                 {"9223372036854775807 1\n", INT_MAX}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char* path = group_file(files[i].text);
        assert_int_equal(lite_read_processor_limit(path), files[i].limit);
        unlink(path);
        assert_int_equal(lite_read_processor_limit(path), INT_MAX);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_overflow_fail),
        cmocka_unit_test(nothing_can_be_allocated),
        cmocka_unit_test(aligned_memory_is_aligned),
        cmocka_unit_test(strings_are_copied),
        cmocka_unit_test(failure_is_injected_from_a_point_on),
        cmocka_unit_test(one_failure_is_injected),
        cmocka_unit_test(live_allocations_are_counted),
        cmocka_unit_test(limits_of_containers_are_read),
        cmocka_unit_test(processors_of_containers_are_read),
        cmocka_unit_test(arena_memory_is_zeroed_aligned_and_disjoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
