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
#include "core/graph/graph.h"
#include "tests/support/graph_fixture.h"

static TfLiteStatus kernel_prepare(TfLiteContext* context, TfLiteNode* node) {
    TfLiteTensor* y = &context->tensors[node->outputs->data[0]];
    TfLiteIntArray* dims = TfLiteIntArrayCopy(context->tensors[node->inputs->data[0]].dims);
    return dims ? context->ResizeTensor(context, y, dims) : kTfLiteError;
}

static TfLiteStatus kernel_invoke(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* x = &context->tensors[node->inputs->data[0]];
    for (size_t i = 0; i < x->bytes / sizeof(float); i++) {
        context->tensors[node->outputs->data[0]].data.f[i] = 2 * x->data.f[i];
    }
    return kTfLiteOk;
}

// Takes node 0, which doubles.
static TfLiteStatus delegate_prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    TfLiteRegistration kernel = {.prepare = kernel_prepare, .invoke = kernel_invoke};
    TfLiteIntArray* nodes = TfLiteIntArrayCreate(1);
    if (nodes == NULL) return kTfLiteError;
    nodes->data[0] = 0;
    TfLiteDelegateParams* preview;
    int count;
    TfLiteStatus status = context->PreviewDelegatePartitioning(context, nodes, &preview, &count);
    if (status == kTfLiteOk) {
        status = context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, nodes, delegate);
    }
    TfLiteIntArrayFree(nodes);
    return status;
}

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
                                                                 .delegate_count = delegate ? 1 : 0});
    LiteSubgraph* graph = interpreter ? lite_interpreter_subgraph(interpreter, 0) : NULL;
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
    TfLiteDelegate fixed = {.Prepare = delegate_prepare};
    TfLiteDelegate any = {.Prepare = delegate_prepare, .flags = kTfLiteDelegateFlagsAllowDynamicTensors};
    TfLiteDelegate* const delegates[] = {NULL, &any, &fixed};
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
