// SPDX-License-Identifier: Apache-2.0
// Files of others are not read, whoever owns the process.
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/folder.h"
#include "core/base/memory.h"

static char folder[64];
static char why[160];

static int make_folder(void** state) {
    (void)state;
    strcpy(folder, "oclite_folder.XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void** state) {
    (void)state;
    static const char* const kNames[] = {"file", "link", "pipe", "target"};
    char path[128];
    (void)chmod(folder, 0700);
    for (size_t i = 0; i < sizeof kNames / sizeof kNames[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, kNames[i]);
        (void)unlink(path);
    }
    return rmdir(folder);
}

static char* path_in_folder(const char* name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int open_folder(void) {
    const int opened = lite_folder_open(folder, why, sizeof why);
    if (opened < 0) fail_msg("%s", why);
    return opened;
}

static void write_text(int opened, const char* text) {
    assert_int_equal(lite_folder_write(opened, "file", &(LiteBytes){text, strlen(text)}, 1), 0);
}

static void expect_text(int opened, const char* text) {
    LiteContents contents;
    assert_int_equal(lite_folder_read(opened, "file", &contents), 0);
    assert_int_equal(contents.size, strlen(text));
    if (contents.size > 0) assert_memory_equal(contents.data, text, contents.size);
    lite_contents_free(&contents);
}

static void expect_error(int opened, const char* name, int error) {
    LiteContents contents = {&contents, 1, false};
    assert_int_equal(lite_folder_read(opened, name, &contents), error);
    assert_null(contents.data);
    assert_int_equal(contents.size, 0);
}

static void what_is_written_is_read(void** state) {
    (void)state;
    const int opened = open_folder();
    expect_error(opened, "file", ENOENT);
    const LiteBytes parts[] = {{"one ", 4}, {NULL, 0}, {"two", 3}};
    assert_int_equal(lite_folder_write(opened, "file", parts, 3), 0);
    expect_text(opened, "one two");
    write_text(opened, "");
    expect_text(opened, "");
    write_text(opened, "three");
    // The folder is known by more than its path.
    assert_int_equal(rename(folder, "oclite_folder.moved"), 0);
    expect_text(opened, "three");
    assert_int_equal(rename("oclite_folder.moved", folder), 0);
    close(opened);
    int count = 0;
    DIR* entries = opendir(folder);
    assert_non_null(entries);
    while (readdir(entries) != NULL) count++;
    closedir(entries);
    assert_int_equal(count, 3); // with . and ..
}

static void files_of_others_are_not_read(void** state) {
    (void)state;
    const int opened = open_folder();
    write_text(opened, "text");
    for (int mode = 0620; mode >= 0602; mode -= 016) {
        assert_int_equal(chmod(path_in_folder("file"), (mode_t)mode), 0);
        expect_error(opened, "file", EPERM);
    }
    assert_int_equal(chmod(path_in_folder("file"), 0644), 0);
    expect_text(opened, "text");
    assert_int_equal(symlink("file", path_in_folder("link")), 0);
    expect_error(opened, "link", ELOOP);
    assert_int_equal(mkfifo(path_in_folder("pipe"), 0600), 0);
    expect_error(opened, "pipe", EINVAL);
    if (geteuid() == 0) { // only root can give files away
        assert_int_equal(chown(path_in_folder("file"), 12345, (gid_t)-1), 0);
        expect_error(opened, "file", EPERM);
        write_text(opened, "anew");
        expect_text(opened, "anew");
    }
    close(opened);
}

static void expect_refusal(const char* reason) {
    why[0] = '\0';
    assert_int_equal(lite_folder_open(folder, why, sizeof why), -1);
    if (strstr(why, reason) == NULL) fail_msg("\"%s\" is not in \"%s\"", reason, why);
}

static void folders_of_others_are_refused(void** state) {
    (void)state;
    assert_int_equal(chmod(folder, 0777), 0);
    expect_refusal("others may write to it (mode 0777)");
    assert_int_equal(chmod(folder, 01777), 0);
    expect_refusal("others may write to it (mode 1777)");
    assert_int_equal(chmod(folder, 0770), 0);
    expect_refusal("others may write to it (mode 0770)");
    assert_int_equal(chmod(folder, 0700), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(folder, 12345, (gid_t)-1), 0);
        expect_refusal("belongs to user 12345, and not to user 0");
        assert_int_equal(chown(folder, 0, (gid_t)-1), 0);
    }
    close(open_folder());
}

static void a_folder_that_is_only_read_serves(void** state) {
    (void)state;
    int opened = open_folder();
    write_text(opened, "text");
    close(opened);
    assert_int_equal(chmod(folder, 0500), 0);
    opened = open_folder();
    expect_text(opened, "text");
    if (geteuid() != 0) {
        assert_int_equal(lite_folder_write(opened, "file", &(LiteBytes){"b", 1}, 1), EACCES);
        expect_text(opened, "text");
    }
    close(opened);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_written_is_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(files_of_others_are_not_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(folders_of_others_are_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_folder_that_is_only_read_serves, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
