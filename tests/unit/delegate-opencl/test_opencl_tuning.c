// SPDX-License-Identifier: Apache-2.0
// tuning=1: the way to launch a product is measured once, kept in the process and in the cache's folder, and
// never taken from a file that is not what was written there.
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/open.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/conv/gemm.h"
#include "delegate-opencl/plan/tuning.h"
#include "kernels-cl/args/elementwise.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"

static char folder[64];

static void for_files(void (*act)(const char* path)) {
    DIR* entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent* entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') act(path);
    }
    closedir(entries);
}

static void remove_file(const char* path) {
    assert_int_equal(unlink(path), 0);
}

// The last byte is one of what is kept.
static void damage(const char* path) {
    FILE* file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, -1, SEEK_END);
    const int last = fgetc(file);
    fseek(file, -1, SEEK_END);
    fputc(last ^ 1, file);
    fclose(file);
}

static int make_folder(void** state) {
    (void)state;
    strcpy(folder, "oclite_tuning.XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void** state) {
    (void)state;
    for_files(remove_file);
    return rmdir(folder);
}

typedef struct Trials {
    const LiteClTile* working; // others cannot be launched; NULL: CLBlast alone can
    int count;
} Trials;

// Any kernel will do.
static TfLiteStatus launch(const void* state, LiteClPlan* plan, const LiteClVariant* variant) {
    Trials* trials = (Trials*)(uintptr_t)state;
    trials->count++;
    const bool works =
        trials->working != NULL ? variant->tile == trials->working && !variant->clblast : variant->clblast;
    if (!works) return kTfLiteError;
    const LiteClElementwiseArgs args = {.count = 16, .chunk = 16};
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", kTfLiteFloat32);
    lite_cl_define(&prelude, "RESULT(x, alpha) (x)");
    const LiteClLaunch any = {
        .family = &lite_cl_source_unary,
        .kernel = "unary",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 2,
        .buffers = {lite_cl_plan_add_storage(plan, kLiteClArena, 64),
                    lite_cl_plan_add_storage(plan, kLiteClArena, 64)},
        .items = {1, 1, 1},
    };
    return lite_cl_plan_launch(plan, &any);
}

// Opens the device and asks; returns how many trials that took.
static int choose(const LiteClTile* working, const LiteClTile** tile) {
    static const LiteClTuningKey key = {.type = kTfLiteFloat32, .rows = 64, .columns = 32, .depth = 8};
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    assert_non_null(device);
    assert_int_equal(lite_cl_device_set_cache(device, folder, NULL), kTfLiteOk);
    Trials trials = {.working = working};
    for (int pass = 0; pass < 2; pass++) {
        LiteClVariant variant = {lite_cl_tile_at(device->class, false, key.rows, 0), 0, false};
        const int before = trials.count;
        lite_cl_tuning_choose(device, &key, launch, &trials, &variant);
        *tile = variant.tile;
        if (pass > 0) assert_int_equal(trials.count, before); // the process knows
    }
    lite_cl_device_release(device);
    return trials.count;
}

static void answers_are_measured_once(void** state) {
    (void)state;
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    const LiteClTile *first = lite_cl_tile_at(device->class, false, 64, 0),
                     *second = lite_cl_tile_at(device->class, false, 64, 1), *tile;
    lite_cl_device_release(device);
    assert_non_null(second);
    assert_true(choose(second, &tile) > 1);
    assert_ptr_equal(tile, second); // the only one that works
    assert_int_equal(choose(first, &tile), 0);
    assert_ptr_equal(tile, second); // the folder knows
    for_files(damage);
    assert_true(choose(first, &tile) > 1);
    assert_ptr_equal(tile, first);
}

// Any kernel stands for CLBlast, which is kept as the answer for those who may use it.
static void clblast_is_measured_too(void** state) {
    (void)state;
    for (int direct = 0; direct < 2; direct++) {
        for (int pass = 0; pass < 2; pass++) { // the process knows, and then the folder
            LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
            assert_non_null(device);
            assert_int_equal(lite_cl_device_set_cache(device, folder, NULL), kTfLiteOk);
            LiteClTuningKey key = {
                .type = kTfLiteFloat32, .rows = 64, .columns = 32, .depth = 8, .direct = direct};
            const LiteClVariant usual = {lite_cl_tile_at(device->class, false, key.rows, 0), 0, false};
            LiteClVariant variant = usual;
            Trials trials = {0};
            key.clblast = true;
            lite_cl_tuning_choose(device, &key, launch, &trials, &variant);
            assert_true(variant.clblast);
            assert_int_equal(trials.count > 0, pass == 0);
            key.clblast = false;
            variant = usual;
            lite_cl_tuning_choose(device, &key, launch, &trials, &variant);
            assert_false(variant.clblast);
            lite_cl_device_release(device);
        }
    }
}

static void results_are_the_same(void** state) {
    (void)state;
    enum { ROWS = 37, DEPTH = 29, COLUMNS = 45 };
    static float weights[COLUMNS * DEPTH], x[ROWS * DEPTH];
    for (int i = 0; i < COLUMNS * DEPTH; i++) weights[i] = (float)(i % 7 - 3);
    for (int i = 0; i < ROWS * DEPTH; i++) x[i] = (float)(i % 5 - 2);
    DelegateHost host;
    host_init(&host);
    TfLiteFullyConnectedParams params = {.activation = kTfLiteActNone};
    const int input = host_variable(&host, 2, (int[]){ROWS, DEPTH});
    const int filter = host_constant(&host, kTfLiteFloat32, 2, (int[]){COLUMNS, DEPTH}, weights);
    const int output = host_variable(&host, 2, (int[]){ROWS, COLUMNS});
    host_node(&host, kTfLiteBuiltinFullyConnected, NULL, &params, 3, (int[]){input, filter, -1}, output);
    char options[128];
    snprintf(options, sizeof options, "tuning=1,cache_dir=%s", folder);
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(options);
    if (delegate == NULL) fail_msg("%s", oclite_opencl_last_error());
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    memcpy(host_floats(&host, input), x, sizeof x);
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        float sum = 0; // of whole numbers: exact
        for (int d = 0; d < DEPTH; d++) sum += x[i / COLUMNS * DEPTH + d] * weights[i % COLUMNS * DEPTH + d];
        assert_float_equal(host_floats(&host, output)[i], sum, 0);
    }
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
}

static void other_levels_are_refused(void** state) {
    (void)state;
    assert_null(oclite_opencl_delegate_create_from_string("tuning=2"));
    assert_non_null(strstr(oclite_opencl_last_error(), "tuning"));
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.tuning = -1;
    assert_null(oclite_opencl_delegate_create(&options));
    assert_non_null(strstr(oclite_opencl_last_error(), "tuning: -1"));
}

int main(void) {
    if (!host_has_opencl()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_are_measured_once, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(clblast_is_measured_too, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(results_are_the_same, make_folder, remove_folder),
        cmocka_unit_test(other_levels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
