// SPDX-License-Identifier: Apache-2.0
// Files that are found by a key: none that is damaged is taken, none that others can write, and together they
// have no more bytes than they may.
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/folder_limit.h"
#include "core/base/keyed_file.h"
#include "core/base/memory.h"
#include "core/base/system.h"
#include "tests/support/random_numbers.h"

#define ENDING ".kept"

enum { kSize = 5000, kFiles = 9 };

static char folder[64];
static int opened;
static unsigned char data[kSize];

static int make_folder(void** state) {
    (void)state;
    char why[160];
    strcpy(folder, "oclite_keyed.XXXXXX");
    if (mkdtemp(folder) == NULL) return -1;
    for (int i = 0; i < kSize; i++) data[i] = (unsigned char)random_next();
    opened = lite_folder_open(folder, why, sizeof why);
    return opened >= 0 ? 0 : -1;
}

static void for_files(void (*what)(const char* name)) {
    DIR* entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent* entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (entry->d_name[0] != '.') what(entry->d_name);
    }
    closedir(entries);
}

static void remove_file(const char* name) {
    if (unlinkat(opened, name, 0) != 0) (void)unlinkat(opened, name, AT_REMOVEDIR);
}

static int remove_folder(void** state) {
    (void)state;
    (void)fchmod(opened, 0700);
    for_files(remove_file);
    close(opened);
    return rmdir(folder);
}

static char last_name[256];
static int files;

static void note(const char* name) {
    snprintf(last_name, sizeof last_name, "%s", name);
    files++;
}

// How many there are; `last_name` is one of them.
static int count_files(void) {
    files = 0;
    for_files(note);
    return files;
}

// Whether the file is there, the same in both ways.
static bool is_kept(const char* key) {
    LiteKeyedFile read = lite_keyed_read(opened, key, ENDING), mapped = lite_keyed_map(opened, key, ENDING);
    const bool kept = read.data != NULL;
    assert_int_equal(mapped.data != NULL, kept);
    if (kept) {
        assert_int_equal(read.size, kSize);
        assert_memory_equal(read.data, data, kSize);
        assert_int_equal(mapped.size, kSize);
        assert_memory_equal(mapped.data, data, kSize);
        assert_int_equal((uintptr_t)mapped.data % 64, 0);
    }
    lite_keyed_free(&read);
    lite_keyed_free(&mapped);
    return kept;
}

static void what_is_written_is_found(void** state) {
    (void)state;
    char key[200] = "";
    for (int i = 0; i < 130; i += 13) {
        memset(key, 'k', (size_t)i);
        assert_false(is_kept(key));
        assert_true(lite_keyed_write(opened, key, ENDING, data, kSize));
        assert_true(is_kept(key));
        LiteKeyedFile other = lite_keyed_map(opened, key, ".other");
        assert_null(other.data);
    }
    assert_int_equal(count_files(), 10);
    LiteKeyedFile none = lite_keyed_map(-1, "k", ENDING);
    assert_null(none.data);
    assert_false(lite_keyed_write(-1, "k", ENDING, data, kSize));
}

static void write_bytes(const void* bytes, size_t size) {
    assert_int_equal(lite_folder_write(opened, last_name, &(LiteBytes){bytes, size}, 1), 0);
}

// Thousands of files with a byte, or several, changed, cut off, or longer; or as many as KEYED_MUTATIONS
// says.
static void damaged_files_are_not_taken(void** state) {
    (void)state;
    static unsigned char whole[2 * kSize], changed[2 * kSize];
    assert_true(lite_keyed_write(opened, "key", ENDING, data, kSize));
    assert_int_equal(count_files(), 1);
    LiteContents file;
    assert_int_equal(lite_folder_read(opened, last_name, &file), 0);
    const size_t size = file.size;
    assert_in_range(size, kSize, sizeof whole - 100);
    memcpy(whole, file.data, size);
    lite_contents_free(&file);
    const char* wanted = getenv("KEYED_MUTATIONS");
    const int mutations = wanted != NULL ? atoi(wanted) : 4000;
    for (int i = 0; i < mutations; i++) {
        memcpy(changed, whole, sizeof whole);
        const size_t place = i < 300 ? (size_t)i : random_next() % size; // each of the header, and of the key
        changed[place] ^= (unsigned char)(1 << random_below(8));
        if (i % 3 == 0) changed[random_next() % size] ^= 0x11;
        write_bytes(changed, size);
        assert_int_equal(is_kept("key"), memcmp(changed, whole, size) == 0);
    }
    for (size_t length = 0; length < 400; length++) {
        write_bytes(whole, length < 300 ? length : size - 1 - random_next() % (size - 1));
        assert_false(is_kept("key"));
        write_bytes(whole, size + 1 + length % 64);
        assert_false(is_kept("key"));
    }
    write_bytes(whole, size);
    assert_true(is_kept("key"));
}

// What is read counts as used, too.
static void what_is_read_stays_longest(void** state) {
    (void)state;
    const struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
    assert_true(lite_keyed_write(opened, "first", ENDING, data, kSize));
    assert_int_equal(count_files(), 1);
    assert_int_equal(utimensat(opened, last_name, long_ago, 0), 0);
    assert_true(lite_keyed_write(opened, "second", ENDING, data, kSize));
    for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 100;) continue;
    LiteKeyedFile read = lite_keyed_read(opened, "first", ENDING);
    assert_non_null(read.data);
    lite_keyed_free(&read);
    assert_in_range(lite_keyed_limit(opened, ENDING, kSize + 200), kSize, kSize + 200);
    assert_true(is_kept("first"));
    assert_false(is_kept("second"));
}

// As when two keys have one name.
static void other_keys_are_not_taken(void** state) {
    (void)state;
    assert_true(lite_keyed_write(opened, "one", ENDING, data, kSize));
    assert_int_equal(count_files(), 1);
    char one[sizeof last_name];
    memcpy(one, last_name, sizeof one);
    assert_true(lite_keyed_write(opened, "two", ENDING, data, kSize));
    assert_int_equal(renameat(opened, one, opened, ".moved"), 0);
    assert_int_equal(count_files(), 1);
    assert_int_equal(renameat(opened, ".moved", opened, last_name), 0);
    assert_false(is_kept("two"));
    assert_false(is_kept("one"));
}

static void what_others_can_write_is_not_taken(void** state) {
    (void)state;
    assert_true(lite_keyed_write(opened, "key", ENDING, data, kSize));
    assert_int_equal(count_files(), 1);
    assert_int_equal(fchmodat(opened, last_name, 0620, 0), 0);
    assert_false(is_kept("key"));
    assert_int_equal(fchmodat(opened, last_name, 0602, 0), 0);
    assert_false(is_kept("key"));
    assert_int_equal(fchmodat(opened, last_name, 0644, 0), 0);
    assert_true(is_kept("key"));
    if (geteuid() == 0) { // who may give files away
        assert_int_equal(fchownat(opened, last_name, 12345, 12345, AT_SYMLINK_NOFOLLOW), 0);
        assert_false(is_kept("key"));
        assert_int_equal(fchownat(opened, last_name, 0, 0, AT_SYMLINK_NOFOLLOW), 0);
        assert_true(is_kept("key"));
    }
    assert_int_equal(renameat(opened, last_name, opened, ".elsewhere"), 0);
    assert_int_equal(symlinkat(".elsewhere", opened, last_name), 0);
    assert_false(is_kept("key"));
    assert_true(lite_keyed_write(opened, "key", ENDING, data, kSize)); // the link is replaced
    assert_true(is_kept("key"));
    assert_int_equal(unlinkat(opened, ".elsewhere", 0), 0);
    assert_int_equal(unlinkat(opened, last_name, 0), 0);
    assert_int_equal(mkfifoat(opened, last_name, 0600), 0);
    assert_false(is_kept("key"));
    assert_int_equal(unlinkat(opened, last_name, 0), 0);
    assert_int_equal(mkdirat(opened, last_name, 0700), 0);
    assert_false(is_kept("key"));
    assert_false(lite_keyed_write(opened, "key", ENDING, data, kSize));
}

static void what_is_mapped_stays(void** state) {
    (void)state;
    static const unsigned char others[kSize];
    assert_true(lite_keyed_write(opened, "key", ENDING, data, kSize));
    LiteKeyedFile mapped = lite_keyed_map(opened, "key", ENDING);
    assert_non_null(mapped.data);
    assert_true(lite_keyed_write(opened, "key", ENDING, others, kSize));
    assert_memory_equal(mapped.data, data, kSize);
    assert_int_equal(lite_keyed_limit(opened, ENDING, 0), 0);
    assert_int_equal(count_files(), 0);
    assert_memory_equal(mapped.data, data, kSize);
    lite_keyed_free(&mapped);
}

static char* key_of(int file) {
    static char key[16];
    snprintf(key, sizeof key, "key %d", file);
    return key;
}

// Those that were used last stay; what a process began to write counts, and files of other names do not.
static void the_oldest_leave(void** state) {
    (void)state;
    static const char* const others[] = {"letter.txt", "0123456789abcdef.kep", "0123456789abcdef.kept.x",
                                         "0123456789abcdeg.kept", "0123456789abcdef.keptx"};
    const LiteBytes bytes = {data, kSize};
    const struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
    for (int i = 0; i < 5; i++) assert_int_equal(lite_folder_write(opened, others[i], &bytes, 1), 0);
    for (int i = 0; i < kFiles; i++) {
        assert_true(lite_keyed_write(opened, key_of(i), ENDING, data, kSize));
        for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 100;) continue; // another time
    }
    assert_int_equal(lite_folder_write(opened, "0123456789abcdef.kept.0123456789abcdef", &bytes, 1), 0);
    assert_int_equal(utimensat(opened, "0123456789abcdef.kept.0123456789abcdef", long_ago, 0), 0);
    const size_t all = lite_keyed_limit(opened, ENDING, SIZE_MAX);
    assert_in_range(all, (kFiles + 1) * kSize, (kFiles + 1) * (kSize + 200));
    assert_int_equal(count_files(), kFiles + 6);
    LiteKeyedFile first = lite_keyed_map(opened, key_of(0), ENDING); // now it is the last
    lite_keyed_free(&first);
    const size_t left = lite_keyed_limit(opened, ENDING, 4 * (kSize + 200));
    assert_in_range(left, 4 * kSize, 4 * (kSize + 200));
    assert_int_equal(count_files(), 4 + 5);
    for (int i = 0; i < kFiles; i++) assert_int_equal(is_kept(key_of(i)), i == 0 || i >= kFiles - 3);
}

static void memory_runs_out(void** state) {
    (void)state;
    bool failed = true;
    for (int64_t point = 0; failed; point++) {
        lite_memory_fail_once(point);
        if (lite_keyed_write(opened, "key", ENDING, data, kSize)) {
            LiteKeyedFile read = lite_keyed_read(opened, "key", ENDING);
            lite_keyed_free(&read);
        }
        (void)lite_keyed_limit(opened, ENDING, SIZE_MAX);
        failed = lite_memory_failures() > 0;
        lite_memory_fail_once(-1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_written_is_found, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(damaged_files_are_not_taken, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_read_stays_longest, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(other_keys_are_not_taken, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_others_can_write_is_not_taken, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_mapped_stays, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_oldest_leave, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(memory_runs_out, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
