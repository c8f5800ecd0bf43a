// SPDX-License-Identifier: Apache-2.0
#include "tests/support/opencl_op_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delegate-opencl/device/open.h"
#include "oclite/opencl.h"
#include "tests/support/random_numbers.h"

static TfLiteDelegate* delegate;
static LiteClDevice* device; // shared by all delegates; kept open while its class is changed
float op_data_a[kOpElements], op_data_b[kOpElements], op_data_c[kOpElements], op_expected[kOpElements];

void op_case_random(float* data, int count) {
    for (int i = 0; i < count; i++) data[i] = (float)random_int(-1000, 1000) / 500.0f;
}

int op_case_elements(int rank, const int* dims) {
    int count = 1;
    for (int d = 0; d < rank; d++) count *= dims[d];
    return count;
}

float op_case_clamp(float x, TfLiteFusedActivation activation) {
    if (activation == kTfLiteActRelu6) return x < 0 ? 0 : x > 6 ? 6 : x;
    if (activation == kTfLiteActRelu) return x < 0 ? 0 : x;
    return x;
}

int op_case_input(DelegateHost* host, int rank, const int* dims, float* data) {
    op_case_random(data, op_case_elements(rank, dims));
    return host_variable(host, rank, dims);
}

int op_case_output(DelegateHost* host) {
    return host_variable(host, 0, NULL);
}

void op_case_compare(DelegateHost* host, int input, const float* input_data, int output, int count) {
    assert_int_equal(host_delegate(host, delegate, -1), kTfLiteOk);
    assert_non_null(host->taken);
    assert_int_equal(host->taken->size, host->node_count);
    if (host_prepare(host) != kTfLiteOk) fail_msg("prepare: %s", host->message);
    for (int i = 0; i < host_elements(host, input); i++) host_floats(host, input)[i] = input_data[i];
    for (int run = 0; run < 2; run++) {
        if (host_invoke(host) != kTfLiteOk) fail_msg("invoke: %s", host->message);
        assert_int_equal(host_elements(host, output), count);
        for (int i = 0; i < count; i++) {
            const float got = host_floats(host, output)[i];
            if (!(fabsf(got - op_expected[i]) <= 1e-4f * (1.0f + fabsf(op_expected[i])))) {
                fail_msg("element %d of %d: %g, expected %g", i, count, (double)got, (double)op_expected[i]);
            }
        }
    }
    host_free(host);
}

float op_case_pixel(const float* data, OpImage image, int n, int y, int x, int c) {
    if (y < 0 || y >= image.h || x < 0 || x >= image.w) return 0.0f;
    return data[((n * image.h + y) * image.w + x) * image.c + c];
}

TfLiteFusedActivation op_case_activation(void) {
    static const TfLiteFusedActivation choices[] = {kTfLiteActNone, kTfLiteActRelu, kTfLiteActRelu6};
    return choices[random_int(0, 2)];
}

int op_case_open(void** state) {
    (void)state;
    const LiteReporter silent = {0};
    device = lite_cl_device_acquire(NULL, &silent);
    delegate = oclite_opencl_delegate_create(NULL);
    return device != NULL && delegate != NULL ? 0 : -1;
}

int op_case_close(void** state) {
    (void)state;
    oclite_opencl_delegate_delete(delegate);
    lite_cl_device_release(device);
    return 0;
}

int op_case_open_as_gpu(void** state) {
    const int status = op_case_open(state);
    if (status == 0) {
        device->class = kLiteClGpu;
        device->import_alignment = 0;
    }
    return status;
}

int op_case_open_with_local_tiles(void** state) {
    const int status = op_case_open_as_gpu(state);
    if (status == 0) device->local_tiles = true;
    return status;
}

int op_case_open_as_narrow_cpu(void** state) {
    const int status = op_case_open(state);
    if (status == 0) device->class = kLiteClCpu4;
    return status;
}
