// SPDX-License-Identifier: Apache-2.0
// CLBlast's programs in a folder: the next one who opens the device compiles none, and what goes wrong there
// only costs time.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/folder.h"
#include "core/base/memory.h"
#include "core/base/system.h"
#include "delegate-opencl/device/clblast.h"
#include "delegate-opencl/device/open.h"
#include "tests/support/delegate_host.h"

static char folder[64];
static LiteCl functions;
static const LiteCl* original;
// Of the calls that go through the delegate's table.
static struct { int sources, binaries; } made;
static bool no_sources, no_binaries;

static cl_program CL_API_CALL count_sources(cl_context context, cl_uint count, const char** texts,
                                            const size_t* lengths, cl_int* error) {
    made.sources++;
    if (!no_sources) return original->clCreateProgramWithSource(context, count, texts, lengths, error);
    *error = CL_OUT_OF_RESOURCES;
    return NULL;
}

static cl_program CL_API_CALL count_binaries(cl_context context, cl_uint count, const cl_device_id* devices,
                                             const size_t* sizes, const unsigned char** binaries,
                                             cl_int* fits, cl_int* error) {
    made.binaries++;
    if (!no_binaries)
        return original->clCreateProgramWithBinary(context, count, devices, sizes, binaries, fits, error);
    *error = CL_INVALID_BINARY;
    return NULL;
}

static LiteClDevice* open_device(const char* cache) {
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    assert_non_null(device);
    assert_int_equal(lite_cl_device_set_cache(device, cache, NULL), kTfLiteOk);
    original = device->cl;
    functions = *original;
    functions.clCreateProgramWithSource = count_sources;
    functions.clCreateProgramWithBinary = count_binaries;
    device->cl = &functions;
    made.sources = made.binaries = 0;
    return device;
}

static void close_device(LiteClDevice* device) {
    lite_cl_device_release(device);
}

// Opens the device, lets CLBlast multiply, which has to be right, and closes the device. True when CLBlast
// was given a proxy to the end.
static bool multiply(const char* cache) {
    LiteClDevice* device = open_device(cache);
    assert_true(lite_cl_clblast_has(device, kLiteClClblastFloats, NULL));
    const bool proxied = device->clblast_proxied;
    close_device(device);
    return proxied;
}

static void assert_made(int sources, int binaries) {
    assert_int_equal(made.sources, sources);
    assert_int_equal(made.binaries, binaries);
}

// Calls `change` for each file of the folder.
static void for_files(void (*change)(const char* name)) {
    DIR* entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent* entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (entry->d_name[0] != '.') change(entry->d_name);
    }
    closedir(entries);
}

static void delete_file(const char* name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

static void damage_file(const char* name) {
    char path[512], why[160];
    LiteMapping file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(lite_map_file(path, &file), 0);
    unsigned char* bytes = malloc(file.size);
    assert_non_null(bytes);
    memcpy(bytes, file.data, file.size);
    bytes[file.size - 1000] ^= 0x10;
    const LiteBytes parts = {bytes, file.size};
    const int opened = lite_folder_open(folder, why, sizeof why);
    assert_int_equal(lite_folder_write(opened, name, &parts, 1), 0);
    close(opened);
    free(bytes);
    lite_unmap_file(&file);
}

static int make_folder(void** state) {
    (void)state;
    strcpy(folder, "oclite_clblast.XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void** state) {
    (void)state;
    for_files(delete_file);
    return rmdir(folder);
}

static void programs_are_compiled_once(void** state) {
    (void)state;
    assert_true(multiply(folder));
    assert_made(1, 0);
    assert_true(multiply(folder));
    assert_made(0, 1);
}

static void without_a_folder_clblast_calls_the_driver(void** state) {
    (void)state;
    (void)multiply(NULL);
    assert_made(0, 0);
}

// CLBlast takes options from the environment.
static void other_options_make_other_programs(void** state) {
    (void)state;
    multiply(folder);
    assert_int_equal(setenv("CLBLAST_BUILD_OPTIONS", "-D OTHER", 1), 0);
    multiply(folder);
    assert_made(1, 0);
    multiply(folder);
    assert_made(0, 1);
    assert_int_equal(unsetenv("CLBLAST_BUILD_OPTIONS"), 0);
    multiply(folder);
    assert_made(0, 1);
}

static void damaged_files_are_written_anew(void** state) {
    (void)state;
    multiply(folder);
    for_files(damage_file);
    assert_true(multiply(folder));
    assert_made(1, 0);
    assert_true(multiply(folder));
    assert_made(0, 1);
}

static void binaries_that_the_driver_refuses_are_compiled(void** state) {
    (void)state;
    multiply(folder);
    no_binaries = true;
    assert_true(multiply(folder));
    no_binaries = false;
    assert_made(1, 1);
}

static void what_fails_by_proxy_is_done_without(void** state) {
    (void)state;
    no_sources = true;
    assert_false(multiply(folder));
    no_sources = false;
    assert_made(1, 0);
    for (int i = 0; i < 8; i++) {
        LiteClDevice* device = open_device(folder);
        lite_memory_fail_once(i);
        assert_true(lite_cl_clblast_has(device, kLiteClClblastFloats, NULL));
        lite_memory_fail_once(-1);
        close_device(device);
    }
}

static void a_folder_may_come_later(void** state) {
    (void)state;
    LiteClDevice* device = open_device(NULL);
    assert_true(lite_cl_clblast_has(device, kLiteClClblastFloats, NULL));
    assert_int_equal(lite_cl_device_set_cache(device, folder, NULL), kTfLiteOk);
    assert_true(lite_cl_clblast_has(device, kLiteClClblastBatches, NULL));
    close_device(device);
    assert_int_equal(made.sources, 1);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool under_sanitizer = true;
#else
static const bool under_sanitizer = false;
#endif

// What CLBlast holds is released when a process ends, also one in which no driver may be called.
static void a_forked_child_ends(void** state) {
    (void)state;
    if (under_sanitizer) skip(); // its allocator has locks that no fork opens, and drivers have threads
    LiteClDevice* device = open_device(folder);
    assert_true(lite_cl_clblast_has(device, kLiteClClblastFloats, NULL));
    const pid_t child = fork();
    if (child == 0) {
        lite_cl_device_release(device);
        exit(0);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close_device(device);
}

int main(void) {
    if (!host_has_opencl()) return 77;
    const char* layers = getenv("OPENCL_LAYERS");
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    const bool has = device != NULL && lite_cl_clblast_has(device, kLiteClClblastFloats, NULL);
    lite_cl_device_release(device);
    if (!has || (layers != NULL && layers[0] != '\0')) {
        puts("skipped: no CLBlast, or a layer of OpenCL in front of it");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(programs_are_compiled_once, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(without_a_folder_clblast_calls_the_driver, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(other_options_make_other_programs, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(damaged_files_are_written_anew, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(binaries_that_the_driver_refuses_are_compiled, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(what_fails_by_proxy_is_done_without, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_folder_may_come_later, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_forked_child_ends, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
