// SPDX-License-Identifier: Apache-2.0
// Parts of programs that other processes compile: they do, and whatever becomes of them, all parts are
// compiled in the end.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/parallel.h"
#include "delegate-opencl/device/open.h"
#include "delegate-opencl/selftest/compile_ahead.h"
#include "delegate-opencl/selftest/program.h"
#include "tests/support/delegate_host.h"

enum { PARTS = 8, EXIT_SKIPPED = 77 };

static char folder[64];
static LiteClDevice* device;
static int variant; // no part is like an earlier one

// Depthwise convolutions with tiles of their own, which take the compiler longer than it takes to find one.
static void enter_parts(LiteClProgram** parts) {
    for (int i = 0; i < PARTS; i++) {
        char prelude[512], prefix[LITE_CL_PREFIX];
        snprintf(
            prelude, sizeof prelude,
            "#define VARIANT %d\n#define TYPE float\n#define LOAD(p, i) (p)[i]\n#define STORE(p, i, v) "
            "((p)[i] "
            "= (v))\n#define VREAD(p) VLOAD(p)\n#define VWRITE(v, p) VSTORE(v, p)\n#define PART(n, v, p) "
            "VSTORE_PART(n, v, p)\n#define VW 8\n#define TILE_H 2\n#define TILE_W 7\n#define KERNEL_H 5\n"
            "#define KERNEL_W 5\n#define STRIDE 1\n#define DILATION 1\n",
            variant++);
        parts[i] = lite_cl_program_enter(
            device,
            &(LiteClProgramKey){.family = &lite_cl_source_depthwise_conv, .source = NULL, .prelude = prelude},
            NULL);
        assert_non_null(parts[i]);
        assert_true(lite_cl_program_prefix(device, parts[i], prefix));
    }
}

// How many parts this process has not compiled.
static int count_left(LiteClProgram* const* parts) {
    int left = 0;
    for (int i = 0; i < PARTS; i++) {
        LiteClCompilation compilation;
        left += lite_cl_program_describe(device, parts[i], &compilation);
        lite_text_free(&compilation.text);
    }
    return left;
}

// How many programs the driver's folder has.
static int count_kept(void) {
    char command[128], line[16] = "";
    snprintf(command, sizeof command, "find %s -name program.bc | wc -l", folder);
    FILE* out = popen(command, "r");
    assert_non_null(out);
    assert_non_null(fgets(line, sizeof line, out));
    pclose(out);
    return atoi(line);
}

static void compile_rest(LiteClProgram* const* parts) {
    for (int i = 0; i < PARTS; i++) lite_cl_program_compile(device, parts[i]);
    assert_int_equal(count_left(parts), 0);
}

static void others_compile(void** state) {
    (void)state;
    LiteClProgram* parts[PARTS];
    enter_parts(parts);
    const int before = count_kept();
    lite_cl_compile_ahead(device, parts, PARTS);
    const int left = count_left(parts);
    if (lite_processor_count() < 2) {
        assert_int_equal(left, PARTS);
        skip();
    }
    assert_in_range(left, 1, PARTS - 1);
    assert_true(count_kept() - before >= PARTS); // and one that reads the driver's library
    const int kept = count_kept();
    compile_rest(parts);
    assert_int_equal(count_kept(), kept); // they were found
}

static void where_nothing_is_kept_nobody_is_started(void** state) {
    (void)state;
    LiteClProgram* parts[PARTS] = {NULL};
    lite_cl_compile_ahead(device, parts, 0);
    setenv("POCL_KERNEL_CACHE", "0", 1);
    enter_parts(parts);
    lite_cl_compile_ahead(device, parts, PARTS); // would be lost
    assert_int_equal(count_left(parts), PARTS);
    unsetenv("POCL_KERNEL_CACHE");
}

static void others_may_fail(void** state) {
    (void)state;
    static const char* const scripts[] = {"exit 1",   "kill -9 $$", "exec printf nnnnnnnnnnnnnnnn",
                                          "exec yes", "exec cat",   "exec 0<&- sleep 1000"};
    char path[96];
    snprintf(path, sizeof path, "%s/program", folder);
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        LiteClProgram* parts[PARTS];
        FILE* file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "#!/bin/sh\n%s\n", scripts[i]);
        fclose(file);
        assert_int_equal(chmod(path, 0700), 0);
        setenv(LITE_CL_SELFTEST_PROGRAM, path, 1);
        enter_parts(parts);
        lite_cl_compile_ahead(device, parts, PARTS);
        setenv(LITE_CL_SELFTEST_PROGRAM, SELFTEST_PROGRAM, 1);
        compile_rest(parts);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // nobody is left
    }
}

static int run_helper(const char* input) {
    char program[PATH_MAX], command[PATH_MAX + 512];
    assert_true(lite_cl_selftest_program(program));
    snprintf(command, sizeof command, "printf '%s' | '%s' --compile >%s/answers", input, program, folder);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static long count_answers(void) {
    char path[96];
    struct stat info;
    snprintf(path, sizeof path, "%s/answers", folder);
    assert_int_equal(stat(path, &info), 0);
    return (long)info.st_size;
}

static void requests_may_be_bad(void** state) {
    (void)state;
    assert_int_equal(run_helper(""), 0);
    assert_int_equal(run_helper("x"), 0); // half a request is none
    assert_int_equal(run_helper("\\377\\377\\377\\377\\001\\000\\000\\000"), 2);
    assert_int_equal(run_helper("\\001\\000\\000\\000\\377\\377\\377\\377"), 2);
    assert_int_equal(run_helper("\\002\\000\\000\\000\\020\\000\\000\\000-wno"), 2);
    assert_int_equal(count_answers(), 0);
    assert_int_equal(run_helper("\\002\\000\\000\\000\\003\\000\\000\\000-wno!"), 0);
    assert_int_equal(count_answers(), 1);
}

int main(void) {
    char command[96];
    snprintf(folder, sizeof folder, "/tmp/oclite_ahead_XXXXXX");
    if (mkdtemp(folder) == NULL) return 1;
    setenv("POCL_CACHE_DIR", folder, 1); // before the driver looks
    setenv(LITE_CL_SELFTEST_PROGRAM, SELFTEST_PROGRAM, 1);
    device = host_has_opencl() ? lite_cl_device_acquire(NULL, NULL) : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_compile),
        cmocka_unit_test(where_nothing_is_kept_nobody_is_started),
        cmocka_unit_test(others_may_fail),
        cmocka_unit_test(requests_may_be_bad),
    };
    const bool can = device != NULL && device->turns != NULL && device->series;
    const int result = can ? cmocka_run_group_tests(tests, NULL, NULL) : EXIT_SKIPPED;
    if (device != NULL) lite_cl_device_release(device);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? result : 1;
}
