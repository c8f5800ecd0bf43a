// SPDX-License-Identifier: Apache-2.0
// Elementwise nodes that run as one, alone or behind a convolution or product (core/graph/fuse.c), against
// the same graph whose nodes run one by one: the same bits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/base/epilogue.h"
#include "tests/support/fuse_case.h"
#include "tests/support/random_numbers.h"

static int add_tensor(FuseGraph* g, int n, int h, int w, int c, bool constant) {
    const BuilderTensor t = {.rank = 4, .dims = {n, h, w, c}};
    return constant ? fuse_constant(g, t) : fuse_tensor(g, t);
}

static int add_input(FuseGraph* g, int n, int h, int w, int c) {
    return fuse_input(g, (BuilderTensor){.rank = 4, .dims = {n, h, w, c}});
}

typedef enum Head { kNone, kConv, kConvOfPixels, kDepthwise, kDense, kMatmul, kHeads } Head;

static int add_head(FuseGraph* g, Head head, int x) {
    const int32_t *d = g->tensors[x].dims, filter = head == kConv || head == kDepthwise ? 3 : 1;
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
        weights = fuse_constant(g, (BuilderTensor){.rank = 2, .dims = {out_c, depth}});
    } else if (head == kDepthwise) {
        weights = add_tensor(g, 1, filter, filter, out_c, true);
    } else {
        weights = add_tensor(g, out_c, filter, filter, depth, true);
    }
    const int bias = fuse_constant(g, (BuilderTensor){.rank = 1, .dims = {out_c}});
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

static void finish(FuseGraph* g, int output) {
    fuse_outputs(g, (BuilderInts){1, {output}});
}

static void expect(FuseBuild build, const void* state, int left_out) {
    assert_int_equal(fuse_compare(build, state, fuse_plain_value).left_out, left_out);
}

// Patterns as converters spell them out: x is the result of a head.

static void swish(FuseGraph* g, const void* head) {
    const int x = add_head(g, *(const Head*)head, add_input(g, 1, 9, 11, 24));
    finish(g, fuse_binary(g, kTfLiteBuiltinMul, x, fuse_unary(g, kTfLiteBuiltinLogistic, x)));
}

static void hard_swish(FuseGraph* g, const void* head) {
    const int x = add_head(g, *(const Head*)head, add_input(g, 2, 5, 7, 40));
    const int three = add_tensor(g, 1, 1, 1, 1, true), sixth = add_tensor(g, 1, 1, 1, 1, true);
    const int gate = fuse_unary(g, kTfLiteBuiltinRelu6, fuse_binary(g, kTfLiteBuiltinAdd, x, three));
    finish(g, fuse_binary(g, kTfLiteBuiltinMul, fuse_binary(g, kTfLiteBuiltinMul, x, gate), sixth));
}

static void residual(FuseGraph* g, const void* head) {
    const int input = add_input(g, 1, 12, 8, 16), x = add_head(g, *(const Head*)head, input);
    const int32_t *d = g->tensors[x].dims, other = add_input(g, d[0], d[1], d[2], d[3]);
    finish(g, fuse_unary(g, kTfLiteBuiltinRelu, fuse_binary(g, kTfLiteBuiltinAdd, other, x)));
}

// One step that is written over the head's results, or is not, since it reads these twice.

static void activation(FuseGraph* g, const void* head) {
    const int x = add_head(g, *(const Head*)head, add_input(g, 1, 9, 13, 40));
    finish(g, fuse_unary(g, kTfLiteBuiltinHardSwish, x));
}

static void sum(FuseGraph* g, const void* head) {
    const int x = add_head(g, *(const Head*)head, add_input(g, 1, 15, 14, 32));
    const int32_t* d = g->tensors[x].dims;
    finish(g, fuse_binary(g, kTfLiteBuiltinAdd, x, add_input(g, d[0], d[1], d[2], d[3])));
}

static void sum_of_other(FuseGraph* g, const void* head) {
    const int x = add_head(g, *(const Head*)head, add_input(g, 2, 7, 14, 24));
    const int32_t* d = g->tensors[x].dims;
    finish(g, fuse_binary(g, kTfLiteBuiltinAdd, add_input(g, d[0], d[1], d[2], d[3]), x));
}

static void sum_of_channels(FuseGraph* g, const void* head) {
    const int x = add_head(g, *(const Head*)head, add_input(g, 1, 8, 8, 24));
    finish(g, fuse_binary(g, kTfLiteBuiltinAdd, x, add_input(g, 1, 1, 1, g->tensors[x].dims[3])));
}

static void twice(FuseGraph* g, const void* head) {
    const int x = add_head(g, *(const Head*)head, add_input(g, 1, 8, 9, 24));
    finish(g, fuse_binary(g, kTfLiteBuiltinAdd, x, x));
}

static void gelu_tanh(FuseGraph* g, const void* head) {
    const int x = add_head(g, *(const Head*)head, add_input(g, 1, 1, 30, 64));
    const int a = add_tensor(g, 1, 1, 1, 1, true), c = add_tensor(g, 1, 1, 1, 1, true);
    const int cube = fuse_binary(g, kTfLiteBuiltinMul, fuse_binary(g, kTfLiteBuiltinMul, x, x), x);
    const int inner = fuse_binary(g, kTfLiteBuiltinAdd, x, fuse_binary(g, kTfLiteBuiltinMul, cube, a));
    const int wave = fuse_unary(g, kTfLiteBuiltinTanh, fuse_binary(g, kTfLiteBuiltinMul, inner, c));
    const int half = fuse_binary(g, kTfLiteBuiltinMul, x, fuse_binary(g, kTfLiteBuiltinAdd, wave, c));
    finish(g, fuse_binary(g, kTfLiteBuiltinMul, half, a));
}

static void patterns(void** state) {
    (void)state;
    for (Head head = kNone; head < kHeads; head++) {
        const int with_head = head != kNone;
        expect(swish, &head, 1 + with_head);
        expect(hard_swish, &head, 3 + with_head);
        expect(residual, &head, 1 + with_head);
        expect(gelu_tanh, &head, 8 + with_head);
        expect(activation, &head, with_head);
        expect(sum, &head, with_head);
        expect(sum_of_other, &head, with_head);
        expect(sum_of_channels, &head, with_head);
        expect(twice, &head, with_head);
    }
}

// Somebody else reads what is between: it is kept.
static void second_reader(FuseGraph* g, const void* state) {
    (void)state;
    const int x = add_head(g, kConv, add_input(g, 1, 6, 6, 8));
    const int gate = fuse_unary(g, kTfLiteBuiltinLogistic, x);
    const int y = fuse_binary(g, kTfLiteBuiltinMul, x, gate);
    finish(g, fuse_binary(g, kTfLiteBuiltinAdd, y, fuse_log_softmax(g, gate)));
}

// The gate is an output of the graph, too.
static void gate_is_output(FuseGraph* g, const void* state) {
    (void)state;
    const int x = add_input(g, 1, 6, 6, 8), gate = fuse_unary(g, kTfLiteBuiltinLogistic, x);
    fuse_outputs(g, (BuilderInts){2, {fuse_binary(g, kTfLiteBuiltinMul, x, gate), gate}});
}

// The second node makes the result larger.
static void growing(FuseGraph* g, const void* state) {
    (void)state;
    const int x = add_input(g, 1, 1, 1, 8), y = fuse_unary(g, kTfLiteBuiltinLogistic, x);
    const int z = add_tensor(g, 1, 4, 4, 8, false), other = add_input(g, 1, 4, 4, 8);
    finish(g, fuse_node(g, kTfLiteBuiltinMul, other, y, z));
}

// Broadcast in a way that is not described: in turns more often than three times.
static void in_turns(FuseGraph* g, const void* state) {
    (void)state;
    const int x = fuse_unary(g, kTfLiteBuiltinLogistic, add_input(g, 2, 3, 4, 5));
    const int turns = add_tensor(g, 2, 1, 4, 1, true);
    finish(g, fuse_binary(g, kTfLiteBuiltinMul, x, turns));
}

// What the head computes is read later, and has no memory when others run behind it.
static void head_is_read_later(FuseGraph* g, const void* state) {
    (void)state;
    const int x = add_head(g, kConv, add_input(g, 1, 6, 6, 8));
    const int y = fuse_unary(g, kTfLiteBuiltinLogistic, x);
    finish(g, fuse_binary(g, kTfLiteBuiltinAdd, y, fuse_log_softmax(g, x)));
}

// As in the cell of an LSTM: both states are outputs of the graph, and the first is read in it, too.
static void two_states(FuseGraph* g, const void* state) {
    (void)state;
    const int in = add_input(g, 1, 1, 1, 64), forget = add_input(g, 1, 1, 1, 64);
    const int old = add_input(g, 1, 1, 1, 64), out = add_input(g, 1, 1, 1, 64);
    const int kept = fuse_binary(g, kTfLiteBuiltinMul, fuse_unary(g, kTfLiteBuiltinLogistic, forget), old);
    const int cell = fuse_binary(g, kTfLiteBuiltinAdd, kept, fuse_unary(g, kTfLiteBuiltinTanh, in));
    const int shown = fuse_unary(g, kTfLiteBuiltinTanh, cell);
    const int hidden = fuse_binary(g, kTfLiteBuiltinMul, fuse_unary(g, kTfLiteBuiltinLogistic, out), shown);
    fuse_outputs(g, (BuilderInts){2, {hidden, cell}});
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

static int random_operand(FuseGraph* g, const int* values, int count) {
    const int32_t* d = g->tensors[values[0]].dims;
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

static void random_chain(FuseGraph* g, const void* state) {
    (void)state;
    static const TfLiteBuiltinOperator unaries[] = {
        kTfLiteBuiltinLogistic, kTfLiteBuiltinTanh, kTfLiteBuiltinRelu, kTfLiteBuiltinAbs,
        kTfLiteBuiltinNeg,      kTfLiteBuiltinExp,  kTfLiteBuiltinSin,  kTfLiteBuiltinSquare};
    static const TfLiteBuiltinOperator binaries[] = {kTfLiteBuiltinAdd,     kTfLiteBuiltinSub,
                                                     kTfLiteBuiltinMul,     kTfLiteBuiltinDiv,
                                                     kTfLiteBuiltinMaximum, kTfLiteBuiltinSquaredDifference};
    int values[2 * LITE_EPILOGUE_STEPS + 6] = {0}, count = 0;
    const int input = add_input(g, random_int(1, 2), random_int(1, 24), random_int(1, 24), random_int(1, 70));
    values[count++] = add_head(g, (Head)random_below(kHeads), input);
    const int steps = random_int(1, LITE_EPILOGUE_STEPS + 2);
    for (int s = 0; s < steps; s++) {
        const int x = random_below(3) > 0 ? values[count - 1] : values[random_below(count)];
        if (random_below(3) == 0) {
            values[count++] = fuse_unary(g, unaries[random_below(8)], x);
            continue;
        }
        if (random_below(6) == 0) { // a function times its operand, or what looks like it
            const int gate = fuse_unary(g, unaries[random_below(8)], x);
            const int other = random_below(4) > 0 ? x : values[random_below(count)];
            const bool reversed = random_below(2) == 0;
            if (random_below(4) == 0) values[count++] = gate; // others may read it, too
            values[count++] =
                fuse_binary(g, kTfLiteBuiltinMul, reversed ? gate : other, reversed ? other : gate);
            continue;
        }
        const TfLiteBuiltinOperator code = binaries[random_below(6)];
        const int y = random_operand(g, values, count);
        values[count] = fuse_tensor(g, g->tensors[values[0]]);
        const bool reversed = random_below(2) == 0;
        fuse_node(g, code, reversed ? y : x, reversed ? x : y, values[count]);
        count++;
    }
    BuilderInts outputs = {1, {values[count - 1]}};
    const bool has_others = random_below(3) == 0;
    for (int i = 1; i + 1 < count && outputs.count < 4 && has_others; i++) {
        if (random_below(4) == 0) outputs.values[outputs.count++] = values[i];
    }
    fuse_outputs(g, outputs);
}

static void random_chains(void** state) {
    (void)state;
    int fused = 0;
    random_seed = 5;
    for (int i = 0; i < 1500; i++) fused += fuse_compare(random_chain, NULL, fuse_plain_value).left_out > 0;
    assert_true(fused > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(what_looks_like_it),
        cmocka_unit_test(random_chains),
    };
    return cmocka_run_group_tests(tests, fuse_fill, NULL);
}
