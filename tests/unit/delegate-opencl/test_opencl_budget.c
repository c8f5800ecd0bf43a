// SPDX-License-Identifier: Apache-2.0
// precision=auto: nodes store halves as far as an error budget allows.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "delegate-opencl/partition/partition.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"
#include "tests/support/halves_clock.h"

enum { EXIT_SKIPPED = 77, COUNT = 4096 };

static TfLiteAddParams no_activation;
static TfLiteMulParams multiply;

// A row of nodes, the next one reading what the last one gives.
typedef struct Chain {
    DelegateHost host;
    TfLiteDelegate* delegate;
    const int* shape;
    int x;
    int at; // the last result
} Chain;

static const int row[] = {1, 1, COUNT}, blocks[] = {2, COUNT / 4, 2};

static void begin(Chain* chain) {
    host_init(&chain->host);
    chain->shape = row;
    chain->at = chain->x = host_variable(&chain->host, 3, row);
}

// Of a form that no launch computes together: the memory between its nodes is what is looked at.
static void begin_apart(Chain* chain) {
    host_init(&chain->host);
    chain->shape = blocks;
    chain->at = chain->x = host_variable(&chain->host, 3, blocks);
}

static void append(Chain* chain, int code, void* params, int other) {
    const int next = host_variable(&chain->host, 3, chain->shape);
    host_node(&chain->host, code, NULL, params, other >= 0 ? 2 : 1, (int[]){chain->at, other}, next);
    chain->at = next;
}

static void add(Chain* chain, float value) {
    const float values[] = {value, value, value, value};
    const bool is_apart = chain->shape == blocks;
    const int constant = host_constant(&chain->host, kTfLiteFloat32, 3,
                                       is_apart ? (int[]){2, 1, 2} : (int[]){1, 1, 1}, values);
    append(chain, kTfLiteBuiltinAdd, &no_activation, constant);
}

static void scale(Chain* chain, float value) {
    const int constant = host_constant(&chain->host, kTfLiteFloat32, 1, (int[]){1}, &value);
    append(chain, kTfLiteBuiltinMul, &multiply, constant);
}

static void delegate_chain(Chain* chain, TfLiteDelegate* delegate) {
    assert_non_null(delegate);
    chain->delegate = delegate;
    assert_int_equal(host_delegate(&chain->host, delegate, -1), kTfLiteOk);
    assert_int_equal(chain->host.taken->size, chain->host.node_count);
    assert_int_equal(host_prepare(&chain->host), kTfLiteOk);
}

static void end(Chain* chain) {
    host_free(&chain->host);
    oclite_opencl_delegate_delete(chain->delegate);
}

// An inference on x = first, first + step, ...
static const float* run(Chain* chain, float first, float step) {
    float* x = host_floats(&chain->host, chain->x);
    for (int i = 0; i < COUNT; i++) x[i] = first + step * (float)i;
    assert_int_equal(host_invoke(&chain->host), kTfLiteOk);
    return host_floats(&chain->host, chain->at);
}

static void write_precision(void* user_data, const OcliteOpenclNode* node) {
    char* text = user_data;
    const size_t length = strlen(text);
    assert_int_equal(node->node, (int)length);
    text[length] = node->float16 ? 'h' : 'f';
}

// A letter for each node: h for half, f for float.
static const char* precisions(const Chain* chain) {
    static char text[HOST_NODES + 1];
    memset(text, 0, sizeof text);
    oclite_opencl_delegate_explain(chain->delegate, write_precision, text);
    return text;
}

static size_t arena_bytes(const Chain* chain) {
    return ((const LiteClPartition*)chain->host.partition_node.user_data)->plan.arenas.bytes;
}

static void all_may_be_halves(void** state) {
    (void)state;
    Chain chain;
    begin_apart(&chain);
    for (int i = 0; i < 4; i++) add(&chain, 1.0f / 3.0f);
    delegate_chain(&chain, oclite_opencl_delegate_create_from_string("precision=auto,error_budget=0.01"));
    assert_string_equal(precisions(&chain), "ffff");
    const size_t single = arena_bytes(&chain);
    const float* y = run(&chain, 0.0f, 0.001f);
    assert_string_equal(precisions(&chain), "hhhh");
    assert_true(arena_bytes(&chain) <= single * 3 / 4); // the conversion of the input has to be somewhere
    double worst = 0.0;
    for (int i = 0; i < COUNT; i++) worst = fmax(worst, fabs((double)y[i] - (0.001 * i + 4.0 / 3.0)));
    assert_true(worst > 1e-4 && worst <= 0.01 * (0.001 * COUNT + 4.0 / 3.0)); // halves, and few
    end(&chain);
}

// The budget has room for all of them, and the user gains nothing.
static void what_is_slower_stays_float(void** state) {
    (void)state;
    Chain chain;
    halves_clock = (HalvesClock){.is_slow = true};
    begin_apart(&chain);
    for (int i = 0; i < 4; i++) add(&chain, 1.0f / 3.0f);
    delegate_chain(&chain, oclite_opencl_delegate_create_from_string("precision=auto,error_budget=0.01"));
    const size_t single = arena_bytes(&chain), memory = oclite_opencl_delegate_memory(chain.delegate);
    for (int round = 0; round < 2; round++) {
        const float* y = run(&chain, 0.0f, 0.001f);
        for (int i = 0; i < COUNT; i++) assert_float_equal(y[i], 0.001f * (float)i + 4.0f / 3.0f, 1e-5);
        assert_string_equal(precisions(&chain), "ffff");
        assert_int_equal(arena_bytes(&chain), single);
        assert_int_equal(oclite_opencl_delegate_memory(chain.delegate),
                         memory);                // of the halves nothing is left
        assert_int_equal(halves_clock.asked, 4); // by the first inference
    }
    end(&chain);
    halves_clock = (HalvesClock){0};
}

// Whichever of them is faster here.
static void times_are_measured(void** state) {
    (void)state;
    Chain chain;
    halves_clock = (HalvesClock){.is_real = true};
    begin_apart(&chain);
    for (int i = 0; i < 4; i++) add(&chain, 1.0f / 3.0f);
    delegate_chain(&chain, oclite_opencl_delegate_create_from_string("precision=auto,error_budget=0.01"));
    const float* y = run(&chain, 0.0f, 0.001f);
    assert_float_equal(y[COUNT - 1], 0.001f * (COUNT - 1) + 4.0f / 3.0f, 0.01 * 6);
    const char* found = precisions(&chain);
    assert_true(strcmp(found, "hhhh") == 0 || strcmp(found, "ffff") == 0);
    assert_int_equal(halves_clock.asked, 4);
    end(&chain);
    halves_clock = (HalvesClock){0};
}

// No room for any error: half holds the values exactly up to the last node.
static void small_budgets_leave_what_is_exact(void** state) {
    (void)state;
    Chain chain;
    begin(&chain);
    append(&chain, kTfLiteBuiltinAbs, NULL, -1);
    append(&chain, kTfLiteBuiltinRelu, NULL, -1);
    scale(&chain, 1.0f / 3.0f);
    delegate_chain(&chain, oclite_opencl_delegate_create_from_string("precision=auto,error_budget=1e-7"));
    const float* y = run(&chain, -32.0f, 1.0f / 64.0f);
    for (int i = 0; i < COUNT; i++)
        assert_float_equal(y[i], fabsf(-32.0f + (float)i / 64.0f) / 3.0f, 1e-7 * 11);
    assert_string_equal(precisions(&chain), "hhf");
    end(&chain);
}

// x * 1000 is beyond half, and nobody sees it at the end.
static void large_values_stay_floats(void** state) {
    (void)state;
    Chain chain;
    begin(&chain);
    append(&chain, kTfLiteBuiltinAbs, NULL, -1);
    scale(&chain, 1000.0f);
    scale(&chain, 1e-3f);
    append(&chain, kTfLiteBuiltinRelu, NULL, -1);
    append(&chain, kTfLiteBuiltinAbs, NULL, -1);
    delegate_chain(&chain, oclite_opencl_delegate_create_from_string("precision=auto,error_budget=0.002"));
    const float* y = run(&chain, 1.0f, 1.0f);
    for (int i = 0; i < COUNT; i++) assert_float_equal(y[i], (float)(i + 1), 0.002 * COUNT);
    assert_string_equal(precisions(&chain), "hffhh");
    // Less by and by: the next inference is as good.
    y = run(&chain, 0.5f, 1.0f);
    for (int i = 0; i < COUNT; i++) assert_float_equal(y[i], (float)i + 0.5f, 0.002 * COUNT);
    end(&chain);
}

// Logits of which half makes infinities, and their differences no numbers.
static void softmax_of_large_logits_is_right(void** state) {
    (void)state;
    TfLiteSoftmaxParams softmax = {.beta = 1.0f};
    Chain chain;
    begin(&chain);
    scale(&chain, 100.0f);
    append(&chain, kTfLiteBuiltinSoftmax, &softmax, -1);
    delegate_chain(&chain, oclite_opencl_delegate_create_from_string("precision=auto"));
    const float* y = run(&chain, 0.0f, 0.2f); // up to 81900, in steps of 20
    assert_float_equal(y[COUNT - 1], 1.0f, 1e-6);
    for (int i = 0; i < COUNT - 1; i++) assert_float_equal(y[i], 0.0f, 1e-6);
    end(&chain);
}

// A warm-up with zeros tells nothing, and later inferences may be worse than the sample.
static void later_overflows_are_noticed(void** state) {
    (void)state;
    Chain chain;
    begin(&chain);
    scale(&chain, 1000.0f);
    add(&chain, 1.0f);
    delegate_chain(&chain, oclite_opencl_delegate_create_from_string("precision=auto"));
    assert_float_equal(run(&chain, 0.0f, 0.0f)[0], 1.0f, 0.0);
    assert_string_equal(precisions(&chain), "ff");
    (void)run(&chain, 0.0f, 0.001f);
    assert_string_equal(precisions(&chain), "hh");
    const float* y = run(&chain, 0.0f, 1.0f);
    for (int i = 0; i < COUNT; i++) assert_float_equal(y[i], 1000.0f * (float)i + 1.0f, 1e-3 * 1000 * COUNT);
    const char* now = precisions(&chain);
    assert_string_equal(now, "ff");
    // It does not come back for tamer inputs.
    (void)run(&chain, 0.0f, 0.001f);
    assert_string_equal(precisions(&chain), "ff");
    end(&chain);
}

// Infinities that float32 gives as well are the model's.
static void the_models_infinities_are_kept(void** state) {
    (void)state;
    Chain chain;
    begin(&chain);
    add(&chain, 1.0f);
    append(&chain, kTfLiteBuiltinLog, NULL, -1);
    delegate_chain(&chain, oclite_opencl_delegate_create_from_string("precision=auto,error_budget=0.1"));
    for (int i = 0; i < 2; i++) {
        const float* y = run(&chain, -1.0f, 1.0f);
        assert_true(isinf(y[0]) && y[0] < 0.0f);
        assert_float_equal(y[COUNT - 1], logf(COUNT - 1), 0.1 * 9);
    }
    assert_int_equal(precisions(&chain)[0], 'h');
    end(&chain);
}

// What comes out as integers has the bits of float32: 2049.7 would be 2050.
static void integers_keep_their_bits(void** state) {
    (void)state;
    TfLiteCastParams cast = {.in_data_type = kTfLiteFloat32, .out_data_type = kTfLiteInt32};
    Chain chain;
    begin(&chain);
    add(&chain, 0.7f);
    append(&chain, kTfLiteBuiltinCast, &cast, -1);
    chain.host.tensors[chain.at].type = kTfLiteInt32;
    delegate_chain(&chain, oclite_opencl_delegate_create_from_string("precision=auto,error_budget=1"));
    (void)run(&chain, 0.0f, 1.0f);
    const int32_t* y = chain.host.tensors[chain.at].data.i32;
    for (int i = 0; i < COUNT; i++) assert_int_equal(y[i], i);
    assert_string_equal(precisions(&chain), "ff");
    end(&chain);
}

// Lists say more than the budget, also by the plugin's way in; shapes change nothing.
static void lists_go_before_the_budget(void** state) {
    (void)state;
    static const char* const keys[] = {"precision", "error_budget", "precision_float32", "precision_float16"};
    static const char* const values[] = {"auto", "0.5", "1", "MUL"};
    Chain chain;
    begin(&chain);
    for (int i = 0; i < 3; i++) add(&chain, 0.25f);
    scale(&chain, 2.0f);
    delegate_chain(&chain, tflite_plugin_create_delegate(keys, values, 4, NULL));
    assert_string_equal(precisions(&chain), "fffh");
    (void)run(&chain, 0.0f, 0.01f);
    assert_string_equal(precisions(&chain), "hfhh");
    host_resize(&chain.host, chain.x, 2, (int[]){2, COUNT});
    assert_int_equal(host_prepare(&chain.host), kTfLiteOk);
    assert_string_equal(precisions(&chain), "hfhh");
    memset(host_floats(&chain.host, chain.x), 0, 2 * COUNT * sizeof(float));
    assert_int_equal(host_invoke(&chain.host), kTfLiteOk);
    assert_float_equal(host_floats(&chain.host, chain.at)[2 * COUNT - 1], 1.5f, 0.0);
    end(&chain);
}

// The device fails in the middle of it: the delegate is quarantined, and nothing is left.
static void failures_while_measuring_leak_nothing(void** state) {
    (void)state;
    shim_install();
    bool failed = true;
    for (int n = 1; failed; n += n / 2 + 1) {
        Chain chain;
        begin(&chain);
        scale(&chain, 1000.0f);
        add(&chain, 1.0f);
        delegate_chain(&chain, oclite_opencl_delegate_create_from_string("precision=auto"));
        float* x = host_floats(&chain.host, chain.x);
        for (int i = 0; i < COUNT; i++) x[i] = (float)i;
        shim_fail(n, true);
        const TfLiteStatus status = host_invoke(&chain.host);
        failed = shim_failures() > 0;
        shim_fail(0, false);
        if (!failed) assert_int_equal(status, kTfLiteOk);
        // What fails only when it is released has done its work.
        if (status != kTfLiteOk) assert_int_equal(status, kTfLiteDelegateError);
        if (status == kTfLiteOk) assert_float_equal(host_floats(&chain.host, chain.at)[9], 9001.0f, 1e-3);
        end(&chain);
        assert_int_equal(shim_live_objects(), 0);
    }
    shim_remove();
}

static void other_budgets_are_refused(void** state) {
    (void)state;
    static const char* const cases[][2] = {
        {"error_budget=much", "OpenCL: option error_budget: \"much\" is not a number"},
        {"error_budget=", "OpenCL: option error_budget: \"\" is not a number"},
        {"error_budget=0", "OpenCL: option error_budget: 0 is not more than 0 and at most 1"},
        {"error_budget=-1e-3", "OpenCL: option error_budget: -0.001 is not more than 0 and at most 1"},
        {"error_budget=nan", "OpenCL: option error_budget: nan is not more than 0 and at most 1"},
        {"error_budget=1.5", "OpenCL: option error_budget: 1.5 is not more than 0 and at most 1"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_null(oclite_opencl_delegate_create_from_string(cases[i][0]));
        assert_string_equal(oclite_opencl_last_error(), cases[i][1]);
    }
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.error_budget = 2.0;
    assert_null(oclite_opencl_delegate_create(&options));
    assert_string_equal(oclite_opencl_last_error(),
                        "OpenCL: option error_budget: 2 is not more than 0 and at most 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_may_be_halves),
        cmocka_unit_test(what_is_slower_stays_float),
        cmocka_unit_test(times_are_measured),
        cmocka_unit_test(small_budgets_leave_what_is_exact),
        cmocka_unit_test(large_values_stay_floats),
        cmocka_unit_test(softmax_of_large_logits_is_right),
        cmocka_unit_test(later_overflows_are_noticed),
        cmocka_unit_test(the_models_infinities_are_kept),
        cmocka_unit_test(integers_keep_their_bits),
        cmocka_unit_test(lists_go_before_the_budget),
        cmocka_unit_test(failures_while_measuring_leak_nothing),
        cmocka_unit_test(other_budgets_are_refused),
    };
    if (!host_has_opencl()) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
