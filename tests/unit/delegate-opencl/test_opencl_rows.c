// SPDX-License-Identifier: Apache-2.0
// Rows that the items of a work-group go through together, on devices with subgroups, and those that one item
// does, against sums in double precision.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delegate-opencl/device/open.h"
#include "delegate-opencl/device/tune.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"

enum { ROWS = 3, WIDEST = 1000 };

static float input_of(int row, int i) {
    return (float)((row * 37 + i * 29) % 101 - 50) * 0.05f;
}

typedef struct Sums {
    double most, least, sum, exponentials;
} Sums;

static Sums sums_of(int row, int width) {
    Sums s = {.most = -DBL_MAX, .least = DBL_MAX};
    for (int i = 0; i < width; i++) {
        s.most = fmax(s.most, input_of(row, i));
        s.least = fmin(s.least, input_of(row, i));
        s.sum += input_of(row, i);
    }
    for (int i = 0; i < width; i++) s.exponentials += exp(input_of(row, i) - s.most);
    return s;
}

// What the operator makes of a row, or of its element i.
static double wanted(int op, int row, int i, int width) {
    const Sums s = sums_of(row, width);
    switch (op) {
    case kTfLiteBuiltinSoftmax:
        return exp(input_of(row, i) - s.most) / s.exponentials;
    case kTfLiteBuiltinLogSoftmax:
        return input_of(row, i) - s.most - log(s.exponentials);
    case kTfLiteBuiltinSum:
        return s.sum;
    case kTfLiteBuiltinMean:
        return s.sum / width;
    case kTfLiteBuiltinReduceMax:
        return s.most;
    default:
        return s.least;
    }
}

static void expect_local(void* group, const OcliteOpenclKernel* kernel) {
    const int items = *(const int*)group;
    assert_int_equal(kernel->local[0], items > 0 ? items : 1);
}

static void check(TfLiteDelegate* delegate, const LiteClDevice* device, int op, int width) {
    const bool keeps = op == kTfLiteBuiltinSoftmax || op == kTfLiteBuiltinLogSoftmax;
    TfLiteSoftmaxParams softmax = {.beta = 1.0f};
    TfLiteReducerParams reducer = {0};
    DelegateHost host;
    host_init(&host);
    const int x = host_variable(&host, 2, (int[]){ROWS, width});
    const int32_t axis = 1;
    int inputs[2] = {x, -1};
    if (!keeps) inputs[1] = host_constant(&host, kTfLiteInt32, 1, (int[]){1}, &axis);
    const int y = host_variable(&host, keeps ? 2 : 1, (int[]){ROWS, width});
    host_node(&host, op, NULL, keeps ? (void*)&softmax : (void*)&reducer, keeps ? 1 : 2, inputs, y);
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    for (int i = 0; i < ROWS * width; i++) host_floats(&host, x)[i] = input_of(i / width, i % width);
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    for (int i = 0; i < ROWS * (keeps ? width : 1); i++) {
        const int row = keeps ? i / width : i;
        assert_float_equal(host_floats(&host, y)[i], wanted(op, row, i % width, width), 2e-4);
    }
    int group = lite_cl_tune_group(device, keeps ? kLiteClSoftmaxRow : kLiteClReducedRow, width);
    if (device->class != kLiteClGpu) oclite_opencl_delegate_profile(delegate, expect_local, &group);
    host_free(&host);
}

static void rows_of_all_lengths(void** state) {
    (void)state;
    static const int ops[] = {kTfLiteBuiltinSoftmax, kTfLiteBuiltinLogSoftmax, kTfLiteBuiltinSum,
                              kTfLiteBuiltinMean,    kTfLiteBuiltinReduceMax,  kTfLiteBuiltinReduceMin};
    static const int widths[] = {1, 31, 33, 255, 257, WIDEST};
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    assert_non_null(device);
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("profiling=1");
    assert_non_null(delegate);
    for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++) {
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
            check(delegate, device, ops[o], widths[w]);
    }
    oclite_opencl_delegate_delete(delegate);
    lite_cl_device_release(device);
}

int main(void) {
    if (!host_has_opencl()) return 77;
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_all_lengths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
