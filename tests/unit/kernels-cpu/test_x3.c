// SPDX-License-Identifier: Apache-2.0
// Products of floats as sums of three BFLOAT16 (kernels-cpu/gemm/gemm_x3.h), where the processor has AMX:
// errors against those of sums of floats, numbers that cannot be split, threads.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/cpu_path.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "core/semantics/half.h"
#include "kernels-cpu/gemm/gemm_x3_plan.h"
#include "kernels-cpu/micro/micro.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/random_numbers.h"

enum { kMostValues = 1 << 18, kMostWeights = 1 << 20 };

typedef enum Kind { kPointwise, kWindow, kGroups, kRows, kTransposed, kKinds } Kind;

typedef struct Layer {
    Kind kind;
    int side; // of the input; `rows` of a FULLY_CONNECTED
    int in_c;
    int out_c;
    int filter;
    int stride;
    int groups;
    bool joined; // an addition behind it
    TfLiteFusedActivation activation;
} Layer;

static float input[kMostValues], second[kMostValues], weights[kMostWeights], bias[1024];
static float floats[kMostValues], got[kMostValues];
static double want[kMostValues], magnitudes[kMostValues];

// Of a convolution that is padded as SAME.
static int out_side(const Layer* l) {
    return l->kind == kTransposed ? l->side * l->stride : (l->side + l->stride - 1) / l->stride;
}

static int rows_of(const Layer* l) {
    return l->kind == kRows ? l->side : out_side(l) * out_side(l);
}

static int inputs_of(const Layer* l) {
    return (l->kind == kRows ? l->side : l->side * l->side) * l->in_c;
}

static int weights_of(const Layer* l) {
    return l->out_c * l->filter * l->filter * l->in_c / l->groups;
}

static Layer random_layer(void) {
    static const TfLiteFusedActivation activations[] = {kTfLiteActNone, kTfLiteActRelu, kTfLiteActRelu6};
    Layer l = {.kind = (Kind)random_below(kKinds),
               .side = random_int(1, 18),
               .in_c = random_int(1, 130),
               .out_c = random_int(1, 130),
               .filter = 1,
               .stride = 1,
               .groups = 1,
               .joined = random_below(3) == 0,
               .activation = activations[random_below(3)]};
    if (l.kind == kWindow || l.kind == kTransposed) {
        l.side = random_int(2, 9);
        l.in_c = random_below(3) > 0 ? random_int(1, 3) * 32 : random_int(1, 8);
        l.filter = random_int(1, 3) * 2 - 1;
        l.stride = random_int(1, 2);
        if (l.kind == kTransposed) l.filter = l.stride = 2;
    }
    if (l.kind == kGroups) {
        l.groups = random_int(2, 4);
        l.in_c = random_int(1, 70) * l.groups;
        l.out_c = random_int(1, 70) * l.groups;
    }
    if (l.kind == kRows) {
        l.side = random_int(1, 600);
        l.in_c = random_below(4) == 0 ? random_int(500, 1100) : l.in_c;
        if (l.side * l.in_c > kMostValues) l.side = kMostValues / l.in_c;
    }
    return l;
}

static float unit(void) {
    return (float)random_int(-1000000, 1000000) / 1000000;
}

static void fill(const Layer* l) {
    for (int i = 0; i < inputs_of(l); i++) input[i] = unit();
    for (int i = 0; i < rows_of(l) * l->out_c; i++) second[i] = unit();
    for (int i = 0; i < weights_of(l); i++) weights[i] = unit();
    for (int i = 0; i < l->out_c; i++) bias[i] = unit();
}

// The weight of tap (y, x) from input channel c to output channel n.
static float weight_at(const Layer* l, int n, int y, int x, int c) {
    return weights[((n * l->filter + y) * l->filter + x) * (l->in_c / l->groups) + c];
}

// Adds what a tap contributes.
static void add_tap(const Layer* l, int pixel, int y, int x, int n, double* sum, double* magnitude) {
    const int depth = l->in_c / l->groups, group = n / (l->out_c / l->groups);
    for (int c = 0; c < depth; c++) {
        const double product =
            (double)input[pixel * l->in_c + group * depth + c] * (double)weight_at(l, n, y, x, c);
        *sum += product;
        *magnitude += fabs(product);
    }
}

static void sum_at(const Layer* l, int row, int n, double* sum, double* magnitude) {
    *sum = (double)bias[n];
    *magnitude = fabs(*sum);
    if (l->kind == kRows) {
        add_tap(l, row, 0, 0, n, sum, magnitude);
        return;
    }
    const int out = out_side(l), out_y = row / out, out_x = row % out;
    if (l->kind == kTransposed) { // filters of 2 x 2 that do not overlap
        add_tap(l, out_y / 2 * l->side + out_x / 2, out_y % 2, out_x % 2, n, sum, magnitude);
        return;
    }
    const int whole = (out - 1) * l->stride + l->filter - l->side, pad = whole > 0 ? whole / 2 : 0;
    for (int tap = 0; tap < l->filter * l->filter; tap++) {
        const int y = out_y * l->stride + tap / l->filter - pad,
                  x = out_x * l->stride + tap % l->filter - pad;
        if (y < 0 || y >= l->side || x < 0 || x >= l->side) continue;
        add_tap(l, y * l->side + x, tap / l->filter, tap % l->filter, n, sum, magnitude);
    }
}

static void compute(const Layer* l) {
    for (int i = 0; i < rows_of(l) * l->out_c; i++) {
        sum_at(l, i / l->out_c, i % l->out_c, want + i, magnitudes + i);
        if (l->activation != kTfLiteActNone && !(want[i] > 0.0)) want[i] = 0.0;
        if (l->activation == kTfLiteActRelu6 && want[i] > 6.0) want[i] = 6.0;
        if (l->joined) want[i] += (double)second[i];
    }
}

static int tensor(ModelBuilder* b, TfLiteType type, int rank, const int* dims, const void* data) {
    BuilderTensor made = {.type = type, .rank = rank, .data = data, .bytes = data == NULL ? 0 : 4};
    for (int i = 0; i < rank; i++) {
        made.dims[i] = dims[i];
        made.bytes *= (size_t)dims[i];
    }
    return builder_tensor(b, made);
}

static int add_layer(const Layer* l, ModelBuilder* b, int x, const int* out, int rank) {
    static TfLiteConvParams conv;
    static TfLiteFullyConnectedParams dense;
    static TfLiteTransposeConvParams transposed;
    const int filter[] = {l->out_c, l->filter, l->filter, l->in_c / l->groups};
    const int matrix[] = {l->out_c, l->in_c};
    const int w = l->kind == kRows ? tensor(b, kTfLiteFloat32, 2, matrix, weights)
                                   : tensor(b, kTfLiteFloat32, 4, filter, weights);
    const int add_to = tensor(b, kTfLiteFloat32, 1, &l->out_c, bias);
    const int y = tensor(b, kTfLiteFloat32, rank, out, NULL);
    BuilderOperator op = {.inputs = {3, {x, w, add_to}}, .outputs = {1, {y}}};
    if (l->kind == kRows) {
        dense = (TfLiteFullyConnectedParams){.activation = l->activation};
        op.code = kTfLiteBuiltinFullyConnected;
        op.params = &dense;
    } else if (l->kind == kTransposed) {
        transposed = (TfLiteTransposeConvParams){kTfLitePaddingValid, 2, 2, l->activation, kTfLiteNoType};
        op.code = kTfLiteBuiltinTransposeConv;
        op.version = 3;
        op.params = &transposed;
        const int four = 4;
        op.inputs = (BuilderInts){4, {tensor(b, kTfLiteInt32, 1, &four, out), w, x, add_to}};
    } else {
        conv = (TfLiteConvParams){.padding = kTfLitePaddingSame,
                                  .stride_width = l->stride,
                                  .stride_height = l->stride,
                                  .activation = l->activation,
                                  .dilation_width_factor = 1,
                                  .dilation_height_factor = 1};
        op.code = kTfLiteBuiltinConv2d;
        op.params = &conv;
    }
    builder_operator(b, op);
    return y;
}

static ModelBuilder* build(const Layer* l) {
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    static int in_dims[4], out_dims[4]; // the builder reads the latter later
    const int rank = l->kind == kRows ? 2 : 4, out = out_side(l);
    const int of_rows[] = {l->side, l->in_c, 0, 0}, of_image[] = {1, l->side, l->side, l->in_c};
    memcpy(in_dims, rank == 2 ? of_rows : of_image, sizeof in_dims);
    memcpy(out_dims, in_dims, sizeof out_dims);
    out_dims[rank - 1] = l->out_c;
    if (rank == 4) out_dims[1] = out_dims[2] = out;
    const int x = tensor(b, kTfLiteFloat32, rank, in_dims, NULL);
    const int other = tensor(b, kTfLiteFloat32, rank, out_dims, NULL);
    int y = add_layer(l, b, x, out_dims, rank);
    if (l->joined) {
        const int sum = tensor(b, kTfLiteFloat32, rank, out_dims, NULL);
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                              .inputs = {2, {y, other}},
                                              .outputs = {1, {sum}},
                                              .params = &add});
        y = sum;
    }
    builder_inputs(b, (BuilderInts){2, {x, other}});
    builder_outputs(b, (BuilderInts){1, {y}});
    return b;
}

static void run_as(const Layer* l, int threads, LitePrecision precision, float* to) {
    Fixture f;
    const LiteInterpreterOptions options = {.num_threads = threads, .precision = precision};
    fixture_create(&f, build(l), &options);
    assert_non_null(f.interpreter);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    const size_t outputs = (size_t)(rows_of(l) * l->out_c) * sizeof(float);
    for (int again = 0; again < 2; again++) {
        memcpy(lite_subgraph_tensor(f.graph, 0)->data.f, input, (size_t)inputs_of(l) * sizeof(float));
        memcpy(lite_subgraph_tensor(f.graph, 1)->data.f, second, outputs);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    }
    memcpy(to, lite_subgraph_tensor(f.graph, lite_subgraph_outputs(f.graph).data[0])->data.f, outputs);
    fixture_destroy(&f);
}

static void run(const Layer* l, int threads, float* to) {
    run_as(l, threads, kLitePrecisionFloat32, to);
}

static void run_floats(const Layer* l, float* to) {
    lite_x3_choose_all(false);
    assert_true(lite_cpu_path_choose(kLiteCpuAvx512Vnni));
    run(l, 1, to);
    assert_true(lite_cpu_path_choose(kLiteCpuAvx512Amx));
    lite_x3_choose_all(true);
}

static int begin(void** state) {
    (void)state;
    if (lite_cpu_path_choose(kLiteCpuAvx512Amx)) lite_x3_choose_all(true);
    return 0;
}

static int end(void** state) {
    (void)state;
    lite_x3_choose_all(false);
    lite_cpu_path_choose(kLiteCpuAuto);
    return 0;
}

static void need_amx(void) {
    if (lite_micro()->gemm_x3 != NULL) return;
    printf("skipped: no instructions for products of BFLOAT16\n");
    skip();
}

// All errors within a bound: what is left out of each product, and the rounding of sums of six times as many.
// In the mean they are no larger than those of floats.
static void errors_are_those_of_floats(void** state) {
    (void)state;
    need_amx();
    double squares = 0.0, squares_of_floats = 0.0;
    int used = 0;
    for (int i = 0; i < 120; i++) {
        const Layer l = random_layer();
        fill(&l);
        compute(&l);
        run_floats(&l, floats);
        run(&l, random_int(1, 3), got);
        used += memcmp(got, floats, (size_t)(rows_of(&l) * l.out_c) * sizeof(float)) != 0;
        for (int k = 0; k < rows_of(&l) * l.out_c; k++) {
            const double scale = magnitudes[k] + fabs((double)second[k]);
            const double error = fabs((double)got[k] - want[k]) / scale;
            const double of_floats = fabs((double)floats[k] - want[k]) / scale;
            if (!(error <= 0x1p-21))
                fail_msg("kind %d, side %d act %d join %d k %d, %d to %d: %.9g, expected %.9g", l.kind,
                         l.side, l.activation, l.joined, k, l.in_c, l.out_c, (double)got[k], want[k]);
            squares += error * error;
            squares_of_floats += of_floats * of_floats;
        }
    }
    const double ratio = sqrt(squares / squares_of_floats);
    printf("error over that of floats, root mean square: %.2f; %d of 120 layers were split\n", ratio, used);
    assert_true(used > 70);
    assert_true(ratio > 0.0 && ratio < 1.25);
}

static void threads_do_not_matter(void** state) {
    (void)state;
    need_amx();
    for (int i = 0; i < 60; i++) {
        const Layer l = random_layer();
        fill(&l);
        if (i % 3 == 0) input[random_below(inputs_of(&l))] = INFINITY;
        run(&l, 1, floats);
        run(&l, random_int(2, 7), got);
        assert_memory_equal(got, floats, (size_t)(rows_of(&l) * l.out_c) * sizeof(float));
    }
}

static void expect_alike(const Layer* l) {
    for (int k = 0; k < rows_of(l) * l->out_c; k++) {
        const float x = floats[k], y = got[k];
        if (isnan(x) || isinf(x)) {
            assert_true((isnan(x) && isnan(y)) || x == y);
        } else if (!(fabs((double)x - (double)y) <= 1e-5 * fabs((double)x) + 2e-6 * magnitudes[k])) {
            fail_msg("kind %d, %d: %g, as floats %g", (int)l->kind, k, (double)y, (double)x);
        }
    }
}

// Infinities, NaN and what would round to infinity reach the outputs that they reach as floats, and no other,
// from inputs and weights; rows and panels of nothing but tiny numbers keep all of their bits.
static void special_values_stay(void** state) {
    (void)state;
    need_amx();
    static const float specials[] = {INFINITY, -INFINITY, NAN, FLT_MAX, -FLT_MAX, 0x1.ff8p127f, 0x1p-140f};
    for (int i = 0; i < 84; i++) {
        const Layer l = random_layer();
        fill(&l);
        compute(&l);
        const int count = random_int(1, 3);
        for (int k = 0; k < count; k++) {
            if (i % 2 == 0) input[random_below(inputs_of(&l))] = specials[(i / 2 + k / 2) % 7];
            if (i % 2 == 1) weights[random_below(weights_of(&l))] = specials[(i / 2 + k / 2) % 7];
        }
        run_floats(&l, floats);
        run(&l, 2, got);
        expect_alike(&l);
    }
}

static void tiny_values_stay(void** state) {
    (void)state;
    need_amx();
    for (int i = 0; i < 24; i++) {
        Layer l = random_layer();
        l.joined = false;
        fill(&l);
        for (int k = 0; k < inputs_of(&l); k++) input[k] *= i % 2 == 0 ? 0x1p-110f : 0x1p100f;
        for (int k = 0; k < weights_of(&l); k++) weights[k] *= i % 2 == 0 ? 1.0f : 0x1p-110f;
        memset(bias, 0, sizeof bias);
        compute(&l);
        run_floats(&l, floats);
        run(&l, 2, got);
        expect_alike(&l);
    }
}

// Weights as halves give the bits of floats that are rounded before.
static void halves_are_rounded_floats(void** state) {
    (void)state;
    need_amx();
    for (int i = 0; i < 60; i++) {
        const Layer l = random_layer();
        const LitePrecision precision = i % 2 == 0 ? kLitePrecisionBfloat16 : kLitePrecisionFloat16;
        fill(&l);
        if (i % 5 == 0) weights[random_below(weights_of(&l))] = NAN;
        if (i % 7 == 0) input[random_below(inputs_of(&l))] = INFINITY;
        run_as(&l, random_int(1, 3), precision, got);
        for (int k = 0; k < weights_of(&l); k++) {
            weights[k] = i % 2 == 0 ? lite_bf16_to_f32(lite_f32_to_bf16(weights[k]))
                                    : lite_f16_to_f32(lite_f32_to_f16(weights[k]));
        }
        run(&l, 1, floats);
        for (int k = 0; k < rows_of(&l) * l.out_c; k++)
            assert_true(got[k] == floats[k] || (isnan(got[k]) && isnan(floats[k])));
    }
}

// Products that are faster as floats stay so.
static void small_products_are_left(void** state) {
    (void)state;
    lite_x3_choose_all(false);
    // Rows, inputs, steps, runs, steps of a run, panels.
    const LiteX3Sizes sizes[] = {{4096, 4096 * 512, 512, 1, 512, 16},
                                 {64, 64 * 512, 512, 1, 512, 16},
                                 {4096, 4096 * 16, 16, 1, 16, 16},
                                 {196, 196 * 576, 576, 1, 576, 1},
                                 {0, 0, 512, 1, 512, 16},
                                 {4096, 4096 * 48, 9 * 48, 9, 48, 16}};
    for (int i = 0; i < 6; i++) assert_int_equal(lite_x3_suits(&sizes[i]), i == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_those_of_floats), cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(special_values_stay),        cmocka_unit_test(tiny_values_stay),
        cmocka_unit_test(halves_are_rounded_floats),  cmocka_unit_test(small_products_are_left),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
