// SPDX-License-Identifier: Apache-2.0
// A placement by cost does not outlive what it rests on: the sizes of the inputs, and the time of an
// inference.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/subgraph.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/trial_answers.h"

enum { NODES = 4, ALWAYS = 1000000, EXIT_SKIPPED = 77 };

typedef struct Placed {
    Fixture f;
    TfLiteDelegate* delegate;
} Placed;

// The host needs a time for each element, the device always the same.
static void look(const TfLiteContext* context) {
    trial_answers.host = 10 * (int64_t)context->tensors[0].dims->data[0];
    trial_answers.node_ns = trial_answers.host / NODES;
}

// Each node computes the double of the one before.
static ModelBuilder* make_chain(int elements) {
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int t = 0; t <= NODES; t++) fixture_tensor(b, elements);
    for (int n = 0; n < NODES; n++) {
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                              .inputs = {2, {n, n}},
                                              .outputs = {1, {n + 1}},
                                              .params = &add});
    }
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {NODES}});
    return b;
}

static void begin(Placed* p, int elements) {
    trial_answers = (TrialAnswers){.device = ALWAYS, .both = -1, .node_count = NODES, .look = look};
    p->delegate = oclite_opencl_delegate_create_from_string("partition=cost,cache_dir=off");
    assert_non_null(p->delegate);
    fixture_create(
        &p->f, make_chain(elements),
        &(LiteInterpreterOptions){.delegates = &p->delegate, .delegate_count = 1, .trial = &trial_answering});
    assert_non_null(p->f.interpreter);
    assert_int_equal(lite_subgraph_allocate(p->f.graph), kTfLiteOk);
}

static void end(Placed* p) {
    fixture_destroy(&p->f);
    oclite_opencl_delegate_delete(p->delegate);
}

static void run(Placed* p, int elements) {
    fixture_fill(&p->f, 0, 0.5f);
    fixture_run(&p->f);
    fixture_expect(&p->f, NODES, elements, 8);
}

static void count_taken(void* user_data, const OcliteOpenclNode* node) {
    *(int*)user_data += node->taken;
}

static void expect(Placed* p, int elements, int taken, int asked) {
    int now = 0;
    oclite_opencl_delegate_explain(p->delegate, count_taken, &now);
    assert_int_equal(now, taken);
    assert_int_equal(trial_answers.asked[0] > 0, asked);
    trial_answers.asked[0] = 0;
    run(p, elements);
}

static void resize(Placed* p, int elements) {
    assert_int_equal(lite_subgraph_resize_input(p->f.graph, 0, &elements, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(p->f.graph), kTfLiteOk);
}

// The device is ahead from 100,000 elements on. What is not twice as large, or half, is not asked for again.
static void a_resize(void** state) {
    (void)state;
    Placed p;
    begin(&p, 60000);
    expect(&p, 60000, 0, true);
    resize(&p, 119000);
    expect(&p, 119000, 0, false);
    resize(&p, 300000);
    expect(&p, 300000, NODES, true);
    resize(&p, 150001);
    expect(&p, 150001, NODES, false);
    resize(&p, 60000);
    expect(&p, 60000, 0, false); // as known
    resize(&p, 600000);
    expect(&p, 600000, NODES, true);
    end(&p);
}

// By then estimates have to do, which are quick.
static void many_resizes(void** state) {
    (void)state;
    Placed p;
    int measured = 0;
    begin(&p, 61000);
    for (int k = 0; k < 40; k++) {
        trial_answers.asked[0] = 0;
        resize(&p, k % 2 == 0 ? 620000 + k : 62000 + k);
        measured += trial_answers.asked[0] > 0;
        run(&p, k % 2 == 0 ? 620000 + k : 62000 + k);
    }
    assert_in_range(measured, 1, 8);
    end(&p);
}

// Memory is given anew to a graph of the same sizes.
static void renew(Placed* p, int elements) {
    const int other = elements + 1;
    assert_int_equal(lite_subgraph_resize_input(p->f.graph, 0, &other, 1), kTfLiteOk);
    resize(p, elements);
}

// One of many inferences is longer than any that was expected.
static void inferences_that_take_longer(void** state) {
    (void)state;
    Placed p;
    begin(&p, 63000);
    expect(&p, 63000, 0, true);
    LiteGraphUse* use = &p.f.graph->use;
    *use = (LiteGraphUse){.least_ns = 10000000, .runs = 15};
    renew(&p, 63000);
    expect(&p, 63000, 0, false); // too few
    *use = (LiteGraphUse){.least_ns = 63000 * 10 * 6 / 5, .runs = 100};
    renew(&p, 63000);
    expect(&p, 63000, 0, false); // not by much
    *use = (LiteGraphUse){.least_ns = 10000000, .runs = 16};
    resize(&p, 63001);
    expect(&p, 63001, 0, false); // for other sizes nothing was expected
    *use = (LiteGraphUse){.least_ns = 10000000, .runs = 16};
    resize(&p, 63000);
    expect(&p, 63000, 0, false); // nor did these inferences have those
    *use = (LiteGraphUse){.least_ns = 10000000, .runs = 16};
    renew(&p, 63000);
    expect(&p, 63000, 0, true);
    // Once: it may be the inputs that make the difference.
    *use = (LiteGraphUse){.least_ns = 10000000, .runs = 16};
    renew(&p, 63000);
    expect(&p, 63000, 0, false);
    end(&p);
}

// On the device they need not be longer by a fifth: a twentieth more than the host takes is enough.
static void the_host_was_faster(void** state) {
    (void)state;
    Placed p;
    begin(&p, 105000);
    expect(&p, 105000, NODES, true);
    LiteGraphUse* use = &p.f.graph->use;
    *use = (LiteGraphUse){.least_ns = 1100000, .runs = 100};
    renew(&p, 105000);
    expect(&p, 105000, NODES, false);
    *use = (LiteGraphUse){.least_ns = 1105000, .runs = 15};
    renew(&p, 105000);
    expect(&p, 105000, NODES, false); // too few
    *use = (LiteGraphUse){.least_ns = 1105000, .runs = 16};
    renew(&p, 105000);
    expect(&p, 105000, NODES, true);
    end(&p);
}

int main(void) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) return EXIT_SKIPPED;
    oclite_opencl_delegate_delete(delegate);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resize),
        cmocka_unit_test(many_resizes),
        cmocka_unit_test(inferences_that_take_longer),
        cmocka_unit_test(the_host_was_faster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
