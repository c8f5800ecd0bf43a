// SPDX-License-Identifier: Apache-2.0
// The kernels of each family on an OpenCL device against plain C, on random shapes, odd ones included. Those
// with windows on pictures are in test_opencl_windows.c.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"
#include "tests/support/opencl_op_case.h"
#include "tests/support/random_numbers.h"

enum { EXIT_SKIPPED = 77 };

static void fully_connected(void** state) {
    (void)state;
    static const int shapes[][3] = {{1, 7, 3},    {1, 100, 130}, {5, 33, 64},
                                    {50, 20, 21}, {13, 1, 1},    {2, 300, 1001}};
    for (int s = 0; s < 6; s++) {
        const int rows = shapes[s][0], depth = shapes[s][1], units = shapes[s][2];
        TfLiteFullyConnectedParams params = {.activation = op_case_activation(), .keep_num_dims = s % 2 == 1};
        DelegateHost host;
        host_init(&host);
        const int x = op_case_input(&host, 3, (int[]){rows, 1, depth}, op_data_a);
        static float weights[310000];
        op_case_random(weights, units * depth);
        op_case_random(op_data_c, units);
        const int w = host_constant(&host, kTfLiteFloat32, 2, (int[]){units, depth}, weights);
        const int bias = host_constant(&host, kTfLiteFloat32, 1, &units, op_data_c);
        const int y = op_case_output(&host);
        host_node(&host, kTfLiteBuiltinFullyConnected, NULL, &params, 3, (int[]){x, w, bias}, y);
        for (int i = 0; i < rows * units; i++) {
            double sum = (double)op_data_c[i % units];
            for (int k = 0; k < depth; k++) {
                sum += (double)op_data_a[i / units * depth + k] * (double)weights[i % units * depth + k];
            }
            op_expected[i] = op_case_clamp((float)sum, params.activation);
        }
        op_case_compare(&host, x, op_data_a, y, rows * units);
    }
}

static void broadcasts(void** state) {
    (void)state;
    static const int codes[] = {kTfLiteBuiltinAdd, kTfLiteBuiltinSub, kTfLiteBuiltinMul,
                                kTfLiteBuiltinMaximum};
    for (int round = 0; round < 40; round++) {
        const int rank = random_int(0, 8), which = random_int(0, 3);
        int a_dims[8], b_dims[8], dims[8], a_at[8], b_at[8];
        for (int d = 0; d < rank; d++) {
            dims[d] = random_int(1, rank < 4 ? 20 : 4);
            const int shape = random_int(0, 3);
            a_dims[d] = shape == 0 ? 1 : dims[d];
            b_dims[d] = shape == 1 ? 1 : dims[d];
            if (shape == 0 && d == 0) dims[d] = b_dims[d];
        }
        // One of the two may have fewer dimensions.
        int skip_a = 0;
        while (skip_a < rank && a_dims[skip_a] == 1 && random_int(0, 1) == 1) skip_a++;
        TfLiteAddParams params = {.activation = which < 3 ? op_case_activation() : kTfLiteActNone};
        DelegateHost host;
        host_init(&host);
        const int a = op_case_input(&host, rank - skip_a, a_dims + skip_a, op_data_a);
        op_case_random(op_data_b, op_case_elements(rank, b_dims));
        const int b = host_constant(&host, kTfLiteFloat32, rank, b_dims, op_data_b);
        const int y = op_case_output(&host);
        host_node(&host, codes[which], NULL, &params, 2, (int[]){a, b}, y);
        int a_stride = 1, b_stride = 1;
        for (int d = rank - 1; d >= 0; d--) {
            a_at[d] = a_dims[d] == 1 ? 0 : a_stride;
            b_at[d] = b_dims[d] == 1 ? 0 : b_stride;
            a_stride *= a_dims[d];
            b_stride *= b_dims[d];
        }
        const int count = op_case_elements(rank, dims);
        for (int i = 0; i < count; i++) {
            int at_a = 0, at_b = 0;
            for (int d = rank - 1, rest = i; d >= 0; rest /= dims[d--]) {
                at_a += rest % dims[d] * a_at[d];
                at_b += rest % dims[d] * b_at[d];
            }
            const float l = op_data_a[at_a], r = op_data_b[at_b];
            const float results[] = {l + r, l - r, l * r, l > r ? l : r};
            op_expected[i] = op_case_clamp(results[which], params.activation);
        }
        op_case_compare(&host, a, op_data_a, y, count);
    }
}

static void formulas(void** state) {
    (void)state;
    const int count = 5000;
    for (int f = 0; f < 4; f++) {
        static const int codes[] = {kTfLiteBuiltinLogistic, kTfLiteBuiltinTanh, kTfLiteBuiltinRelu6,
                                    kTfLiteBuiltinCustom};
        DelegateHost host;
        host_init(&host);
        const int x = op_case_input(&host, 2, (int[]){count / 50, 50}, op_data_a);
        const int y = op_case_output(&host);
        host_node(&host, codes[f], f == 3 ? "Atan" : NULL, NULL, 1, &x, y);
        for (int i = 0; i < count; i++) {
            const float v = op_data_a[i];
            const float results[] = {1.0f / (1.0f + expf(-v)), tanhf(v), op_case_clamp(v, kTfLiteActRelu6),
                                     atanf(v)};
            op_expected[i] = results[f];
        }
        op_case_compare(&host, x, op_data_a, y, count);
    }
}

static void softmaxes(void** state) {
    (void)state;
    for (int round = 0; round < 6; round++) {
        const int rows = random_int(1, 20), width = round == 0 ? 1001 : random_int(1, 40);
        TfLiteSoftmaxParams params = {.beta = round % 2 == 0 ? 1.0f : 0.5f};
        DelegateHost host;
        host_init(&host);
        const int x = op_case_input(&host, 2, (int[]){rows, width}, op_data_a);
        const int y = op_case_output(&host);
        host_node(&host, kTfLiteBuiltinSoftmax, NULL, &params, 1, &x, y);
        for (int r = 0; r < rows; r++) {
            double sum = 0.0;
            for (int i = 0; i < width; i++)
                sum += exp((double)params.beta * (double)op_data_a[r * width + i]);
            for (int i = 0; i < width; i++) {
                op_expected[r * width + i] =
                    (float)(exp((double)params.beta * (double)op_data_a[r * width + i]) / sum);
            }
        }
        op_case_compare(&host, x, op_data_a, y, rows * width);
    }
}

static void means(void** state) {
    (void)state;
    for (int round = 0; round < 24; round++) {
        const int rank = random_int(1, 5);
        int dims[5], axes[5], axis_count = 0, kept_stride[5], stride = 1;
        for (int d = 0; d < rank; d++) {
            dims[d] = random_int(1, 9);
            if (random_int(0, 1) == 1) axes[axis_count++] = random_int(0, 1) == 1 ? d : d - rank;
        }
        if (round == 0) dims[rank - 1] = 37;
        bool reduced[5] = {false};
        for (int i = 0; i < axis_count; i++) reduced[axes[i] < 0 ? axes[i] + rank : axes[i]] = true;
        for (int d = rank - 1; d >= 0; d--) {
            kept_stride[d] = reduced[d] ? 0 : stride;
            if (!reduced[d]) stride *= dims[d];
        }
        TfLiteReducerParams params = {.keep_dims = round % 2 == 0};
        DelegateHost host;
        host_init(&host);
        const int x = op_case_input(&host, rank, dims, op_data_a);
        const int axis = host_constant(&host, kTfLiteInt32, 1, &axis_count, axes);
        const int y = op_case_output(&host);
        host_node(&host, kTfLiteBuiltinMean, NULL, &params, 2, (int[]){x, axis}, y);
        for (int i = 0; i < stride; i++) op_expected[i] = 0.0f;
        const int count = op_case_elements(rank, dims);
        for (int i = 0; i < count; i++) {
            int at = 0;
            for (int d = rank - 1, rest = i; d >= 0; rest /= dims[d--]) at += rest % dims[d] * kept_stride[d];
            op_expected[at] += op_data_a[i] * (float)stride / (float)count;
        }
        op_case_compare(&host, x, op_data_a, y, stride);
    }
}

static void pads(void** state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        const int rank = random_int(1, 5);
        int dims[5], out_dims[5], paddings[10];
        for (int d = 0; d < rank; d++) {
            dims[d] = random_int(1, 6);
            paddings[2 * d] = random_int(0, 3) / 2;
            paddings[2 * d + 1] = random_int(0, 3) / 2;
            out_dims[d] = dims[d] + paddings[2 * d] + paddings[2 * d + 1];
        }
        DelegateHost host;
        host_init(&host);
        const int x = op_case_input(&host, rank, dims, op_data_a);
        const int amounts = host_constant(&host, kTfLiteInt32, 2, (int[]){rank, 2}, paddings);
        const int y = op_case_output(&host);
        host_node(&host, kTfLiteBuiltinPad, NULL, NULL, 2, (int[]){x, amounts}, y);
        const int count = op_case_elements(rank, out_dims);
        for (int i = 0; i < count; i++) {
            int at = 0, stride = 1;
            bool inside = true;
            for (int d = rank - 1, rest = i; d >= 0; rest /= out_dims[d--]) {
                const int index = rest % out_dims[d] - paddings[2 * d];
                inside = inside && index >= 0 && index < dims[d];
                at += index * stride;
                stride *= dims[d];
            }
            op_expected[i] = inside ? op_data_a[at] : 0.0f;
        }
        op_case_compare(&host, x, op_data_a, y, count);
    }
}

static void concatenations(void** state) {
    (void)state;
    for (int axis = -1; axis < 3; axis++) {
        const int lengths[] = {3, 1, 5};
        TfLiteConcatenationParams params = {.axis = axis};
        DelegateHost host;
        host_init(&host);
        int inputs[3], dims[] = {4, 6, 7};
        const int where = axis < 0 ? 2 : axis;
        dims[where] = lengths[0];
        inputs[0] = op_case_input(&host, 3, dims, op_data_a);
        float* constants[] = {NULL, op_data_b, op_data_c};
        for (int i = 1; i < 3; i++) {
            dims[where] = lengths[i];
            op_case_random(constants[i], op_case_elements(3, dims));
            inputs[i] = host_constant(&host, kTfLiteFloat32, 3, dims, constants[i]);
        }
        const int y = op_case_output(&host);
        host_node(&host, kTfLiteBuiltinConcatenation, NULL, &params, 3, inputs, y);
        int inner = 1, outer = 1, count = 0;
        for (int d = 0; d < 3; d++) *(d < where ? &outer : &inner) *= d == where ? 1 : dims[d];
        for (int r = 0; r < outer; r++) {
            for (int i = 0; i < 3; i++) {
                const float* source = i == 0 ? op_data_a : constants[i];
                for (int k = 0; k < lengths[i] * inner; k++)
                    op_expected[count++] = source[r * lengths[i] * inner + k];
            }
        }
        op_case_compare(&host, inputs[0], op_data_a, y, count);
    }
}

// With an argument: as a GPU with fast local memory, whose kernels PoCL compiles for minutes.
int main(int argc, char** argv) {
    (void)argv;
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest kernels[] = {
        cmocka_unit_test(fully_connected), cmocka_unit_test(broadcasts), cmocka_unit_test(formulas),
        cmocka_unit_test(softmaxes),       cmocka_unit_test(means),      cmocka_unit_test(pads),
        cmocka_unit_test(concatenations),
    };
    if (argc > 1)
        return cmocka_run_group_tests_name("with local memory", kernels, op_case_open_with_local_tiles,
                                           op_case_close);
    return cmocka_run_group_tests_name("as it is", kernels, op_case_open, op_case_close) +
           cmocka_run_group_tests_name("as a GPU", kernels, op_case_open_as_gpu, op_case_close) +
           cmocka_run_group_tests_name("as a narrow CPU", kernels, op_case_open_as_narrow_cpu, op_case_close);
}
