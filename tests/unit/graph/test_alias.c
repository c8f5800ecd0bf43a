// SPDX-License-Identifier: Apache-2.0
// Tensors that live inside others (core/graph/alias.c), against the same graph in which each has memory of
// its own and each node copies: the same bits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/subgraph.h"
#include "tests/support/fuse_case.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"
#include "tests/support/random_numbers.h"

static bool is_quantized; // matrices are INT8

static BuilderTensor matrix(int rows, int columns) {
    const BuilderTensor real = {.rank = 2, .dims = {rows, columns}};
    if (!is_quantized) return real;
    return (BuilderTensor){
        .type = kTfLiteInt8, .rank = 2, .dims = {rows, columns}, .scale = 0.03f, .zero_point = 5};
}

static int add_ints(FuseGraph* g, int count, const int32_t* values) {
    return fuse_tensor(g, (BuilderTensor){.type = kTfLiteInt32,
                                          .rank = 1,
                                          .dims = {count},
                                          .data = values,
                                          .bytes = (size_t)count * sizeof *values});
}

static int add_int(FuseGraph* g, const int32_t* value) {
    return fuse_tensor(g, (BuilderTensor){.type = kTfLiteInt32, .data = value, .bytes = sizeof *value});
}

static void add_node(FuseGraph* g, TfLiteBuiltinOperator code, BuilderInts inputs, BuilderInts outputs,
                     const void* params) {
    builder_operator(g->b,
                     (BuilderOperator){.code = code, .inputs = inputs, .outputs = outputs, .params = params});
}

// What builders point to lives until the model is finished: some of each number is always there.
static const int32_t kNumbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

static int relu(FuseGraph* g, int x) {
    return fuse_unary(g, kTfLiteBuiltinRelu, x);
}

static int alone(FuseGraph* g, int x) {
    // Nobody's step: its result has memory.
    return is_quantized ? fuse_unary(g, kTfLiteBuiltinAbs, x) : fuse_log_softmax(g, x);
}

// The graph's inputs and outputs are numbers.
static int add_input(FuseGraph* g, BuilderTensor like) {
    BuilderTensor real = like;
    real.type = kTfLiteFloat32;
    real.scale = 0;
    real.zero_point = 0;
    const int x = fuse_input(g, real);
    return is_quantized ? fuse_node(g, kTfLiteBuiltinQuantize, x, -1, fuse_tensor(g, like)) : x;
}

static int output_of(FuseGraph* g, int x) {
    BuilderTensor real = g->tensors[x];
    real.type = kTfLiteFloat32;
    real.scale = 0;
    real.zero_point = 0;
    return is_quantized ? fuse_node(g, kTfLiteBuiltinDequantize, x, -1, fuse_tensor(g, real)) : x;
}

static int reshape(FuseGraph* g, int x, BuilderTensor to) {
    static const int32_t any[] = {-1, 16};
    const int y = fuse_tensor(g, to), shape = add_ints(g, 2, any);
    add_node(g, kTfLiteBuiltinReshape, (BuilderInts){2, {x, shape}}, (BuilderInts){1, {y}}, NULL);
    return y;
}

static void split(FuseGraph* g, int x, int axis, int parts, int* outputs) {
    static const TfLiteSplitParams params[] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};
    BuilderTensor part = g->tensors[x];
    part.dims[axis] /= parts;
    BuilderInts ids = {parts, {0}};
    for (int i = 0; i < parts; i++) ids.values[i] = outputs[i] = fuse_tensor(g, part);
    const int at = add_int(g, &kNumbers[axis]);
    add_node(g, kTfLiteBuiltinSplit, (BuilderInts){2, {at, x}}, ids, &params[parts]);
}

static int concatenate(FuseGraph* g, int axis, BuilderInts inputs) {
    static const TfLiteConcatenationParams params[] = {{.axis = 0}, {.axis = 1}};
    BuilderTensor whole = g->tensors[inputs.values[0]];
    whole.dims[axis] = 0;
    for (int i = 0; i < inputs.count; i++) whole.dims[axis] += g->tensors[inputs.values[i]].dims[axis];
    const int y = fuse_tensor(g, whole);
    add_node(g, kTfLiteBuiltinConcatenation, inputs, (BuilderInts){1, {y}}, &params[axis]);
    return y;
}

// Rows [row, row + rows) of a matrix.
static int slice(FuseGraph* g, int x, int row, int rows) {
    static const int32_t begins[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
    static const int32_t sizes[][2] = {{0, -1}, {1, -1}, {2, -1}, {3, -1}, {4, -1}};
    const int y = fuse_tensor(g, matrix(rows, g->tensors[x].dims[1]));
    const int begin = add_ints(g, 2, begins[row]), size = add_ints(g, 2, sizes[rows]);
    add_node(g, kTfLiteBuiltinSlice, (BuilderInts){3, {x, begin, size}}, (BuilderInts){1, {y}}, NULL);
    return y;
}

static int transpose(FuseGraph* g, int x) {
    static const int32_t order[] = {1, 0};
    const int y = fuse_tensor(g, matrix(g->tensors[x].dims[1], g->tensors[x].dims[0]));
    const int permutation = add_ints(g, 2, order);
    add_node(g, kTfLiteBuiltinTranspose, (BuilderInts){2, {x, permutation}}, (BuilderInts){1, {y}}, NULL);
    return y;
}

static int pack(FuseGraph* g, BuilderInts inputs) {
    static const TfLitePackParams params[] = {{0}, {1, 0}, {2, 0}, {3, 0}};
    const int32_t* d = g->tensors[inputs.values[0]].dims;
    BuilderTensor stack = matrix(0, 0);
    stack.rank = 3;
    stack.dims[0] = inputs.count;
    memcpy(stack.dims + 1, d, 2 * sizeof *d);
    const int y = fuse_tensor(g, stack);
    add_node(g, kTfLiteBuiltinPack, inputs, (BuilderInts){1, {y}}, &params[inputs.count]);
    return y;
}

static void unpack(FuseGraph* g, int x, int* outputs) {
    static const TfLiteUnpackParams params[] = {{0}, {1, 0}, {2, 0}, {3, 0}};
    const int32_t* d = g->tensors[x].dims;
    BuilderInts ids = {d[0], {0}};
    for (int i = 0; i < d[0]; i++) ids.values[i] = outputs[i] = fuse_tensor(g, matrix(d[1], d[2]));
    add_node(g, kTfLiteBuiltinUnpack, (BuilderInts){1, {x}}, ids, &params[d[0]]);
}

static void finish(FuseGraph* g, int output) {
    fuse_outputs(g, (BuilderInts){1, {output}});
}

static void expect(FuseBuild build, int in_place) {
    assert_int_equal(fuse_compare(build, NULL, fuse_plain_value).in_place, in_place);
}

static void expect_over(FuseBuild build, int over) {
    is_quantized = true;
    assert_int_equal(fuse_compare(build, NULL, fuse_plain_value).over, over);
    is_quantized = false;
}

static void views(FuseGraph* g, const void* state) {
    (void)state;
    int parts[2];
    const int x = alone(g, fuse_input(g, matrix(4, 32)));
    const int y = reshape(g, x, matrix(8, 16));
    split(g, y, 0, 2, parts);
    finish(g, alone(g, fuse_binary(g, kTfLiteBuiltinAdd, parts[0], parts[1])));
}

static void joins(FuseGraph* g, const void* state) {
    (void)state;
    const int x = fuse_input(g, matrix(2, 16));
    const int y = alone(g, x), z = alone(g, y);
    finish(g, alone(g, concatenate(g, 0, (BuilderInts){2, {y, z}})));
}

// The parts stay where they were.
static void split_and_joined(FuseGraph* g, const void* state) {
    (void)state;
    int parts[2];
    split(g, alone(g, fuse_input(g, matrix(2, 16))), 0, 2, parts);
    const int y = concatenate(g, 0, (BuilderInts){3, {parts[1], parts[0], parts[1]}});
    finish(g, alone(g, y));
}

static void stacked(FuseGraph* g, const void* state) {
    (void)state;
    int parts[2];
    const int x = fuse_input(g, matrix(1, 16));
    unpack(g, pack(g, (BuilderInts){2, {alone(g, x), alone(g, relu(g, x))}}), parts);
    finish(g, alone(g, fuse_binary(g, kTfLiteBuiltinSub, alone(g, parts[1]), parts[0])));
}

static void rows(FuseGraph* g, const void* state) {
    (void)state;
    const int x = alone(g, fuse_input(g, matrix(4, 16)));
    const int y = alone(g, slice(g, x, 1, 2)), z = alone(g, slice(g, x, 2, 2));
    finish(g, alone(g, fuse_binary(g, kTfLiteBuiltinAdd, y, z)));
}

static void columns_of_one(FuseGraph* g, const void* state) {
    (void)state;
    finish(g, alone(g, transpose(g, alone(g, fuse_input(g, matrix(1, 32))))));
}

static void patterns(void** state) {
    (void)state;
    expect(views, 2);
    expect(joins, 1);
    expect(split_and_joined, 1);
    expect(stacked, 2);
    expect(rows, 2);
    expect(columns_of_one, 1);
}

// A graph's input keeps its contents: nothing lives in it.
static void of_input(FuseGraph* g, const void* state) {
    (void)state;
    finish(g, alone(g, reshape(g, fuse_input(g, matrix(2, 32)), matrix(4, 16))));
}

static void of_constant(FuseGraph* g, const void* state) {
    (void)state;
    const int c = fuse_constant(g, matrix(1, 16)), x = alone(g, fuse_input(g, matrix(1, 16)));
    finish(g, alone(g, concatenate(g, 0, (BuilderInts){2, {x, c}})));
}

// Elements that do not follow each other.
static void columns(FuseGraph* g, const void* state) {
    (void)state;
    int parts[2];
    const int x = alone(g, fuse_input(g, matrix(4, 32)));
    split(g, x, 1, 2, parts);
    const int y = concatenate(g, 1, (BuilderInts){2, {alone(g, parts[1]), parts[0]}});
    finish(g, alone(g, transpose(g, y)));
}

// Places at which tensors do not begin.
static void unaligned(FuseGraph* g, const void* state) {
    (void)state;
    int parts[2];
    split(g, alone(g, fuse_input(g, matrix(2, 5))), 0, 2, parts);
    finish(g, alone(g, fuse_binary(g, kTfLiteBuiltinAdd, parts[0], parts[1])));
}

// A small part would keep a large tensor alive.
static void small_of_large(FuseGraph* g, const void* state) {
    (void)state;
    finish(g, alone(g, slice(g, alone(g, fuse_input(g, matrix(40, 4096))), 1, 1)));
}

static void what_looks_like_it(void** state) {
    (void)state;
    expect(of_input, 0);
    expect(of_constant, 0);
    expect(columns, 0);
    expect(unaligned, 0);
    expect(small_of_large, 0);
}

// Sums over one of their inputs, and over what is a part of another tensor.
static void chain(FuseGraph* g, const void* state) {
    (void)state;
    const int x = alone(g, add_input(g, matrix(4, 32))), y = alone(g, x);
    const int z = fuse_binary(g, kTfLiteBuiltinAdd, x, y);
    const int u = fuse_binary(g, kTfLiteBuiltinMul, z, alone(g, z));
    finish(g, output_of(g, fuse_binary(g, kTfLiteBuiltinSub, u, u)));
}

static void over_part(FuseGraph* g, const void* state) {
    (void)state;
    int parts[2];
    const int x = alone(g, add_input(g, matrix(4, 32)));
    split(g, x, 0, 2, parts);
    const int z = fuse_binary(g, kTfLiteBuiltinAdd, alone(g, parts[0]), alone(g, parts[1]));
    const int u = fuse_binary(g, kTfLiteBuiltinAdd, z, z);
    finish(g, output_of(g, concatenate(g, 0, (BuilderInts){2, {u, alone(g, u)}})));
}

// Both are read later, one of them as a part of something else.
static void read_later(FuseGraph* g, const void* state) {
    (void)state;
    const int x = alone(g, add_input(g, matrix(4, 16))), y = alone(g, x);
    const int view = reshape(g, y, matrix(2, 32));
    const int z = alone(g, alone(g, fuse_binary(g, kTfLiteBuiltinAdd, x, y)));
    finish(g, output_of(g, concatenate(g, 0, (BuilderInts){3, {z, x, reshape(g, view, matrix(4, 16))}})));
}

// The halves of one tensor: one would be overwritten while it is read as the other.
static void of_halves(FuseGraph* g, const void* state) {
    (void)state;
    int parts[2];
    split(g, alone(g, add_input(g, matrix(4, 32))), 0, 2, parts);
    finish(g, output_of(g, fuse_binary(g, kTfLiteBuiltinAdd, parts[0], parts[1])));
}

// The values of a row are needed for each line.
static void of_row(FuseGraph* g, const void* state) {
    (void)state;
    const int x = alone(g, add_input(g, matrix(4, 16))), y = alone(g, add_input(g, matrix(1, 16)));
    finish(g, output_of(g, fuse_binary(g, kTfLiteBuiltinAdd, x, y)));
}

static void inputs_of_graph(FuseGraph* g, const void* state) {
    (void)state;
    const int x = fuse_input(g, matrix(4, 16)), y = fuse_input(g, matrix(4, 16));
    finish(g, fuse_binary(g, kTfLiteBuiltinAdd, x, y));
}

static void written_over(void** state) {
    (void)state;
    expect_over(chain, 3);
    expect_over(over_part, 2);
    expect_over(read_later, 0);
    expect_over(of_halves, 0);
    expect_over(of_row, 0);
    expect_over(inputs_of_graph, 0);
}

// A device may take the memory of each tensor of its nodes for its own.
static void of_delegate(void** state) {
    (void)state;
    static const TfLiteReshapeParams params = {.shape = {4}, .num_dimensions = 1};
    for (int delegated = 0; delegated < 2; delegated++) {
        ModelBuilder* b = builder_create();
        for (int i = 0; i < 4; i++) fixture_tensor(b, 4);
        fixture_node(b, "Scratch", 0, 1);
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinReshape,
                                              .inputs = {1, {1}},
                                              .outputs = {1, {2}},
                                              .params = &params});
        fixture_node(b, "Twice", 2, 3);
        builder_inputs(b, (BuilderInts){1, {0}});
        builder_outputs(b, (BuilderInts){1, {3}});
        ProbeDelegate probe;
        probe_init(&probe, kTfLiteDelegateFlagsNone);
        probe.takes = "Twice";
        Fixture f;
        fixture_create(&f, b, NULL);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        if (delegated == 1)
            assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
        fixture_fill(&f, 0, 3);
        fixture_run(&f);
        fixture_expect(&f, 3, 4, 8);
        const TfLiteTensor* x = lite_subgraph_tensor(f.graph, 1);
        assert_int_equal(x->data.raw == lite_subgraph_tensor(f.graph, 2)->data.raw, delegated == 0);
        fixture_destroy(&f);
    }
}

// Random graphs of matrices, mostly of nodes that only move elements.

typedef struct Values {
    int count;
    int ids[48];
} Values;

static int pick(const Values* v) {
    return v->ids[random_below(3) > 0 ? v->count - 1 : random_below(v->count)];
}

static void put(Values* v, int id) {
    v->ids[v->count++] = id;
}

// The last one, or another with as many columns.
static int partner_of(const FuseGraph* g, const Values* v, int x) {
    const int y = pick(v);
    return g->tensors[y].dims[1] == g->tensors[x].dims[1] ? y : x;
}

static void add_move(FuseGraph* g, Values* v) {
    const int x = pick(v), y = partner_of(g, v, x), row_count = g->tensors[x].dims[0];
    const int column_count = g->tensors[x].dims[1];
    int parts[3];
    switch (random_below(7)) {
    case 0:
        if (row_count * column_count % 16 == 0)
            put(v, reshape(g, x, matrix(row_count * column_count / 16, 16)));
        return;
    case 1:
        if (row_count % 2 != 0) return;
        split(g, x, 0, 2, parts);
        put(v, parts[0]);
        put(v, parts[1]);
        return;
    case 2:
        put(v, concatenate(g, 0, (BuilderInts){3, {x, y, pick(v) == x ? x : y}}));
        return;
    case 3:
        if (row_count > 1 && row_count < 4) put(v, slice(g, x, random_below(row_count - 1), 2));
        return;
    case 4:
        put(v, transpose(g, x));
        return;
    case 5: {
        const int stack = pack(g, (BuilderInts){2, {x, x}});
        unpack(g, stack, parts);
        put(v, parts[random_below(2)]);
        return;
    }
    default:
        put(v, concatenate(g, 1, (BuilderInts){2, {x, x}}));
    }
}

// Of the last one and the newest other of its shape.
static void add_sum(FuseGraph* g, Values* v) {
    static const TfLiteBuiltinOperator sums[] = {kTfLiteBuiltinAdd, kTfLiteBuiltinSub, kTfLiteBuiltinMul};
    const int x = pick(v);
    int y = x;
    for (int i = 0; i < v->count; i++) {
        const int32_t *a = g->tensors[x].dims, *b = g->tensors[v->ids[i]].dims;
        if (v->ids[i] != x && a[0] == b[0] && a[1] == b[1]) y = v->ids[i];
    }
    put(v, fuse_binary(g, sums[random_below(3)], x, y));
}

static void random_moves(FuseGraph* g, const void* state) {
    (void)state;
    Values v = {0};
    const int inputs = random_int(1, 3);
    for (int i = 0; i < inputs; i++) {
        const int x = add_input(g, matrix(random_int(1, 4), random_below(4) ? 16 : random_int(1, 40)));
        put(&v, random_below(4) ? alone(g, x) : x);
    }
    const int steps = random_int(2, 14);
    for (int s = 0; s < steps && v.count < 44 && g->count < 100; s++) {
        const int x = pick(&v);
        if (g->tensors[x].dims[0] * g->tensors[x].dims[1] > 8192) break;
        if (random_below(4) > 0) {
            add_move(g, &v);
        } else if (random_below(2) > 0) {
            add_sum(g, &v);
        } else {
            put(&v, random_below(2) ? alone(g, x) : relu(g, x));
        }
    }
    BuilderInts outputs = {0};
    for (int i = v.count - 1; i >= inputs && outputs.count < 6; i--) {
        if (outputs.count == 0 || random_below(4) == 0)
            outputs.values[outputs.count++] = output_of(g, v.ids[i]);
    }
    if (outputs.count == 0) outputs = (BuilderInts){1, {output_of(g, relu(g, v.ids[0]))}};
    fuse_outputs(g, outputs);
}

static void random_graphs(void** state) {
    (void)state;
    random_seed = 11;
    for (int quantized = 0; quantized < 2; quantized++) {
        int in_place = 0, over = 0;
        is_quantized = quantized;
        for (int i = 0; i < 3000; i++) {
            const FuseCounts counts = fuse_compare(random_moves, NULL, fuse_plain_value);
            in_place += counts.in_place;
            over += counts.over;
        }
        is_quantized = false;
        assert_true(in_place > 2000);
        assert_true(quantized ? over > 500 : over == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),    cmocka_unit_test(what_looks_like_it), cmocka_unit_test(written_over),
        cmocka_unit_test(of_delegate), cmocka_unit_test(random_graphs),
    };
    return cmocka_run_group_tests(tests, fuse_fill, NULL);
}
