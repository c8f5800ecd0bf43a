// SPDX-License-Identifier: Apache-2.0
// Parameters of delegated nodes that are computed or given with each inference, shapes that change, bodies of
// control flow on the device.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "delegate-opencl/device/cl.h"
#include "oclite/opencl.h"
#include "tests/support/cl_failures.h"
#include "tests/support/delegate_host.h"
#include "tests/support/graph_fixture.h"

enum { EXIT_SKIPPED = 77 };
#define INTS(...) ((BuilderInts){sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t), {__VA_ARGS__}})

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};
static const TfLiteConcatenationParams kJoin = {.axis = 0, .activation = kTfLiteActNone};
static TfLiteDelegate* delegate;

static int add_tensor(ModelBuilder* b, TfLiteType type, int rank, int d0, int d1, const void* data) {
    const size_t size = type == kTfLiteBool ? 1 : 4;
    const size_t bytes = data == NULL ? 0 : size * (size_t)(rank > 0 ? d0 : 1) * (size_t)(rank > 1 ? d1 : 1);
    return builder_tensor(
        b, (BuilderTensor){.type = type, .rank = rank, .dims = {d0, d1}, .data = data, .bytes = bytes});
}

static void add_node(ModelBuilder* b, TfLiteBuiltinOperator code, BuilderInts inputs, BuilderInts outputs,
                     const void* params) {
    builder_operator(b,
                     (BuilderOperator){.code = code, .inputs = inputs, .outputs = outputs, .params = params});
}

static void open(Fixture* f, ModelBuilder* b) {
    delegate = oclite_opencl_delegate_create(NULL);
    fixture_create(f, b, &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_non_null(f->interpreter);
}

static void close(Fixture* f) {
    fixture_destroy(f);
    oclite_opencl_delegate_delete(delegate);
}

static int plan_size(const Fixture* f, int subgraph) {
    return lite_subgraph_plan(f->interpreter->subgraphs[subgraph]).count;
}

static void write_ints(Fixture* f, int tensor, int count, const int32_t* values) {
    TfLiteTensor* t = lite_subgraph_tensor(f->graph, tensor);
    assert_int_equal(t->bytes, (size_t)count * sizeof *values);
    memcpy(t->data.i32, values, t->bytes);
}

// Elements 0, 1, 2 ... in, 0, 2, 4 ... out.
static void count_up(Fixture* f, int tensor) {
    TfLiteTensor* t = lite_subgraph_tensor(f->graph, tensor);
    for (size_t i = 0; i < t->bytes / sizeof(float); i++) t->data.f[i] = (float)i;
}

static void expect_twice(Fixture* f, int tensor, int rows, int columns) {
    const TfLiteTensor* t = lite_subgraph_tensor(f->graph, tensor);
    assert_true(TfLiteIntArrayEqualsArray(t->dims, 2, (int[]){rows, columns}));
    for (int i = 0; i < rows * columns; i++) assert_true(t->data.f[i] == 2.0f * (float)i);
}

// x, s -> y = x in shape s -> z = y + y
static ModelBuilder* reshape_to_input(void) {
    ModelBuilder* b = builder_create();
    const int x = add_tensor(b, kTfLiteFloat32, 2, 2, 6, NULL),
              s = add_tensor(b, kTfLiteInt32, 1, 2, 0, NULL);
    const int y = add_tensor(b, kTfLiteFloat32, 2, 1, 1, NULL),
              z = add_tensor(b, kTfLiteFloat32, 2, 1, 1, NULL);
    add_node(b, kTfLiteBuiltinReshape, INTS(x, s), INTS(y), NULL);
    add_node(b, kTfLiteBuiltinAdd, INTS(y, y), INTS(z), &kAdd);
    builder_inputs(b, INTS(x, s));
    builder_outputs(b, INTS(z));
    return b;
}

static void run_reshape(Fixture* f, int rows, int columns) {
    write_ints(f, 1, 2, (int32_t[]){rows, columns});
    count_up(f, 0);
    assert_int_equal(lite_subgraph_invoke(f->graph), kTfLiteOk);
    expect_twice(f, 3, rows, columns);
}

static void parameters_change_between_inferences(void** state) {
    (void)state;
    Fixture f;
    open(&f, reshape_to_input());
    assert_int_equal(plan_size(&f, 0), 1);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    run_reshape(&f, 3, 4);
    run_reshape(&f, 3, 4);
    run_reshape(&f, 12, 1);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, (int[]){2, 10}, 2), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    run_reshape(&f, 5, 4);
    run_reshape(&f, 1, 20);
    assert_int_equal(plan_size(&f, 0), 1); // still the device
    write_ints(&f, 1, 2, (int32_t[]){7, 7});
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    fixture_expect_message(&f, "RESHAPE");
    run_reshape(&f, 4, 5);
    close(&f);
}

static void many_parameters_take_no_more_memory(void** state) {
    (void)state;
    static const int rows[] = {1, 2, 3, 4, 6, 12};
    lite_memory_count_live(true);
    Fixture f;
    open(&f, reshape_to_input());
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    int64_t live = 0;
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 6; i++) run_reshape(&f, rows[i], 12 / rows[i]);
        if (round == 2) live = lite_memory_live();
    }
    assert_int_equal(lite_memory_live(), live);
    assert_int_equal(plan_size(&f, 0), 1);
    close(&f);
    assert_int_equal(lite_memory_live(), 0);
    lite_memory_count_live(false);
}

// A device that fails in the middle: the CPU does it, with the dynamic outputs that it finds.
static void dynamic_outputs_survive_a_device_that_fails(void** state) {
    (void)state;
    LiteCl* table = (LiteCl*)(uintptr_t)lite_cl_load(NULL);
    const LiteCl working = *table;
    Fixture f;
    open(&f, reshape_to_input());
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    run_reshape(&f, 3, 4);
    table->clEnqueueNDRangeKernel = cl_fail_launch;
    run_reshape(&f, 6, 2);
    *table = working;
    assert_int_equal(plan_size(&f, 0), 2); // the CPU
    run_reshape(&f, 2, 6);
    close(&f);
}

// z = 2 x in the shape {x's columns, -1}, computed from SHAPE.
static void shapes_are_folded(void** state) {
    (void)state;
    static const int32_t one[] = {1}, two[] = {2}, rest[] = {-1};
    static const TfLiteStridedSliceParams slice = {0};
    static const TfLiteShapeParams shape = {.out_type = kTfLiteInt32};
    ModelBuilder* b = builder_create();
    const int x = add_tensor(b, kTfLiteFloat32, 2, 2, 6, NULL),
              y = add_tensor(b, kTfLiteFloat32, 2, 6, 2, NULL);
    const int s = add_tensor(b, kTfLiteInt32, 1, 2, 0, NULL), c = add_tensor(b, kTfLiteInt32, 1, 1, 0, NULL);
    const int w = add_tensor(b, kTfLiteInt32, 1, 2, 0, NULL),
              z = add_tensor(b, kTfLiteFloat32, 2, 6, 2, NULL);
    const int k1 = add_tensor(b, kTfLiteInt32, 1, 1, 0, one), k2 = add_tensor(b, kTfLiteInt32, 1, 1, 0, two);
    const int k3 = add_tensor(b, kTfLiteInt32, 1, 1, 0, rest);
    add_node(b, kTfLiteBuiltinShape, INTS(x), INTS(s), &shape);
    add_node(b, kTfLiteBuiltinStridedSlice, INTS(s, k1, k2, k1), INTS(c), &slice);
    add_node(b, kTfLiteBuiltinConcatenation, INTS(c, k3), INTS(w), &kJoin);
    add_node(b, kTfLiteBuiltinReshape, INTS(x, w), INTS(y), NULL);
    add_node(b, kTfLiteBuiltinAdd, INTS(y, y), INTS(z), &kAdd);
    builder_inputs(b, INTS(x));
    builder_outputs(b, INTS(z, s));
    Fixture f;
    open(&f, b);
    for (int rows = 2; rows < 5; rows++) {
        assert_int_equal(lite_subgraph_resize_input(f.graph, x, (int[]){rows, 6}, 2), kTfLiteOk);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(plan_size(&f, 0), 1);
        // Known before the first inference.
        const TfLiteTensor* out = lite_subgraph_tensor(f.graph, z);
        assert_int_not_equal(out->allocation_type, kTfLiteDynamic);
        assert_true(TfLiteIntArrayEqualsArray(out->dims, 2, (int[]){6, rows}));
        count_up(&f, x);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        expect_twice(&f, z, 6, rows);
        assert_int_equal(lite_subgraph_tensor(f.graph, s)->data.i32[0], rows);
    }
    close(&f);
}

// A parameter that only a kernel of the same graph could compute: its node is the CPU's.
static void producers_of_parameters_are_left(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = add_tensor(b, kTfLiteFloat32, 2, 2, 6, NULL),
              p = add_tensor(b, kTfLiteInt32, 1, 2, 0, NULL);
    const int s = add_tensor(b, kTfLiteInt32, 1, 2, 0, NULL);
    const int y = add_tensor(b, kTfLiteFloat32, 2, 2, 6, NULL),
              z = add_tensor(b, kTfLiteFloat32, 2, 1, 1, NULL);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    add_node(b, kTfLiteBuiltinNeg, INTS(p), INTS(s), NULL);
    add_node(b, kTfLiteBuiltinReshape, INTS(y, s), INTS(z), NULL);
    builder_inputs(b, INTS(x, p));
    builder_outputs(b, INTS(z));
    Fixture f;
    open(&f, b);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(plan_size(&f, 0), 2); // NEG, and all else
    for (int rows = 1; rows < 5; rows++) {
        write_ints(&f, p, 2, (int32_t[]){-rows, -12 / rows});
        count_up(&f, x);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        expect_twice(&f, z, rows, 12 / rows);
    }
    close(&f);
}

// WHILE sum(x) < limit: x = {x, x} -- the body doubles the length of x each time.
static void bodies_of_loops_are_delegated(void** state) {
    (void)state;
    static const TfLiteWhileParams loop = {1, 2};
    static const TfLiteReducerParams keep = {.keep_dims = false};
    static const int32_t axis[] = {0};
    ModelBuilder* b = builder_create();
    const int x = add_tensor(b, kTfLiteFloat32, 1, 1, 0, NULL),
              m = add_tensor(b, kTfLiteFloat32, 0, 0, 0, NULL);
    const int y = add_tensor(b, kTfLiteFloat32, 1, 1, 0, NULL),
              n = add_tensor(b, kTfLiteFloat32, 0, 0, 0, NULL);
    add_node(b, kTfLiteBuiltinWhile, INTS(x, m), INTS(y, n), &loop);
    builder_inputs(b, INTS(x, m));
    builder_outputs(b, INTS(y));
    builder_subgraph(b, "condition");
    const int cx = add_tensor(b, kTfLiteFloat32, 1, 1, 0, NULL),
              cm = add_tensor(b, kTfLiteFloat32, 0, 0, 0, NULL);
    const int a = add_tensor(b, kTfLiteInt32, 1, 1, 0, axis),
              sum = add_tensor(b, kTfLiteFloat32, 0, 0, 0, NULL);
    const int less = add_tensor(b, kTfLiteBool, 0, 0, 0, NULL);
    add_node(b, kTfLiteBuiltinSum, INTS(cx, a), INTS(sum), &keep);
    add_node(b, kTfLiteBuiltinLess, INTS(sum, cm), INTS(less), NULL);
    builder_inputs(b, INTS(cx, cm));
    builder_outputs(b, INTS(less));
    builder_subgraph(b, "body");
    const int bx = add_tensor(b, kTfLiteFloat32, 1, 1, 0, NULL),
              bm = add_tensor(b, kTfLiteFloat32, 0, 0, 0, NULL);
    const int by = add_tensor(b, kTfLiteFloat32, 1, 2, 0, NULL);
    add_node(b, kTfLiteBuiltinConcatenation, INTS(bx, bx), INTS(by), &kJoin);
    builder_inputs(b, INTS(bx, bm));
    builder_outputs(b, INTS(by, bm));
    Fixture f;
    open(&f, b);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int limit = 3; limit < 40; limit += 9) {
        int length = 1;
        while (length < limit) length *= 2;
        fixture_fill(&f, x, 1.0f);
        fixture_fill(&f, m, (float)limit);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_expect(&f, y, length, 1.0f);
        assert_int_equal(plan_size(&f, 1), 1); // two nodes of the model, one kernel
        assert_int_equal(f.interpreter->subgraphs[2]->applied_count, 1);
    }
    close(&f);
}

// then: y = x + x in the shape p, which only the inference tells
static void build_then(ModelBuilder* b) {
    builder_subgraph(b, "then");
    const int x = add_tensor(b, kTfLiteFloat32, 2, 2, 6, NULL),
              p = add_tensor(b, kTfLiteInt32, 1, 2, 0, NULL);
    const int twice = add_tensor(b, kTfLiteFloat32, 2, 2, 6, NULL),
              y = add_tensor(b, kTfLiteFloat32, 2, 1, 1, NULL);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(twice), &kAdd);
    add_node(b, kTfLiteBuiltinReshape, INTS(twice, p), INTS(y), NULL);
    builder_inputs(b, INTS(x, p));
    builder_outputs(b, INTS(y));
}

// else: y = relu of {x, x}, as long as both
static void build_else(ModelBuilder* b) {
    builder_subgraph(b, "else");
    const int x = add_tensor(b, kTfLiteFloat32, 2, 2, 6, NULL),
              p = add_tensor(b, kTfLiteInt32, 1, 2, 0, NULL);
    const int both = add_tensor(b, kTfLiteFloat32, 2, 4, 6, NULL),
              y = add_tensor(b, kTfLiteFloat32, 2, 4, 6, NULL);
    add_node(b, kTfLiteBuiltinConcatenation, INTS(x, x), INTS(both), &kJoin);
    add_node(b, kTfLiteBuiltinRelu, INTS(both), INTS(y), NULL);
    builder_inputs(b, INTS(x, p));
    builder_outputs(b, INTS(y));
}

// y = IF c THEN x + x in the shape p ELSE {x, x}; z = y + y: the primary graph has a partition behind the
// choice.
static void branches_of_a_choice_are_delegated(void** state) {
    (void)state;
    static const TfLiteIfParams choice = {1, 2};
    ModelBuilder* b = builder_create();
    const int c = add_tensor(b, kTfLiteBool, 0, 0, 0, NULL), x = add_tensor(b, kTfLiteFloat32, 2, 2, 6, NULL);
    const int p = add_tensor(b, kTfLiteInt32, 1, 2, 0, NULL),
              y = add_tensor(b, kTfLiteFloat32, 2, 1, 1, NULL);
    const int z = add_tensor(b, kTfLiteFloat32, 2, 1, 1, NULL);
    add_node(b, kTfLiteBuiltinIf, INTS(c, x, p), INTS(y), &choice);
    add_node(b, kTfLiteBuiltinAdd, INTS(y, y), INTS(z), &kAdd);
    builder_inputs(b, INTS(c, x, p));
    builder_outputs(b, INTS(z));
    build_then(b);
    build_else(b);
    Fixture f;
    open(&f, b);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int i = 0; i < 8; i++) {
        const int rows = i % 4 + 1;
        lite_subgraph_tensor(f.graph, c)->data.b[0] = i % 3 != 0;
        fixture_fill(&f, x, (float)i);
        write_ints(&f, p, 2, (int32_t[]){rows, 12 / rows});
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        const TfLiteIntArray* dims = lite_subgraph_tensor(f.graph, z)->dims;
        const int wanted[2] = {i % 3 != 0 ? rows : 4, i % 3 != 0 ? 12 / rows : 6};
        assert_true(TfLiteIntArrayEqualsArray(dims, 2, wanted));
        fixture_expect(&f, z, wanted[0] * wanted[1], (i % 3 != 0 ? 4.0f : 2.0f) * (float)i);
    }
    assert_int_equal(plan_size(&f, 0), 2); // IF, and ADD on the device
    for (int branch = 1; branch <= 2; branch++) {
        assert_int_equal(plan_size(&f, branch), 1); // two nodes of the model, one kernel
        assert_int_equal(f.interpreter->subgraphs[branch]->applied_count, 1);
    }
    assert_int_equal(f.interpreter->subgraphs[0]->applied_count, 1);
    close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_change_between_inferences),
        cmocka_unit_test(many_parameters_take_no_more_memory),
        cmocka_unit_test(dynamic_outputs_survive_a_device_that_fails),
        cmocka_unit_test(shapes_are_folded),
        cmocka_unit_test(producers_of_parameters_are_left),
        cmocka_unit_test(bodies_of_loops_are_delegated),
        cmocka_unit_test(branches_of_a_choice_are_delegated),
    };
    if (!host_has_opencl()) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
