// SPDX-License-Identifier: Apache-2.0
// The operations and bytes of nodes, against values computed by hand, and those of two networks against what
// their authors say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/model_builder.h"
#include "tools/common/op_cost.h"

typedef struct Loaded {
    uint8_t* bytes;
    TfLiteModel* model;
    TfLiteInterpreter* interpreter;
} Loaded;

static void load(Loaded* loaded, ModelBuilder* builder) {
    size_t size;
    loaded->bytes = builder_finish(builder, &size);
    loaded->model = TfLiteModelCreate(loaded->bytes, size);
    assert_non_null(loaded->model);
    loaded->interpreter = TfLiteInterpreterCreate(loaded->model, NULL);
    assert_non_null(loaded->interpreter);
}

static void unload(Loaded* loaded) {
    TfLiteInterpreterDelete(loaded->interpreter);
    TfLiteModelDelete(loaded->model);
    free(loaded->bytes);
}

// A node: its tensors are float32 of these shapes, inputs first; a shape ends at 0, and is absent when empty.
typedef struct Case {
    TfLiteBuiltinOperator code;
    const void* params;
    int inputs;
    int32_t shapes[12][5];
    double operations;
    double read;
    double written;
} Case;

static int rank_of(const int32_t* shape) {
    int rank = 0;
    while (rank < 5 && shape[rank] > 0) rank++;
    return rank;
}

static ToolOpCost work_of(const Case* c) {
    ModelBuilder* builder = builder_create();
    BuilderInts inputs = {0};
    BuilderInts given = {0};
    for (int i = 0; i <= c->inputs; i++) {
        BuilderTensor tensor = {.type = kTfLiteFloat32, .rank = rank_of(c->shapes[i])};
        memcpy(tensor.dims, c->shapes[i], sizeof(c->shapes[i]));
        const int index = tensor.rank > 0 ? builder_tensor(builder, tensor) : -1;
        if (i == c->inputs) {
            builder_operator(builder, (BuilderOperator){.code = c->code,
                                                        .inputs = inputs,
                                                        .outputs = {1, {index}},
                                                        .params = c->params});
            builder_inputs(builder, given);
            builder_outputs(builder, (BuilderInts){1, {index}});
        }
        inputs.values[inputs.count++] = index;
        if (index >= 0) given.values[given.count++] = index;
    }
    Loaded loaded;
    load(&loaded, builder);
    const ToolOpCost work = tool_op_cost(loaded.interpreter, 0, 0);
    unload(&loaded);
    return work;
}

static void expect(const Case* cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const ToolOpCost work = work_of(&cases[i]);
        if (work.operations != cases[i].operations || work.bytes_read != cases[i].read ||
            work.bytes_written != cases[i].written) {
            fail_msg("case %zu: %.0f operations, %.0f bytes read, %.0f written", i, work.operations,
                     work.bytes_read, work.bytes_written);
        }
    }
}
#define EXPECT(cases) expect(cases, sizeof(cases) / sizeof((cases)[0]))

static void convolutions(void** state) {
    (void)state;
    const TfLiteConvParams conv = {.padding = kTfLitePaddingSame, .stride_width = 1, .stride_height = 1};
    const TfLiteDepthwiseConvParams depthwise = {.padding = kTfLitePaddingSame, .depth_multiplier = 2};
    const TfLiteTransposeConvParams transposed = {.padding = kTfLitePaddingSame};
    const Case cases[] = {
        // 2x4x5 pixels, 7 channels, each from 3x3x6
        {kTfLiteBuiltinConv2d,
         &conv,
         3,
         {{2, 4, 5, 6}, {7, 3, 3, 6}, {7}, {2, 4, 5, 7}},
         2.0 * 2 * 4 * 5 * 7 * 3 * 3 * 6,
         4 * (240 + 378 + 7),
         4 * 280},
        // two groups of three channels
        {kTfLiteBuiltinConv2d,
         &conv,
         2,
         {{1, 4, 5, 6}, {8, 1, 1, 3}, {1, 4, 5, 8}},
         2.0 * 160 * 3,
         4 * (120 + 24),
         4 * 160},
        {kTfLiteBuiltinDepthwiseConv2d,
         &depthwise,
         3,
         {{1, 4, 5, 3}, {1, 3, 2, 6}, {6}, {1, 4, 5, 6}},
         2.0 * 120 * 6,
         4 * (60 + 36 + 6),
         4 * 120},
        // each of 2x2 input pixels of 3 channels goes to 3x3 output pixels of 5
        {kTfLiteBuiltinTransposeConv,
         &transposed,
         3,
         {{4}, {5, 3, 3, 3}, {1, 2, 2, 3}, {1, 4, 4, 5}},
         2.0 * 12 * 45,
         4 * (4 + 135 + 12),
         4 * 80},
    };
    EXPECT(cases);
}

static void products(void** state) {
    (void)state;
    const TfLiteBatchMatMulParams plain = {0};
    const TfLiteBatchMatMulParams adjoint = {.adj_x = true};
    const Case cases[] = {
        {kTfLiteBuiltinFullyConnected,
         NULL,
         3,
         {{3, 8}, {5, 8}, {5}, {3, 5}},
         2.0 * 3 * 5 * 8,
         4 * (24 + 40 + 5),
         4 * 15},
        {kTfLiteBuiltinFullyConnected,
         NULL,
         3,
         {{3, 8}, {5, 8}, {0}, {3, 5}},
         2.0 * 3 * 5 * 8,
         4 * (24 + 40),
         4 * 15},
        {kTfLiteBuiltinBatchMatmul,
         &plain,
         2,
         {{2, 3, 4}, {2, 4, 5}, {2, 3, 5}},
         2.0 * 2 * 3 * 4 * 5,
         4 * (24 + 40),
         4 * 30},
        {kTfLiteBuiltinBatchMatmul,
         &adjoint,
         2,
         {{2, 4, 3}, {2, 4, 5}, {2, 3, 5}},
         2.0 * 2 * 3 * 4 * 5,
         4 * (24 + 40),
         4 * 30},
    };
    EXPECT(cases);
}

static void volumes(void** state) {
    (void)state;
    const TfLiteConv3DParams params = {.padding = kTfLitePaddingSame};
    const Case cases[] = {
        {kTfLiteBuiltinConv3d,
         &params,
         2,
         {{1, 2, 3, 4, 5}, {2, 2, 2, 5, 6}, {1, 2, 3, 4, 6}},
         2.0 * 144 * 8 * 5,
         4 * (120 + 240),
         4 * 144},
        {kTfLiteBuiltinConv3dTranspose,
         &params,
         3,
         {{5}, {2, 2, 2, 6, 5}, {1, 2, 3, 4, 5}, {1, 4, 6, 8, 6}},
         2.0 * 120 * 8 * 6,
         4 * (5 + 240 + 120),
         4 * 1152},
    };
    EXPECT(cases);
}

static void elements(void** state) {
    (void)state;
    const TfLitePoolParams pool = {.filter_width = 2, .filter_height = 3};
    const TfLiteLocalResponseNormParams norm = {.radius = 2};
    const TfLiteReducerParams keep = {0};
    const TfLiteSoftmaxParams softmax = {.beta = 1};
    const TfLiteResizeBilinearParams bilinear = {0};
    const TfLiteGatherParams gather = {0};
    const TfLiteAddParams sum = {0};
    const TfLiteConcatenationParams concatenation = {0};
    const Case cases[] = {
        {kTfLiteBuiltinAdd, &sum, 2, {{4, 6}, {6}, {4, 6}}, 24, 4 * 30, 4 * 24},
        {kTfLiteBuiltinAddN, NULL, 3, {{4}, {4}, {4}, {4}}, 8, 4 * 12, 4 * 4},
        {kTfLiteBuiltinTanh, NULL, 1, {{4, 6}, {4, 6}}, 24, 4 * 24, 4 * 24},
        {kTfLiteBuiltinAveragePool2d, &pool, 1, {{1, 6, 6, 5}, {1, 2, 3, 5}}, 30 * 6, 4 * 180, 4 * 30},
        {kTfLiteBuiltinL2Pool2d, &pool, 1, {{1, 6, 6, 5}, {1, 2, 3, 5}}, 30 * 12, 4 * 180, 4 * 30},
        {kTfLiteBuiltinLocalResponseNormalization,
         &norm,
         1,
         {{1, 2, 3, 5}, {1, 2, 3, 5}},
         30 * 14,
         4 * 30,
         4 * 30},
        {kTfLiteBuiltinMean, &keep, 2, {{4, 6}, {1}, {4}}, 24, 4 * 25, 4 * 4},
        {kTfLiteBuiltinSoftmax, &softmax, 1, {{4, 6}, {4, 6}}, 120, 4 * 24, 4 * 24},
        {kTfLiteBuiltinResizeBilinear,
         &bilinear,
         2,
         {{1, 2, 2, 3}, {2}, {1, 4, 4, 3}},
         8 * 48,
         4 * 14,
         4 * 48},
        {kTfLiteBuiltinConcatenation, &concatenation, 2, {{4}, {6}, {10}}, 0, 4 * 10, 4 * 10},
        // of 1000 rows 2 are read
        {kTfLiteBuiltinGather, &gather, 2, {{1000, 6}, {2}, {2, 6}}, 0, 4 * (12 + 2), 4 * 12},
        {kTfLiteBuiltinShape, NULL, 1, {{4, 6}, {2}}, 0, 0, 4 * 2},
        {kTfLiteBuiltinWhere, NULL, 1, {{4, 6}, {5, 2}}, 0, 4 * 24, 4 * 10},
        {kTfLiteBuiltinUnique, NULL, 1, {{6}, {6}}, -1, 4 * 6, 4 * 6},
    };
    EXPECT(cases);
}

static void recurrent_cells(void** state) {
    (void)state;
    const TfLiteLSTMParams basic = {.kernel_type = kTfLiteLSTMBasicKernel};
    const TfLiteSequenceRNNParams rnn = {.time_major = true};
    const TfLiteSVDFParams svdf = {.rank = 2};
    const Case cases[] = {
        // 7 steps of 2 sequences: 5 units from 3 inputs and 5 states
        {kTfLiteBuiltinUnidirectionalSequenceRnn,
         &rnn,
         5,
         {{7, 2, 3}, {5, 3}, {5, 5}, {5}, {2, 5}, {7, 2, 5}},
         2.0 * 14 * (15 + 25),
         4 * (42 + 15 + 25 + 5 + 10),
         4 * 70},
        // 2 sequences, 6 filters of 3 features, 4 steps of memory, summed over the rank
        {kTfLiteBuiltinSvdf,
         &svdf,
         5,
         {{2, 3}, {6, 3}, {6, 4}, {3}, {2, 24}, {2, 3}},
         2.0 * (2 * 18 + 2 * 24 + 6),
         4 * (6 + 18 + 24 + 3 + 48),
         4 * 6},
        // 5 cells from 3 inputs and 5 activations
        {kTfLiteBuiltinLstm,
         &basic,
         5,
         {{2, 3}, {2, 5}, {20, 8}, {20}, {2, 5}, {2, 5}},
         2.0 * (2 * 160 + 9 * 5),
         4 * (6 + 10 + 160 + 20 + 10),
         4 * 10},
    };
    EXPECT(cases);
}

static void full_lstm(void** state) {
    (void)state;
    enum { kInputs = 24, kSteps = 7 * 2, kCells = 5 };
    ModelBuilder* builder = builder_create();
    BuilderOperator op = {.code = kTfLiteBuiltinUnidirectionalSequenceLstm, .inputs = {.count = kInputs}};
    const TfLiteUnidirectionalSequenceLSTMParams params = {.time_major = true};
    op.params = &params;
    for (int i = 0; i < kInputs; i++) {
        BuilderTensor tensor = {.type = kTfLiteFloat32, .rank = 2, .dims = {kCells, i < 5 ? 3 : kCells}};
        if (i == 0) tensor = (BuilderTensor){.type = kTfLiteFloat32, .rank = 3, .dims = {7, 2, 3}};
        if ((i >= 9 && i <= 15) || i > 19) tensor.rank = 1;
        if (i == 18 || i == 19) {
            tensor.dims[0] = 2;
            tensor.is_variable = true;
        }
        const bool absent = i == 16 || i == 17;
        op.inputs.values[i] = absent ? -1 : builder_tensor(builder, tensor);
    }
    const int out =
        builder_tensor(builder, (BuilderTensor){.type = kTfLiteFloat32, .rank = 3, .dims = {7, 2, kCells}});
    op.outputs = (BuilderInts){1, {out}};
    builder_operator(builder, op);
    builder_inputs(builder, (BuilderInts){1, {op.inputs.values[0]}});
    builder_outputs(builder, op.outputs);
    Loaded loaded;
    load(&loaded, builder);
    const ToolOpCost work = tool_op_cost(loaded.interpreter, 0, 0);
    // four gates from inputs and from states, three peepholes, the cell, four normalizations
    assert_float_equal(work.operations, kSteps * (2 * (4 * 15 + 4 * 25 + 3 * 5) + 9 * 5 + 4 * 8 * 5), 0);
    assert_float_equal(work.bytes_read, 4 * (42 + 60 + 100 + 7 * 5 + 2 * 10 + 4 * 5), 0);
    assert_float_equal(work.bytes_written, 4 * (70 + 2 * 10), 0); // the states, too
    unload(&loaded);
}

static void other_types(void** state) {
    (void)state;
    ModelBuilder* builder = builder_create();
    const int x = builder_tensor(builder, (BuilderTensor){.type = kTfLiteInt8, .rank = 2, .dims = {3, 8}});
    const int weights =
        builder_tensor(builder, (BuilderTensor){.type = kTfLiteInt4, .rank = 2, .dims = {5, 8}});
    const int y = builder_tensor(builder, (BuilderTensor){.type = kTfLiteInt8, .rank = 2, .dims = {3, 5}});
    const int frames =
        builder_tensor(builder, (BuilderTensor){.type = kTfLiteFloat32, .rank = 3, .dims = {2, 8, 16}});
    const int length = builder_tensor(builder, (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {2}});
    const int spectrum =
        builder_tensor(builder, (BuilderTensor){.type = kTfLiteComplex64, .rank = 3, .dims = {2, 8, 9}});
    builder_operator(builder, (BuilderOperator){.code = kTfLiteBuiltinFullyConnected,
                                                .inputs = {2, {x, weights}},
                                                .outputs = {1, {y}}});
    builder_operator(builder, (BuilderOperator){.code = kTfLiteBuiltinRfft2d,
                                                .inputs = {2, {frames, length}},
                                                .outputs = {1, {spectrum}}});
    builder_operator(builder,
                     (BuilderOperator){.custom_name = "Own", .inputs = {2, {x, x}}, .outputs = {1, {y + 4}}});
    builder_tensor(builder, (BuilderTensor){.type = kTfLiteInt8, .rank = 2, .dims = {3, 8}});
    builder_inputs(builder, (BuilderInts){4, {x, weights, frames, length}});
    builder_outputs(builder, (BuilderInts){3, {y, spectrum, y + 4}});
    Loaded loaded;
    load(&loaded, builder);
    const ToolOpCost packed = tool_op_cost(loaded.interpreter, 0, 0);
    assert_float_equal(packed.operations, 2 * 3 * 5 * 8, 0);
    assert_float_equal(packed.bytes_read, 24 + 20, 0);
    assert_float_equal(packed.bytes_written, 15, 0);
    const ToolOpCost spectra = tool_op_cost(loaded.interpreter, 0, 1);
    assert_float_equal(spectra.operations, 2 * 2.5 * 128 * 7, 0);
    assert_float_equal(spectra.bytes_written, 8 * 144, 0);
    const ToolOpCost custom = tool_op_cost(loaded.interpreter, 0, 2);
    assert_float_equal(custom.operations, -1, 0);
    assert_float_equal(custom.bytes_read, 24, 0); // one tensor, read twice
    const ToolOpCostSum all = tool_op_cost_sum(loaded.interpreter, 0, NULL, 0);
    assert_int_equal(all.node_count, 3);
    assert_int_equal(all.unknown_count, 1);
    assert_float_equal(all.operations, packed.operations + spectra.operations, 0);
    assert_float_equal(tool_op_cost(loaded.interpreter, 0, 3).operations, -1, 0);
    unload(&loaded);
}

// ---- Networks ----

typedef struct Network {
    ModelBuilder* builder;
    int last; // tensor
    int size; // pixels of a side
    int channels;
} Network;

static int add_tensor(ModelBuilder* builder, int a, int b, int c, int d) {
    return builder_tensor(builder, (BuilderTensor){.type = kTfLiteFloat32, .rank = 4, .dims = {a, b, c, d}});
}

static void add_conv(Network* net, int kernel, int stride, int channels) {
    static const TfLiteConvParams params = {.padding = kTfLitePaddingSame};
    const int filter = add_tensor(net->builder, channels, kernel, kernel, net->channels);
    net->size = (net->size + stride - 1) / stride;
    const int out = add_tensor(net->builder, 1, net->size, net->size, channels);
    builder_operator(net->builder, (BuilderOperator){.code = kTfLiteBuiltinConv2d,
                                                     .inputs = {2, {net->last, filter}},
                                                     .outputs = {1, {out}},
                                                     .params = &params});
    net->last = out;
    net->channels = channels;
}

static void add_depthwise(Network* net, int stride) {
    static const TfLiteDepthwiseConvParams params = {.padding = kTfLitePaddingSame, .depth_multiplier = 1};
    const int filter = add_tensor(net->builder, 1, 3, 3, net->channels);
    net->size = (net->size + stride - 1) / stride;
    const int out = add_tensor(net->builder, 1, net->size, net->size, net->channels);
    builder_operator(net->builder, (BuilderOperator){.code = kTfLiteBuiltinDepthwiseConv2d,
                                                     .inputs = {2, {net->last, filter}},
                                                     .outputs = {1, {out}},
                                                     .params = &params});
    net->last = out;
}

static Network begin_network(void) {
    Network net = {.builder = builder_create(), .size = 224, .channels = 3};
    net.last = add_tensor(net.builder, 1, 224, 224, 3);
    builder_inputs(net.builder, (BuilderInts){1, {net.last}});
    add_conv(&net, 3, 2, 32);
    return net;
}

// The mean of the last image, and 1000 classes; the multiply-adds of it all.
static double finish_network(Network* net) {
    const int mean = add_tensor(net->builder, 1, 1, 1, net->channels);
    builder_operator(
        net->builder,
        (BuilderOperator){.code = kTfLiteBuiltinReshape, .inputs = {1, {net->last}}, .outputs = {1, {mean}}});
    net->last = mean;
    net->size = 1;
    add_conv(net, 1, 1, 1000);
    builder_outputs(net->builder, (BuilderInts){1, {net->last}});
    Loaded loaded;
    load(&loaded, net->builder);
    const ToolOpCostSum sum = tool_op_cost_sum(loaded.interpreter, 0, NULL, 0);
    assert_int_equal(sum.unknown_count, 0);
    unload(&loaded);
    return sum.operations / 2;
}

static void mobilenet_v1_has_569_million_multiply_adds(void** state) {
    (void)state;
    static const int layers[][2] = {{1, 64},  {2, 128}, {1, 128}, {2, 256}, {1, 256},  {2, 512}, {1, 512},
                                    {1, 512}, {1, 512}, {1, 512}, {1, 512}, {2, 1024}, {1, 1024}};
    Network net = begin_network();
    for (size_t i = 0; i < sizeof(layers) / sizeof(layers[0]); i++) {
        add_depthwise(&net, layers[i][0]);
        add_conv(&net, 1, 1, layers[i][1]);
    }
    assert_float_equal(finish_network(&net), 568740352, 0);
}

static void mobilenet_v2_has_300_million_multiply_adds(void** state) {
    (void)state;
    // expansion, channels, repetitions, stride of the first
    static const int blocks[][4] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                    {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    Network net = begin_network();
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        const int* block = blocks[i];
        for (int r = 0; r < block[2]; r++) {
            if (block[0] > 1) add_conv(&net, 1, 1, net.channels * block[0]);
            add_depthwise(&net, r == 0 ? block[3] : 1);
            add_conv(&net, 1, 1, block[1]);
        }
    }
    add_conv(&net, 1, 1, 1280);
    assert_float_equal(finish_network(&net), 300774272, 0);
}

// ---- Completeness ----

static void every_operator_has_a_rule(void** state) {
    (void)state;
    static const bool listed[256] = {
#define MARK(Op) [kTfLiteBuiltin##Op] = true,
#define RULE(Op, function) MARK(Op)
#define PER_OUTPUT(Op, n) MARK(Op)
#define PER_INPUT(Op, input, n) MARK(Op)
#define PRODUCT(Op, per, axis) MARK(Op)
#define RECURRENT(Op, weights) MARK(Op)
#define MOVES(Op) MARK(Op)
#define PICKS(Op, input) MARK(Op)
#define LOOKS(Op) MARK(Op)
#define UNKNOWN(Op) MARK(Op)
#include "tools/common/op_cost.def"
    };
#define OP(NAME, EnumName, first, last, cpu, cl)                                                             \
    if (listed[kTfLiteBuiltin##EnumName] != ((cpu) == 1)) fail_msg("%s", #NAME);
#include "core/ops.def"
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutions),
        cmocka_unit_test(products),
        cmocka_unit_test(volumes),
        cmocka_unit_test(elements),
        cmocka_unit_test(recurrent_cells),
        cmocka_unit_test(full_lstm),
        cmocka_unit_test(other_types),
        cmocka_unit_test(mobilenet_v1_has_569_million_multiply_adds),
        cmocka_unit_test(mobilenet_v2_has_300_million_multiply_adds),
        cmocka_unit_test(every_operator_has_a_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
