// SPDX-License-Identifier: Apache-2.0
#include "tests/support/resizable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/model_builder.h"

enum { MAX_WEIGHTS = 256 };

// A model in the making, and the weights that have to live as long.
typedef struct Making {
    ModelBuilder* builder;
    float* weights[MAX_WEIGHTS];
    int weight_count;
    uint32_t random;
} Making;

static int tensor(Making* m, int rank, const int* dims) {
    BuilderTensor made = {.type = kTfLiteFloat32, .rank = rank};
    for (int d = 0; d < rank; d++) made.dims[d] = dims[d];
    return builder_tensor(m->builder, made);
}

// Of numbers around 0, with the sums of so many products within some units.
static int weights(Making* m, int rank, const int* dims, int depth) {
    BuilderTensor made = {.type = kTfLiteFloat32, .rank = rank};
    size_t count = 1;
    for (int d = 0; d < rank; d++) count *= (size_t)(made.dims[d] = dims[d]);
    float* values = malloc(count * sizeof *values);
    if (values == NULL || m->weight_count == MAX_WEIGHTS) abort();
    for (size_t i = 0; i < count; i++) {
        m->random = m->random * 1664525 + 1013904223;
        values[i] = ((float)(m->random >> 8) / 0x1p23f - 1.0f) / sqrtf((float)depth);
    }
    m->weights[m->weight_count++] = values;
    made.data = values;
    made.bytes = count * sizeof *values;
    return builder_tensor(m->builder, made);
}

static int ints(Making* m, int count, const int32_t* values) {
    return builder_tensor(m->builder, (BuilderTensor){.type = kTfLiteInt32,
                                                      .rank = 1,
                                                      .dims = {count},
                                                      .data = values,
                                                      .bytes = (size_t)count * sizeof *values});
}

static int node(Making* m, TfLiteBuiltinOperator code, BuilderInts inputs, int output, const void* params) {
    builder_operator(
        m->builder,
        (BuilderOperator){.code = code, .inputs = inputs, .outputs = {1, {output}}, .params = params});
    return output;
}

static const TfLiteAddParams no_activation = {.activation = kTfLiteActNone};
static const TfLiteReducerParams keeps = {.keep_dims = true};

static uint8_t* finish(Making* m, int input, int output, size_t* size) {
    builder_inputs(m->builder, (BuilderInts){1, {input}});
    builder_outputs(m->builder, (BuilderInts){1, {output}});
    uint8_t* bytes = builder_finish(m->builder, size);
    for (int i = 0; i < m->weight_count; i++) free(m->weights[i]);
    return bytes;
}

// ---- the transformer ----

typedef struct Encoder {
    Making making;
    int32_t by_head[4], by_width[3]; // shapes
    int width, heads, length;
} Encoder;

static int dense(Encoder* e, int x) {
    static const TfLiteFullyConnectedParams params = {.keep_num_dims = true};
    const int w = weights(&e->making, 2, (int[]){e->width, e->width}, e->width);
    const int y = tensor(&e->making, 3, (int[]){1, e->length, e->width});
    return node(&e->making, kTfLiteBuiltinFullyConnected, (BuilderInts){3, {x, w, -1}}, y, &params);
}

// [1, length, width] as [1, heads, length, width / heads].
static int split(Encoder* e, int x) {
    static const int32_t order[] = {0, 2, 1, 3};
    const int depth = e->width / e->heads;
    const int apart = tensor(&e->making, 4, (int[]){1, e->length, e->heads, depth});
    const int y = tensor(&e->making, 4, (int[]){1, e->heads, e->length, depth});
    node(&e->making, kTfLiteBuiltinReshape, (BuilderInts){2, {x, ints(&e->making, 4, e->by_head)}}, apart,
         NULL);
    return node(&e->making, kTfLiteBuiltinTranspose, (BuilderInts){2, {apart, ints(&e->making, 4, order)}}, y,
                NULL);
}

static int attend(Encoder* e, int x) {
    static const TfLiteBatchMatMulParams by_keys = {.adj_y = true}, by_values = {.adj_y = false};
    static const TfLiteSoftmaxParams softmax = {.beta = 0.5f};
    static const int32_t order[] = {0, 2, 1, 3};
    Making* m = &e->making;
    const int depth = e->width / e->heads;
    const int q = split(e, dense(e, x)), k = split(e, dense(e, x)), v = split(e, dense(e, x));
    const int square[] = {1, e->heads, e->length, e->length};
    const int scores = tensor(m, 4, square), shares = tensor(m, 4, square);
    node(m, kTfLiteBuiltinBatchMatmul, (BuilderInts){2, {q, k}}, scores, &by_keys);
    node(m, kTfLiteBuiltinSoftmax, (BuilderInts){1, {scores}}, shares, &softmax);
    const int mixed = tensor(m, 4, (int[]){1, e->heads, e->length, depth});
    const int turned = tensor(m, 4, (int[]){1, e->length, e->heads, depth});
    const int y = tensor(m, 3, (int[]){1, e->length, e->width});
    node(m, kTfLiteBuiltinBatchMatmul, (BuilderInts){2, {shares, v}}, mixed, &by_values);
    node(m, kTfLiteBuiltinTranspose, (BuilderInts){2, {mixed, ints(m, 4, order)}}, turned, NULL);
    node(m, kTfLiteBuiltinReshape, (BuilderInts){2, {turned, ints(m, 3, e->by_width)}}, y, NULL);
    return dense(e, y);
}

static int add(Encoder* e, int a, int b) {
    const int y = tensor(&e->making, 3, (int[]){1, e->length, e->width});
    return node(&e->making, kTfLiteBuiltinAdd, (BuilderInts){2, {a, b}}, y, &no_activation);
}

// (x - mean) / sqrt(variance + a little)
static int norm(Encoder* e, int x) {
    static const int32_t last = 2;
    static const float little = 1e-3f;
    static const TfLiteSubParams difference = {.activation = kTfLiteActNone};
    static const TfLiteMulParams product = {.activation = kTfLiteActNone};
    Making* m = &e->making;
    const int wide[] = {1, e->length, e->width}, narrow[] = {1, e->length, 1};
    const int axis = ints(m, 1, &last);
    const int epsilon = builder_tensor(
        m->builder, (BuilderTensor){.type = kTfLiteFloat32, .data = &little, .bytes = sizeof little});
    const int mean = node(m, kTfLiteBuiltinMean, (BuilderInts){2, {x, axis}}, tensor(m, 3, narrow), &keeps);
    const int apart =
        node(m, kTfLiteBuiltinSub, (BuilderInts){2, {x, mean}}, tensor(m, 3, wide), &difference);
    const int squares = node(m, kTfLiteBuiltinSquare, (BuilderInts){1, {apart}}, tensor(m, 3, wide), NULL);
    const int variance =
        node(m, kTfLiteBuiltinMean, (BuilderInts){2, {squares, axis}}, tensor(m, 3, narrow), &keeps);
    const int more = node(m, kTfLiteBuiltinAdd, (BuilderInts){2, {variance, epsilon}}, tensor(m, 3, narrow),
                          &no_activation);
    const int factor = node(m, kTfLiteBuiltinRsqrt, (BuilderInts){1, {more}}, tensor(m, 3, narrow), NULL);
    return node(m, kTfLiteBuiltinMul, (BuilderInts){2, {apart, factor}}, tensor(m, 3, wide), &product);
}

uint8_t* resizable_encoder(int layers, int width, int heads, int length, size_t* size) {
    static const int32_t along = 1;
    Encoder e = {.making = {.builder = builder_create(), .random = 7},
                 .by_head = {1, -1, heads, width / heads},
                 .by_width = {1, -1, width},
                 .width = width,
                 .heads = heads,
                 .length = length};
    const int input = tensor(&e.making, 3, (int[]){1, length, width});
    int x = input;
    for (int i = 0; i < layers; i++) {
        x = norm(&e, add(&e, x, attend(&e, x)));
        x = add(&e, x, dense(&e, x));
    }
    const int y = tensor(&e.making, 3, (int[]){1, 1, width});
    node(&e.making, kTfLiteBuiltinMean, (BuilderInts){2, {x, ints(&e.making, 1, &along)}}, y, &keeps);
    return finish(&e.making, input, y, size);
}

// ---- the convolutions ----

static int convolve(Making* m, int x, int side, int from, int to, int filter, int stride) {
    const TfLiteConvParams params = {.padding = kTfLitePaddingSame,
                                     .stride_width = stride,
                                     .stride_height = stride,
                                     .activation = kTfLiteActRelu6,
                                     .dilation_width_factor = 1,
                                     .dilation_height_factor = 1};
    const int w = weights(m, 4, (int[]){to, filter, filter, from}, filter * filter * from);
    const int bias = weights(m, 1, (int[]){to}, to);
    const int y = tensor(m, 4, (int[]){1, side, side, to});
    return node(m, kTfLiteBuiltinConv2d, (BuilderInts){3, {x, w, bias}}, y, &params);
}

static int convolve_each(Making* m, int x, int side, int channels) {
    static const TfLiteDepthwiseConvParams params = {.padding = kTfLitePaddingSame,
                                                     .stride_width = 1,
                                                     .stride_height = 1,
                                                     .depth_multiplier = 1,
                                                     .activation = kTfLiteActRelu6,
                                                     .dilation_width_factor = 1,
                                                     .dilation_height_factor = 1};
    const int w = weights(m, 4, (int[]){1, 3, 3, channels}, 9);
    const int bias = weights(m, 1, (int[]){channels}, channels);
    const int y = tensor(m, 4, (int[]){1, side, side, channels});
    return node(m, kTfLiteBuiltinDepthwiseConv2d, (BuilderInts){3, {x, w, bias}}, y, &params);
}

uint8_t* resizable_network(int blocks, int channels, int side, size_t* size) {
    static const int32_t plane[] = {1, 2};
    Making m = {.builder = builder_create(), .random = 11};
    const int half = (side + 1) / 2, input = tensor(&m, 4, (int[]){1, side, side, 3});
    int x = convolve(&m, input, half, 3, channels, 3, 2);
    for (int i = 0; i < blocks; i++) {
        const int wide = convolve(&m, x, half, channels, 2 * channels, 1, 1);
        const int narrow =
            convolve(&m, convolve_each(&m, wide, half, 2 * channels), half, 2 * channels, channels, 1, 1);
        const int y = tensor(&m, 4, (int[]){1, half, half, channels});
        x = node(&m, kTfLiteBuiltinAdd, (BuilderInts){2, {x, narrow}}, y, &no_activation);
    }
    const int y = tensor(&m, 4, (int[]){1, 1, 1, channels});
    node(&m, kTfLiteBuiltinMean, (BuilderInts){2, {x, ints(&m, 2, plane)}}, y, &keeps);
    return finish(&m, input, y, size);
}
