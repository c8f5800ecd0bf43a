// SPDX-License-Identifier: Apache-2.0
// Elementwise nodes that run as one, alone or behind a convolution or product (core/graph/fuse.c), against
// the same graph whose nodes run one by one: the same bits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/cpu_path.h"
#include "core/base/epilogue.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/random_numbers.h"

enum { kMost = 64 * 1024, kTensors = 64 };

static float numbers[kMost]; // that all constants begin with

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};

// A graph that is being built: of every tensor its dimensions.
typedef struct Graph {
    ModelBuilder* b;
    int count;
    int dims[kTensors][4];
    bool constant[kTensors];
    int inputs[8];
    int input_count;
} Graph;

static int add_tensor(Graph* g, int n, int h, int w, int c, bool constant) {
    const BuilderTensor t = {.type = kTfLiteFloat32,
                             .rank = 4,
                             .dims = {n, h, w, c},
                             .data = constant ? numbers + random_below(100) : NULL,
                             .bytes = constant ? (size_t)(n * h * w * c) * sizeof(float) : 0};
    assert_true(g->count < kTensors && (!constant || n * h * w * c + 100 <= kMost));
    const int dims[4] = {n, h, w, c};
    memcpy(g->dims[g->count], dims, sizeof dims);
    g->constant[g->count++] = constant;
    return builder_tensor(g->b, t);
}

static int like(Graph* g, int tensor) {
    const int* d = g->dims[tensor];
    return add_tensor(g, d[0], d[1], d[2], d[3], false);
}

static int add_input(Graph* g, int n, int h, int w, int c) {
    const int tensor = add_tensor(g, n, h, w, c, false);
    g->inputs[g->input_count++] = tensor;
    return tensor;
}

static int node(Graph* g, TfLiteBuiltinOperator code, int first, int second, int output) {
    const BuilderOperator op = {.code = code,
                                .inputs = {second < 0 ? 1 : 2, {first, second}},
                                .outputs = {1, {output}},
                                .params = second < 0 ? NULL : &kAdd};
    builder_operator(g->b, op);
    return output;
}

static int unary(Graph* g, TfLiteBuiltinOperator code, int x) {
    return node(g, code, x, -1, like(g, x));
}

// With the shape of the first.
static int binary(Graph* g, TfLiteBuiltinOperator code, int x, int y) {
    return node(g, code, x, y, like(g, x));
}

typedef enum Head { kNone, kConv, kConvOfPixels, kDepthwise, kDense, kMatmul, kHeads } Head;

static int add_head(Graph* g, Head head, int x) {
    const int *d = g->dims[x], filter = head == kConv || head == kDepthwise ? 3 : 1;
    if (head == kNone) return x;
    const int out_c = head == kDepthwise ? d[3] : random_int(1, 90);
    const int depth = head == kDepthwise ? 1 : d[3];
    const int y = add_tensor(g, d[0], d[1], d[2], out_c, false);
    int weights;
    if (head == kMatmul) {
        static const TfLiteBatchMatMulParams plain = {0};
        const int right = add_input(g, 1, d[1], d[3], out_c);
        builder_operator(g->b, (BuilderOperator){.code = kTfLiteBuiltinBatchMatmul,
                                                 .inputs = {2, {x, right}},
                                                 .outputs = {1, {y}},
                                                 .params = &plain});
        return y;
    }
    if (head == kDense) {
        weights = builder_tensor(g->b, (BuilderTensor){.type = kTfLiteFloat32,
                                                       .rank = 2,
                                                       .dims = {out_c, depth},
                                                       .data = numbers,
                                                       .bytes = (size_t)(out_c * depth) * sizeof(float)});
        g->dims[g->count][3] = 0, g->constant[g->count++] = true;
    } else if (head == kDepthwise) {
        weights = add_tensor(g, 1, filter, filter, out_c, true);
    } else {
        weights = add_tensor(g, out_c, filter, filter, depth, true);
    }
    const int bias = builder_tensor(g->b, (BuilderTensor){.type = kTfLiteFloat32,
                                                          .rank = 1,
                                                          .dims = {out_c},
                                                          .data = numbers + 7,
                                                          .bytes = (size_t)out_c * sizeof(float)});
    g->dims[g->count][3] = 0, g->constant[g->count++] = true;
    const TfLiteConvParams conv = {.padding = kTfLitePaddingSame,
                                   .stride_width = 1,
                                   .stride_height = 1,
                                   .dilation_width_factor = 1,
                                   .dilation_height_factor = 1};
    const TfLiteDepthwiseConvParams depthwise = {.padding = kTfLitePaddingSame,
                                                 .stride_width = 1,
                                                 .stride_height = 1,
                                                 .depth_multiplier = 1,
                                                 .dilation_width_factor = 1,
                                                 .dilation_height_factor = 1};
    const TfLiteFullyConnectedParams dense = {.keep_num_dims = true};
    BuilderOperator op = {.inputs = {3, {x, weights, bias}}, .outputs = {1, {y}}};
    op.code = head == kDense       ? kTfLiteBuiltinFullyConnected
              : head == kDepthwise ? kTfLiteBuiltinDepthwiseConv2d
                                   : kTfLiteBuiltinConv2d;
    op.params = head == kDense ? (const void*)&dense : head == kDepthwise ? (const void*)&depthwise : &conv;
    builder_operator(g->b, op);
    return y;
}

static void begin(Graph* g) {
    *g = (Graph){.b = builder_create()};
}

static void finish(Graph* g, int output) {
    BuilderInts inputs = {g->input_count, {0}};
    memcpy(inputs.values, g->inputs, sizeof g->inputs);
    builder_inputs(g->b, inputs);
    builder_outputs(g->b, (BuilderInts){1, {output}});
}

typedef void (*Build)(Graph* g, const void* state);

// All outputs, one after the other. Release with free().
static float* copy_outputs(const Fixture* f, size_t* bytes) {
    const LiteModelInts outputs = lite_subgraph_outputs(f->graph);
    *bytes = 0;
    for (int i = 0; i < outputs.count; i++) *bytes += lite_subgraph_tensor(f->graph, outputs.data[i])->bytes;
    char* copy = malloc(*bytes);
    assert_non_null(copy);
    char* to = copy;
    for (int i = 0; i < outputs.count; i++) {
        const TfLiteTensor* output = lite_subgraph_tensor(f->graph, outputs.data[i]);
        memcpy(to, output->data.raw, output->bytes);
        to += output->bytes;
    }
    return (float*)(void*)copy;
}

// Runs the graph; *left_out: how many nodes others have run. Release the outputs with free().
static float* run(Build build, const void* state, int threads, bool fused, size_t* bytes, int* left_out) {
    Fixture f;
    Graph g;
    const uint32_t seed = random_seed;
    begin(&g);
    build(&g, state);
    const LiteInterpreterOptions options = {.num_threads = threads, .preserve_all_tensors = !fused};
    fixture_create(&f, g.b, &options);
    assert_non_null(f.interpreter);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    float* copy = NULL;
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < g.input_count; i++) {
            const TfLiteTensor* input = lite_subgraph_tensor(f.graph, g.inputs[i]);
            for (size_t k = 0; k < input->bytes / sizeof(float); k++)
                input->data.f[k] = (float)random_int(-3000, 3000) / 1000;
        }
        if (lite_subgraph_invoke(f.graph) != kTfLiteOk) fail_msg("%s", f.messages);
        free(copy);
        copy = copy_outputs(&f, bytes);
    }
    *left_out = 0;
    for (int i = 0; i < lite_subgraph_node_count(f.graph); i++) *left_out += f.graph->nodes[i]->left_to > 0;
    fixture_destroy(&f);
    random_seed = seed;
    return copy;
}

static int compare(Build build, const void* state) {
    size_t bytes, fused_bytes;
    int none, fused = 0;
    float* want = run(build, state, 1, false, &bytes, &none);
    assert_int_equal(none, 0);
    for (int threads = 1; threads <= 3; threads += 2) {
        float* got = run(build, state, threads, true, &fused_bytes, &fused);
        assert_int_equal(fused_bytes, bytes);
        for (size_t i = 0; i < bytes / sizeof(float); i++) {
            if (memcmp(got + i, want + i, sizeof(float)) != 0)
                fail_msg("element %zu is %a, one by one %a", i, (double)got[i], (double)want[i]);
        }
        free(got);
    }
    free(want);
    random_next(); // another graph the next time
    return fused;
}

static void expect(Build build, const void* state, int left_out) {
    assert_int_equal(compare(build, state), left_out);
}

// Patterns as converters spell them out: x is the result of a head.

static void swish(Graph* g, const void* head) {
    const int x = add_head(g, *(const Head*)head, add_input(g, 1, 9, 11, 24));
    finish(g, binary(g, kTfLiteBuiltinMul, x, unary(g, kTfLiteBuiltinLogistic, x)));
}

static void hard_swish(Graph* g, const void* head) {
    const int x = add_head(g, *(const Head*)head, add_input(g, 2, 5, 7, 40));
    const int three = add_tensor(g, 1, 1, 1, 1, true), sixth = add_tensor(g, 1, 1, 1, 1, true);
    const int gate = unary(g, kTfLiteBuiltinRelu6, binary(g, kTfLiteBuiltinAdd, x, three));
    finish(g, binary(g, kTfLiteBuiltinMul, binary(g, kTfLiteBuiltinMul, x, gate), sixth));
}

static void residual(Graph* g, const void* head) {
    const int input = add_input(g, 1, 12, 8, 16), x = add_head(g, *(const Head*)head, input);
    const int *d = g->dims[x], other = add_input(g, d[0], d[1], d[2], d[3]);
    finish(g, unary(g, kTfLiteBuiltinRelu, binary(g, kTfLiteBuiltinAdd, other, x)));
}

static void gelu_tanh(Graph* g, const void* head) {
    const int x = add_head(g, *(const Head*)head, add_input(g, 1, 1, 30, 64));
    const int a = add_tensor(g, 1, 1, 1, 1, true), c = add_tensor(g, 1, 1, 1, 1, true);
    const int cube = binary(g, kTfLiteBuiltinMul, binary(g, kTfLiteBuiltinMul, x, x), x);
    const int inner = binary(g, kTfLiteBuiltinAdd, x, binary(g, kTfLiteBuiltinMul, cube, a));
    const int wave = unary(g, kTfLiteBuiltinTanh, binary(g, kTfLiteBuiltinMul, inner, c));
    const int half = binary(g, kTfLiteBuiltinMul, x, binary(g, kTfLiteBuiltinAdd, wave, c));
    finish(g, binary(g, kTfLiteBuiltinMul, half, a));
}

static void patterns(void** state) {
    (void)state;
    for (Head head = kNone; head < kHeads; head++) {
        const int with_head = head != kNone;
        expect(swish, &head, 1 + with_head);
        expect(hard_swish, &head, 3 + with_head);
        expect(residual, &head, 1 + with_head);
        expect(gelu_tanh, &head, 8 + with_head);
    }
}

// Somebody else reads what is between: it is kept.
static void second_reader(Graph* g, const void* state) {
    (void)state;
    const int x = add_head(g, kConv, add_input(g, 1, 6, 6, 8));
    const int gate = unary(g, kTfLiteBuiltinLogistic, x);
    const int y = binary(g, kTfLiteBuiltinMul, x, gate);
    const int soft = like(g, y);
    const TfLiteSoftmaxParams params = {.beta = 1};
    builder_operator(g->b, (BuilderOperator){.code = kTfLiteBuiltinSoftmax,
                                             .inputs = {1, {gate}},
                                             .outputs = {1, {soft}},
                                             .params = &params});
    finish(g, binary(g, kTfLiteBuiltinAdd, y, soft));
}

// The gate is an output of the graph, too.
static void gate_is_output(Graph* g, const void* state) {
    (void)state;
    const int x = add_input(g, 1, 6, 6, 8), gate = unary(g, kTfLiteBuiltinLogistic, x);
    finish(g, binary(g, kTfLiteBuiltinMul, x, gate));
    builder_outputs(g->b, (BuilderInts){2, {gate + 1, gate}});
}

// The second node makes the result larger.
static void growing(Graph* g, const void* state) {
    (void)state;
    const int x = add_input(g, 1, 1, 1, 8), y = unary(g, kTfLiteBuiltinLogistic, x);
    const int z = add_tensor(g, 1, 4, 4, 8, false), other = add_input(g, 1, 4, 4, 8);
    finish(g, node(g, kTfLiteBuiltinMul, other, y, z));
}

// Broadcast in a way that is not described: in turns more often than three times.
static void in_turns(Graph* g, const void* state) {
    (void)state;
    const int x = unary(g, kTfLiteBuiltinLogistic, add_input(g, 2, 3, 4, 5));
    const int turns = add_tensor(g, 2, 1, 4, 1, true);
    finish(g, binary(g, kTfLiteBuiltinMul, x, turns));
}

// What the head computes is read later, and has no memory when others run behind it.
static void head_is_read_later(Graph* g, const void* state) {
    (void)state;
    const int x = add_head(g, kConv, add_input(g, 1, 6, 6, 8));
    const int y = unary(g, kTfLiteBuiltinLogistic, x), soft = like(g, y);
    const TfLiteSoftmaxParams params = {.beta = 1};
    builder_operator(g->b, (BuilderOperator){.code = kTfLiteBuiltinSoftmax,
                                             .inputs = {1, {x}},
                                             .outputs = {1, {soft}},
                                             .params = &params});
    finish(g, binary(g, kTfLiteBuiltinAdd, y, soft));
}

// As in the cell of an LSTM: both states are outputs of the graph, and the first is read in it, too.
static void two_states(Graph* g, const void* state) {
    (void)state;
    const int in = add_input(g, 1, 1, 1, 64), forget = add_input(g, 1, 1, 1, 64);
    const int old = add_input(g, 1, 1, 1, 64), out = add_input(g, 1, 1, 1, 64);
    const int kept = binary(g, kTfLiteBuiltinMul, unary(g, kTfLiteBuiltinLogistic, forget), old);
    const int cell = binary(g, kTfLiteBuiltinAdd, kept, unary(g, kTfLiteBuiltinTanh, in));
    const int shown = unary(g, kTfLiteBuiltinTanh, cell);
    const int hidden = binary(g, kTfLiteBuiltinMul, unary(g, kTfLiteBuiltinLogistic, out), shown);
    finish(g, hidden);
    builder_outputs(g->b, (BuilderInts){2, {hidden, cell}});
}

static void what_looks_like_it(void** state) {
    (void)state;
    expect(second_reader, NULL, 2);
    expect(gate_is_output, NULL, 1);
    expect(head_is_read_later, NULL, 0);
    expect(two_states, NULL, 6);
    expect(growing, NULL, 0);
    expect(in_turns, NULL, 0); // repeats, has, repeats, has
}

// Random chains.

static int random_operand(Graph* g, const int* values, int count) {
    const int* d = g->dims[values[0]];
    switch (random_below(8)) {
    case 0:
        return add_tensor(g, 1, 1, 1, 1, true);
    case 1:
        return add_tensor(g, 1, 1, 1, d[3], true);
    case 2:
        return g->input_count < 8 ? add_input(g, d[0], d[1], d[2], 1) : values[0];
    case 3:
        return g->input_count < 8 ? add_input(g, d[0], 1, 1, d[3]) : values[0];
    case 4:
        return g->input_count < 8 ? add_input(g, d[0], d[1], d[2], d[3]) : values[0];
    case 5:
        return add_tensor(g, 1, random_below(2) ? d[1] : 1, random_below(2) ? d[2] : 1, d[3], true);
    default:
        return values[random_below(count)];
    }
}

static void random_chain(Graph* g, const void* state) {
    (void)state;
    static const TfLiteBuiltinOperator unaries[] = {
        kTfLiteBuiltinLogistic, kTfLiteBuiltinTanh, kTfLiteBuiltinRelu, kTfLiteBuiltinAbs,
        kTfLiteBuiltinNeg,      kTfLiteBuiltinExp,  kTfLiteBuiltinSin,  kTfLiteBuiltinSquare};
    static const TfLiteBuiltinOperator binaries[] = {kTfLiteBuiltinAdd,     kTfLiteBuiltinSub,
                                                     kTfLiteBuiltinMul,     kTfLiteBuiltinDiv,
                                                     kTfLiteBuiltinMaximum, kTfLiteBuiltinSquaredDifference};
    int values[LITE_EPILOGUE_STEPS + 4] = {0}, count = 0;
    const int input = add_input(g, random_int(1, 2), random_int(1, 24), random_int(1, 24), random_int(1, 70));
    values[count++] = add_head(g, (Head)random_below(kHeads), input);
    const int steps = random_int(1, LITE_EPILOGUE_STEPS + 2);
    for (int s = 0; s < steps; s++) {
        const int x = random_below(3) > 0 ? values[count - 1] : values[random_below(count)];
        if (random_below(3) == 0) {
            values[count++] = unary(g, unaries[random_below(8)], x);
            continue;
        }
        const TfLiteBuiltinOperator code = binaries[random_below(6)];
        const int y = random_operand(g, values, count);
        values[count] = like(g, values[0]);
        const bool reversed = random_below(2) == 0;
        node(g, code, reversed ? y : x, reversed ? x : y, values[count]);
        count++;
    }
    finish(g, values[count - 1]);
    if (random_below(3) > 0) return;
    BuilderInts outputs = {1, {values[count - 1]}};
    for (int i = 1; i + 1 < count && outputs.count < 4; i++) {
        if (random_below(4) == 0) outputs.values[outputs.count++] = values[i];
    }
    builder_outputs(g->b, outputs);
}

static void random_chains(void** state) {
    (void)state;
    int fused = 0;
    random_seed = 5;
    for (int i = 0; i < 1500; i++) fused += compare(random_chain, NULL) > 0;
    assert_true(fused > 100);
}

static int fill(void** state) {
    (void)state;
    for (int i = 0; i < kMost; i++) numbers[i] = (float)random_int(-1000, 1000) / 1000;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(what_looks_like_it),
        cmocka_unit_test(random_chains),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
