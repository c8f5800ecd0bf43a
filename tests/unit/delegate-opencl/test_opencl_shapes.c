// SPDX-License-Identifier: Apache-2.0
// Graphs whose inputs are resized again and again: results are the CPU's, and no program is compiled that the
// first shape did not need.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/system.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/delegate_host.h"
#include "tests/support/resizable.h"

enum { EXIT_SKIPPED = 77, RESIZES = 100, SPATIAL = 2 /* dimensions that are resized at most */ };

typedef struct Case {
    uint8_t* bytes;
    TfLiteModel* model;
    TfLiteDelegate* delegate;
    TfLiteInterpreter* on[2]; // the CPU, and the device
    int compiled;             // programs
    int rank;
    int dims[4];
    uint32_t random;
} Case;

static void note_progress(void* user_data, const OcliteOpenclProgress* progress) {
    ((Case*)user_data)->compiled = progress->compiled + progress->loaded;
}

static TfLiteInterpreter* create(const TfLiteModel* model, TfLiteDelegate* delegate) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    assert_non_null(interpreter);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    return interpreter;
}

static void begin(Case* c, uint8_t* bytes, size_t size, const char* options) {
    *c = (Case){.bytes = bytes, .model = TfLiteModelCreate(bytes, size), .random = 1};
    c->delegate = oclite_opencl_delegate_create_from_string(options);
    assert_non_null(c->delegate);
    oclite_opencl_delegate_set_progress(c->delegate, note_progress, c);
    c->on[0] = create(c->model, NULL);
    c->on[1] = create(c->model, c->delegate);
    const TfLiteTensor* input = TfLiteInterpreterGetInputTensor(c->on[0], 0);
    c->rank = TfLiteTensorNumDims(input);
    for (int d = 0; d < c->rank; d++) c->dims[d] = TfLiteTensorDim(input, d);
}

static void end(Case* c) {
    assert_int_equal(oclite_opencl_delegate_status(c->delegate), kOcliteOpenclWorking);
    TfLiteInterpreterDelete(c->on[0]);
    TfLiteInterpreterDelete(c->on[1]);
    oclite_opencl_delegate_delete(c->delegate);
    TfLiteModelDelete(c->model);
    free(c->bytes);
}

static int random_below(Case* c, int limit) {
    c->random = c->random * 1664525 + 1013904223;
    return (int)(c->random >> 16) % limit;
}

static void fill(Case* c) {
    TfLiteTensor* inputs[] = {TfLiteInterpreterGetInputTensor(c->on[0], 0),
                              TfLiteInterpreterGetInputTensor(c->on[1], 0)};
    const size_t bytes = TfLiteTensorByteSize(inputs[0]);
    assert_int_equal(TfLiteTensorByteSize(inputs[1]), bytes);
    float* values = TfLiteTensorData(inputs[0]);
    for (size_t i = 0; i < bytes / sizeof *values; i++) values[i] = (float)random_below(c, 2001) / 1000 - 1;
    memcpy(TfLiteTensorData(inputs[1]), values, bytes);
}

// Returns the largest difference of the results of an inference, relative to the largest result.
static double compare(Case* c) {
    fill(c);
    const float* results[2];
    for (int k = 0; k < 2; k++) {
        assert_int_equal(TfLiteInterpreterInvoke(c->on[k]), kTfLiteOk);
        results[k] = TfLiteTensorData(TfLiteInterpreterGetOutputTensor(c->on[k], 0));
    }
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(c->on[0], 0);
    double largest = 0, worst = 0;
    for (size_t i = 0; i < TfLiteTensorByteSize(output) / sizeof(float); i++) {
        largest = fmax(largest, fabs((double)results[0][i]));
        worst = fmax(worst, fabs((double)results[0][i] - (double)results[1][i]));
    }
    assert_true(largest > 0);
    return worst / largest;
}

// Returns the nanoseconds that the device's interpreter takes.
static uint64_t resize(Case* c) {
    uint64_t ns = 0;
    for (int k = 0; k < 2; k++) {
        const uint64_t start = lite_clock_ns();
        assert_int_equal(TfLiteInterpreterResizeInputTensor(c->on[k], 0, c->dims, c->rank), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterAllocateTensors(c->on[k]), kTfLiteOk);
        ns = lite_clock_ns() - start;
    }
    return ns;
}

static int compare_times(const void* a, const void* b) {
    const uint64_t first = *(const uint64_t*)a, second = *(const uint64_t*)b;
    return first < second ? -1 : first > second;
}

// Dimensions from 1 on, `count` of them, are of `least` to `least` + `choices` - 1.
static void resize_often(Case* c, int count, int least, int choices, double tolerance) {
    uint64_t times[RESIZES];
    double worst = compare(c);
    const int compiled = c->compiled;
    assert_true(compiled > 0);
    for (int i = 0; i < RESIZES; i++) {
        for (int d = 1; d <= count; d++) c->dims[d] = least + random_below(c, choices);
        times[i] = resize(c);
        assert_int_equal(c->compiled, compiled);
        worst = fmax(worst, compare(c));
    }
    qsort(times, RESIZES, sizeof *times, compare_times);
    print_message("%d resizes: a plan takes %.2f ms in the median and %.2f at the most; error %.1e\n",
                  RESIZES, (double)times[RESIZES / 2] * 1e-6, (double)times[RESIZES - 1] * 1e-6, worst);
    assert_true(worst <= tolerance);
}

// A single row has programs of its own. They are compiled once, too.
static void have_single_rows(Case* c, double tolerance) {
    for (int i = 0; i < 4; i++) {
        const int compiled = c->compiled;
        c->dims[1] = i % 2 == 0 ? 1 : 5;
        (void)resize(c);
        assert_true(compare(c) <= tolerance);
        if (i > 0) assert_int_equal(c->compiled, compiled);
    }
}

static void sequences(void** state) {
    (void)state;
    Case c;
    size_t size;
    uint8_t* bytes = resizable_encoder(1, 32, 2, 48, &size);
    begin(&c, bytes, size, "partition=all");
    resize_often(&c, 1, 2, 100, 1e-5);
    have_single_rows(&c, 1e-5);
    end(&c);
}

// Matrices that are smaller than a tile from the beginning have programs for that; larger ones then need
// more, once.
static void sequences_that_grow(void** state) {
    (void)state;
    Case c;
    size_t size;
    uint8_t* bytes = resizable_encoder(1, 32, 2, 3, &size);
    begin(&c, bytes, size, "partition=all");
    assert_true(compare(&c) <= 1e-5);
    c.dims[1] = 2;
    (void)resize(&c);
    resize_often(&c, 1, 2, 100, 1e-5);
    end(&c);
}

static void images(void** state) {
    (void)state;
    Case c;
    size_t size;
    uint8_t* bytes = resizable_network(2, 16, 32, &size);
    begin(&c, bytes, size, "partition=all");
    resize_often(&c, SPATIAL, 8, 32, 1e-5);
    end(&c);
}

static void halves(void** state) {
    (void)state;
    Case c;
    size_t size;
    uint8_t* bytes = resizable_encoder(1, 32, 2, 48, &size);
    begin(&c, bytes, size, "partition=all,precision=float16");
    resize_often(&c, 1, 2, 100, 0.02);
    end(&c);
}

int main(void) {
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences),
        cmocka_unit_test(sequences_that_grow),
        cmocka_unit_test(images),
        cmocka_unit_test(halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
