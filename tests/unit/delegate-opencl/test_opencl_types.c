// SPDX-License-Identifier: Apache-2.0
// Graphs whose tensors are declared with other types than their operators give: the delegate decides before
// anybody has prepared these.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"
#include "tests/support/graph_fixture.h"

enum { EXIT_SKIPPED = 77, kTensors = 6 };
#define INTS(...) ((BuilderInts){sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t), {__VA_ARGS__}})

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};
static TfLiteDelegate* delegate;

static void add_node(ModelBuilder* b, TfLiteBuiltinOperator code, BuilderInts inputs, BuilderInts outputs) {
    builder_operator(b, (BuilderOperator){.code = code,
                                          .inputs = inputs,
                                          .outputs = outputs,
                                          .params = code == kTfLiteBuiltinAdd ? &kAdd : NULL});
}

// x of INT8 is doubled five times, twice by MAXIMUM of what is the same; all results are declared as
// `declared`.
static ModelBuilder* doublings(TfLiteType declared) {
    ModelBuilder* b = builder_create();
    for (int t = 0; t < kTensors; t++) {
        builder_tensor(b, (BuilderTensor){.type = t == 0 ? kTfLiteInt8 : declared,
                                          .rank = 1,
                                          .dims = {4},
                                          .scale = 1.0f,
                                          .zero_point = 3});
    }
    for (int t = 1; t < kTensors; t++) {
        add_node(b, t % 2 == 1 ? kTfLiteBuiltinAdd : kTfLiteBuiltinMaximum, INTS(t - 1, t - 1), INTS(t));
    }
    builder_inputs(b, INTS(0));
    builder_outputs(b, INTS(kTensors - 1, 2));
    return b;
}

static void open(Fixture* f, ModelBuilder* b, const char* deny) {
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.deny = deny;
    delegate = oclite_opencl_delegate_create(&options);
    fixture_create(f, b, &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_non_null(f->interpreter);
}

static void close(Fixture* f) {
    fixture_destroy(f);
    oclite_opencl_delegate_delete(delegate);
}

static void expect(const Fixture* f, int tensor, int count, int value) {
    const TfLiteTensor* t = lite_subgraph_tensor(f->graph, tensor);
    assert_int_equal(t->type, kTfLiteInt8);
    assert_int_equal(t->bytes, count);
    for (int i = 0; i < count; i++) assert_int_equal(t->data.int8[i], value);
}

static void run_doublings(TfLiteType declared, const char* deny, int plan_size) {
    Fixture f;
    open(&f, doublings(declared), deny);
    assert_int_equal(lite_subgraph_plan(f.graph).count, plan_size);
    for (int count = 4; count < 4000; count *= 9) {
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &count, 1), kTfLiteOk);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(lite_subgraph_plan(f.graph).count, plan_size); // the device has kept its nodes
        memset(lite_subgraph_tensor(f.graph, 0)->data.raw, 8, (size_t)count);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        expect(&f, 2, count, 13);
        expect(&f, kTensors - 1, count, 43);
    }
    close(&f);
}

static void operators_set_the_types_of_their_outputs(void** state) {
    (void)state;
    static const TfLiteType declared[] = {kTfLiteInt8, kTfLiteFloat32, kTfLiteBool, kTfLiteComplex64,
                                          kTfLiteString};
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
        run_doublings(declared[i], NULL, 1);
        run_doublings(declared[i], "MAXIMUM", 5); // each kind follows the other
        run_doublings(declared[i], "ADD", 5);
        run_doublings(declared[i], "ADD+MAXIMUM", 5);
    }
}

// IF of INT32, whose branch says that it has FLOAT32.
static void bodies_take_the_types_of_arguments(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 1};
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.type = kTfLiteBool});
    for (int t = 1; t < 3; t++)
        builder_tensor(b, (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {4}});
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinIf, .inputs = INTS(0, 1), .outputs = INTS(2), .params = &params});
    builder_inputs(b, INTS(0, 1));
    builder_outputs(b, INTS(2));
    builder_subgraph(b, "branch");
    for (int t = 0; t < 3; t++) fixture_tensor(b, 4);
    add_node(b, kTfLiteBuiltinAdd, INTS(0, 0), INTS(1));
    add_node(b, kTfLiteBuiltinMaximum, INTS(1, 0), INTS(2));
    builder_inputs(b, INTS(0));
    builder_outputs(b, INTS(2));
    Fixture f;
    open(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    static const int32_t given[] = {1, 30000001, 0, 7};
    memcpy(lite_subgraph_tensor(f.graph, 1)->data.raw, given, sizeof given);
    lite_subgraph_tensor(f.graph, 0)->data.b[0] = true;
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(lite_subgraph_tensor(f.graph, 2)->data.i32[i], 2 * given[i]);
    }
    const LiteSubgraph* branch = f.interpreter->subgraphs[1];
    assert_int_equal(lite_subgraph_plan(branch).count, 1); // on the device
    assert_int_equal(branch->applied_count, 1);
    close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_set_the_types_of_their_outputs),
        cmocka_unit_test(bodies_take_the_types_of_arguments),
    };
    if (!host_has_opencl()) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
