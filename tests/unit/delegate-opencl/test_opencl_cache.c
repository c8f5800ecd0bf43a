// SPDX-License-Identifier: Apache-2.0
// Compiled programs in a folder: found by the next one who opens the device, and never trusted when damaged.
#include <dirent.h>
#include <limits.h>
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
#include "core/base/system.h"
#include "delegate-opencl/device/open.h"
#include "delegate-opencl/device/program.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"

static char folder[64], path[512]; // of the only file in it
static int compiled;
static LiteCl functions;
static const LiteCl* original;

static cl_program CL_API_CALL count_sources(cl_context context, cl_uint count, const char** texts,
                                            const size_t* lengths, cl_int* error) {
    compiled++;
    return original->clCreateProgramWithSource(context, count, texts, lengths, error);
}

// Opens the device, makes a kernel with the folder as cache, closes the device: how many programs were
// compiled.
static int make_kernel(const char* prelude) {
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    assert_non_null(device);
    assert_int_equal(lite_cl_device_set_cache(device, folder, NULL), kTfLiteOk);
    original = device->cl;
    functions = *original;
    functions.clCreateProgramWithSource = count_sources;
    device->cl = &functions;
    compiled = 0;
    const LiteClProgramKey key = {.family = &lite_cl_source_table, .prelude = prelude};
    cl_kernel kernel;
    assert_int_equal(lite_cl_kernel_create(device, &key, "look_up", NULL, &kernel), kTfLiteOk);
    device->cl->clReleaseKernel(kernel);
    device->cl = original;
    lite_cl_device_release(device);
    return compiled;
}

static const char* const kPrelude = "#define TYPE uchar\n#define INDEX uchar\n#define CACHED 1\n";

// Finds the one file of the folder, or none.
static bool find_file(void) {
    DIR* entries = opendir(folder);
    assert_non_null(entries);
    int count = 0;
    for (const struct dirent* entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        count++;
    }
    closedir(entries);
    assert_in_range(count, 0, 1);
    return count == 1;
}

static int make_folder(void** state) {
    (void)state;
    strcpy(folder, "oclite_cache.XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void** state) {
    (void)state;
    if (find_file() && unlink(path) != 0) rmdir(path);
    return rmdir(folder);
}

static void programs_are_compiled_once(void** state) {
    (void)state;
    assert_int_equal(make_kernel(kPrelude), 1);
    assert_true(find_file());
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 077, 0);
    assert_int_equal(make_kernel(kPrelude), 0);
    unlink(path);
    assert_int_equal(make_kernel(kPrelude), 1);
}

// Declarations of our own take the place of the compiler's where they do; with those it is built again.
static void programs_may_call_what_is_not_declared(void** state) {
    (void)state;
    char prelude[256];
    snprintf(prelude, sizeof prelude, "%sinline float more(float x) { return nextafter(x, 1.0f); }\n",
             kPrelude);
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    assert_non_null(device);
    const int times = device->own_declarations ? 2 : 1;
    lite_cl_device_release(device);
    assert_int_equal(make_kernel(prelude), times);
    assert_int_equal(make_kernel(prelude), 0);
}

static void write_file(const void* bytes, size_t size) {
    char why[160];
    const int opened = lite_folder_open(folder, why, sizeof why);
    assert_true(opened >= 0);
    assert_int_equal(lite_folder_write(opened, strrchr(path, '/') + 1, &(LiteBytes){bytes, size}, 1), 0);
    close(opened);
}

// The file of one program in the place of another's, as when two hashes are the same.
static void other_programs_are_not_taken(void** state) {
    (void)state;
    make_kernel(kPrelude);
    assert_true(find_file());
    char first[sizeof path];
    strcpy(first, path);
    LiteMapping file;
    assert_int_equal(lite_map_file(first, &file), 0);
    unlink(first);
    make_kernel("#define TYPE uchar\n#define INDEX uchar\n#define CACHED 2\n");
    assert_true(find_file());
    write_file(file.data, file.size);
    lite_unmap_file(&file);
    assert_int_equal(make_kernel("#define TYPE uchar\n#define INDEX uchar\n#define CACHED 2\n"), 1);
    assert_int_equal(make_kernel("#define TYPE uchar\n#define INDEX uchar\n#define CACHED 2\n"), 0);
}

// Writes the first `size` bytes of a file with the byte `at` changed.
static void damage(const LiteMapping* file, size_t size, size_t at) {
    unsigned char* bytes = malloc(file->size + 1);
    assert_non_null(bytes);
    memcpy(bytes, file->data, file->size);
    if (at < file->size) bytes[at] ^= 0x20;
    write_file(bytes, size);
    free(bytes);
}

static void damaged_files_are_written_anew(void** state) {
    (void)state;
    make_kernel(kPrelude);
    assert_true(find_file());
    LiteMapping file;
    assert_int_equal(lite_map_file(path, &file), 0);
    const size_t places[] = {0, 8, 17, 25, 40, 60, file.size / 2, file.size - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        damage(&file, file.size, places[i]);
        assert_int_equal(make_kernel(kPrelude), 1);
        assert_int_equal(make_kernel(kPrelude), 0);
    }
    const size_t sizes[] = {0, 5, 31, 32, 55, 56, 100, file.size - 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        damage(&file, sizes[i], SIZE_MAX);
        assert_int_equal(make_kernel(kPrelude), 1);
    }
    lite_unmap_file(&file);
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0); // nothing can be kept there
    assert_int_equal(make_kernel(kPrelude), 1);
}

// Whoever can write to a folder, or to a file, decides what runs.
static void what_others_can_write_is_not_run(void** state) {
    (void)state;
    make_kernel(kPrelude);
    assert_true(find_file());
    assert_int_equal(make_kernel(kPrelude), 0);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(make_kernel(kPrelude), 1); // and written anew
    assert_int_equal(make_kernel(kPrelude), 0);
    char elsewhere[sizeof path];
    snprintf(elsewhere, sizeof elsewhere, "%s/.elsewhere", folder);
    assert_int_equal(rename(path, elsewhere), 0);
    assert_int_equal(symlink(".elsewhere", path), 0);
    assert_int_equal(make_kernel(kPrelude), 1);
    assert_int_equal(unlink(elsewhere), 0);
    char options[160];
    snprintf(options, sizeof options, "cache_dir=%s", folder);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_null(oclite_opencl_delegate_create_from_string(options));
    assert_non_null(strstr(oclite_opencl_last_error(), "others may write to it (mode 0777)"));
    assert_int_equal(chmod(folder, 0500), 0); // trusted, but nothing can be kept there
    assert_int_equal(make_kernel(kPrelude), 0);
    assert_int_equal(chmod(folder, 0700), 0);
}

static void folders_that_cannot_be_made_are_named(void** state) {
    (void)state;
    assert_null(oclite_opencl_delegate_create_from_string("cache_dir=/proc/nowhere/at/all"));
    assert_non_null(strstr(oclite_opencl_last_error(), "cache_dir: \"/proc/nowhere/at/all\""));
    char inside[128], options[160];
    snprintf(inside, sizeof inside, "%s/a/b", folder);
    snprintf(options, sizeof options, "cache_dir=%s", inside);
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(options);
    assert_non_null(delegate);
    oclite_opencl_delegate_delete(delegate);
    assert_int_equal(rmdir(inside), 0);
    inside[strlen(inside) - 2] = '\0';
    assert_int_equal(rmdir(inside), 0);
}

static void memory_runs_out(void** state) {
    (void)state;
    make_kernel(kPrelude);
    for (int i = 0; i < 40; i++) {
        LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
        assert_non_null(device);
        assert_int_equal(lite_cl_device_set_cache(device, folder, NULL), kTfLiteOk);
        const LiteClProgramKey key = {.family = &lite_cl_source_table, .prelude = kPrelude};
        cl_kernel kernel;
        lite_memory_fail_once(i);
        if (lite_cl_kernel_create(device, &key, "look_up", NULL, &kernel) == kTfLiteOk)
            device->cl->clReleaseKernel(kernel);
        lite_memory_fail_once(-1);
        lite_cl_device_release(device);
    }
}

static const char kUsual[] = "XDG_CACHE_HOME";

// Creates a delegate with these options and says how many programs its folder has had for a kernel, or -1
// when it was compiled.
static int make_kernel_with(const char* options) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(options);
    assert_non_null(delegate);
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    assert_non_null(device);
    const LiteClProgramKey key = {.family = &lite_cl_source_table, .prelude = kPrelude};
    cl_kernel kernel;
    assert_int_equal(lite_cl_kernel_create(device, &key, "look_up", NULL, &kernel), kTfLiteOk);
    device->cl->clReleaseKernel(kernel);
    const int loaded = device->programs_compiled > 0 ? -1 : device->programs_loaded;
    lite_cl_device_release(device);
    oclite_opencl_delegate_delete(delegate);
    return loaded;
}

// Without an option the folder is the user's, and a folder that is named takes its place.
static void the_users_folder_is_the_usual_one(void** state) {
    (void)state;
    char home[PATH_MAX], named[160];
    const char* was = getenv(kUsual);
    char* before = was != NULL ? strdup(was) : NULL;
    assert_non_null(realpath(folder, home));
    assert_int_equal(setenv(kUsual, home, 1), 0);
    assert_int_equal(setenv("OCLITE_OPENCL_CACHE", "off", 1), 0);
    assert_int_equal(make_kernel_with(""), -1);
    assert_int_equal(unsetenv("OCLITE_OPENCL_CACHE"), 0);
    assert_int_equal(make_kernel_with("cache_dir=off"), -1);
    assert_false(find_file());
    assert_int_equal(make_kernel_with(""), -1);
    snprintf(path, sizeof path, "%s/oclite", folder);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(make_kernel_with(""), 1);
    assert_int_equal(make_kernel_with("cache_dir=off"), -1);
    snprintf(named, sizeof named, "cache_dir=%s/named", folder);
    TfLiteDelegate* usual = oclite_opencl_delegate_create_from_string("");
    assert_int_equal(make_kernel_with(named), -1);
    oclite_opencl_delegate_delete(usual); // the last user of the device
    assert_int_equal(make_kernel_with(named), 1);
    assert_int_equal(setenv(kUsual, "/dev/null", 1), 0); // where no folder can be
    assert_int_equal(make_kernel_with(""), -1);
    snprintf(named, sizeof named, "rm -r %s/oclite %s/named", folder, folder);
    assert_int_equal(system(named), 0);
    if (before != NULL) {
        assert_int_equal(setenv(kUsual, before, 1), 0);
    } else {
        assert_int_equal(unsetenv(kUsual), 0);
    }
    free(before);
}

int main(void) {
    if (!host_has_opencl()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(programs_are_compiled_once, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(programs_may_call_what_is_not_declared, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(other_programs_are_not_taken, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(damaged_files_are_written_anew, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_others_can_write_is_not_run, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(folders_that_cannot_be_made_are_named, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_users_folder_is_the_usual_one, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(memory_runs_out, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
