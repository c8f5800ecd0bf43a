// SPDX-License-Identifier: Apache-2.0
// The self-test's parts, on what no good program or folder would say. tests/selftest has it whole.
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
#include "core/base/keyed_file.h"
#include "core/base/opencl_packages.h"
#include "delegate-opencl/device/icd.h"
#include "delegate-opencl/device/left_out.h"
#include "delegate-opencl/device/vendors.h"
#include "delegate-opencl/selftest/child.h"
#include "delegate-opencl/selftest/program.h"
#include "delegate-opencl/selftest/store.h"
#include "tests/support/random_numbers.h"

static char folder[64];

static int make_folder(void** state) {
    (void)state;
    strcpy(folder, "/tmp/oclite-test-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void** state) {
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? 0 : -1;
}

// ---- Lines ----

static bool reads(const char* line, LiteClVerdict* verdict) {
    return lite_cl_verdict_read(line, strlen(line), verdict);
}

static void lines_are_read(void** state) {
    (void)state;
    LiteClVerdict verdict;
    assert_true(reads("right ADD", &verdict));
    assert_int_equal(verdict.trial, kLiteClTrialRight);
    assert_string_equal(verdict.name, "ADD");
    assert_string_equal(verdict.detail, "");
    assert_true(reads("wrong SOFTMAX max error 0.5", &verdict));
    assert_int_equal(verdict.trial, kLiteClTrialWrong);
    assert_string_equal(verdict.detail, "max error 0.5");
}

static void other_lines_are_refused(void** state) {
    (void)state;
    static const char* const lines[] = {"",
                                        "right",
                                        "right ",
                                        "right  ADD",
                                        " right ADD",
                                        "Right ADD",
                                        "rightADD",
                                        "right ADD ",
                                        "right A-D",
                                        "right A.D",
                                        "untried ADD",
                                        "fine ADD",
                                        "right\tADD",
                                        "right \xc3\xa4",
                                        "wrong ADD \033[2J",
                                        "wrong ADD a\rb",
                                        "righ ADD",
                                        "rightt ADD"};
    LiteClVerdict verdict;
    char longest[512];
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (reads(lines[i], &verdict)) fail_msg("\"%s\" is read", lines[i]);
    }
    assert_false(lite_cl_verdict_read("right A\0D", 9, &verdict));
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "right ", 6);
    assert_false(lite_cl_verdict_read(longest, 6 + LITE_CL_TRIAL_NAME, &verdict));
    assert_true(lite_cl_verdict_read(longest, 6 + LITE_CL_TRIAL_NAME - 1, &verdict));
    memcpy(longest, "right x ", 8);
    assert_false(lite_cl_verdict_read(longest, 8 + LITE_CL_TRIAL_DETAIL, &verdict));
    assert_true(lite_cl_verdict_read(longest, 8 + LITE_CL_TRIAL_DETAIL - 1, &verdict));
}

// What is read is what would be written, whatever the bytes.
static void random_lines_are_read_as_written(void** state) {
    (void)state;
    static const char* const seeds[] = {"right ADD", "wrong SOFTMAX max error 0.5",
                                        "crashes device signal 11", "untaken Resampler it has no case"};
    int accepted = 0;
    for (int round = 0; round < 200000; round++) {
        char line[160];
        size_t length = (size_t)snprintf(line, sizeof line, "%s", seeds[round % 4]);
        for (int change = random_int(0, 3); change > 0; change--)
            line[random_int(0, (int)length - 1)] = (char)random_int(0, 255);
        if (random_int(0, 3) == 0) length = (size_t)random_int(0, (int)length);
        char* exact = malloc(length + 1); // so that sanitizers see a byte too far
        assert_non_null(exact);
        memcpy(exact, line, length);
        LiteClVerdict verdict;
        if (lite_cl_verdict_read(exact, length, &verdict)) {
            LiteText text = {0};
            lite_cl_verdict_write(&verdict, &text);
            assert_int_equal(text.length, length + 1);
            assert_memory_equal(text.data, exact, length);
            lite_text_free(&text);
            accepted++;
        }
        free(exact);
    }
    assert_in_range(accepted, 1000, 199000);
}

// ---- What a folder keeps ----

static LiteClVerdicts* fresh(void) {
    static int count;
    char identity[96];
    snprintf(identity, sizeof identity, "%s %d\n", folder, count++);
    LiteClVerdicts* verdicts = lite_cl_verdicts_of(identity);
    assert_non_null(verdicts);
    assert_ptr_equal(verdicts, lite_cl_verdicts_of(identity));
    return verdicts;
}

static void keep_text(const LiteClVerdicts* verdicts, const char* text, size_t size) {
    char why[160];
    const int opened = lite_folder_open(folder, why, sizeof why);
    assert_true(opened >= 0);
    assert_true(lite_keyed_write(opened, verdicts->identity, ".selftest", text, size));
    close(opened);
}

static void folders_keep_verdicts(void** state) {
    (void)state;
    LiteClVerdict verdict = {.trial = kLiteClTrialHangs, .name = "CONV_2D"};
    LiteClVerdicts* verdicts = fresh();
    lite_cl_verdict_detail(&verdict, "after %d s\n\033", 10);
    assert_true(lite_cl_verdicts_put(verdicts, &verdict));
    assert_true(lite_cl_verdicts_put(verdicts, &(LiteClVerdict){.name = "UNTRIED"}));
    lite_cl_selftest_store(folder, verdicts, false);
    lite_cl_verdicts_forget(verdicts);
    assert_false(lite_cl_verdicts_find(verdicts, "CONV_2D", &verdict));
    lite_cl_selftest_load(folder, verdicts);
    assert_true(lite_cl_verdicts_find(verdicts, "CONV_2D", &verdict));
    assert_int_equal(verdict.trial, kLiteClTrialHangs);
    assert_string_equal(verdict.detail, "after 10 s ?");
    assert_false(lite_cl_verdicts_find(verdicts, "UNTRIED", &verdict));
}

// Two processes try different operators at the same time: neither loses what the other has found.
static void later_writers_keep_what_others_found(void** state) {
    (void)state;
    static const char others[] = "crashes ADD signal 11\nright SUB\nright MUL\n";
    LiteClVerdict verdict;
    LiteClVerdicts* verdicts = fresh();
    lite_cl_selftest_load(folder, verdicts);
    keep_text(verdicts, others, sizeof others - 1);
    assert_true(lite_cl_verdicts_put(verdicts, &(LiteClVerdict){.trial = kLiteClTrialHangs, .name = "SUB"}));
    assert_true(lite_cl_verdicts_put(verdicts, &(LiteClVerdict){.name = "MUL"}));
    lite_cl_selftest_store(folder, verdicts, true);
    lite_cl_verdicts_forget(verdicts);
    verdicts->loaded = false;
    lite_cl_selftest_load(folder, verdicts);
    assert_true(lite_cl_verdicts_find(verdicts, "ADD", &verdict));
    assert_int_equal(verdict.trial, kLiteClTrialCrashes);
    assert_true(lite_cl_verdicts_find(verdicts, "SUB", &verdict)); // its own word counts
    assert_int_equal(verdict.trial, kLiteClTrialHangs);
    assert_true(lite_cl_verdicts_find(verdicts, "MUL", &verdict)); // it had no time for that
    assert_int_equal(verdict.trial, kLiteClTrialRight);
    lite_cl_selftest_store(folder, verdicts, false);
}

// Their digests are right: whoever may write to the folder can make them so.
static void hostile_files_are_nothing(void** state) {
    (void)state;
    static const char* const texts[] = {
        "right ADD",           "right ADD\nwrong\n", "\n",
        "right ADD\n\n",       "untried ADD\n",      "right ADD\nuntried SUB\n",
        "right ADD\nright SUB"};
    LiteClVerdict verdict;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        LiteClVerdicts* verdicts = fresh();
        keep_text(verdicts, texts[i], strlen(texts[i]));
        lite_cl_selftest_load(folder, verdicts);
        if (lite_cl_verdicts_find(verdicts, "ADD", &verdict)) fail_msg("\"%s\" is read", texts[i]);
    }
    LiteText many = {0};
    for (int i = 0; i <= LITE_CL_MOST_VERDICTS; i++) lite_text_add(&many, "right N%d\n", i);
    LiteClVerdicts* verdicts = fresh();
    keep_text(verdicts, many.data, many.length);
    lite_cl_selftest_load(folder, verdicts);
    assert_false(lite_cl_verdicts_find(verdicts, "N0", &verdict));
    lite_text_free(&many);
}

// ---- Children ----

typedef struct Told {
    int count;
    LiteClVerdict verdicts[16];
} Told;

static void tell(void* user_data, const LiteClVerdict* verdict) {
    Told* told = user_data;
    if (told->count < 16) told->verdicts[told->count] = *verdict;
    told->count++;
}

// The shell as the program; the names are its arguments $1, $2 and so on.
static int try_script(const char* script, const char* const* names, int count, int all_ms, int most,
                      Told* told) {
    const char* const arguments[] = {"-c", script, "sh", NULL};
    const LiteClChild child = {.program = "/bin/sh",
                               .arguments = arguments,
                               .names = names,
                               .count = count,
                               .all_ms = all_ms,
                               .most_bad_ends = most};
    *told = (Told){0};
    const int before = lite_cl_children_started();
    const int result = lite_cl_child_try(&child, tell, told);
    assert_true(result < 0 || result == told->count);
    return lite_cl_children_started() - before;
}

static const char* const names[] = {"A", "B", "C", "D"};

static void a_bad_end_is_the_fault_of_what_was_begun(void** state) {
    (void)state;
    Told told;
    const int children = try_script("for n; do echo begin $n; case $n in B) kill -SEGV $$;; C) exit 4;; "
                                    "esac; echo right $n; done; echo end",
                                    names, 4, 0, 0, &told);
    assert_int_equal(children, 3);
    assert_int_equal(told.count, 4);
    assert_int_equal(told.verdicts[0].trial, kLiteClTrialRight);
    assert_int_equal(told.verdicts[1].trial, kLiteClTrialCrashes);
    assert_string_equal(told.verdicts[1].name, "B");
    assert_string_equal(told.verdicts[1].detail, "signal 11");
    assert_string_equal(told.verdicts[2].detail, "exit status 4");
    assert_int_equal(told.verdicts[3].trial, kLiteClTrialRight);
}

static void bad_ends_are_bounded(void** state) {
    (void)state;
    Told told;
    assert_int_equal(try_script("exit 1", names, 4, 0, 3, &told), 3);
    assert_int_equal(told.count, 3);
}

static void time_is_bounded(void** state) {
    (void)state;
    Told told;
    assert_int_equal(
        try_script("echo begin A; echo right A; echo begin B; sleep 1000", names, 4, 300, 0, &told), 1);
    assert_int_equal(told.count, 1); // no time was left for B to be judged
}

// It has said all, and does not end: it is ended.
static void what_does_not_end_is_ended(void** state) {
    (void)state;
    Told told;
    assert_int_equal(
        try_script("echo begin A; echo right A; echo end; exec sleep 1000", names, 1, 0, 0, &told), 1);
    assert_int_equal(told.count, 1);
    assert_int_equal(told.verdicts[0].trial, kLiteClTrialRight);
}

static void hostile_children_are_not_believed(void** state) {
    (void)state;
    static const char* const scripts[] = {"echo right A",
                                          "echo begin B; echo right B",
                                          "echo begin A; echo begin A; echo right A",
                                          "echo begin A; echo right B",
                                          "echo begin A; printf 'right A\\0\\n'",
                                          "echo begin A; echo 'right A '",
                                          "echo end",
                                          "head -c 1000000 /dev/urandom",
                                          "yes",
                                          "yes begin A",
                                          "head -c 1000000 /dev/zero",
                                          "printf 'begin A'",
                                          "echo begin A; echo untried A",
                                          "echo begin; echo right",
                                          "echo begin A; echo wrong A \"$(printf '\\t')x\""};
    Told told;
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        (void)try_script(scripts[i], names, 1, 0, 1, &told);
        assert_int_equal(told.count, 1);
        if (told.verdicts[0].trial != kLiteClTrialCrashes)
            fail_msg("%s: %s", scripts[i], lite_cl_trial_words[told.verdicts[0].trial]);
        assert_string_equal(told.verdicts[0].name, "A");
    }
}

// Nothing that the host has open is open there, and no signal of its is blocked.
static void children_get_nothing_of_the_host(void** state) {
    (void)state;
    Told told;
    const int file = dup(0); // no O_CLOEXEC
    assert_true(file > 2);
    char script[256];
    snprintf(script, sizeof script,
             "echo begin A; if [ -e /proc/$$/fd/%d ]; then echo wrong A; else echo right A; fi; echo end",
             file);
    assert_int_equal(try_script(script, names, 1, 0, 0, &told), 1);
    close(file);
    assert_int_equal(told.verdicts[0].trial, kLiteClTrialRight);
}

static void a_missing_program_is_told(void** state) {
    (void)state;
    char path[96];
    Told told = {0};
    const char* const arguments[] = {NULL};
    snprintf(path, sizeof path, "%s/program", folder);
    const LiteClChild child = {.program = path, .arguments = arguments, .names = names, .count = 1};
    assert_int_equal(lite_cl_child_try(&child, tell, &told), -1);
    assert_int_equal(told.count, 0);
}

static void only_full_paths_name_the_program(void** state) {
    (void)state;
    char path[PATH_MAX];
    setenv(LITE_CL_SELFTEST_PROGRAM, "/bin/sh", 1);
    assert_true(lite_cl_selftest_program(path));
    assert_string_equal(path, "/bin/sh");
    static const char* const others[] = {"sh", "./sh", "/bin", "/etc/passwd"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        setenv(LITE_CL_SELFTEST_PROGRAM, others[i], 1);
        assert_false(lite_cl_selftest_program(path));
    }
    unsetenv(LITE_CL_SELFTEST_PROGRAM);
}

static void programs_of_others_are_not_run(void** state) {
    (void)state;
    const uid_t me = geteuid(), other = me + 1234;
    const struct {
        uid_t owner, library_owner;
        gid_t group;
        mode_t mode, library_mode;
        bool runs;
    } cases[] = {
        {me, 0, 5, 0755, 0755, true},        {0, other, 5, 0755, 0755, true},
        {other, other, 5, 0755, 0755, true}, {other, me, 5, 0755, 0755, false},
        {me, me, 5, 0757, 0755, false},      {me, me, 5, 0757, 0777, false},
        {me, me, 5, 0775, 0755, false},      {me, me, 5, 0775, 0775, true},
        {me, me, 6, 0775, 0775, false},      {other, me, 5, 0775, 0775, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct stat program = {
            .st_uid = cases[i].owner, .st_gid = cases[i].group, .st_mode = cases[i].mode};
        const struct stat library = {
            .st_uid = cases[i].library_owner, .st_gid = 5, .st_mode = cases[i].library_mode};
        if (lite_cl_selftest_may_run(&program, &library) != cases[i].runs) fail_msg("case %zu", i);
    }
}

// ---- Drivers that are left out ----

static void look(void* user_data) {
    const char* vendors = getenv("OCL_ICD_VENDORS");
    char path[PATH_MAX], line[64] = "";
    assert_non_null(vendors);
    assert_null(getenv("OCL_ICD_FILENAMES"));
    snprintf(user_data, PATH_MAX, "%s", vendors);
    snprintf(path, sizeof path, "%s/000.icd", vendors);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_string_equal(line, "libgood.so\n");
    snprintf(path, sizeof path, "%s/001.icd", vendors);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void the_loader_is_shown_the_others(void** state) {
    (void)state;
    char shown[PATH_MAX];
    setenv("OCL_ICD_FILENAMES", "libbad.so:libgood.so", 1);
    setenv("OCL_ICD_VENDORS", folder, 1);
    assert_true(lite_cl_leave_out("libbad.so", "crashes"));
    assert_true(lite_cl_leave_out("libbad.so", "crashes"));
    assert_null(lite_cl_left_out_at(1));
    assert_int_equal(lite_cl_look_for_vendors(look, shown, NULL), kTfLiteOk);
    assert_string_equal(getenv("OCL_ICD_FILENAMES"), "libbad.so:libgood.so");
    assert_string_equal(getenv("OCL_ICD_VENDORS"), folder);
    assert_int_not_equal(access(shown, F_OK), 0);
    unsetenv("OCL_ICD_FILENAMES");
    unsetenv("OCL_ICD_VENDORS");
}

// As Intel's runtime does while its devices are listed.
static void look_and_set(void* user_data) {
    (void)user_data;
    assert_non_null(getenv("OCL_ICD_VENDORS"));
    setenv("OCLITE_TEST_OF_A_DRIVER", "here", 1);
}

static void drivers_may_change_the_environment(void** state) {
    (void)state;
    setenv("OCL_ICD_FILENAMES", "libbad.so", 1);
    setenv("OCL_ICD_VENDORS", folder, 1);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(lite_cl_look_for_vendors(look_and_set, NULL, NULL), kTfLiteOk);
        assert_string_equal(getenv("OCLITE_TEST_OF_A_DRIVER"), "here");
        assert_string_equal(getenv("OCL_ICD_FILENAMES"), "libbad.so");
        assert_string_equal(getenv("OCL_ICD_VENDORS"), folder);
        unsetenv("OCLITE_TEST_OF_A_DRIVER");
    }
    unsetenv("OCL_ICD_FILENAMES");
    unsetenv("OCL_ICD_VENDORS");
    assert_int_equal(lite_cl_look_for_vendors(look_and_set, NULL, NULL), kTfLiteOk);
    assert_null(getenv("OCL_ICD_VENDORS"));
    assert_null(getenv("OCL_ICD_FILENAMES"));
    assert_string_equal(getenv("OCLITE_TEST_OF_A_DRIVER"), "here");
    unsetenv("OCLITE_TEST_OF_A_DRIVER");
}

static void packages_are_those_for_the_hardware(void** state) {
    (void)state;
    char path[256], text[LITE_OPENCL_HARDWARE];
    assert_string_equal(lite_opencl_hardware(folder, text), "");
    snprintf(path, sizeof path, "%s/card0", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    strcat(path, "/device");
    assert_int_equal(mkdir(path, 0700), 0);
    strcat(path, "/uevent");
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs("OF_NAME=gpu\nDRIVER=i915\nPCI_CLASS=30000\n", file);
    fclose(file);
    assert_string_equal(lite_opencl_hardware(folder, text),
                        "; for the GPU of this machine (i915): intel-opencl-icd");
}

static void platforms_without_devices_are_told_what_they_need(void** state) {
    (void)state;
    char text[LITE_OPENCL_HARDWARE];
    setenv("RUSTICL_ENABLE", "", 1);
    assert_non_null(strstr(lite_opencl_enabling("rusticl", text), "without RUSTICL_ENABLE"));
    setenv("RUSTICL_ENABLE", "v3d", 1);
    assert_string_equal(lite_opencl_enabling("rusticl", text),
                        "; Mesa's rusticl shows no device with RUSTICL_ENABLE=v3d");
    assert_string_equal(lite_opencl_enabling("Clover", text), "");
    unsetenv("RUSTICL_ENABLE");
}

static void drivers_that_cannot_be_opened_are_told(void** state) {
    (void)state;
    char text[256];
    setenv("OCL_ICD_VENDORS", folder, 1);
    lite_cl_describe_unopened(text, sizeof text);
    assert_string_equal(text, "");
    setenv("OCL_ICD_FILENAMES", "libc.so.6:libbad.so:/nowhere/libabsent.so", 1); // libbad.so is left out
    lite_cl_describe_unopened(text, sizeof text);
    assert_string_equal(text,
                        "; a driver that is listed cannot be opened: /nowhere/libabsent.so: cannot open "
                        "shared object file: No such file or directory");
    unsetenv("OCL_ICD_FILENAMES");
    unsetenv("OCL_ICD_VENDORS");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read),
        cmocka_unit_test(other_lines_are_refused),
        cmocka_unit_test(random_lines_are_read_as_written),
        cmocka_unit_test(folders_keep_verdicts),
        cmocka_unit_test(later_writers_keep_what_others_found),
        cmocka_unit_test(hostile_files_are_nothing),
        cmocka_unit_test(a_bad_end_is_the_fault_of_what_was_begun),
        cmocka_unit_test(bad_ends_are_bounded),
        cmocka_unit_test(time_is_bounded),
        cmocka_unit_test(what_does_not_end_is_ended),
        cmocka_unit_test(hostile_children_are_not_believed),
        cmocka_unit_test(children_get_nothing_of_the_host),
        cmocka_unit_test(a_missing_program_is_told),
        cmocka_unit_test(only_full_paths_name_the_program),
        cmocka_unit_test(programs_of_others_are_not_run),
        cmocka_unit_test(the_loader_is_shown_the_others),
        cmocka_unit_test(drivers_may_change_the_environment),
        cmocka_unit_test(packages_are_those_for_the_hardware),
        cmocka_unit_test(platforms_without_devices_are_told_what_they_need),
        cmocka_unit_test(drivers_that_cannot_be_opened_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
