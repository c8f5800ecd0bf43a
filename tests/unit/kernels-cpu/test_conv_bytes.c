// SPDX-License-Identifier: Apache-2.0
// Convolutions of bytes, also transposed ones, on every path of this processor against the reference path,
// bit by bit, on models of random shapes: filters whose lines are read where they lie, others that are
// gathered, images of several items and lines of several parts; filters of 3 x 3 also with fewer
// multiplications (kernels-cpu/conv/winograd_bytes.h).
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
#include "core/base/winograd_choice.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/model_builder.h"
#include "tests/support/path_run.h"
#include "tests/support/random_numbers.h"

enum { kMaxChannels = 80, kCases = 60 };

typedef struct Case {
    bool is_transposed;
    TfLiteType type;
    int batches, height, width, in_c, out_c, filter_h, filter_w, stride_h, stride_w, dilation;
    TfLitePadding padding;
    int input_zero_point, weights_zero_point; // the latter of UINT8
    bool is_extreme;                          // the largest sums that there are
} Case;

static const float kInputScale = 0.02f, kWeightScale = 0.01f;

static Case random_case(void) {
    static const int depths[] = {64, 64, 128, 192, 32, 3, 40};
    static const int widths[] = {1, 2, 5, 6, 7, 9, 14, 15, 17, 33, 130, 150};
    const bool is_signed = random_int(0, 3) > 0;
    Case c = {.type = is_signed ? kTfLiteInt8 : kTfLiteUInt8,
              .batches = random_int(0, 2) == 0 ? 2 : 1,
              .height = random_int(1, 14),
              .width = widths[random_int(0, 11)] + random_int(0, 2),
              .in_c = depths[random_int(0, 6)],
              .out_c = random_int(1, kMaxChannels),
              .filter_h = random_int(1, 4),
              .filter_w = random_int(1, 4),
              .stride_h = random_int(0, 2) == 0 ? random_int(2, 5) : 1,
              .stride_w = random_int(0, 2) == 0 ? random_int(2, 3) : 1,
              .dilation = random_int(0, 9) == 0 ? 2 : 1,
              .padding = random_int(0, 2) > 0 ? kTfLitePaddingSame : kTfLitePaddingValid,
              .input_zero_point = is_signed ? random_int(-128, 127) : random_int(0, 255),
              .weights_zero_point = is_signed               ? 0
                                    : random_int(0, 2) == 0 ? 128
                                                            : random_int(0, 255)};
    if (random_int(0, 1) == 0) c.filter_h = c.filter_w = 3;
    c.is_transposed = is_signed && c.width < 40 && random_int(0, 4) == 0;
    if (c.is_transposed) c.padding = kTfLitePaddingSame;
    while ((c.filter_h - 1) * c.dilation >= c.height) c.height++;
    while ((c.filter_w - 1) * c.dilation >= c.width) c.width++;
    return c;
}

static Case winograd_case(void) {
    static const int depths[] = {1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 63, 64, 70, 129};
    Case c = random_case();
    c.is_transposed = false;
    c.filter_h = c.filter_w = 3;
    c.stride_h = c.stride_w = c.dilation = 1;
    c.in_c = depths[random_int(0, 13)];
    if (c.height < 3) c.height = 3;
    if (c.width < 3) c.width = 3;
    return c;
}

// Of input, filter, bias and output.
static void add_transposed(ModelBuilder* b, const Case* c, const int* tensors) {
    static int32_t dims[4];
    static TfLiteTransposeConvParams params;
    params = (TfLiteTransposeConvParams){
        .padding = c->padding, .stride_width = c->stride_w, .stride_height = c->stride_h};
    memcpy(dims, (int32_t[]){c->batches, c->height * c->stride_h, c->width * c->stride_w, c->out_c},
           sizeof dims);
    const int shape = builder_tensor(
        b, (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {4}, .data = dims, .bytes = sizeof dims});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinTransposeConv,
                                          .version = 3,
                                          .inputs = {4, {shape, tensors[1], tensors[0], tensors[2]}},
                                          .outputs = {1, {tensors[3]}},
                                          .params = &params});
}

static uint8_t* build(const Case* c, size_t* size) {
    static uint8_t weights[kMaxChannels * 16 * 192];
    static float scales[kMaxChannels];
    int32_t bias[kMaxChannels];
    const int taps = c->filter_h * c->filter_w * c->in_c;
    const bool is_signed = c->type == kTfLiteInt8;
    for (int i = 0; i < c->out_c * taps; i++)
        weights[i] = (uint8_t)random_int(is_signed ? -127 : 0, is_signed ? 127 : 255);
    if (c->is_extreme) memset(weights, is_signed ? -128 : 0, (size_t)(c->out_c * taps));
    for (int i = 0; i < c->out_c; i++) scales[i] = kWeightScale * (float)random_int(50, 150) / 100.0f;
    for (int i = 0; i < c->out_c; i++) bias[i] = random_int(-9000, 9000);
    const TfLiteConvParams params = {.padding = c->padding,
                                     .stride_width = c->stride_w,
                                     .stride_height = c->stride_h,
                                     .activation = (TfLiteFusedActivation)random_int(0, 1),
                                     .dilation_width_factor = c->dilation,
                                     .dilation_height_factor = c->dilation};
    ModelBuilder* b = builder_create();
    const int input = builder_tensor(b, (BuilderTensor){.type = c->type,
                                                        .rank = 4,
                                                        .dims = {c->batches, c->height, c->width, c->in_c},
                                                        .scale = kInputScale,
                                                        .zero_point = c->input_zero_point});
    BuilderTensor w = {.type = c->type,
                       .rank = 4,
                       .dims = {c->out_c, c->filter_h, c->filter_w, c->in_c},
                       .data = weights,
                       .bytes = (size_t)(c->out_c * taps),
                       .scale = kWeightScale,
                       .zero_point = c->weights_zero_point};
    if (is_signed) w.scale = 0, w.scale_count = c->out_c, w.scales = scales;
    const int filter = builder_tensor(b, w);
    const int add = builder_tensor(b, (BuilderTensor){.type = kTfLiteInt32,
                                                      .rank = 1,
                                                      .dims = {c->out_c},
                                                      .data = bias,
                                                      .bytes = (size_t)c->out_c * sizeof *bias,
                                                      .scale = kInputScale * kWeightScale});
    const int output = builder_tensor(
        b, (BuilderTensor){.type = c->type,
                           .rank = 4,
                           .dims = {c->batches, c->height, c->width, c->out_c},
                           .scale = sqrtf((float)taps) * 73.0f * kInputScale * kWeightScale,
                           .zero_point = is_signed ? random_int(-128, 10) : random_int(0, 128)});
    if (c->is_transposed) {
        add_transposed(b, c, (int[]){input, filter, add, output});
    } else {
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinConv2d,
                                              .version = 3,
                                              .inputs = {3, {input, filter, add}},
                                              .outputs = {1, {output}},
                                              .params = &params});
    }
    builder_inputs(b, (BuilderInts){1, {input}});
    builder_outputs(b, (BuilderInts){1, {output}});
    return builder_finish(b, size);
}

// The same numbers each time.
static void fill(TfLiteTensor* input, const void* of) {
    const Case* c = of;
    uint8_t* data = TfLiteTensorData(input);
    uint32_t state = 5;
    if (c->is_extreme) {
        memset(data, c->type == kTfLiteInt8 ? -128 : 0, TfLiteTensorByteSize(input));
        return;
    }
    for (size_t i = 0; i < TfLiteTensorByteSize(input); i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (uint8_t)(state >> 24);
    }
}

static void check_with(const Case* c, int number, LiteWinogradChoice choice) {
    size_t size, bytes, other_bytes;
    random_seed = (uint32_t)number * 104729 + 1;
    uint8_t* file = build(c, &size);
    TfLiteModel* model = TfLiteModelCreate(file, size);
    assert_non_null(model);
    PathRun run = {.path = kLiteCpuReference, .threads = 1, .fill = fill, .state = c};
    assert_true(lite_winograd_choose(kLiteWinogradOff));
    uint8_t* want = path_run(model, &run, &bytes);
    run.threads = number % 3 + 1;
    assert_true(lite_winograd_choose(choice));
    for (LiteCpuPath path = kLiteCpuReference; path < kLiteCpuPaths; path++) {
        if (!lite_cpu_path_choose(path)) continue;
        run.path = path;
        uint8_t* got = path_run(model, &run, &other_bytes);
        assert_int_equal(other_bytes, bytes);
        for (size_t i = 0; i < bytes; i++) {
            if (got[i] == want[i]) continue;
            fail_msg("case %d on %s: output %zu is %d, expected %d", number, lite_cpu_path_name(path), i,
                     got[i], want[i]);
        }
        free(got);
    }
    assert_true(lite_cpu_path_choose(kLiteCpuAuto));
    assert_true(lite_winograd_choose(kLiteWinogradAuto));
    free(want);
    TfLiteModelDelete(model);
    free(file);
}

static void check(const Case* c, int number) {
    check_with(c, number, kLiteWinogradAuto);
}

static void all_paths_give_the_same_bytes(void** state) {
    (void)state;
    for (int i = 0; i < kCases; i++) {
        random_seed = (uint32_t)i * 7919 + 1;
        const Case c = random_case();
        check(&c, i);
    }
}

static void fewer_multiplications_give_the_same_bytes(void** state) {
    (void)state;
    for (int i = 0; i < kCases; i++) {
        random_seed = (uint32_t)i * 7919 + 2;
        const Case c = winograd_case();
        check_with(&c, i, kLiteWinograd2);
    }
}

// The most channels whose sums fit, and one more.
static void the_largest_sums_fit(void** state) {
    (void)state;
    for (int is_signed = 0; is_signed < 2; is_signed++) {
        const int most = INT32_MAX / (4 * 9 * 255 * (is_signed ? 128 : 255));
        Case c = {.type = is_signed ? kTfLiteInt8 : kTfLiteUInt8,
                  .batches = 1,
                  .height = 4,
                  .width = 5,
                  .out_c = 3,
                  .filter_h = 3,
                  .filter_w = 3,
                  .stride_h = 1,
                  .stride_w = 1,
                  .dilation = 1,
                  .padding = kTfLitePaddingSame,
                  .input_zero_point = is_signed ? 127 : 255,
                  .weights_zero_point = is_signed ? 0 : 255,
                  .is_extreme = true};
        for (c.in_c = most; c.in_c <= most + 1; c.in_c++) check_with(&c, c.in_c, kLiteWinograd2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_paths_give_the_same_bytes),
                                       cmocka_unit_test(fewer_multiplications_give_the_same_bytes),
                                       cmocka_unit_test(the_largest_sums_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
