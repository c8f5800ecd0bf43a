// SPDX-License-Identifier: Apache-2.0
// A convolution joined to the depthwise one behind it (core/graph/join.c), against the same graph whose nodes
// run one by one.
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
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "core/semantics/half.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/random_numbers.h"

enum { kMaxWeights = 16 * 1024 };

// What follows a convolution.
typedef enum Behind {
    kNothing,
    kHardSwish,
    kSwish,     // in two nodes
    kReadTwice, // the same, and others read the first of these
    kScaled,    // a constant for each channel is added
    kPadded,    // swish, and a PAD of zeros around lines and columns, for filters that see no more
} Behind;

// The first convolution has filters of `first` x `first`, and with 0 is left out; the depthwise one follows.
typedef struct Case {
    int batches, height, width, in_c, channels;
    int first, first_stride;
    int filter, stride, dilation;
    TfLitePadding padding;
    TfLiteFusedActivation activation;
    Behind behind_first, behind_depthwise;
} Case;

// What the depthwise convolution reads, and what it and that behind it gives.
typedef struct Tensors {
    int between, output;
} Tensors;

static float contents[5][kMaxWeights];
static uint16_t half_contents[5][kMaxWeights];
static bool stores_halves; // of weights, so that nodes have DEQUANTIZE before them

static void node(ModelBuilder* b, TfLiteBuiltinOperator code, int x, int y, int to);

static int dequantized(ModelBuilder* b, BuilderTensor t, int which) {
    const int whole = builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteFloat32, .rank = t.rank, .dims = {t.dims[0], t.dims[1], t.dims[2], t.dims[3]}});
    for (size_t i = 0; i < t.bytes / sizeof(float); i++)
        half_contents[which][i] = lite_f32_to_f16(contents[which][i]);
    t.type = kTfLiteFloat16;
    t.data = half_contents[which];
    t.bytes /= 2;
    node(b, kTfLiteBuiltinDequantize, builder_tensor(b, t), -1, whole);
    return whole;
}

static int constant(ModelBuilder* b, int which, int rank, const int32_t* dims) {
    BuilderTensor t = {.type = kTfLiteFloat32, .rank = rank, .data = contents[which], .bytes = sizeof(float)};
    for (int i = 0; i < rank; i++) {
        t.dims[i] = dims[i];
        t.bytes *= (size_t)dims[i];
    }
    assert_true(t.bytes <= sizeof contents[0]);
    for (size_t i = 0; i < t.bytes / sizeof(float); i++) {
        contents[which][i] = (float)random_int(-1000, 1000) / 1000;
    }
    return stores_halves ? dequantized(b, t, which) : builder_tensor(b, t);
}

static int out_length(int in, int filter, int stride, int dilation, TfLitePadding padding) {
    const int window = (filter - 1) * dilation + 1;
    return padding == kTfLitePaddingSame ? (in + stride - 1) / stride : (in - window + stride) / stride;
}

static int tensor(ModelBuilder* b, const Case* c, int h, int w) {
    const BuilderTensor t = {.type = kTfLiteFloat32, .rank = 4, .dims = {c->batches, h, w, c->channels}};
    return builder_tensor(b, t);
}

static void node(ModelBuilder* b, TfLiteBuiltinOperator code, int x, int y, int to) {
    const void* params = NULL;
    static const TfLiteMulParams mul;
    static const TfLiteAddParams add;
    if (code == kTfLiteBuiltinMul) params = &mul;
    if (code == kTfLiteBuiltinAdd) params = &add;
    builder_operator(
        b, (BuilderOperator){
               .code = code, .inputs = {y < 0 ? 1 : 2, {x, y}}, .outputs = {1, {to}}, .params = params});
}

static int follow(ModelBuilder* b, const Case* c, Behind behind, int x, int h, int w);

static int pad(ModelBuilder* b, const Case* c, int x, int h, int w) {
    static const int32_t one_each[] = {0, 0, 1, 1, 1, 1, 0, 0};
    const int paddings = builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteInt32, .rank = 2, .dims = {4, 2}, .data = one_each, .bytes = sizeof one_each});
    const int y = tensor(b, c, h + 2, w + 2);
    node(b, kTfLiteBuiltinPad, x, paddings, y);
    return y;
}

// Adds what follows tensor x. Returns what that gives.
static int follow(ModelBuilder* b, const Case* c, Behind behind, int x, int h, int w) {
    if (behind == kNothing) return x;
    if (behind == kPadded) return pad(b, c, follow(b, c, kSwish, x, h, w), h, w);
    const int y = behind == kScaled ? constant(b, 4, 1, (int32_t[]){c->channels}) : tensor(b, c, h, w);
    if (behind == kHardSwish) {
        node(b, kTfLiteBuiltinHardSwish, x, -1, y);
        return y;
    }
    if (behind != kScaled) node(b, kTfLiteBuiltinLogistic, x, -1, y);
    const int z = tensor(b, c, h, w);
    node(b, behind == kScaled ? kTfLiteBuiltinAdd : kTfLiteBuiltinMul, x, y, z);
    if (behind != kReadTwice) return z;
    const int both = tensor(b, c, h, w);
    node(b, kTfLiteBuiltinAdd, z, y, both);
    return both;
}

static int add_depthwise(ModelBuilder* b, const Case* c, int x, int h, int w) {
    const TfLiteDepthwiseConvParams params = {.padding = c->padding,
                                              .stride_width = c->stride,
                                              .stride_height = c->stride,
                                              .depth_multiplier = 1,
                                              .activation = c->activation,
                                              .dilation_width_factor = c->dilation,
                                              .dilation_height_factor = c->dilation};
    const int filter = constant(b, 2, 4, (int32_t[]){1, c->filter, c->filter, c->channels});
    const int bias = constant(b, 3, 1, (int32_t[]){c->channels});
    const int out_h = out_length(h, c->filter, c->stride, c->dilation, c->padding);
    const int out_w = out_length(w, c->filter, c->stride, c->dilation, c->padding);
    const int out = tensor(b, c, out_h, out_w);
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinDepthwiseConv2d,
                                          .inputs = {3, {x, filter, bias}},
                                          .outputs = {1, {out}},
                                          .params = &params});
    return follow(b, c, c->behind_depthwise, out, out_h, out_w);
}

static ModelBuilder* build_alone(const Case* c, Tensors* tensors) {
    ModelBuilder* b = builder_create();
    tensors->between = tensor(b, c, c->height, c->width);
    tensors->output = add_depthwise(b, c, tensors->between, c->height, c->width);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {tensors->output}});
    return b;
}

static ModelBuilder* build(const Case* c, bool shows_between, Tensors* tensors) {
    if (c->first == 0) return build_alone(c, tensors);
    const int h = out_length(c->height, c->first, c->first_stride, 1, kTfLitePaddingSame);
    const int w = out_length(c->width, c->first, c->first_stride, 1, kTfLitePaddingSame);
    const TfLiteConvParams conv = {.padding = kTfLitePaddingSame,
                                   .stride_width = c->first_stride,
                                   .stride_height = c->first_stride,
                                   .activation = kTfLiteActRelu6,
                                   .dilation_width_factor = 1,
                                   .dilation_height_factor = 1};
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32,
                                      .rank = 4,
                                      .dims = {c->batches, c->height, c->width, c->in_c}});
    const int filter = constant(b, 0, 4, (int32_t[]){c->channels, c->first, c->first, c->in_c});
    const int bias = constant(b, 1, 1, (int32_t[]){c->channels});
    const int out = tensor(b, c, h, w);
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinConv2d,
                                          .inputs = {3, {0, filter, bias}},
                                          .outputs = {1, {out}},
                                          .params = &conv});
    const int border = c->behind_first == kPadded ? 2 : 0;
    tensors->between = follow(b, c, c->behind_first, out, h, w);
    tensors->output = add_depthwise(b, c, tensors->between, h + border, w + border);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){shows_between ? 2 : 1, {tensors->output, tensors->between}});
    return b;
}

// Runs the model on a path with some threads; *joined: the nodes ran as one. Release the output with free().
static float* run(const Case* c, LiteCpuPath path, const LiteInterpreterOptions* options, bool shows_between,
                  bool* joined, size_t* count) {
    Fixture f;
    Tensors tensors;
    random_seed = 7;
    assert_true(lite_cpu_path_choose(path));
    fixture_create(&f, build(c, shows_between, &tensors), options);
    assert_non_null(f.interpreter);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    const TfLiteTensor* input = lite_subgraph_tensor(f.graph, 0);
    for (size_t i = 0; i < input->bytes / sizeof(float); i++) {
        input->data.f[i] = (float)random_int(-1000, 1000) / 1000;
    }
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    *joined = lite_subgraph_tensor(f.graph, tensors.between)->data.raw == NULL;
    const TfLiteTensor* output = lite_subgraph_tensor(f.graph, tensors.output);
    float* copy = malloc(output->bytes);
    assert_non_null(copy);
    memcpy(copy, output->data.raw, output->bytes);
    *count = output->bytes / sizeof(float);
    fixture_destroy(&f);
    lite_cpu_path_choose(kLiteCpuAuto);
    return copy;
}

static void expect_same(const float* got, const float* want, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!(fabsf(got[i] - want[i]) <= 1e-4f * (1 + fabsf(want[i])))) {
            fail_msg("element %zu is %g, expected %g", i, (double)got[i], (double)want[i]);
        }
    }
}

static void check(const Case* c, int threads, bool is_joined) {
    const LiteInterpreterOptions options = {.num_threads = threads};
    bool joined;
    size_t count, reference_count;
    float* want = run(c, kLiteCpuReference, &options, false, &joined, &reference_count);
    assert_false(joined);
    float* got = run(c, kLiteCpuAuto, &options, false, &joined, &count);
    if (lite_cpu_level() != kLiteCpuReference) assert_int_equal(joined, is_joined);
    assert_int_equal(count, reference_count);
    expect_same(got, want, count);
    free(want);
    free(got);
}

static void shapes(void** state) {
    (void)state;
    static const Case cases[] = {
        {1, 80, 80, 5, 40, 1, 1, 3, 1, 1, kTfLitePaddingSame, kTfLiteActNone, kNothing, kNothing},
        {1, 161, 200, 3, 33, 3, 2, 3, 2, 1, kTfLitePaddingSame, kTfLiteActRelu6, kNothing, kNothing},
        {2, 64, 33, 7, 100, 1, 1, 3, 1, 1, kTfLitePaddingValid, kTfLiteActNone, kNothing, kNothing},
        {3, 70, 40, 4, 36, 1, 1, 5, 2, 1, kTfLitePaddingSame, kTfLiteActRelu, kNothing, kNothing},
        {1, 128, 50, 8, 65, 1, 1, 3, 1, 2, kTfLitePaddingSame, kTfLiteActNone, kNothing, kNothing},
        {2, 100, 64, 2, 31, 3, 1, 2, 3, 1, kTfLitePaddingValid, kTfLiteActReluN1To1, kNothing, kNothing},
        {2, 120, 40, 6, 48, 1, 1, 4, 1, 3, kTfLitePaddingSame, kTfLiteActNone, kNothing, kNothing},
        {1, 200, 200, 1, 8, 1, 1, 1, 1, 1, kTfLitePaddingSame, kTfLiteActNone, kNothing, kNothing},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check(&cases[i], 1, true);
    check(&cases[3], 4, false); // each thread's share stays in its cache
}

static void threads(void** state) {
    (void)state;
    const Case wide = {2,        120,     120, 6, 70, 1, 1, 3, 1, 1, kTfLitePaddingSame, kTfLiteActRelu6,
                       kNothing, kNothing};
    for (int count = 1; count <= 4; count++) check(&wide, count, true);
    const Case small = {1,        20,      20, 6, 40, 1, 1, 3, 1, 1, kTfLitePaddingSame, kTfLiteActNone,
                        kNothing, kNothing};
    check(&small, 1, false);
}

// Functions are written over the parts; what is more than that keeps the nodes apart.
static void functions_between_and_behind(void** state) {
    (void)state;
    static const struct {
        Behind first, depthwise;
        bool is_joined;
    } cases[] = {
        {kHardSwish, kNothing, true}, {kSwish, kNothing, true},    {kNothing, kHardSwish, true},
        {kNothing, kScaled, true},    {kHardSwish, kScaled, true}, {kSwish, kSwish, true},
        {kSwish, kReadTwice, true},   {kReadTwice, kSwish, false}, {kReadTwice, kNothing, false},
        {kScaled, kHardSwish, false}, {kScaled, kNothing, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Case c = {2,
                  60,
                  61,
                  5,
                  71,
                  1,
                  1,
                  3,
                  1,
                  1,
                  kTfLitePaddingSame,
                  kTfLiteActNone,
                  cases[i].first,
                  cases[i].depthwise};
        for (int threads = 1; threads <= 2; threads++) check(&c, threads, cases[i].is_joined);
        c.stride = 2;
        c.filter = 5;
        check(&c, 1, cases[i].is_joined);
    }
    for (Behind behind = kNothing; behind <= kScaled; behind++) {
        const Case c = {1,       60,    61, 5, 71, 1, 1, 3, 2, 1, kTfLitePaddingValid, kTfLiteActRelu,
                        kPadded, behind};
        check(&c, 1, true);
    }
}

// With some numbers of threads the nodes run as one, with others they do not.
static void threads_do_not_matter(void** state) {
    (void)state;
    static const Case cases[] = {
        {1, 80, 80, 16, 48, 3, 1, 3, 1, 1, kTfLitePaddingSame, kTfLiteActRelu6, kNothing, kNothing},
        {1, 80, 80, 16, 48, 3, 2, 3, 1, 1, kTfLitePaddingSame, kTfLiteActRelu6, kSwish, kNothing},
        {1, 80, 80, 16, 48, 1, 1, 3, 1, 1, kTfLitePaddingSame, kTfLiteActNone, kHardSwish, kHardSwish},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float* want = NULL;
        for (int count = 1; count <= 6; count += 1 + (count > 2)) {
            const LiteInterpreterOptions options = {.num_threads = count};
            bool joined;
            size_t elements;
            float* got = run(&cases[i], kLiteCpuAuto, &options, false, &joined, &elements);
            if (want != NULL) assert_memory_equal(got, want, elements * sizeof *got);
            if (want == NULL) {
                want = got;
            } else {
                free(got);
            }
        }
        free(want);
    }
}

// Pixels a multiple of 2 KB, or so, apart: their lines are copied for large filters.
static void crowded_lines_are_copied(void** state) {
    (void)state;
    static const Case cases[] = {
        {1, 14, 14, 512, 512, 0, 1, 5, 1, 1, kTfLitePaddingSame, kTfLiteActRelu6, kNothing, kSwish},
        {2, 9, 31, 256, 256, 0, 1, 5, 2, 1, kTfLitePaddingSame, kTfLiteActNone, kNothing, kNothing},
        {1, 40, 17, 256, 256, 0, 1, 7, 1, 1, kTfLitePaddingValid, kTfLiteActNone, kNothing, kScaled},
        {3, 14, 14, 512, 512, 0, 1, 4, 1, 3, kTfLitePaddingSame, kTfLiteActNone, kNothing, kHardSwish},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int threads = 1; threads <= 3; threads++) check(&cases[i], threads, false);
    }
}

static const Case usual = {1,        80,      80, 5, 40, 1, 1, 3, 1, 1, kTfLitePaddingSame, kTfLiteActNone,
                           kNothing, kNothing};

static void what_others_see_is_computed_as_a_tensor(void** state) {
    (void)state;
    bool joined;
    size_t count;
    const LiteInterpreterOptions keeping = {.num_threads = 1, .preserve_all_tensors = true};
    const LiteInterpreterOptions plain = {.num_threads = 1};
    float* want = run(&usual, kLiteCpuReference, &plain, false, &joined, &count);
    float* shown = run(&usual, kLiteCpuAuto, &plain, true, &joined, &count);
    assert_false(joined);
    expect_same(shown, want, count);
    float* kept = run(&usual, kLiteCpuAuto, &keeping, false, &joined, &count);
    assert_false(joined);
    expect_same(kept, want, count);
    free(want);
    free(shown);
    free(kept);
}

// From a size that is joined to one that is not, and back.
static void sizes_change(void** state) {
    (void)state;
    const LiteInterpreterOptions options = {.num_threads = 1};
    Fixture f;
    Tensors tensors;
    fixture_create(&f, build(&usual, false, &tensors), &options);
    assert_non_null(f.interpreter);
    static const int heights[] = {80, 9, 120, 3, 80};
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++) {
        const int dims[] = {1, heights[i], 80, 5};
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, dims, 4), kTfLiteOk);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        if (lite_cpu_level() != kLiteCpuReference) {
            assert_int_equal(f.graph->nodes[0]->left_to > 0, heights[i] >= 80);
        }
        fixture_fill(&f, 0, 0.5f);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        // Equal inputs: all pixels whose windows are inside are equal.
        const TfLiteTensor* output = lite_subgraph_tensor(f.graph, tensors.output);
        const int line = 80 * 40;
        for (int y = 1; y + 1 < heights[i]; y++) {
            expect_same(output->data.f + y * line + 40, output->data.f + line + 40, 78 * 40);
        }
    }
    fixture_destroy(&f);
}

// What is between the nodes in the model is computed before the first of them.
static void weights_may_be_stored_as_halves(void** state) {
    stores_halves = true;
    check(&usual, 1, true);
    functions_between_and_behind(state);
    stores_halves = false;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(threads),
        cmocka_unit_test(functions_between_and_behind),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(crowded_lines_are_copied),
        cmocka_unit_test(what_others_see_is_computed_as_a_tensor),
        cmocka_unit_test(sizes_change),
        cmocka_unit_test(weights_may_be_stored_as_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
