// SPDX-License-Identifier: Apache-2.0
// Chains of elementwise operators with a program's own formula in them run as one launch.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delegate-opencl/partition/partition.h"
#include "oclite/opencl_custom.h"
#include "tests/support/delegate_host.h"

enum { ROWS = 3, COLUMNS = 41, COUNT = ROWS * COLUMNS };
static const int shape[2] = {ROWS, COLUMNS};

static const char soft_source[] =
    "/* oclite\noperator: Soft\ninput: x float32\noutput: y like x\noption: k float = 2\n"
    "elementwise: y = k * x / (1 + abs(x)) */";
static const char mix_source[] =
    "/* oclite\noperator: Mix\ninput: a float32\ninput: b float32\ninput: c float32\noutput: y like a\n"
    "option: k float = 3\nelementwise: y = a > c ? a - k * b : b * c */";

static float soft(float x) {
    return 2 * x / (1 + fabsf(x));
}

static float mix(float a, float b, float c) {
    return a > c ? a - 3 * b : b * c;
}

typedef struct Fixture {
    DelegateHost host;
    TfLiteDelegate* delegate;
    float x[COUNT]; // contents of the tensor `input`
    int input;
} Fixture;

static void begin(Fixture* f) {
    host_init(&f->host);
    for (int i = 0; i < COUNT; i++) f->x[i] = (float)((i * 37) % 101 - 50) / 9;
    f->input = host_variable(&f->host, 2, shape);
}

static int add(Fixture* f, int builtin_code, const char* name, void* params, int a, int b, int c) {
    const int inputs[] = {a, b, c};
    const int output = host_variable(&f->host, 2, shape);
    host_node(&f->host, builtin_code, name, params, c >= 0 ? 3 : b >= 0 ? 2 : 1, inputs, output);
    return output;
}

static int add_soft(Fixture* f, int x) {
    return add(f, kTfLiteBuiltinCustom, "Soft", NULL, x, -1, -1);
}

// Runs it; returns how many launches that took.
static int run(Fixture* f, int extra_output) {
    OcliteOpenclOperator* operators[] = {oclite_opencl_operator_create(soft_source, "soft.cl"),
                                         oclite_opencl_operator_create(mix_source, "mix.cl")};
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.operators = (const OcliteOpenclOperator* const*)operators;
    options.operator_count = 2;
    f->delegate = oclite_opencl_delegate_create(&options);
    if (f->delegate == NULL) fail_msg("%s", oclite_opencl_last_error());
    for (int i = 0; i < 2; i++) oclite_opencl_operator_delete(operators[i]);
    assert_int_equal(host_delegate(&f->host, f->delegate, extra_output), kTfLiteOk);
    assert_int_equal(host_prepare(&f->host), kTfLiteOk);
    for (int i = 0; i < COUNT; i++) host_floats(&f->host, f->input)[i] = f->x[i];
    if (host_invoke(&f->host) != kTfLiteOk) fail_msg("%s", f->host.message);
    return ((const LiteClPartition*)f->host.partition_node.user_data)->plan.step_count;
}

static void end(Fixture* f) {
    host_free(&f->host);
    oclite_opencl_delegate_delete(f->delegate);
}

static void expect(Fixture* f, int tensor, int i, float want) {
    const float got = host_floats(&f->host, tensor)[i];
    if (!(fabsf(got - want) <= 1e-5f * (1 + fabsf(want))))
        fail_msg("element %d of tensor %d is %g, not %g", i, tensor, (double)got, (double)want);
}

static void neighbours_are_joined(void** state) {
    (void)state;
    Fixture f;
    begin(&f);
    static const float half = 0.5f;
    TfLiteAddParams relu6 = {.activation = kTfLiteActRelu6};
    TfLiteMulParams plain = {.activation = kTfLiteActNone};
    const int scalar = host_constant(&f.host, kTfLiteFloat32, 0, NULL, &half);
    const int sum = add(&f, kTfLiteBuiltinAdd, NULL, &relu6, f.input, scalar, -1);
    const int product = add(&f, kTfLiteBuiltinMul, NULL, &plain, f.input, add_soft(&f, sum), -1);
    const int y = add(&f, kTfLiteBuiltinTanh, NULL, NULL, product, -1, -1);
    assert_int_equal(run(&f, -1), 1);
    for (int i = 0; i < COUNT; i++) expect(&f, y, i, tanhf(f.x[i] * soft(fminf(fmaxf(f.x[i] + 0.5f, 0), 6))));
    end(&f);
}

static void inputs_are_shared(void** state) {
    (void)state;
    Fixture f;
    begin(&f);
    const int first = add_soft(&f, f.input);
    const int y = add(&f, kTfLiteBuiltinCustom, "Mix", NULL, first, f.input, first);
    const int z = add(&f, kTfLiteBuiltinCustom, "Mix", NULL, f.input, y, f.input);
    assert_int_equal(run(&f, -1), 1);
    for (int i = 0; i < COUNT; i++) {
        const float s = soft(f.x[i]);
        expect(&f, z, i, mix(f.x[i], mix(s, f.x[i], s), f.x[i]));
    }
    end(&f);
}

// What others read, too, is written.
static void results_that_are_wanted_are_kept(void** state) {
    (void)state;
    Fixture f;
    begin(&f);
    const int first = add_soft(&f, f.input), second = add_soft(&f, first), third = add_soft(&f, second);
    assert_int_equal(run(&f, second), 2);
    for (int i = 0; i < COUNT; i++) {
        expect(&f, second, i, soft(soft(f.x[i])));
        expect(&f, third, i, soft(soft(soft(f.x[i]))));
    }
    end(&f);
}

static void rows_are_broadcast_apart(void** state) {
    (void)state;
    Fixture f;
    begin(&f);
    TfLiteMulParams plain = {.activation = kTfLiteActNone};
    const int row = host_constant(&f.host, kTfLiteFloat32, 1, (int[]){COLUMNS}, f.x);
    const int y = add(&f, kTfLiteBuiltinMul, NULL, &plain, add_soft(&f, f.input), row, -1);
    assert_int_equal(run(&f, -1), 2);
    for (int i = 0; i < COUNT; i++) expect(&f, y, i, soft(f.x[i]) * f.x[i % COLUMNS]);
    end(&f);
}

// On processors, as rows (row_steps.h).
static void builtin_operators_are_joined_on_processors(void** state) {
    (void)state;
    Fixture f;
    begin(&f);
    const int first = add(&f, kTfLiteBuiltinAbs, NULL, NULL, f.input, -1, -1);
    const int y = add(&f, kTfLiteBuiltinSqrt, NULL, NULL, first, -1, -1);
    const int launches = run(&f, -1);
    const LiteClDevice* device = ((const LiteClPartition*)f.host.partition_node.user_data)->device;
    assert_int_equal(launches, device->class == kLiteClGpu ? 2 : 1);
    for (int i = 0; i < COUNT; i++) expect(&f, y, i, sqrtf(fabsf(f.x[i])));
    end(&f);
}

static void long_chains_are_cut(void** state) {
    (void)state;
    Fixture f;
    begin(&f);
    int y = f.input;
    enum { LONG = 20 };
    for (int k = 0; k < LONG; k++) y = add_soft(&f, y);
    const int launches = run(&f, -1);
    assert_in_range(launches, 2, LONG - 1);
    for (int i = 0; i < COUNT; i++) {
        float want = f.x[i];
        for (int k = 0; k < LONG; k++) want = soft(want);
        expect(&f, y, i, want);
    }
    end(&f);
}

int main(void) {
    if (!host_has_opencl()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_joined),
        cmocka_unit_test(inputs_are_shared),
        cmocka_unit_test(results_that_are_wanted_are_kept),
        cmocka_unit_test(rows_are_broadcast_apart),
        cmocka_unit_test(builtin_operators_are_joined_on_processors),
        cmocka_unit_test(long_chains_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
