// SPDX-License-Identifier: Apache-2.0
// PAD joined to the convolution behind it (core/graph/join.c), against the same graph whose nodes run one by
// one: the same bits.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "tests/support/fuse_case.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"
#include "tests/support/random_numbers.h"

// What the graph is beside PAD and a convolution.
typedef enum Look {
    kPlain,
    kZero,        // PADV2, of what stands for zero
    kOther,       // PADV2, of something else
    kTwoReaders,  // of what PAD gives
    kShown,       // that is an output of the graph
    kHybrid,      // a filter of bytes
    kInfinite,    // an infinite weight
    kElementwise, // behind the convolution
    kConvBefore,  // PAD, 1 x 1
} Look;

typedef struct Case {
    TfLiteType type;
    bool depthwise;
    int batches, h, w, c, out_c;
    int filter, stride, dilation;
    TfLitePadding padding;
    int32_t pads[8]; // before and after, of images, lines, columns, channels
    Look look;
    int left_out;
} Case;

static int8_t bytes_of_weights[kFuseNumbers];
static const int64_t zero_bias[512], weight_zero[1] = {130};
static const float weight_scale[1] = {0.01f};
static float infinite_weights[kFuseNumbers];

static int fill(void** state) {
    for (int i = 0; i < kFuseNumbers; i++) bytes_of_weights[i] = (int8_t)random_int(-127, 127);
    fuse_fill(state);
    for (int i = 0; i < kFuseNumbers; i++) infinite_weights[i] = i == 3 ? INFINITY : fuse_numbers[i];
    return 0;
}

static int zero_point_of(TfLiteType type) {
    return type == kTfLiteInt8 ? -5 : type == kTfLiteUInt8 ? 120 : 0;
}

static int tensor_of(FuseGraph* g, TfLiteType type, const int32_t* dims) {
    BuilderTensor t = {.type = type, .rank = 4, .dims = {dims[0], dims[1], dims[2], dims[3]}};
    if (type != kTfLiteFloat32) {
        t.scale = type == kTfLiteInt16 ? 2e-4f : 0.05f;
        t.zero_point = zero_point_of(type);
    }
    return fuse_tensor(g, t);
}

static int convert(FuseGraph* g, TfLiteBuiltinOperator code, TfLiteType type, int x) {
    const int y = tensor_of(g, type, g->tensors[x].dims);
    builder_operator(g->b, (BuilderOperator){.code = code, .inputs = {1, {x}}, .outputs = {1, {y}}});
    return y;
}

static int add_pad(FuseGraph* g, const Case* c, int x) {
    static const float numbers[2] = {0.0f, 0.5f};
    static const int8_t bytes[2] = {-5, 1};
    static const uint8_t unsigned_bytes[2] = {120, 121};
    static const int16_t shorts[2] = {0, 1};
    const void* values = c->type == kTfLiteFloat32 ? (const void*)(numbers + (c->look == kOther))
                         : c->type == kTfLiteInt8  ? (const void*)(bytes + (c->look == kOther))
                         : c->type == kTfLiteUInt8 ? (const void*)(unsigned_bytes + (c->look == kOther))
                                                   : (const void*)(shorts + (c->look == kOther));
    const size_t size = c->type == kTfLiteFloat32 ? 4 : c->type == kTfLiteInt16 ? 2 : 1;
    int32_t dims[4];
    for (int i = 0; i < 4; i++) dims[i] = g->tensors[x].dims[i] + c->pads[2 * i] + c->pads[2 * i + 1];
    const int pads = fuse_tensor(
        g, (BuilderTensor){
               .type = kTfLiteInt32, .rank = 2, .dims = {4, 2}, .data = c->pads, .bytes = sizeof c->pads});
    const bool has_value = c->look == kZero || c->look == kOther;
    BuilderTensor value = g->tensors[x];
    value.rank = 1;
    value.dims[0] = 1;
    value.data = values;
    value.bytes = size;
    const int of_value = has_value ? fuse_tensor(g, value) : -1, y = tensor_of(g, c->type, dims);
    builder_operator(g->b, (BuilderOperator){.code = has_value ? kTfLiteBuiltinPadv2 : kTfLiteBuiltinPad,
                                             .inputs = {has_value ? 3 : 2, {x, pads, of_value}},
                                             .outputs = {1, {y}}});
    return y;
}

static int out_length(const Case* c, int in) {
    const int window = (c->filter - 1) * c->dilation + 1;
    return c->padding == kTfLitePaddingSame ? (in + c->stride - 1) / c->stride
                                            : (in - window + c->stride) / c->stride;
}

static int add_filter(FuseGraph* g, const Case* c, const int32_t* dims) {
    BuilderTensor t = {.type = kTfLiteFloat32, .rank = 4, .data = fuse_numbers, .bytes = 1};
    for (int i = 0; i < 4; i++) t.bytes *= (size_t)(t.dims[i] = dims[i]);
    if (c->type != kTfLiteFloat32 || c->look == kHybrid) {
        t.type = c->type == kTfLiteUInt8 ? kTfLiteUInt8 : kTfLiteInt8;
        t.data = bytes_of_weights;
        t.scale_count = 1;
        t.scales = weight_scale;
        if (t.type == kTfLiteUInt8) t.zero_points = weight_zero;
        return fuse_tensor(g, t);
    }
    if (c->look == kInfinite) t.data = infinite_weights;
    t.bytes *= sizeof(float);
    assert_true(t.bytes <= sizeof fuse_numbers);
    return fuse_tensor(g, t);
}

static int add_bias(FuseGraph* g, const Case* c, int channels) {
    BuilderTensor t = {.type = c->type, .rank = 1, .dims = {channels}};
    if (c->type == kTfLiteFloat32) return fuse_constant(g, t);
    t.type = c->type == kTfLiteInt16 ? kTfLiteInt64 : kTfLiteInt32;
    t.data = zero_bias;
    t.bytes = (size_t)channels * (c->type == kTfLiteInt16 ? sizeof(int64_t) : sizeof(int32_t));
    t.scale = (c->type == kTfLiteInt16 ? 2e-4f : 0.05f) * 0.01f;
    return fuse_tensor(g, t);
}

static int add_conv(FuseGraph* g, const Case* c, int x) {
    const int32_t* in = g->tensors[x].dims;
    const int out_c = c->depthwise ? in[3] : c->out_c;
    const int32_t out[4] = {in[0], out_length(c, in[1]), out_length(c, in[2]), out_c};
    const TfLiteConvParams conv = {.padding = c->padding,
                                   .stride_width = c->stride,
                                   .stride_height = c->stride,
                                   .activation = kTfLiteActRelu6,
                                   .dilation_width_factor = c->dilation,
                                   .dilation_height_factor = c->dilation};
    const TfLiteDepthwiseConvParams depthwise = {.padding = c->padding,
                                                 .stride_width = c->stride,
                                                 .stride_height = c->stride,
                                                 .depth_multiplier = 1,
                                                 .activation = kTfLiteActNone,
                                                 .dilation_width_factor = c->dilation,
                                                 .dilation_height_factor = c->dilation};
    const int32_t dims[4] = {c->depthwise ? 1 : out_c, c->filter, c->filter, in[3]};
    const int filter = add_filter(g, c, dims), bias = add_bias(g, c, out_c), y = tensor_of(g, c->type, out);
    builder_operator(
        g->b, (BuilderOperator){.code = c->depthwise ? kTfLiteBuiltinDepthwiseConv2d : kTfLiteBuiltinConv2d,
                                .inputs = {3, {x, filter, bias}},
                                .outputs = {1, {y}},
                                .params = c->depthwise ? (const void*)&depthwise : &conv});
    return y;
}

static int add_pixelwise(FuseGraph* g, const Case* c, int x) {
    const Case pixelwise = {.type = c->type, .out_c = c->c, .filter = 1, .stride = 1, .dilation = 1};
    return add_conv(g, &pixelwise, x);
}

static void build(FuseGraph* g, const void* state) {
    const Case* c = state;
    int x = fuse_input(g, (BuilderTensor){.rank = 4, .dims = {c->batches, c->h, c->w, c->c}});
    if (c->type != kTfLiteFloat32) x = convert(g, kTfLiteBuiltinQuantize, c->type, x);
    if (c->look == kConvBefore) x = add_pixelwise(g, c, x);
    const int padded = add_pad(g, c, x);
    int y = add_conv(g, c, padded), other = padded;
    if (c->look == kTwoReaders) other = add_conv(g, c, padded);
    if (c->look == kElementwise)
        y = fuse_binary(g, kTfLiteBuiltinMul, y, fuse_unary(g, kTfLiteBuiltinLogistic, y));
    if (c->type != kTfLiteFloat32) y = convert(g, kTfLiteBuiltinDequantize, kTfLiteFloat32, y);
    const bool two = c->look == kTwoReaders || c->look == kShown;
    fuse_outputs(g, (BuilderInts){two ? 2 : 1, {y, other}});
}

static void check(const Case* c) {
    const FuseCounts counts = fuse_compare(build, c, fuse_plain_value);
    if (counts.left_out != c->left_out) {
        fail_msg("type %d, %s, look %d, %dx%d: %d left out, expected %d", c->type,
                 c->depthwise ? "depthwise" : "conv", c->look, c->h, c->w, counts.left_out, c->left_out);
    }
}

static const TfLiteType types[] = {kTfLiteFloat32, kTfLiteInt8, kTfLiteUInt8, kTfLiteInt16};

static Case usual(TfLiteType type, bool depthwise) {
    return (Case){type,   depthwise, 2, 17, 14, 8, 24, 3, 2, 1, kTfLitePaddingValid, {0, 0, 1, 1, 1, 1, 0, 0},
                  kPlain, 1};
}

static void every_type(void** state) {
    (void)state;
    static const int32_t pads[][8] = {
        {0, 0, 1, 1, 1, 1, 0, 0}, {0, 0, 0, 1, 0, 1, 0, 0}, {0, 0, 2, 0, 0, 2, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 1, 0, 2, 1, 0, 0},
    };
    for (int t = 0; t < 4; t++) {
        for (int kind = 0; kind < 2; kind++) {
            for (int p = 0; p < 5; p++) {
                Case c = usual(types[t], kind == 1);
                memcpy(c.pads, pads[p], sizeof c.pads);
                for (c.stride = 1; c.stride < 3; c.stride++) check(&c);
            }
        }
    }
}

// What looks like the pattern and is not, and what is the pattern with more around it.
static void looks(void** state) {
    (void)state;
    for (int t = 0; t < 4; t++) {
        for (int kind = 0; kind < 2; kind++) {
            static const struct {
                Look look;
                int left_out;
            } all[] = {{kZero, 1}, {kOther, 0}, {kTwoReaders, 0}, {kShown, 0}, {kConvBefore, 1}};
            for (int i = 0; i < 5; i++) {
                Case c = usual(types[t], kind == 1);
                c.look = all[i].look;
                c.left_out = all[i].left_out;
                check(&c);
            }
        }
    }
    for (int kind = 0; kind < 2; kind++) {
        Case c = usual(kTfLiteFloat32, kind == 1);
        c.look = kElementwise;
        c.left_out = 3; // PAD, the convolution, LOGISTIC
        check(&c);
        c.look = kHybrid;
        c.left_out = 0;
        check(&c);
        c.look = kInfinite; // a depthwise convolution leaves padding out of its sums
        c.left_out = kind == 1 ? 0 : 1;
        check(&c);
    }
}

static void pads_that_are_no_padding(void** state) {
    (void)state;
    static const int32_t pads[][8] = {
        {0, 0, 3, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 5, 0, 0}, {0, 0, 9, 9, 9, 9, 0, 0},
        {1, 0, 1, 1, 1, 1, 0, 0}, {0, 0, 1, 1, 1, 1, 0, 4}, {0, 0, 1, 1, 1, 1, 4, 0},
    };
    for (int t = 0; t < 4; t++) {
        for (int kind = 0; kind < 2; kind++) {
            for (int p = 0; p < 6; p++) {
                Case c = usual(types[t], kind == 1);
                memcpy(c.pads, pads[p], sizeof c.pads);
                c.stride = 1;
                c.left_out = 0;
                check(&c);
            }
        }
    }
}

// SAME adds its own; dilated windows may be larger than what is inside.
static void windows(void** state) {
    (void)state;
    for (int t = 0; t < 4; t++) {
        for (int kind = 0; kind < 2; kind++) {
            Case c = usual(types[t], kind == 1);
            c.padding = kTfLitePaddingSame; // 2 before the first line, of windows of 3
            check(&c);
            c.filter = 5;
            check(&c);
            c = usual(types[t], kind == 1);
            c.dilation = 3;
            c.stride = 1;
            for (int i = 2; i < 6; i++) c.pads[i] = 4;
            check(&c);
            c.h = c.w = 1;
            check(&c);
            c.filter = 1;
            c.left_out = 0;
            check(&c);
        }
    }
}

// Images that fill more than a cache are computed on the way, on both sides of PAD.
static void lines_on_the_way(void** state) {
    (void)state;
    Case c = {kTfLiteFloat32,           true,        1, 160, 160, 40, 0, 3, 2, 1, kTfLitePaddingValid,
              {0, 0, 0, 1, 0, 1, 0, 0}, kConvBefore, 2};
    check(&c);
    for (int i = 2; i < 6; i++) c.pads[i] = 1;
    check(&c);
    c.look = kPlain;
    c.left_out = 1;
    check(&c);
}

static void at_random(void** state) {
    (void)state;
    for (int i = 0; i < 150; i++) {
        Case c = {.type = types[random_below(4)],
                  .depthwise = random_below(2) == 0,
                  .batches = random_int(1, 2),
                  .h = random_int(1, 20),
                  .w = random_int(1, 20),
                  .c = random_int(1, 40),
                  .out_c = random_int(1, 40),
                  .filter = random_int(1, 4),
                  .stride = random_int(1, 3),
                  .dilation = random_int(1, 2),
                  .padding = random_below(2) == 0 ? kTfLitePaddingSame : kTfLitePaddingValid};
        for (int k = 2; k < 6; k++) c.pads[k] = random_int(0, 4);
        const int window = (c.filter - 1) * c.dilation + 1;
        if (c.h + c.pads[2] + c.pads[3] < window || c.w + c.pads[4] + c.pads[5] < window) continue;
        fuse_compare(build, &c, fuse_plain_value);
    }
}

// Of maxima the padding is no part.
static void a_pool_is_no_convolution(void** state) {
    (void)state;
    Fixture f;
    static const int32_t pads[8] = {0, 0, 1, 1, 1, 1, 0, 0};
    static const TfLitePoolParams params = {.padding = kTfLitePaddingValid,
                                            .stride_width = 1,
                                            .stride_height = 1,
                                            .filter_width = 3,
                                            .filter_height = 3};
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 4, .dims = {1, 3, 3, 1}});
    builder_tensor(
        b,
        (BuilderTensor){.type = kTfLiteInt32, .rank = 2, .dims = {4, 2}, .data = pads, .bytes = sizeof pads});
    builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 4, .dims = {1, 5, 5, 1}});
    builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 4, .dims = {1, 3, 3, 1}});
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinPad, .inputs = {2, {0, 1}}, .outputs = {1, {2}}});
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinMaxPool2d, .inputs = {1, {2}}, .outputs = {1, {3}}, .params = &params});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {3}});
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int i = 0; i < 9; i++) lite_subgraph_tensor(f.graph, 0)->data.f[i] = -1;
    fixture_run(&f);
    const float* y = lite_subgraph_tensor(f.graph, 3)->data.f;
    for (int i = 0; i < 9; i++) assert_true(y[i] == (i == 4 ? -1.0f : 0.0f));
    fixture_destroy(&f);
}

// A graph of one image of one channel: Twice (a custom operator), PAD, a convolution whose weights are 1.
// Tensors: 0 input, 1 its double, 2 paddings, 3 padded, 4 filter, 5 bias, 6 output, 7 Twice of the padded
// one.
static ModelBuilder* build_sums(bool pads_are_input, bool second_reader) {
    static const int32_t pads[8] = {0, 0, 1, 1, 1, 1, 0, 0};
    static const float ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, zero[1];
    static const TfLiteConvParams params = {.padding = kTfLitePaddingValid,
                                            .stride_width = 1,
                                            .stride_height = 1,
                                            .dilation_width_factor = 1,
                                            .dilation_height_factor = 1};
    const BuilderTensor image = {.type = kTfLiteFloat32, .rank = 4, .dims = {1, 3, 3, 1}};
    const BuilderTensor padded = {.type = kTfLiteFloat32, .rank = 4, .dims = {1, 5, 5, 1}};
    ModelBuilder* b = builder_create();
    builder_tensor(b, image);
    builder_tensor(b, image);
    builder_tensor(b, (BuilderTensor){.type = kTfLiteInt32,
                                      .rank = 2,
                                      .dims = {4, 2},
                                      .data = pads_are_input ? NULL : pads,
                                      .bytes = sizeof pads});
    builder_tensor(b, padded);
    builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteFloat32, .rank = 4, .dims = {1, 3, 3, 1}, .data = ones, .bytes = sizeof ones});
    builder_tensor(
        b,
        (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {1}, .data = zero, .bytes = sizeof zero});
    builder_tensor(b, image);
    builder_tensor(b, padded);
    fixture_node(b, "Twice", 0, 1);
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinPad, .inputs = {2, {1, 2}}, .outputs = {1, {3}}});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinConv2d,
                                          .inputs = {3, {3, 4, 5}},
                                          .outputs = {1, {6}},
                                          .params = &params});
    if (second_reader) fixture_node(b, "Twice", 3, 7);
    builder_inputs(b, (BuilderInts){pads_are_input ? 2 : 1, {0, 2}});
    builder_outputs(b, (BuilderInts){second_reader ? 2 : 1, {6, 7}});
    return b;
}

// Of an input that is 1 everywhere: windows in the corners have 4 pixels, at the sides 6, and in the
// middle 9.
static void expect_sums(const Fixture* f, int pad) {
    static const int pixels[9] = {4, 6, 4, 6, 9, 6, 4, 6, 4};
    const TfLiteTensor* y = lite_subgraph_tensor(f->graph, 6);
    assert_int_equal(y->dims->data[1], 1 + 2 * pad);
    for (int i = 0; i < 9 && pad == 1; i++) assert_true(y->data.f[i] == 2.0f * (float)pixels[i]);
    if (pad == 0) assert_true(y->data.f[0] == 18);
}

static void beside_a_delegate(void** state) {
    (void)state;
    for (int second = 0; second < 2; second++) {
        ProbeDelegate probe;
        probe_init(&probe, kTfLiteDelegateFlagsNone);
        probe.takes = "Twice";
        Fixture f;
        fixture_create(&f, build_sums(false, second == 1), NULL);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(f.graph->nodes[1]->left_to, 1 - second);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
        fixture_fill(&f, 0, 1);
        fixture_run(&f);
        assert_int_equal(f.graph->nodes[1]->left_to, 1 - second);
        expect_sums(&f, 1);
        fixture_destroy(&f);
    }
}

static void paddings_that_change(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, build_sums(true, false), NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 1);
    for (int pad = 1; pad >= 0; pad--) {
        int32_t* pads = lite_subgraph_tensor(f.graph, 2)->data.i32;
        memset(pads, 0, 8 * sizeof *pads);
        for (int i = 2; i < 6; i++) pads[i] = pad;
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        assert_int_equal(f.graph->nodes[1]->left_to, 0);
        expect_sums(&f, pad);
    }
    fixture_destroy(&f);
}

static void sizes_that_change(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, build_sums(false, false), NULL);
    static const int sizes[] = {3, 1, 9, 3};
    for (int i = 0; i < 4; i++) {
        const int dims[] = {1, sizes[i], sizes[i], 1};
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, dims, 4), kTfLiteOk);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        fixture_fill(&f, 0, 1);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        assert_int_equal(f.graph->nodes[1]->left_to, 1);
        const TfLiteTensor* y = lite_subgraph_tensor(f.graph, 6);
        assert_int_equal(y->dims->data[1], sizes[i]);
        assert_true(y->data.f[0] == (sizes[i] == 1 ? 2.0f : 8.0f));
        assert_true(sizes[i] < 3 || y->data.f[sizes[i] + 1] == 18);
    }
    expect_sums(&f, 1);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type),
        cmocka_unit_test(looks),
        cmocka_unit_test(pads_that_are_no_padding),
        cmocka_unit_test(windows),
        cmocka_unit_test(lines_on_the_way),
        cmocka_unit_test(at_random),
        cmocka_unit_test(a_pool_is_no_convolution),
        cmocka_unit_test(beside_a_delegate),
        cmocka_unit_test(paddings_that_change),
        cmocka_unit_test(sizes_that_change),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
