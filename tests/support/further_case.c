// SPDX-License-Identifier: Apache-2.0
#include "tests/support/further_case.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"

enum { kTokens = 16, kSide = 16 };

static float floats[4 * kFurtherWidth * kFurtherWidth];
static int8_t bytes[kFurtherWidth * kFurtherWidth];
static uint16_t halves[kFurtherWidth * kFurtherWidth];
static int32_t zeros[kFurtherWidth];
static float scales[kFurtherWidth];

void further_fill(void) {
    for (int i = 0; i < 4 * kFurtherWidth * kFurtherWidth; i++) floats[i] = (float)(i % 17 - 8) / 64;
    for (int i = 0; i < kFurtherWidth * kFurtherWidth; i++) bytes[i] = (int8_t)(i % 255 - 127);
    for (int i = 0; i < kFurtherWidth * kFurtherWidth; i++) halves[i] = (uint16_t)(0x2000 + i % 255);
    for (int i = 0; i < kFurtherWidth; i++) scales[i] = (float)(i + 1) / 8192;
}

static const TfLiteFullyConnectedParams dense = {.keep_num_dims = true};
static const TfLiteReducerParams mean = {.keep_dims = true};
static const TfLiteConvParams conv = {.padding = kTfLitePaddingSame,
                                      .stride_width = 1,
                                      .stride_height = 1,
                                      .dilation_width_factor = 1,
                                      .dilation_height_factor = 1,
                                      .activation = kTfLiteActRelu};
static const TfLiteAddParams add;
static const TfLiteSubParams sub;
static const TfLiteMulParams mul;
static const TfLiteBatchMatMulParams product, swapped = {.adj_y = true};
static const TfLiteSoftmaxParams softmax = {.beta = 1};
static const TfLiteGeluParams gelu;

static int tensor(ModelBuilder* b, int d0, int d1, int d2) {
    return builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 3, .dims = {d0, d1, d2}});
}

static int constant(ModelBuilder* b, int rows, int columns) {
    return builder_tensor(b,
                          (BuilderTensor){.type = kTfLiteFloat32,
                                          .rank = columns > 0 ? 2 : 1,
                                          .dims = {rows, columns},
                                          .data = floats,
                                          .bytes = (size_t)rows * (size_t)(columns > 0 ? columns : 1) * 4});
}

static int node(ModelBuilder* b, TfLiteBuiltinOperator code, BuilderInts inputs, int output,
                const void* params) {
    builder_operator(
        b, (BuilderOperator){.code = code, .inputs = inputs, .outputs = {1, {output}}, .params = params});
    return output;
}

static int apply_dense(ModelBuilder* b, int x, int depth, int units) {
    return node(b, kTfLiteBuiltinFullyConnected,
                (BuilderInts){3, {x, constant(b, units, depth), constant(b, units, 0)}},
                tensor(b, 1, kTokens, units), &dense);
}

// As converters spell it out.
static int normalise(ModelBuilder* b, int x) {
    static const int32_t last = 2;
    const int axis = builder_tensor(
        b,
        (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {1}, .data = &last, .bytes = sizeof last});
    const int average =
        node(b, kTfLiteBuiltinMean, (BuilderInts){2, {x, axis}}, tensor(b, 1, kTokens, 1), &mean);
    const int from = node(b, kTfLiteBuiltinSub, (BuilderInts){2, {x, average}},
                          tensor(b, 1, kTokens, kFurtherWidth), &sub);
    const int square = node(b, kTfLiteBuiltinMul, (BuilderInts){2, {from, from}},
                            tensor(b, 1, kTokens, kFurtherWidth), &mul);
    const int variance =
        node(b, kTfLiteBuiltinMean, (BuilderInts){2, {square, axis}}, tensor(b, 1, kTokens, 1), &mean);
    const int positive = node(b, kTfLiteBuiltinAdd, (BuilderInts){2, {variance, constant(b, 1, 0)}},
                              tensor(b, 1, kTokens, 1), &add);
    const int scale =
        node(b, kTfLiteBuiltinRsqrt, (BuilderInts){1, {positive}}, tensor(b, 1, kTokens, 1), NULL);
    const int scaled = node(b, kTfLiteBuiltinMul, (BuilderInts){2, {from, scale}},
                            tensor(b, 1, kTokens, kFurtherWidth), &mul);
    return node(b, kTfLiteBuiltinAdd, (BuilderInts){2, {scaled, constant(b, kFurtherWidth, 0)}},
                tensor(b, 1, kTokens, kFurtherWidth), &add);
}

static int attend(ModelBuilder* b, int x) {
    const int query = apply_dense(b, x, kFurtherWidth, kFurtherWidth),
              key = apply_dense(b, x, kFurtherWidth, kFurtherWidth);
    const int value = apply_dense(b, x, kFurtherWidth, kFurtherWidth);
    const int scores = node(b, kTfLiteBuiltinBatchMatmul, (BuilderInts){2, {query, key}},
                            tensor(b, 1, kTokens, kTokens), &swapped);
    const int weights =
        node(b, kTfLiteBuiltinSoftmax, (BuilderInts){1, {scores}}, tensor(b, 1, kTokens, kTokens), &softmax);
    const int sums = node(b, kTfLiteBuiltinBatchMatmul, (BuilderInts){2, {weights, value}},
                          tensor(b, 1, kTokens, kFurtherWidth), &product);
    return apply_dense(b, sums, kFurtherWidth, kFurtherWidth);
}

// An encoder of four layers.
ModelBuilder* further_encoder(void) {
    ModelBuilder* b = builder_create();
    const int input = tensor(b, 1, kTokens, kFurtherWidth);
    int x = input;
    for (int i = 0; i < kFurtherLayers; i++) {
        x = normalise(b, node(b, kTfLiteBuiltinAdd, (BuilderInts){2, {x, attend(b, x)}},
                              tensor(b, 1, kTokens, kFurtherWidth), &add));
        const int wide = node(b, kTfLiteBuiltinGelu,
                              (BuilderInts){1, {apply_dense(b, x, kFurtherWidth, 4 * kFurtherWidth)}},
                              tensor(b, 1, kTokens, 4 * kFurtherWidth), &gelu);
        x = normalise(b, node(b, kTfLiteBuiltinAdd,
                              (BuilderInts){2, {x, apply_dense(b, wide, 4 * kFurtherWidth, kFurtherWidth)}},
                              tensor(b, 1, kTokens, kFurtherWidth), &add));
    }
    builder_inputs(b, (BuilderInts){1, {input}});
    builder_outputs(b, (BuilderInts){1, {x}});
    return b;
}

static int image(ModelBuilder* b, TfLiteType type) {
    return builder_tensor(b, (BuilderTensor){.type = type,
                                             .rank = 4,
                                             .dims = {1, kSide, kSide, kFurtherWidth},
                                             .scale = type == kTfLiteInt8 ? 0.05f : 0.0f});
}

static int filter_of(ModelBuilder* b, TfLiteType type) {
    enum { kCount = kFurtherWidth * kFurtherWidth };
    BuilderTensor t = {.type = type, .rank = 4, .dims = {kFurtherWidth, 1, 1, kFurtherWidth}};
    if (type == kTfLiteInt8) {
        t.data = bytes;
        t.bytes = sizeof bytes;
        t.scale_count = kFurtherWidth;
        t.scales = scales;
        return builder_tensor(b, t);
    }
    t.data = type == kTfLiteFloat32 ? (const void*)floats : halves;
    t.bytes = type == kTfLiteFloat32 ? kCount * sizeof *floats : sizeof halves;
    if (type == kTfLiteFloat32) return builder_tensor(b, t);
    const int stored = builder_tensor(b, t);
    const BuilderTensor whole = {
        .type = kTfLiteFloat32, .rank = 4, .dims = {kFurtherWidth, 1, 1, kFurtherWidth}};
    return node(b, kTfLiteBuiltinDequantize, (BuilderInts){1, {stored}}, builder_tensor(b, whole), NULL);
}

// Convolutions of 1 x 1, one after the other.
ModelBuilder* further_convolutions(TfLiteType type) {
    const TfLiteType images = type == kTfLiteInt8 ? kTfLiteInt8 : kTfLiteFloat32;
    ModelBuilder* b = builder_create();
    const int input = image(b, images);
    int x = input;
    for (int i = 0; i < kFurtherLayers; i++) {
        const int filter = filter_of(b, type);
        const int bias =
            builder_tensor(b, (BuilderTensor){.type = type == kTfLiteInt8 ? kTfLiteInt32 : kTfLiteFloat32,
                                              .rank = 1,
                                              .dims = {kFurtherWidth},
                                              .data = zeros,
                                              .bytes = sizeof zeros});
        x = node(b, kTfLiteBuiltinConv2d, (BuilderInts){3, {x, filter, bias}}, image(b, images), &conv);
    }
    builder_inputs(b, (BuilderInts){1, {input}});
    builder_outputs(b, (BuilderInts){1, {x}});
    return b;
}

static size_t allocated(void) {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static TfLiteInterpreter* create(const TfLiteModel* model, TfLiteDelegate* delegate) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetNumThreads(options, 1);
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    assert_non_null(interpreter);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    return interpreter;
}

static size_t of_tensors(const TfLiteInterpreter* interpreter, const TfLiteDelegate* delegate) {
    return oclite_interpreter_memory(interpreter) + oclite_opencl_delegate_memory(delegate);
}

void further_expect(ModelBuilder* b, TfLiteDelegate* delegate, size_t bound) {
    size_t size;
    uint8_t* model_bytes = builder_finish(b, &size);
    TfLiteModel* model = TfLiteModelCreate(model_bytes, size);
    assert_non_null(model);
    TfLiteInterpreter* first = create(model, delegate);
    TfLiteInterpreterDelete(create(model, delegate)); // what drivers allocate once is there
    const size_t before = allocated(), tensors = oclite_opencl_delegate_memory(delegate);
    TfLiteInterpreter* further = create(model, delegate);
    const size_t cost = allocated() - before, known = of_tensors(further, delegate) - tensors;
    printf("%zu bytes of at most %zu\n", cost, bound + known);
    // Allocators of checkers do not count, and the memory of some devices is not the allocator's.
    if (before > 0) assert_true(cost > 0 && cost <= bound + known);
    TfLiteInterpreterDelete(further);
    TfLiteInterpreterDelete(first);
    TfLiteModelDelete(model);
    free(model_bytes);
}
