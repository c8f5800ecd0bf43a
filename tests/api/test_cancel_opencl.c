// SPDX-License-Identifier: Apache-2.0
// Cancelling within a partition that OpenCL runs: long launches, and many of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tests/api/cancel_run.h"
#include "tests/api/cmocka_setup.h"

enum { kExitSkipped = 77 };
static TfLiteDelegate* delegate;

// Is the only node of the plan the delegate's?
static bool is_delegated(const Program* p) {
    const int* plan;
    int count;
    OcliteNode node;
    assert_int_equal(oclite_interpreter_plan(p->interpreter, 0, &plan, &count), kTfLiteOk);
    if (count != 1) return false;
    assert_int_equal(oclite_interpreter_node(p->interpreter, 0, plan[0], &node), kTfLiteOk);
    return node.is_delegate;
}

static bool is_among(const CancelCase* a_case, const char* const* names) {
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], a_case->name) == 0) return true;
    }
    return false;
}

static const char* const long_names[] = {
    "AVERAGE_POOL_2D", "MAX_POOL_2D",  "CONV_2D",           "CONV_2D of bytes", "CONV_3D",
    "FULLY_CONNECTED", "BATCH_MATMUL", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV",   NULL};
static const char* const short_names[] = {"COS",    "SUM", "SOFTMAX", "TRANSPOSE", "RESIZE_BILINEAR",
                                          "GATHER", NULL};

// The second time the device has what it needs, and the times of launches are known.
static void long_launches_can_be_cancelled(void** state) {
    (void)state;
    for (const CancelCase* a_case = cancel_long_cases; a_case->name != NULL; a_case++) {
        if (!is_among(a_case, long_names)) continue;
        Program p;
        cancel_case_open(&p, a_case, delegate, true);
        if (!is_delegated(&p)) fail_msg("%s is not delegated", a_case->name);
        for (int again = 0; again < 2; again++) {
            double ms;
            const TfLiteStatus status = cancel_invoke(p.interpreter, &ms);
            if (status != kTfLiteCancelled)
                fail_msg("%s: status %d: %s", a_case->name, (int)status, p.messages);
            program_expect_message(&p, "Client requested cancel during Invoke()");
            cancel_note(a_case->name, ms);
        }
        assert_int_equal(oclite_opencl_delegate_status(delegate), kOcliteOpenclWorking);
        program_close(&p);
    }
}

// A chain of products.
enum { kNodes = 400, kSide = 2048 };

static ModelBuilder* chain(void) {
    static const TfLiteBatchMatMulParams params = {.adj_x = false};
    const BuilderTensor matrix = {.type = kTfLiteFloat32, .rank = 2, .dims = {kSide, kSide}};
    ModelBuilder* b = builder_create();
    const int first = builder_tensor(b, matrix);
    int x = first;
    for (int i = 0; i < kNodes; i++) {
        const int y = builder_tensor(b, matrix);
        add_node(b, kTfLiteBuiltinBatchMatmul, INTS(x, x), INTS(y), &params);
        x = y;
    }
    set_io(b, INTS(first), INTS(x));
    return b;
}

static void many_launches_can_be_cancelled(void** state) {
    (void)state;
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsEnableCancellation(options, true);
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    Program p;
    program_open(&p, chain(), options);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    for (int again = 0; again < 2; again++) {
        double ms;
        assert_int_equal(cancel_invoke(p.interpreter, &ms), kTfLiteCancelled);
        program_expect_message(&p, "Client requested cancel during Invoke()");
        cancel_note("400 nodes", ms);
    }
    program_close(&p);
}

// What the case's first output is after two inferences, the second of which knows how long launches take.
static void* compute(const CancelCase* a_case, bool cancellable, size_t* bytes) {
    Program p;
    cancel_case_open(&p, a_case, delegate, cancellable);
    if (!is_delegated(&p)) fail_msg("%s is not delegated", a_case->name);
    for (int again = 0; again < 2; again++) {
        if (TfLiteInterpreterInvoke(p.interpreter) != kTfLiteOk) fail_msg("%s: %s", a_case->name, p.messages);
    }
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(p.interpreter, 0);
    *bytes = TfLiteTensorByteSize(output);
    void* copy = malloc(*bytes + 1);
    assert_non_null(copy);
    memcpy(copy, TfLiteTensorData(output), *bytes);
    program_close(&p);
    return copy;
}

static void parts_make_the_whole(void** state) {
    (void)state;
    for (const CancelCase* a_case = cancel_short_cases; a_case->name != NULL; a_case++) {
        size_t bytes, parts_bytes;
        if (!is_among(a_case, short_names)) continue;
        void* whole = compute(a_case, false, &bytes);
        void* parts = compute(a_case, true, &parts_bytes);
        assert_int_equal(bytes, parts_bytes);
        if (memcmp(whole, parts, bytes) != 0) fail_msg("%s: another result", a_case->name);
        free(whole);
        free(parts);
    }
}

int main(void) {
    delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) {
        printf("skipped: %s\n", oclite_opencl_last_error());
        return kExitSkipped;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_make_the_whole),
        cmocka_unit_test(many_launches_can_be_cancelled),
        cmocka_unit_test(long_launches_can_be_cancelled),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, cancel_print_longest);
    oclite_opencl_delegate_delete(delegate);
    return failed;
}
