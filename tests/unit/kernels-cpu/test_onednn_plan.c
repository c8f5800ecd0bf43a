// SPDX-License-Identifier: Apache-2.0
// Plans of oneDNN for convolutions: they are made, share packed weights, and lose nothing when memory runs
// out. Skipped where there is no oneDNN.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/semantics/quant.h"
#include "kernels-cpu/onednn/onednn_library.h"
#include "kernels-cpu/onednn/onednn_plan.h"

// A convolution that every oneDNN has a kernel for, of FLOAT32 or INT8.
typedef struct Sample {
    LiteView input;
    LiteView weights;
    LiteView output;
    LiteConvShape shape;
    LiteOnednnProblem problem;
} Sample;

static void make_sample(Sample* s, TfLiteType type) {
    static float weights[32 * 9 * 16];
    memset(s, 0, sizeof *s);
    s->input = (LiteView){.type = type, .scale = 0.5f, .zero_point = type == kTfLiteInt8 ? 3 : 0};
    s->weights = (LiteView){.type = type, .scale = 0.5f, .data = weights, .constant = true};
    s->output = (LiteView){.type = type, .scale = 0.5f};
    s->shape = (LiteConvShape){.batches = 2,
                               .in_h = 12,
                               .in_w = 12,
                               .in_c = 16,
                               .filter_h = 3,
                               .filter_w = 3,
                               .out_h = 12,
                               .out_w = 12,
                               .out_c = 32,
                               .stride_h = 1,
                               .stride_w = 1,
                               .dilation_h = 1,
                               .dilation_w = 1,
                               .pad_h = 1,
                               .pad_w = 1,
                               .groups = 1};
    s->problem = (LiteOnednnProblem){.shape = &s->shape,
                                     .input = &s->input,
                                     .weights = &s->weights,
                                     .output = &s->output,
                                     .low = 0.0f,
                                     .high = 6.0f};
    lite_onednn_set_strides(&s->problem);
}

// The comparisons of test_onednn.c would pass too if everything were left to our own kernels.
static void plans_are_made(void** state) {
    (void)state;
    const LiteOnednnLibrary* library = lite_onednn_library();
    Sample s;
    make_sample(&s, kTfLiteFloat32);
    for (int transposed = 0; transposed < 2; transposed++) {
        s.problem.transposed = transposed == 1;
        LiteOnednnPlan* plan = lite_onednn_plan_create(library, &s.problem, 3, NULL);
        assert_non_null(plan);
        assert_int_equal(plan->part_count, 3);
        const void* packed = plan->packed;
        s.shape.batches = 4; // the same weights
        LiteOnednnPlan* next = lite_onednn_plan_create(library, &s.problem, 3, plan);
        assert_non_null(next);
        assert_ptr_equal(next->packed, packed);
        s.shape.batches = 2;
        lite_onednn_plan_destroy(plan);
        lite_onednn_plan_destroy(next);
    }
}

// Each allocation of a plan fails once: there is none then, and nothing is lost.
static void memory_runs_out(void** state) {
    (void)state;
    static const TfLiteType types[] = {kTfLiteFloat32, kTfLiteInt8};
    const LiteOnednnLibrary* library = lite_onednn_library();
    lite_memory_count_live(true);
    for (int i = 0; i < 2; i++) {
        Sample s;
        make_sample(&s, types[i]);
        LiteOnednnPlan* whole = lite_onednn_plan_create(library, &s.problem, 2, NULL);
        if (whole == NULL) continue; // no such kernel for this processor
        lite_onednn_plan_destroy(whole);
        int failed = 0;
        for (LiteOnednnPlan* plan = NULL; plan == NULL; failed++) {
            lite_memory_fail_once(failed);
            plan = lite_onednn_plan_create(library, &s.problem, 2, NULL);
            lite_memory_fail_once(-1);
            lite_onednn_plan_destroy(plan);
            assert_int_equal(lite_memory_live(), 0);
            assert_true(failed < 100);
        }
        assert_true(failed > 3);
    }
    lite_memory_count_live(false);
}

int main(void) {
    if (lite_onednn_library() == NULL) {
        puts("skipped: there is no oneDNN here");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_made),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
