// SPDX-License-Identifier: Apache-2.0
// Convolutions and products on the path of oneDNN against our own kernels, on models of random shapes and
// parameters. Skipped where there is no oneDNN. That it is used at all is tested in test_onednn_plan.c.
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
#include "kernels-cpu/onednn/onednn_library.h"
#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/model_builder.h"
#include "tests/support/path_run.h"
#include "tests/support/random_numbers.h"

enum { kMaxWeights = 64 * 1024, kMaxChannels = 256 };

static float random_f32(void) {
    return (float)random_int(-1000, 1000) / 1000.0f;
}

// One node. Filters are [out, rows, columns, in], of depthwise convolutions [1, rows, columns, out], of
// products [out, in].
typedef struct Case {
    TfLiteBuiltinOperator code;
    TfLiteType type;
    int batches, height, width, in_c, out_c, filter_h, filter_w, groups;
    int stride_h, stride_w, dilation_h, dilation_w;
    TfLitePadding padding;
    TfLiteFusedActivation activation;
    bool has_bias;
    bool adj_x, adj_y;
    int zero_point; // of the input
    bool
        is_extreme; // INT8: sums next to 2^24, less a bias that leaves little of them; FLOAT32: infinite ones
} Case;

static bool is_product(const Case* c) {
    return c->code == kTfLiteBuiltinFullyConnected || c->code == kTfLiteBuiltinBatchMatmul;
}

static int taps(const Case* c) {
    return is_product(c) ? 1 : c->filter_h * c->filter_w;
}

// Input channels that an output sees.
static int depth(const Case* c) {
    return c->code == kTfLiteBuiltinDepthwiseConv2d ? 1 : c->in_c / c->groups;
}

// What a file holds for a case; it lives until the model is built.
typedef struct Contents {
    float weights[kMaxWeights];
    int8_t weights_8[kMaxWeights];
    float bias[kMaxChannels];
    int32_t bias_32[kMaxChannels];
    float scales[kMaxChannels];
    int32_t out_shape[4];
    union {
        TfLiteConvParams conv;
        TfLiteDepthwiseConvParams depthwise;
        TfLiteFullyConnectedParams dense;
        TfLiteBatchMatMulParams matmul;
        TfLiteTransposeConvParams transpose;
    } params;
} Contents;

static const float kInputScale = 0.02f, kWeightScale = 0.01f;

// Largest and smallest by turns.
static int8_t extreme_input(size_t i) {
    return i % 2 == 0 ? INT8_MAX : INT8_MIN;
}

static BuilderTensor weights_of(const Case* c, Contents* contents) {
    const int count = taps(c) * depth(c) * c->out_c;
    assert_true(count <= kMaxWeights && c->out_c <= kMaxChannels);
    BuilderTensor t = {.type = c->type, .rank = 4};
    int32_t dims[4] = {c->out_c, c->filter_h, c->filter_w, depth(c)};
    if (c->code == kTfLiteBuiltinDepthwiseConv2d) dims[0] = 1, dims[3] = c->out_c;
    if (is_product(c)) {
        t.rank = 2;
        dims[0] = c->code == kTfLiteBuiltinBatchMatmul && !c->adj_y ? c->in_c : c->out_c;
        dims[1] =
            dims[0] == c->in_c && !c->adj_y && c->code == kTfLiteBuiltinBatchMatmul ? c->out_c : c->in_c;
    }
    memcpy(t.dims, dims, sizeof dims);
    for (int i = 0; i < count; i++) contents->weights[i] = random_f32();
    for (int i = 0; i < count; i++) contents->weights_8[i] = (int8_t)random_int(-127, 127);
    for (int i = 0; i < count && c->is_extreme; i++) {
        contents->weights_8[i] = (int8_t)(extreme_input((size_t)i) > 0 ? 127 : random_int(-127, -126));
    }
    t.data = contents->weights;
    t.bytes = (size_t)count * sizeof(float);
    if (c->type == kTfLiteFloat32) return t;
    t.data = contents->weights_8;
    t.bytes = (size_t)count;
    t.scale = kWeightScale;
    if (c->code == kTfLiteBuiltinBatchMatmul) return t;
    for (int i = 0; i < c->out_c; i++)
        contents->scales[i] = kWeightScale * (float)random_int(50, 150) / 100.0f;
    t.scale_count = c->out_c;
    t.scales = contents->scales;
    t.quantized_dimension = c->code == kTfLiteBuiltinDepthwiseConv2d ? 3 : 0;
    return t;
}

static BuilderTensor bias_of(const Case* c, Contents* contents) {
    const bool is_float = c->type == kTfLiteFloat32;
    for (int i = 0; i < c->out_c; i++) contents->bias[i] = random_f32();
    for (int i = 0; i < c->out_c; i++) contents->bias_32[i] = random_int(-9000, 9000);
    const int8_t* w = contents->weights_8;
    for (int i = 0; i < c->out_c && c->is_extreme; i++) {
        contents->bias_32[i] %= 100;
        for (int k = 0; k < c->in_c; k++) contents->bias_32[i] -= *w++ * extreme_input((size_t)k);
    }
    return (BuilderTensor){.type = is_float ? kTfLiteFloat32 : kTfLiteInt32,
                           .rank = 1,
                           .dims = {c->out_c},
                           .data = is_float ? (const void*)contents->bias : contents->bias_32,
                           .bytes = (size_t)c->out_c * 4};
}

static BuilderTensor activation_tensor(const Case* c, float scale, int zero_point) {
    BuilderTensor t = {.type = c->type, .rank = 4, .dims = {c->batches, c->height, c->width, c->in_c}};
    if (c->code == kTfLiteBuiltinBatchMatmul && c->adj_x) t.dims[2] = c->in_c, t.dims[3] = c->width;
    if (c->type == kTfLiteInt8) t.scale = scale, t.zero_point = zero_point;
    return t;
}

static const void* set_params(const Case* c, Contents* contents) {
    switch (c->code) {
    case kTfLiteBuiltinConv2d:
        contents->params.conv = (TfLiteConvParams){.padding = c->padding,
                                                   .stride_width = c->stride_w,
                                                   .stride_height = c->stride_h,
                                                   .activation = c->activation,
                                                   .dilation_width_factor = c->dilation_w,
                                                   .dilation_height_factor = c->dilation_h};
        break;
    case kTfLiteBuiltinDepthwiseConv2d:
        contents->params.depthwise = (TfLiteDepthwiseConvParams){.padding = c->padding,
                                                                 .stride_width = c->stride_w,
                                                                 .stride_height = c->stride_h,
                                                                 .depth_multiplier = c->out_c / c->in_c,
                                                                 .activation = c->activation,
                                                                 .dilation_width_factor = c->dilation_w,
                                                                 .dilation_height_factor = c->dilation_h};
        break;
    case kTfLiteBuiltinFullyConnected:
        contents->params.dense =
            (TfLiteFullyConnectedParams){.activation = c->activation, .keep_num_dims = true};
        break;
    case kTfLiteBuiltinBatchMatmul:
        contents->params.matmul = (TfLiteBatchMatMulParams){.adj_x = c->adj_x, .adj_y = c->adj_y};
        break;
    default:
        contents->params.transpose = (TfLiteTransposeConvParams){.padding = c->padding,
                                                                 .stride_width = c->stride_w,
                                                                 .stride_height = c->stride_h,
                                                                 .activation = c->activation};
    }
    return &contents->params;
}

// The length whose convolution has `in` outputs, with so many more as the stride leaves open.
static int transposed_length(const Case* c, int in, int filter, int stride) {
    const int more = random_int(0, stride - 1);
    return c->padding == kTfLitePaddingSame ? in * stride - more : (in - 1) * stride + filter + more;
}

static uint8_t* build(const Case* c, size_t* size) {
    static Contents contents;
    const bool is_transposed = c->code == kTfLiteBuiltinTransposeConv;
    ModelBuilder* b = builder_create();
    BuilderInts inputs = {0, {0}};
    if (is_transposed) {
        const int32_t shape[4] = {c->batches, transposed_length(c, c->height, c->filter_h, c->stride_h),
                                  transposed_length(c, c->width, c->filter_w, c->stride_w), c->out_c};
        memcpy(contents.out_shape, shape, sizeof shape);
        inputs.values[inputs.count++] = builder_tensor(b, (BuilderTensor){.type = kTfLiteInt32,
                                                                          .rank = 1,
                                                                          .dims = {4},
                                                                          .data = contents.out_shape,
                                                                          .bytes = sizeof shape});
        inputs.values[inputs.count++] = builder_tensor(b, weights_of(c, &contents));
    }
    const int input = builder_tensor(b, activation_tensor(c, kInputScale, c->zero_point));
    inputs.values[inputs.count++] = input;
    if (!is_transposed) inputs.values[inputs.count++] = builder_tensor(b, weights_of(c, &contents));
    if (c->has_bias) inputs.values[inputs.count++] = builder_tensor(b, bias_of(c, &contents));
    const float root = c->is_extreme ? 1.0f : sqrtf((float)(taps(c) * depth(c))) * 73.0f;
    const float out_scale = root * kInputScale * kWeightScale;
    const BuilderInts output = {1,
                                {builder_tensor(b, activation_tensor(c, out_scale, random_int(-128, 127)))}};
    builder_operator(
        b, (BuilderOperator){
               .code = c->code, .inputs = inputs, .outputs = output, .params = set_params(c, &contents)});
    builder_inputs(b, (BuilderInts){1, {input}});
    builder_outputs(b, output);
    return builder_finish(b, size);
}

// The same numbers each time.
static void fill(TfLiteTensor* input, const void* state) {
    const bool is_extreme = ((const Case*)state)->is_extreme,
               is_float = TfLiteTensorType(input) == kTfLiteFloat32;
    const size_t count = TfLiteTensorByteSize(input) / (is_float ? sizeof(float) : 1);
    random_seed = 77;
    for (size_t i = 0; i < count && is_float; i++) ((float*)TfLiteTensorData(input))[i] = random_f32();
    if (is_float && is_extreme) ((float*)TfLiteTensorData(input))[count / 2] = INFINITY;
    for (size_t i = 0; i < count && !is_float; i++) {
        ((int8_t*)TfLiteTensorData(input))[i] = is_extreme ? extreme_input(i) : (int8_t)random_int(-128, 127);
    }
}

static void compare(TfLiteType type, const uint8_t* got, const uint8_t* want, size_t bytes) {
    for (size_t i = 0; type == kTfLiteFloat32 && i < bytes / sizeof(float); i++) {
        float x, y;
        memcpy(&x, got + i * sizeof x, sizeof x);
        memcpy(&y, want + i * sizeof y, sizeof y);
        if (!(fabsf(x - y) <= 1e-4f * (1.0f + fabsf(y)))) {
            fail_msg("output %zu is %g, expected %g", i, (double)x, (double)y);
        }
    }
    for (size_t i = 0; type == kTfLiteInt8 && i < bytes; i++) {
        const int x = (int8_t)got[i], y = (int8_t)want[i];
        if (x != y) fail_msg("output %zu is %d, expected %d", i, x, y);
    }
}

static void check(const Case* c) {
    const uint32_t before = random_seed;
    size_t size, bytes, other_bytes;
    uint8_t* file = build(c, &size);
    TfLiteModel* model = TfLiteModelCreate(file, size);
    assert_non_null(model);
    const bool resizes = c->code != kTfLiteBuiltinTransposeConv && random_int(0, 3) == 0;
    const LiteOnednnLibrary* library = lite_onednn_library();
    library->omp_set_num_threads(random_int(1, 5)); // the program's own setting is left alone
    const int openmp = library->omp_get_max_threads();
    PathRun run = {.path = lite_cpu_level(),
                   .threads = 1,
                   .batches = resizes ? c->batches + 1 : c->batches,
                   .fill = fill,
                   .state = c};
    uint8_t* want = path_run(model, &run, &bytes);
    run.path = kLiteCpuOneDnn;
    for (; run.threads <= 3; run.threads += 2) {
        uint8_t* got = path_run(model, &run, &other_bytes);
        assert_int_equal(other_bytes, bytes);
        compare(c->type, got, want, bytes);
        free(got);
    }
    assert_true(lite_cpu_path_choose(kLiteCpuAuto));
    assert_int_equal(library->omp_get_max_threads(), openmp);
    free(want);
    TfLiteModelDelete(model);
    free(file);
    random_seed = before * 31 + 7;
}

static Case random_case(TfLiteBuiltinOperator code, TfLiteType type) {
    static const TfLiteFusedActivation activations[] = {kTfLiteActNone, kTfLiteActRelu, kTfLiteActRelu6,
                                                        kTfLiteActReluN1To1};
    const bool is_wide = random_int(0, 1) == 1; // whole vectors of channels, or any number
    Case c = {.code = code,
              .type = type,
              .batches = random_int(1, 3),
              .height = random_int(8, 20),
              .width = random_int(8, 20),
              .in_c = is_wide ? 16 * random_int(1, 4) : random_int(1, 20),
              .out_c = is_wide ? 16 * random_int(1, 4) : random_int(1, 20),
              .filter_h = random_int(1, 4),
              .filter_w = random_int(1, 4),
              .groups = 1,
              .stride_h = random_int(1, 3),
              .stride_w = random_int(1, 3),
              .dilation_h = 1,
              .dilation_w = 1,
              .padding = random_int(0, 1) == 0 ? kTfLitePaddingSame : kTfLitePaddingValid,
              .activation = activations[random_int(0, 3)],
              .has_bias = random_int(0, 1) == 1,
              .adj_x = random_int(0, 1) == 1,
              .adj_y = random_int(0, 1) == 1,
              .zero_point = random_int(0, 2) == 0 ? 0 : random_int(-128, 127)};
    if (code == kTfLiteBuiltinConv2d) {
        c.has_bias = true;
        c.groups = random_int(0, 2) == 0 ? random_int(2, 4) : 1;
        c.in_c = c.groups * (c.in_c / c.groups + 1);
        c.out_c = c.groups * (c.out_c / c.groups + 1);
    } else if (code == kTfLiteBuiltinDepthwiseConv2d) {
        c.out_c = c.in_c * random_int(1, 3);
        c.groups = c.in_c;
    } else if (code == kTfLiteBuiltinBatchMatmul) {
        c.has_bias = false;
    }
    if (!is_product(&c) && code != kTfLiteBuiltinTransposeConv && random_int(0, 3) == 0) {
        c.dilation_h = random_int(1, 3);
        c.dilation_w = random_int(1, 3);
        c.stride_h = c.stride_w = 1;
        c.height += 6;
        c.width += 6;
    }
    return c;
}

static void check_operator(TfLiteBuiltinOperator code) {
    random_seed = 1;
    for (int i = 0; i < 60; i++) {
        const Case c = random_case(code, i % 2 == 0 ? kTfLiteFloat32 : kTfLiteInt8);
        check(&c);
    }
}

static void convolutions(void** state) {
    (void)state;
    check_operator(kTfLiteBuiltinConv2d);
}

static void depthwise_convolutions(void** state) {
    (void)state;
    check_operator(kTfLiteBuiltinDepthwiseConv2d);
}

static void products(void** state) {
    (void)state;
    check_operator(kTfLiteBuiltinFullyConnected);
}

static void matrix_products(void** state) {
    (void)state;
    check_operator(kTfLiteBuiltinBatchMatmul);
}

static void transposed_convolutions(void** state) {
    (void)state;
    check_operator(kTfLiteBuiltinTransposeConv);
}

// What the cases below change.
static Case base_case(TfLiteBuiltinOperator code, TfLiteType type) {
    return (Case){.code = code,
                  .type = type,
                  .batches = 1,
                  .filter_h = 1,
                  .filter_w = 1,
                  .groups = 1,
                  .stride_h = 1,
                  .stride_w = 1,
                  .dilation_h = 1,
                  .dilation_w = 1,
                  .padding = kTfLitePaddingSame,
                  .has_bias = true};
}

// Groups whose sums of bytes oneDNN 2.6 gets wrong.
static void groups(void** state) {
    (void)state;
    Case c = base_case(kTfLiteBuiltinConv2d, kTfLiteInt8);
    c.batches = 3, c.height = 11, c.width = 16, c.in_c = 4, c.out_c = 8;
    c.filter_h = 4, c.filter_w = 2, c.groups = 4, c.stride_h = 3;
    c.zero_point = 98;
    check(&c);
}

// The largest sums that are left to oneDNN, and larger ones.
static void extreme_sums(void** state) {
    (void)state;
    for (int in_c = 1028; in_c <= 1040; in_c += 4) {
        Case c = base_case(kTfLiteBuiltinFullyConnected, kTfLiteInt8);
        c.height = 5, c.width = 7, c.in_c = in_c, c.out_c = 48;
        c.is_extreme = true;
        check(&c);
        c.code = kTfLiteBuiltinConv2d;
        c.stride_h = c.stride_w = 2;
        c.padding = kTfLitePaddingValid;
        check(&c);
    }
}

// Infinite sums are the largest numbers, as without oneDNN.
static void infinite_sums(void** state) {
    (void)state;
    static const TfLiteFusedActivation activations[] = {kTfLiteActNone, kTfLiteActRelu, kTfLiteActRelu6};
    for (size_t i = 0; i < sizeof activations / sizeof activations[0]; i++) {
        Case c = base_case(kTfLiteBuiltinConv2d, kTfLiteFloat32);
        c.height = 9, c.width = 8, c.in_c = 16, c.out_c = 32;
        c.filter_h = c.filter_w = 3;
        c.activation = activations[i];
        c.is_extreme = true;
        check(&c);
    }
}

// More than one call of oneDNN to a thread.
static Case long_case(void) {
    Case c = base_case(kTfLiteBuiltinConv2d, kTfLiteFloat32);
    c.height = c.width = 240, c.in_c = c.out_c = 80;
    c.filter_h = c.filter_w = 3;
    return c;
}

static void long_convolutions(void** state) {
    (void)state;
    const Case c = long_case();
    check(&c);
}

static bool third_time(void* asked) {
    return ++*(int*)asked == 3;
}

// The program is asked twice before the node, so the third time is between two calls.
static void long_convolutions_can_be_cancelled(void** state) {
    (void)state;
    Case c = long_case();
    for (c.batches = 1; c.batches <= 2; c.batches++) {
        size_t size;
        int asked = 0;
        uint8_t* file = build(&c, &size);
        TfLiteModel* model = TfLiteModelCreate(file, size);
        assert_non_null(model);
        assert_true(lite_cpu_path_choose(kLiteCpuOneDnn));
        TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
        oclite_interpreter_set_cancellation(interpreter, third_time, &asked);
        assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
        fill(TfLiteInterpreterGetInputTensor(interpreter, 0), &c);
        assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteError);
        assert_int_equal(asked, 3);
        assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
        TfLiteInterpreterDelete(interpreter);
        assert_true(lite_cpu_path_choose(kLiteCpuAuto));
        TfLiteModelDelete(model);
        free(file);
    }
}

int main(void) {
    if (lite_onednn_library() == NULL) {
        puts("skipped: there is no oneDNN here");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutions),
        cmocka_unit_test(depthwise_convolutions),
        cmocka_unit_test(products),
        cmocka_unit_test(matrix_products),
        cmocka_unit_test(transposed_convolutions),
        cmocka_unit_test(extreme_sums),
        cmocka_unit_test(infinite_sums),
        cmocka_unit_test(groups),
        cmocka_unit_test(long_convolutions),
        cmocka_unit_test(long_convolutions_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
