// SPDX-License-Identifier: Apache-2.0
// Convolutions with fewer multiplications (kernels-cpu/conv/winograd.h): every instruction set against sums
// in double precision, errors against those of the direct way, infinities, threads, memory that runs out.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/cpu_path.h"
#include "core/base/memory.h"
#include "core/base/winograd_choice.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "kernels-cpu/conv/winograd_plan.h"
#include "kernels-cpu/micro/micro.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/random_numbers.h"

enum { kMostChannels = 70, kMostSide = 19, kMostBatches = 3 };
enum { kMostValues = kMostBatches * kMostSide * kMostSide * kMostChannels };

typedef struct Layer {
    int batches, in_h, in_w, in_c, out_c;
    bool padded;
    bool has_bias;
    bool joined; // an addition and a square root behind it
    TfLiteFusedActivation activation;
} Layer;

static float input[kMostValues], second[kMostValues], weights[kMostChannels * 9 * kMostChannels];
static float bias[kMostChannels], direct[kMostValues], got[kMostValues];
static double want[kMostValues], terms;

static int out_h(const Layer* l) {
    return l->padded ? l->in_h : l->in_h - 2;
}

static int out_w(const Layer* l) {
    return l->padded ? l->in_w : l->in_w - 2;
}

static int outputs_of(const Layer* l) {
    return l->batches * out_h(l) * out_w(l) * l->out_c;
}

static float unit(void) {
    return (float)random_int(-1000000, 1000000) / 1000000;
}

static void fill(const Layer* l) {
    for (int i = 0; i < l->batches * l->in_h * l->in_w * l->in_c; i++) input[i] = unit();
    for (int i = 0; i < outputs_of(l); i++) second[i] = unit();
    for (int i = 0; i < l->out_c * 9 * l->in_c; i++) weights[i] = unit();
    for (int i = 0; i < l->out_c; i++) bias[i] = l->has_bias ? unit() : 0.0f;
}

static Layer random_layer(void) {
    static const TfLiteFusedActivation activations[] = {kTfLiteActNone, kTfLiteActRelu, kTfLiteActRelu6};
    return (Layer){.batches = random_int(1, kMostBatches),
                   .in_h = random_int(3, kMostSide),
                   .in_w = random_int(3, kMostSide),
                   .in_c = random_int(1, kMostChannels),
                   .out_c = random_int(1, kMostChannels),
                   .padded = random_below(2) == 0,
                   .has_bias = random_below(4) > 0,
                   .joined = random_below(3) == 0,
                   .activation = activations[random_below(3)]};
}

static double sum_at(const Layer* l, int b, int y, int x, int n) {
    double sum = (double)bias[n];
    for (int tap = 0; tap < 9; tap++) {
        const int in_y = y + tap / 3 - l->padded, in_x = x + tap % 3 - l->padded;
        if (in_y < 0 || in_y >= l->in_h || in_x < 0 || in_x >= l->in_w) continue;
        const float* pixel = input + ((b * l->in_h + in_y) * l->in_w + in_x) * l->in_c;
        const float* w = weights + (n * 9 + tap) * l->in_c;
        for (int c = 0; c < l->in_c; c++) sum += (double)pixel[c] * (double)w[c];
    }
    return sum;
}

// Fills `want`, and `terms` with the largest sum before the activation.
static void compute(const Layer* l) {
    double* to = want;
    terms = 0.0;
    for (int i = 0; i < outputs_of(l); i++, to++) {
        const int n = i % l->out_c, pixel = i / l->out_c, line = pixel / out_w(l);
        double sum = sum_at(l, line / out_h(l), line % out_h(l), pixel % out_w(l), n);
        if (fabs(sum) > terms) terms = fabs(sum);
        if (l->activation != kTfLiteActNone && !(sum > 0.0)) sum = 0.0;
        if (l->activation == kTfLiteActRelu6 && sum > 6.0) sum = 6.0;
        *to = l->joined ? fabs(sum + (double)second[i]) : sum;
    }
}

static int tensor(ModelBuilder* b, int n, int h, int w, int c, const float* data) {
    return builder_tensor(
        b, (BuilderTensor){.type = kTfLiteFloat32,
                           .rank = 4,
                           .dims = {n, h, w, c},
                           .data = data,
                           .bytes = data == NULL ? 0 : (size_t)(n * h * w * c) * sizeof(float)});
}

static ModelBuilder* build(const Layer* l, TfLiteConvParams* conv) {
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    const int x = tensor(b, l->batches, l->in_h, l->in_w, l->in_c, NULL);
    const int other = tensor(b, l->batches, out_h(l), out_w(l), l->out_c, NULL);
    const int w = tensor(b, l->out_c, 3, 3, l->in_c, weights);
    const int add_to = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32,
                                                         .rank = 1,
                                                         .dims = {l->out_c},
                                                         .data = bias,
                                                         .bytes = (size_t)l->out_c * sizeof(float)});
    int y[3];
    for (int i = 0; i < 3; i++) y[i] = tensor(b, l->batches, out_h(l), out_w(l), l->out_c, NULL);
    *conv = (TfLiteConvParams){.padding = l->padded ? kTfLitePaddingSame : kTfLitePaddingValid,
                               .stride_width = 1,
                               .stride_height = 1,
                               .activation = l->activation,
                               .dilation_width_factor = 1,
                               .dilation_height_factor = 1};
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinConv2d,
                                          .inputs = {3, {x, w, add_to}},
                                          .outputs = {1, {y[0]}},
                                          .params = conv});
    if (l->joined) {
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                              .inputs = {2, {y[0], other}},
                                              .outputs = {1, {y[1]}},
                                              .params = &add});
        builder_operator(
            b, (BuilderOperator){.code = kTfLiteBuiltinAbs, .inputs = {1, {y[1]}}, .outputs = {1, {y[2]}}});
    }
    builder_inputs(b, (BuilderInts){2, {x, other}});
    builder_outputs(b, (BuilderInts){1, {l->joined ? y[2] : y[0]}});
    return b;
}

// Runs the layer; false when memory ran out.
static bool run(const Layer* l, LiteWinogradChoice choice, int threads, int failing, float* to) {
    Fixture f;
    TfLiteConvParams conv;
    ModelBuilder* b = build(l, &conv);
    assert_true(lite_winograd_choose(choice));
    const LiteInterpreterOptions options = {.num_threads = threads};
    fixture_create(&f, b, &options);
    assert_non_null(f.interpreter);
    lite_memory_fail_once(failing);
    bool done = lite_subgraph_allocate(f.graph) == kTfLiteOk;
    for (int again = 0; done && again < 2; again++) {
        memcpy(lite_subgraph_tensor(f.graph, 0)->data.f, input,
               (size_t)(l->batches * l->in_h * l->in_w * l->in_c) * sizeof(float));
        memcpy(lite_subgraph_tensor(f.graph, 1)->data.f, second, (size_t)outputs_of(l) * sizeof(float));
        done = lite_subgraph_invoke(f.graph) == kTfLiteOk;
    }
    lite_memory_fail_once(-1);
    if (done) {
        const TfLiteTensor* output = lite_subgraph_tensor(f.graph, lite_subgraph_outputs(f.graph).data[0]);
        memcpy(to, output->data.f, (size_t)outputs_of(l) * sizeof(float));
    }
    fixture_destroy(&f);
    lite_winograd_choose(kLiteWinogradAuto);
    return done;
}

static const LiteWinogradChoice tiles[] = {kLiteWinograd2, kLiteWinograd4};

// Within the tolerance of the conformance suite, for every level.
static void is_right(void** state) {
    (void)state;
    for (LiteCpuPath path = kLiteCpuVec128; path <= kLiteCpuAvx512Amx; path++) {
        if (!lite_cpu_path_choose(path)) continue;
        for (int i = 0; i < 60; i++) {
            const Layer l = random_layer();
            fill(&l);
            compute(&l);
            assert_true(run(&l, tiles[i % 2], random_int(1, 4), -1, got));
            for (int k = 0; k < outputs_of(&l); k++) {
                const double error = fabs((double)got[k] - want[k]);
                if (!(error <= 5e-6 * terms + 1e-5 * fabs(want[k])))
                    fail_msg("%dx%dx%d to %d: %g, expected %g", l.in_h, l.in_w, l.in_c, l.out_c,
                             (double)got[k], want[k]);
            }
        }
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

static double largest_error(const Layer* l, const float* values) {
    double most = 0.0;
    for (int i = 0; i < outputs_of(l); i++) {
        const double error = fabs((double)values[i] - want[i]);
        if (error > most) most = error;
    }
    return most;
}

// The largest error is at most 4 times that of the direct way with tiles of 2, 16 times with those of 4.
static void errors_are_bounded(void** state) {
    (void)state;
    static const int channels[] = {1, 2, 3, 8, 16, 32, 70};
    for (LiteCpuPath path = kLiteCpuVec128; path <= kLiteCpuAvx512Amx; path++) {
        if (!lite_cpu_path_choose(path)) continue;
        double ratios[2] = {0.0, 0.0};
        for (int i = 0; i < 7 * 3; i++) {
            const Layer l = {1, 18, 18, channels[i % 7], 24, true, false, false, kTfLiteActNone};
            fill(&l);
            compute(&l);
            assert_true(run(&l, kLiteWinogradOff, 1, -1, direct));
            for (int t = 0; t < 2; t++) {
                assert_true(run(&l, tiles[t], 1, -1, got));
                assert_memory_not_equal(got, direct, (size_t)outputs_of(&l) * sizeof(float)); // it was used
                const double ratio = largest_error(&l, got) / largest_error(&l, direct);
                if (ratio > ratios[t]) ratios[t] = ratio;
            }
        }
        printf("%s: largest errors over those of the direct way: %.2f and %.2f\n", lite_cpu_path_name(path),
               ratios[0], ratios[1]);
        assert_true(ratios[0] <= 4.0 && ratios[1] <= 16.0);
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

static void threads_do_not_matter(void** state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        const Layer l = random_layer();
        fill(&l);
        if (i % 4 == 0) input[random_below(l.in_h * l.in_w * l.in_c)] = INFINITY;
        assert_true(run(&l, tiles[i % 2], 1, -1, direct));
        assert_true(run(&l, tiles[i % 2], random_int(2, 7), -1, got));
        assert_memory_equal(got, direct, (size_t)outputs_of(&l) * sizeof(float));
    }
}

// Infinities, NaN and what overflows reach the outputs that they reach in the direct way, and no other.
static void special_values_stay(void** state) {
    (void)state;
    static const float specials[] = {INFINITY, -INFINITY, NAN, FLT_MAX, -FLT_MAX};
    for (LiteCpuPath path = kLiteCpuVec128; path <= kLiteCpuAvx512Amx; path++) {
        if (!lite_cpu_path_choose(path)) continue;
        for (int i = 0; i < 60; i++) {
            const Layer l = random_layer();
            fill(&l);
            const int count = random_int(1, 3);
            for (int k = 0; k < count; k++)
                input[random_below(l.batches * l.in_h * l.in_w * l.in_c)] = specials[(i + k / 2) % 5];
            assert_true(run(&l, kLiteWinogradOff, 1, -1, direct));
            assert_true(run(&l, tiles[i % 2], 2, -1, got));
            double most = 0.0;
            for (int k = 0; k < outputs_of(&l); k++) {
                const double size = fabs((double)direct[k]);
                if (size < (double)FLT_MAX && size > most) most = size;
            }
            for (int k = 0; k < outputs_of(&l); k++) {
                if (isnan(direct[k]) || fabsf(direct[k]) >= FLT_MAX) {
                    assert_true((isnan(direct[k]) && isnan(got[k])) || got[k] == direct[k]);
                } else if (!(fabs((double)got[k] - (double)direct[k]) <= 1e-5 * most + 1e-6)) {
                    fail_msg("%g, in the direct way %g", (double)got[k], (double)direct[k]);
                }
            }
        }
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

// Weights that are not finite are left to the direct way: the same bits.
static void special_weights_are_left(void** state) {
    (void)state;
    lite_cpu_path_choose(kLiteCpuVec128);
    for (int t = 0; t < 2; t++) {
        const Layer l = {1, 9, 9, 5, 6, true, true, false, kTfLiteActNone};
        fill(&l);
        weights[random_below(6 * 9 * 5)] = t == 0 ? INFINITY : NAN;
        assert_true(run(&l, kLiteWinogradOff, 1, -1, direct));
        assert_true(run(&l, tiles[t], 1, -1, got));
        assert_memory_equal(got, direct, (size_t)outputs_of(&l) * sizeof(float));
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

// Each allocation fails once: an error or the right result, and nothing is lost.
static void memory_runs_out(void** state) {
    (void)state;
    const Layer l = {2, 12, 11, 20, 30, true, true, true, kTfLiteActRelu};
    fill(&l);
    compute(&l);
    int failed = 0, attempts = 0;
    for (; attempts < 60; attempts++) {
        lite_memory_count_live(true);
        const int64_t before = lite_memory_live();
        const bool done = run(&l, kLiteWinograd4, 2, attempts, got);
        assert_int_equal(lite_memory_live(), before);
        lite_memory_count_live(false);
        if (!done) failed++;
        if (done) assert_true(largest_error(&l, got) <= 5e-6 * terms);
    }
    assert_true(failed > 0 && failed < 60);
}

static bool takes(LiteConvShape shape) {
    const LiteWinogradMicro micro = {.rows = 6, .panel = 16, .lanes = 8};
    return lite_winograd_tile(&shape, &micro, kLiteWinograd2) != 0;
}

// The choice follows from sizes alone.
static void choice_is_by_size(void** state) {
    (void)state;
    const LiteWinogradMicro micro = {.rows = 6, .panel = 16, .lanes = 8};
    LiteConvShape s = {.batches = 1, .in_d = 1, .in_h = 56, .in_w = 56, .in_c = 64};
    s.filter_d = s.out_d = 1, s.filter_h = s.filter_w = 3, s.out_h = s.out_w = 56, s.out_c = 64;
    s.stride_h = s.stride_w = s.dilation_h = s.dilation_w = s.pad_h = s.pad_w = s.groups = 1;
    assert_int_equal(lite_winograd_tile(&s, &micro, kLiteWinogradAuto), 4);
    assert_int_equal(lite_winograd_tile(&s, &micro, kLiteWinogradOff), 0);
    assert_int_equal(lite_winograd_tile(&s, &micro, kLiteWinograd2), 2);
    LiteConvShape other = s;
    other.in_h = other.in_w = other.out_h = other.out_w = 7, other.in_c = other.out_c = 512;
    assert_int_equal(lite_winograd_tile(&other, &micro, kLiteWinogradAuto), 2);
    other.in_h = other.in_w = other.out_h = other.out_w = 2;
    assert_int_equal(lite_winograd_tile(&other, &micro, kLiteWinogradAuto), 0);
    // Wider vectors multiply faster, and read weights as fast: measured with the same layers in turns.
    const LiteWinogradMicro wide = {.rows = 12, .panel = 32, .lanes = 16};
    other.in_h = other.in_w = other.out_h = other.out_w = 14, other.in_c = other.out_c = 256;
    assert_int_equal(lite_winograd_tile(&other, &wide, kLiteWinogradAuto), 4);
    other.in_h = other.in_w = other.out_h = other.out_w = 7;
    assert_int_equal(lite_winograd_tile(&other, &wide, kLiteWinogradAuto), 2);
    other.in_h = other.in_w = other.out_h = other.out_w = 4;
    assert_int_equal(lite_winograd_tile(&other, &wide, kLiteWinogradAuto), 0);
    assert_true(takes(s));
    other = s, other.stride_w = 2;
    assert_false(takes(other));
    other = s, other.dilation_h = 2;
    assert_false(takes(other));
    other = s, other.groups = 2;
    assert_false(takes(other));
    other = s, other.filter_w = 1;
    assert_false(takes(other));
    other = s, other.out_c = 0;
    assert_false(takes(other));
    other = s, other.out_c = other.in_c = INT32_MAX;
    assert_false(takes(other));
}

// The transforms of a level against plain C, which writes nothing beyond the channels either.
static void transforms_are_as_in_plain_c(void** state) {
    (void)state;
    enum { kStep = kMostChannels + 3, kPlanes = 36 };
    static float from[kPlanes * kStep], planes[2][kPlanes * kStep], back[2][16 * kStep];
    for (LiteCpuPath path = kLiteCpuVec128; path <= kLiteCpuAvx512Amx; path++) {
        const LiteMicro* levels[2] = {lite_micro_level(kLiteCpuReference), lite_micro_level(path)};
        for (int i = 0; levels[1] != NULL && i < 200; i++) {
            const int tile = i % 2 * 2 + 2, size = tile + 2, channels = random_int(1, kMostChannels);
            for (int k = 0; k < size * size * kStep; k++) from[k] = unit();
            memset(planes, 0x7f, sizeof planes);
            memset(back, 0x7f, sizeof back);
            for (int v = 0; v < 2; v++) {
                const LiteWinogradInput in = {tile,  channels,  from, (size_t)size * kStep,
                                              kStep, planes[v], kStep};
                levels[v]->winograd_input(&in);
                const LiteWinogradOutput out = {.tile = tile,
                                                .channels = channels,
                                                .lines = tile - i / 2 % 2,
                                                .columns = tile - i / 4 % 2,
                                                .in = from,
                                                .plane = kStep,
                                                .bias = second,
                                                .low = -3.0f,
                                                .high = 4.0f,
                                                .out = back[v],
                                                .line = (size_t)tile * kStep,
                                                .pixel = kStep};
                assert_true(levels[v]->winograd_output(&out));
                from[channels - 1] = NAN;
                assert_false(levels[v]->winograd_output(&out));
                from[channels - 1] = 0.5f;
                assert_true(levels[v]->winograd_output(&out));
            }
            for (int k = channels - 1; k < size * size * kStep; k += kStep)
                planes[0][k] = planes[1][k] = 0.0f;
            for (int k = 0; k < size * size * kStep; k++) {
                const float a = planes[0][k], b = planes[1][k];
                assert_true(fabsf(a - b) <= 1e-5f || memcmp(&a, &b, sizeof a) == 0);
            }
            for (int k = 0; k < tile * tile * kStep; k++) {
                const float a = back[0][k], b = back[1][k];
                assert_true(fabsf(a - b) <= 1e-5f || memcmp(&a, &b, sizeof a) == 0);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms_are_as_in_plain_c),
        cmocka_unit_test(choice_is_by_size),
        cmocka_unit_test(is_right),
        cmocka_unit_test(errors_are_bounded),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(special_values_stay),
        cmocka_unit_test(special_weights_are_left),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
