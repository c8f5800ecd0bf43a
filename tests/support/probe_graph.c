// SPDX-License-Identifier: Apache-2.0
#include "tests/support/probe_graph.h"
#include "core/graph/allocate.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/graph/graph.h"

void probe_init_variant(ProbeDelegate* probe, int variant) {
    const int64_t flags = variant & 2 ? kTfLiteDelegateFlagsAllowDynamicTensors : kTfLiteDelegateFlagsNone;
    (variant & 1 ? probe_init_opaque : probe_init)(probe, flags);
    probe->takes = "Twice";
}

void probe_create(Fixture* f, ModelBuilder* builder, TfLiteDelegate* delegate) {
    fixture_create(f, builder, &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_non_null(f->interpreter);
}

ModelBuilder* probe_mixed_model(void) {
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 5; i++) fixture_tensor(b, 4);
    fixture_node(b, "Twice", 0, 1);
    fixture_node(b, "Twice", 1, 2);
    fixture_node(b, "Scratch", 2, 3);
    fixture_node(b, "Twice", 3, 4);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {4}});
    return b;
}

void probe_expect_plan(Fixture* f, int count, const int* nodes) {
    const LiteModelInts plan = lite_subgraph_plan(f->graph);
    assert_int_equal(plan.count, count);
    for (int i = 0; i < count; i++) assert_int_equal(plan.data[i], nodes[i]);
}

ModelBuilder* probe_dynamic_model(void) {
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 3; i++) fixture_tensor(b, 1);
    fixture_node(b, "Repeat", 0, 1);
    fixture_node(b, "Twice", 1, 2);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    return b;
}

void probe_run_mixed(Fixture* f, float x) {
    assert_int_equal(lite_subgraph_allocate(f->graph), kTfLiteOk);
    fixture_fill(f, 0, x);
    assert_int_equal(lite_subgraph_invoke(f->graph), kTfLiteOk);
    const TfLiteTensor* y = lite_subgraph_tensor(f->graph, 4);
    fixture_expect(f, 4, (int)(y->bytes / sizeof(float)), (4 * x + 1) * 2);
}
