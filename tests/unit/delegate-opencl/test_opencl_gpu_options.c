// SPDX-License-Identifier: Apache-2.0
// The options of the reference's GPU delegate, as its struct and as text: what programs expect of each.
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

#include "delegate-opencl/partition/shared.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tests/support/delegate_host.h"

// For the host of these tests, which cannot preview partitions.
static TfLiteGpuDelegateOptionsV2 without_limit(void) {
    TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
    options.max_delegated_partitions = 0;
    return options;
}

static void defaults_are_upstreams(void** state) {
    (void)state;
    const TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
    assert_int_equal(options.is_precision_loss_allowed, -1);
    assert_int_equal(options.inference_preference, TFLITE_GPU_INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER);
    assert_int_equal(options.inference_priority1, TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION);
    assert_int_equal(options.inference_priority2, TFLITE_GPU_INFERENCE_PRIORITY_AUTO);
    assert_int_equal(options.inference_priority3, TFLITE_GPU_INFERENCE_PRIORITY_AUTO);
    assert_int_equal(options.experimental_flags, TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT);
    assert_int_equal(options.max_delegated_partitions, 1);
    assert_null(options.serialization_dir);
    assert_null(options.model_token);
}

// What is_precision_loss_allowed and the three priorities come to: -1 stands for an error.
static const struct {
    int allowed;
    int order[3];
    int precision;
} precisions[] = {
    {-1, {1, 0, 0}, kLiteClFloat32},
    {-1, {1, 2, 3}, kLiteClFloat32},
    {-1, {1, 3, 0}, kLiteClFloat32},
    {-1, {2, 0, 0}, kLiteClFloat16},
    {-1, {3, 0, 0}, kLiteClFloat16},
    {-1, {2, 1, 0}, kLiteClFloat16},
    {-1, {3, 2, 1}, kLiteClFloat16},
    {0, {1, 0, 0}, kLiteClFloat32},
    {0, {2, 1, 0}, kLiteClFloat32},
    {1, {1, 0, 0}, kLiteClFloat16},
    {1, {1, 2, 3}, kLiteClFloat16},
    {7, {2, 0, 0}, kLiteClFloat16},
    {-1, {0, 0, 0}, -1},
    {-1, {0, 2, 0}, -1},
    {-1, {2, 0, 1}, -1},
    {-1, {2, 2, 0}, -1},
    {-1, {2, 1, 1}, -1},
    {-1, {1, 2, 1}, -1},
    {-1, {1, 4, 0}, -1},
    {-1, {-1, 0, 0}, -1},
    {0, {0, 0, 0}, kLiteClFloat32},
};
enum { PRECISIONS = sizeof precisions / sizeof precisions[0] };

static void expect_precision(const TfLiteDelegate* delegate, int precision, int i) {
    if ((delegate != NULL) != (precision >= 0)) fail_msg("case %d: %s", i, oclite_opencl_last_error());
    if (delegate == NULL) {
        assert_non_null(strstr(oclite_opencl_last_error(), "option inference_priority1"));
    } else {
        assert_int_equal(lite_cl_shared_of(delegate)->options.precision, precision);
    }
}

static void priorities_choose_the_precision(void** state) {
    (void)state;
    for (int i = 0; i < PRECISIONS; i++) {
        TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
        options.is_precision_loss_allowed = precisions[i].allowed;
        options.inference_priority1 = precisions[i].order[0];
        options.inference_priority2 = precisions[i].order[1];
        options.inference_priority3 = precisions[i].order[2];
        TfLiteDelegate* delegate = TfLiteGpuDelegateV2Create(&options);
        expect_precision(delegate, precisions[i].precision, i);
        TfLiteGpuDelegateV2Delete(delegate);
    }
}

// The same by names, in any order; and `precision` counts before them.
static void names_choose_the_precision(void** state) {
    (void)state;
    for (int i = 0; i < 2 * PRECISIONS; i++) {
        const int* order = precisions[i / 2].order;
        char text[200];
        if (order[0] < 0 || order[1] > 3) continue; // an error of its own
        snprintf(text, sizeof text,
                 "inference_priority3=%d,inference_priority1=%d,%sinference_priority2=%d,"
                 "is_precision_loss_allowed=%d",
                 order[2], order[0], i % 2 == 0 ? "" : "precision=auto,", order[1],
                 precisions[i / 2].allowed);
        TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(text);
        const int chosen = precisions[i / 2].precision;
        expect_precision(delegate, i % 2 == 0 || chosen < 0 ? chosen : kLiteClAuto, i);
        oclite_opencl_delegate_delete(delegate);
    }
    assert_null(oclite_opencl_delegate_create_from_string("inference_priority1=4"));
    const char* const keys[] = {"inference_priority1"};
    const char* const values[] = {"0"};
    assert_null(tflite_plugin_create_delegate(keys, values, 1, NULL));
}

// A chain of additions of 1/3, whose intermediate results are in the delegate's memory: the largest error.
static double run_chain(TfLiteDelegate* delegate) {
    static TfLiteAddParams add;
    enum { COUNT = 100, NODES = 4 };
    DelegateHost host;
    host_init(&host);
    float third[COUNT];
    for (int i = 0; i < COUNT; i++) third[i] = 1.0f / 3.0f;
    int at = host_variable(&host, 1, (int[]){COUNT});
    const int first = at;
    const int constant = host_constant(&host, kTfLiteFloat32, 1, (int[]){COUNT}, third);
    for (int i = 0; i < NODES; i++) {
        const int next = host_variable(&host, 1, (int[]){COUNT});
        host_node(&host, kTfLiteBuiltinAdd, NULL, &add, 2, (int[]){at, constant}, next);
        at = next;
    }
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    for (int i = 0; i < COUNT; i++) host_floats(&host, first)[i] = third[i];
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    double worst = 0;
    for (int i = 0; i < COUNT; i++) {
        const double error = fabs((double)host_floats(&host, at)[i] - (NODES + 1) / 3.0);
        if (error > worst) worst = error;
    }
    host_free(&host);
    return worst;
}

// By default a program gets float32. It gets halves when it says that it may lose precision.
static void results_have_the_precision(void** state) {
    (void)state;
    for (int allowed = -1; allowed <= 1; allowed++) {
        TfLiteGpuDelegateOptionsV2 options = without_limit();
        options.is_precision_loss_allowed = allowed;
        TfLiteDelegate* delegate = TfLiteGpuDelegateV2Create(&options);
        assert_non_null(delegate);
        const double error = run_chain(delegate);
        if (allowed == 1) {
            assert_true(error > 1e-5 && error < 1e-2);
        } else {
            assert_true(error < 1e-6);
        }
        TfLiteGpuDelegateV2Delete(delegate);
    }
}

static void wrong_options_are_named(void** state) {
    (void)state;
    TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
    options.inference_preference = 3;
    assert_null(TfLiteGpuDelegateV2Create(&options));
    assert_non_null(strstr(oclite_opencl_last_error(), "inference_preference: 3"));
    options = TfLiteGpuDelegateOptionsV2Default();
    options.experimental_flags = TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY;
    assert_null(TfLiteGpuDelegateV2Create(&options));
    assert_non_null(strstr(oclite_opencl_last_error(), "experimental_flags: OpenGL"));
    options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY;
    TfLiteDelegate* delegate = TfLiteGpuDelegateV2Create(&options);
    assert_non_null(delegate);
    TfLiteGpuDelegateV2Delete(delegate);
}

static void partitions_are_limited(void** state) {
    (void)state;
    static const int given[] = {1, 5, 0, -1}, expected[] = {1, 5, 0, 0};
    for (int i = 0; i < 4; i++) {
        TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
        options.max_delegated_partitions = given[i];
        TfLiteDelegate* delegate = TfLiteGpuDelegateV2CreateAsync(&options);
        assert_int_equal(lite_cl_shared_of(delegate)->options.max_partitions, expected[i]);
        TfLiteGpuDelegateV2Delete(delegate);
    }
}

// Removes the files of the folder: how many there were.
static int clear(const char* folder) {
    DIR* entries = opendir(folder);
    int count = 0;
    for (const struct dirent* e = entries ? readdir(entries) : NULL; e != NULL; e = readdir(entries)) {
        char path[512];
        if (e->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        unlink(path);
        count++;
    }
    if (entries != NULL) closedir(entries);
    return count;
}

// Folder, token and flag are needed. What is written serves the next delegate.
static void programs_are_kept_in_the_folder(void** state) {
    (void)state;
    char folder[] = "oclite_gpu.XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 8; i++) {
        TfLiteGpuDelegateOptionsV2 options = without_limit();
        if (i & 1) options.serialization_dir = folder;
        if (i & 2) options.model_token = "model";
        if (i & 4) options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION;
        TfLiteDelegate* delegate = TfLiteGpuDelegateV2Create(&options);
        assert_non_null(delegate);
        assert_true(run_chain(delegate) < 1e-6);
        TfLiteGpuDelegateV2Delete(delegate);
        const int files = clear(folder);
        if (i == 7) {
            assert_true(files > 0);
        } else {
            assert_int_equal(files, 0);
        }
    }
    assert_int_equal(rmdir(folder), 0);
    TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
    options.experimental_flags = TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION;
    options.model_token = "model";
    options.serialization_dir = "/proc/nowhere/at/all";
    assert_null(TfLiteGpuDelegateV2Create(&options));
    assert_non_null(strstr(oclite_opencl_last_error(), "\"/proc/nowhere/at/all\""));
}

int main(void) {
    const struct CMUnitTest without_device[] = {cmocka_unit_test(defaults_are_upstreams)};
    const int failed = cmocka_run_group_tests(without_device, NULL, NULL);
    if (failed != 0 || !host_has_opencl()) return failed != 0 ? failed : 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priorities_choose_the_precision), cmocka_unit_test(names_choose_the_precision),
        cmocka_unit_test(results_have_the_precision),      cmocka_unit_test(wrong_options_are_named),
        cmocka_unit_test(partitions_are_limited),          cmocka_unit_test(programs_are_kept_in_the_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
