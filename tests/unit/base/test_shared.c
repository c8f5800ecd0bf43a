// SPDX-License-Identifier: Apache-2.0
// Blocks that several owners share (core/base/shared.h).
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/base/shared.h"

enum { kBytes = 1000 };

static LiteShared shared;
static atomic_int fills;

static bool fill(void* argument, void* memory) {
    atomic_fetch_add(&fills, 1);
    memset(memory, *(const int*)argument, kBytes);
    return true;
}

static bool fill_otherwise(void* argument, void* memory) {
    memset(memory, 1 + *(const int*)argument, kBytes);
    return true;
}

static bool refuse(void* argument, void* memory) {
    (void)argument, (void)memory;
    return false;
}

static LiteSharedBlock* get(int value, bool (*how)(void* argument, void* memory)) {
    const int64_t key[] = {7, value};
    return lite_shared_get(
        &shared,
        &(LiteSharedContents){.key = key, .key_count = 2, .bytes = kBytes, .fill = how, .argument = &value});
}

static bool has(LiteSharedBlock* block, int value) {
    const unsigned char* bytes = lite_shared_memory(block);
    for (int i = 0; i < kBytes; i++) {
        if (bytes[i] != value) return false;
    }
    return (uintptr_t)bytes % 64 == 0;
}

static int begin(void** state) {
    (void)state;
    lite_shared_init(&shared);
    atomic_store(&fills, 0);
    return 0;
}

static int end(void** state) {
    (void)state;
    const size_t left = lite_shared_bytes(&shared);
    lite_shared_destroy(&shared);
    return left == 0 ? 0 : -1;
}

static void the_first_fills(void** state) {
    (void)state;
    LiteSharedBlock* blocks[3];
    for (int i = 0; i < 3; i++) blocks[i] = get(5, fill);
    assert_true(has(blocks[0], 5));
    assert_ptr_equal(blocks[0], blocks[1]);
    assert_ptr_equal(blocks[0], blocks[2]);
    assert_int_equal(atomic_load(&fills), 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lite_shared_bytes(&shared), kBytes);
        lite_shared_release(blocks[i]);
    }
    assert_int_equal(lite_shared_bytes(&shared), 0);
    LiteSharedBlock* again = get(5, fill);
    assert_int_equal(atomic_load(&fills), 2);
    lite_shared_release(again);
}

static void other_contents_are_other_blocks(void** state) {
    (void)state;
    enum { kValues = 200 };
    LiteSharedBlock* blocks[kValues];
    for (int i = 0; i < kValues; i++) blocks[i] = get(i, fill);
    LiteSharedBlock* otherwise = get(0, fill_otherwise);
    int value = 0;
    LiteSharedBlock* shorter_key = lite_shared_get(
        &shared,
        &(LiteSharedContents){
            .key = (const int64_t[]){7}, .key_count = 1, .bytes = kBytes, .fill = fill, .argument = &value});
    assert_int_equal(lite_shared_bytes(&shared), (kValues + 2) * kBytes);
    for (int i = 0; i < kValues; i++) assert_true(has(blocks[i], i));
    assert_true(has(otherwise, 1));
    for (int i = 0; i < kValues; i++) lite_shared_release(blocks[i]);
    lite_shared_release(otherwise);
    lite_shared_release(shorter_key);
}

static void private_blocks_are_in_no_list(void** state) {
    (void)state;
    int value = 3;
    const LiteSharedContents contents = {.bytes = kBytes, .fill = fill, .argument = &value};
    LiteSharedBlock* filled = lite_shared_get(NULL, &contents);
    LiteSharedBlock* another = lite_shared_get(NULL, &contents);
    LiteSharedBlock* empty = lite_shared_new_private(kBytes);
    assert_true(has(filled, 3));
    assert_ptr_not_equal(filled, another);
    memset(lite_shared_memory(empty), 4, kBytes);
    assert_true(has(empty, 4));
    assert_int_equal(lite_shared_bytes(&shared), 0);
    lite_shared_release(filled);
    lite_shared_release(another);
    lite_shared_release(empty);
    lite_shared_release(NULL);
}

static void what_cannot_be_made_leaves_nothing(void** state) {
    (void)state;
    assert_null(get(1, refuse));
    assert_int_equal(lite_shared_bytes(&shared), 0);
    lite_memory_fail_once(0);
    assert_null(get(1, fill));
    assert_null(lite_shared_get(&shared, &(LiteSharedContents){.bytes = SIZE_MAX, .fill = fill}));
    lite_memory_fail_once(-1);
    assert_int_equal(lite_shared_bytes(&shared), 0);
}

static bool fill_slowly(void* argument, void* memory) {
    const int value = *(const int*)argument;
    unsigned char* bytes = memory;
    for (int i = 0; i < kBytes; i++) {
        if (i % 100 == 0) sched_yield();
        bytes[i] = (unsigned char)value;
    }
    return true;
}

static void* use(void* unused) {
    (void)unused;
    for (int round = 0; round < 300; round++) {
        LiteSharedBlock* block = get(round % 3, fill_slowly);
        if (block == NULL || !has(block, round % 3)) return &fills;
        lite_shared_release(block);
    }
    return NULL;
}

// No assertions in threads: cmocka's are for the main thread.
static void threads_wait_for_who_fills(void** state) {
    (void)state;
    enum { kThreads = 4 };
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; i++) assert_int_equal(pthread_create(&threads[i], NULL, use, NULL), 0);
    for (int i = 0; i < kThreads; i++) {
        void* problem = NULL;
        assert_int_equal(pthread_join(threads[i], &problem), 0);
        assert_null(problem);
    }
}

static int started[2], finish[2]; // pipes
static bool waits;

static bool fill_and_wait(void* argument, void* memory) {
    char byte = 0;
    if (waits && (write(started[1], &byte, 1) != 1 || read(finish[0], &byte, 1) != 1)) return false;
    return fill(argument, memory);
}

static void* get_and_wait(void* unused) {
    (void)unused;
    return get(9, fill_and_wait);
}

// The thread that fills the block is not there in the child.
static void a_forked_child_fills_what_is_half_filled(void** state) {
    (void)state;
    pthread_t thread;
    char byte = 0;
    waits = true;
    assert_int_equal(pipe(started), 0);
    assert_int_equal(pipe(finish), 0);
    assert_int_equal(pthread_create(&thread, NULL, get_and_wait, NULL), 0);
    assert_int_equal(read(started[0], &byte, 1), 1);
    const pid_t child = fork();
    if (child == 0) {
        waits = false;
        LiteSharedBlock* block = get(9, fill_and_wait);
        _exit(block != NULL && has(block, 9) ? 0 : 1);
    }
    int status = 1;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(write(finish[1], &byte, 1), 1);
    void* block = NULL;
    assert_int_equal(pthread_join(thread, &block), 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(has(block, 9));
    lite_shared_release(block);
    for (int i = 0; i < 2; i++) {
        close(started[i]);
        close(finish[i]);
    }
}

// A page of the process's own that is in its memory.
static bool is_present(const char* page, size_t size) {
    const int map = open("/proc/self/pagemap", O_RDONLY);
    uint64_t entry = 0;
    const off_t at = (off_t)((uintptr_t)page / size * sizeof entry);
    const bool known = map >= 0 && pread(map, &entry, sizeof entry, at) == (ssize_t)sizeof entry;
    if (map >= 0) close(map);
    if (!known) {
        print_message("skipped: /proc/self/pagemap cannot be read\n");
        skip();
    }
    return entry >> 63;
}

static LiteSharedBlock* get_from(const char* data, size_t size, int value) {
    const int64_t key[] = {8, (int64_t)(uintptr_t)data};
    const LiteSharedSource source = {.kind = "test", .table = "", .contents = {data, size}};
    return lite_shared_get(&shared, &(LiteSharedContents){.key = key,
                                                          .key_count = 2,
                                                          .bytes = kBytes,
                                                          .source = &source,
                                                          .fill = fill,
                                                          .argument = &value});
}

// Constants of a mapped file leave the process's memory once a block was filled from them: whole pages, and
// no others; what is read again is what it was. Others stay.
static void mapped_constants_leave(void** state) {
    (void)state;
    enum { kPages = 64 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char path[] = "/tmp/oclite_shared_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    for (size_t i = 0; i < kPages * page; i++) assert_int_equal(write(file, "0123456" + i % 7, 1), 1);
    LiteMapping mapping;
    assert_int_equal(lite_map_file(path, &mapping), 0);
    unlink(path);
    close(file);
    shared.mapping = &mapping;
    const char* data = mapping.data;
    long sum = 0;
    for (size_t i = 0; i < kPages * page; i++) sum += data[i];
    LiteSharedBlock* blocks[] = {get_from(data + page / 2, 32 * page, 1), get_from("outside", 7, 2),
                                 get_from(data + 60 * page, 100 * page, 3)};
    // From the middle of one page to the middle of another: these two stay.
    for (size_t i = 0; i < kPages; i++) assert_int_equal(is_present(data + i * page, page), i < 1 || i > 31);
    for (size_t i = 0; i < kPages * page; i++) sum -= data[i];
    assert_int_equal(sum, 0);
    for (int i = 0; i < 3; i++) {
        assert_true(has(blocks[i], i + 1));
        lite_shared_release(blocks[i]);
    }
    lite_unmap_file(&mapping);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_fills, begin, end),
        cmocka_unit_test_setup_teardown(other_contents_are_other_blocks, begin, end),
        cmocka_unit_test_setup_teardown(private_blocks_are_in_no_list, begin, end),
        cmocka_unit_test_setup_teardown(what_cannot_be_made_leaves_nothing, begin, end),
        cmocka_unit_test_setup_teardown(threads_wait_for_who_fills, begin, end),
        cmocka_unit_test_setup_teardown(a_forked_child_fills_what_is_half_filled, begin, end),
        cmocka_unit_test_setup_teardown(mapped_constants_leave, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
