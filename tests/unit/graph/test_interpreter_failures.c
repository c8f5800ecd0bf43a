// SPDX-License-Identifier: Apache-2.0
// Every single allocation fails once: nothing leaks, nothing crashes, and errors are errors. Run it with a
// sanitizer or valgrind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/signature.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "core/model/open.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"

static ModelBuilder* everything(void) {
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 1);
    builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {1}, .is_variable = true});
    for (int i = 0; i < 5; i++) fixture_tensor(b, 1);
    fixture_node(b, "Twice", 0, 2);
    fixture_node2(b, "Count", 2, 1, 3);
    fixture_node(b, "Repeat", 2, 4);
    fixture_node(b, "Scratch", 4, 5);
    fixture_node2(b, "Sum", 5, 3, 6);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {6}});
    return b;
}

// Runs all of an interpreter's life; false when something failed on the way.
static bool live(LiteModel* model, TfLiteDelegate* delegate) {
    const LiteOperatorEntry* entries;
    const int count = fixture_operators(&entries);
    LiteInterpreter* interpreter =
        lite_interpreter_create(model, &(LiteInterpreterOptions){.operators = entries,
                                                                 .operator_count = count,
                                                                 .delegates = &delegate,
                                                                 .delegate_count = delegate != NULL ? 1 : 0,
                                                                 .delegate_fallback = true});
    LiteSubgraph* graph = interpreter != NULL ? lite_interpreter_subgraph(interpreter, 0) : NULL;
    bool ok = graph != NULL && lite_interpreter_signature(interpreter, NULL) != NULL;
    const int dims[] = {2};
    ok = ok && lite_subgraph_resize_input(graph, 0, dims, 1) == kTfLiteOk;
    for (int run = 1; run < 3 && ok; run++) {
        ok = lite_subgraph_allocate(graph) == kTfLiteOk;
        if (!ok) break;
        float* x = lite_subgraph_tensor(graph, 0)->data.f;
        x[0] = x[1] = (float)run;
        ok = lite_subgraph_invoke(graph) == kTfLiteOk;
        if (!ok) break;
        const TfLiteTensor* y = lite_subgraph_tensor(graph, 6);
        assert_int_equal(y->bytes, 2 * (size_t)run * sizeof(float));
        for (int i = 0; i < 2 * run; i++) assert_true(y->data.f[i] >= (float)(2 * run + 1 + 1));
    }
    lite_interpreter_destroy(interpreter);
    return ok;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    size_t size;
    uint8_t* bytes = builder_finish(everything(), &size);
    LiteModel* model = lite_model_create(bytes, size, NULL);
    assert_non_null(model);
    ProbeDelegate fixed, any;
    probe_init(&fixed, kTfLiteDelegateFlagsNone); // does not suit the graph: the CPU stands in
    probe_init(&any, kTfLiteDelegateFlagsAllowDynamicTensors);
    any.takes = "Twice";
    TfLiteDelegate* const delegates[] = {NULL, &any.delegate, &fixed.delegate};
    for (int d = 0; d < 3; d++) {
        int point = 0;
        bool ok = false;
        for (; !ok; point++) {
            assert_true(point < 10000);
            lite_memory_fail_after(point);
            ok = live(model, delegates[d]);
            lite_memory_fail_after(-1);
        }
        assert_true(point > 30);
        assert_int_equal(fixture_calls.init, fixture_calls.free);
        assert_true(live(model, delegates[d]));
    }
    lite_model_release(model);
    free(bytes);
}

// An interpreter with two delegates, of which the second fails in the second inference.
static bool live_with_delegates(LiteModel* model, int variant) {
    ProbeDelegate first, second;
    (variant & 1 ? probe_init : probe_init_opaque)(&first, variant >> 1 & 1); // for fixed sizes, or any
    (variant & 1 ? probe_init_opaque : probe_init)(&second, variant >> 2 & 1);
    first.takes = "Twice";
    second.takes = "Scratch";
    const bool fallback = variant & 8;
    TfLiteDelegate* const delegates[] = {&first.delegate, &second.delegate};
    const LiteOperatorEntry* entries;
    const int count = fixture_operators(&entries);
    LiteInterpreter* interpreter =
        lite_interpreter_create(model, &(LiteInterpreterOptions){.operators = entries,
                                                                 .operator_count = count,
                                                                 .delegates = delegates,
                                                                 .delegate_count = 2,
                                                                 .delegate_fallback = fallback});
    LiteSubgraph* graph = interpreter != NULL ? lite_interpreter_subgraph(interpreter, 0) : NULL;
    bool ok = graph != NULL;
    for (int run = 1; run < 4 && ok; run++) {
        ok = lite_subgraph_resize_input(graph, 0, &run, 1) == kTfLiteOk &&
             lite_subgraph_allocate(graph) == kTfLiteOk;
        if (!ok) break;
        for (int i = 0; i < run; i++) lite_subgraph_tensor(graph, 0)->data.f[i] = (float)run;
        second.invoke_status = run == 2 ? kTfLiteDelegateError : kTfLiteOk;
        const TfLiteStatus status = lite_subgraph_invoke(graph);
        ok = status == kTfLiteOk || (fallback && status == kTfLiteDelegateError);
        const float* y = lite_subgraph_tensor(graph, 4)->data.f;
        for (int i = 0; i < run && ok; i++) assert_float_equal(y[i], (float)(2 * (2 * run + 1 + run)), 0);
    }
    lite_interpreter_destroy(interpreter);
    assert_int_equal(first.frees, first.inits);
    assert_int_equal(second.frees, second.inits);
    return ok;
}

static void every_allocation_may_fail_with_delegates(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 5; i++) fixture_tensor(b, 1);
    fixture_node(b, "Twice", 0, 1);
    fixture_node(b, "Scratch", 1, 2);
    fixture_node2(b, "Sum", 2, 0, 3);
    fixture_node(b, "Twice", 3, 4);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {4}});
    size_t size;
    uint8_t* bytes = builder_finish(b, &size);
    LiteModel* model = lite_model_create(bytes, size, NULL);
    for (int variant = 0; variant < 16; variant++) {
        bool ok = false;
        for (int point = 0; !ok; point++) {
            assert_true(point < 10000);
            lite_memory_fail_after(point);
            ok = live_with_delegates(model, variant);
            lite_memory_fail_after(-1);
            assert_true(live_with_delegates(model, variant)); // the next attempt works
        }
    }
    lite_model_release(model);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_allocation_may_fail_with_delegates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
