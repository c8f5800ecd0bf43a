// SPDX-License-Identifier: Apache-2.0
// What nodes and partitions cost: estimates, and what whole inferences say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "delegate-opencl/cost/measured.h"
#include "delegate-opencl/cost/work.h"

// A whole inference says what a partition costs; more than that belongs to the nodes.
static void whole_inferences_correct_nodes(void** state) {
    (void)state;
    static const struct {
        int64_t run;
        int partitions;
        int64_t partition;
        int64_t node; // measured as 400
    } cases[] = {{1300, 1, 100, 400}, {1300, 2, 50, 400},  {1200, 1, 0, 400},
                 {1700, 1, 300, 480}, {2500, 2, 300, 680}, {1000, 1, 0, 320},
                 {100, 1, 0, 200},    {9000, 1, 300, 800}, {1300, 0, 100, 400}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        LiteClMeasured measured;
        assert_true(lite_cl_measured_init(&measured, 4));
        measured.device[0] = 400;
        measured.device[1] = 0; // another one's launch has its time
        measured.device[3] = 600;
        measured.run[kLiteClAll] = cases[i].run;
        lite_cl_measured_fit(&measured, 200, 1000, cases[i].partitions, 300);
        assert_int_equal(measured.partition, cases[i].partition);
        assert_int_equal(measured.device[0], cases[i].node);
        assert_int_equal(measured.device[1], 0);
        assert_int_equal(measured.device[2], -1);
        lite_cl_measured_free(&measured);
    }
}

static void work_of_nodes(void** state) {
    (void)state;
    LiteClTensor input = {.type = kTfLiteFloat32, .shape = {4, {1, 8, 8, 16}}};
    LiteClTensor filter = {.type = kTfLiteFloat32, .shape = {4, {32, 3, 3, 16}}, .data = &input};
    LiteClTensor output = {.type = kTfLiteFloat32, .shape = {4, {1, 8, 8, 32}}};
    LiteClTensor* inputs[] = {&input, &filter};
    LiteClTensor* outputs[] = {&output};
    LiteClNode node = {.code = kTfLiteBuiltinConv2d,
                       .input_count = 2,
                       .output_count = 1,
                       .inputs = inputs,
                       .outputs = outputs};
    LiteClWork work = lite_cl_work(&node);
    assert_int_equal(work.kind, kLiteClWorkProduct);
    assert_true(work.operations == 2.0 * 8 * 8 * 32 * 3 * 3 * 16);
    assert_true(work.bytes == 4.0 * (8 * 8 * 16 + 32 * 3 * 3 * 16 + 8 * 8 * 32));
    node.code = kTfLiteBuiltinAdd;
    work = lite_cl_work(&node);
    assert_int_equal(work.kind, kLiteClWorkElements);
    input.late = output.late = true; // shapes that nobody knows yet count as nothing, and are no fault
    work = lite_cl_work(&node);
    assert_true(work.operations == 0);
    const LiteClRates rates = lite_cl_rates_of_host(2);
    assert_true(lite_cl_work_time(&work, &rates) >= 0);
    assert_true(lite_cl_rates_of_host(0).operations[0] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_inferences_correct_nodes),
        cmocka_unit_test(work_of_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
