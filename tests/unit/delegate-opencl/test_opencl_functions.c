// SPDX-License-Identifier: Apache-2.0
// Operators that are functions of math.h on a device, against these in double precision: on processors they
// are those of kernels-cl/common/functions.cl.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/semantics/half.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"

enum { COUNT = 40013 }; // no multiple of any vector's length

static double logistic(double x) {
    return 1.0 / (1.0 + exp(-x));
}

static double elu(double x) {
    return x < 0.0 ? expm1(x) : x;
}

static double gelu(double x) {
    return 0.5 * x * erfc(x * -sqrt(0.5));
}

static double gelu_tanh(double x) {
    return 0.5 * x * (1.0 + tanh(0.79788456080286536 * (x + 0.044715 * x * x * x)));
}

typedef struct Function {
    int op;
    double (*exact)(double x);
    double units;    // of the last place that a result may be wrong by
    double absolute; // or as much as this
} Function;

// Sines are of an argument that was rounded, and so are the tails of GELU, whose tanh is near -1 besides.
static const Function functions[] = {
    {kTfLiteBuiltinExp, exp, 2.0, 0.0},   {kTfLiteBuiltinLog, log, 3.0, 0.0},
    {kTfLiteBuiltinTanh, tanh, 3.0, 0.0}, {kTfLiteBuiltinLogistic, logistic, 3.0, 2e-38},
    {kTfLiteBuiltinElu, elu, 3.0, 0.0},   {kTfLiteBuiltinSin, sin, 4.0, 2e-7},
    {kTfLiteBuiltinCos, cos, 4.0, 2e-7},  {kTfLiteBuiltinGelu, gelu, 4.0, 3e-7},
};

static float numbers[COUNT], exponents[COUNT];

static double unit_of(double x) {
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

// Numbers of all magnitudes, or of those that results are not 0 or 1 for, with special ones between them.
static void fill(bool all) {
    static const float special[] = {0.0f,    -0.0f,    INFINITY, -INFINITY, NAN,      -NAN,
                                    1e-45f,  -1e-45f,  1.1e-38f, 3.4e38f,   -3.4e38f, 88.5f,
                                    88.8f,   -88.5f,   -103.5f,  -104.5f,   1.0f,     -1.0f,
                                    8192.0f, -8193.0f, 1e5f,     -3.0f,     0.5f,     16777217.0f};
    const int count = sizeof special / sizeof special[0];
    uint32_t random = 1;
    for (int i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        numbers[i] = all ? lite_float_from_bits(random) : ((float)(random >> 8) * 0x1p-23f - 1.0f) * 20.0f;
        if (all && i % 700 < count) numbers[i] = special[i % 700];
        if (all && i % 700 >= 600) numbers[i] = special[i % count];
    }
}

// The node's results for `numbers`, and a second input of two.
static void run(TfLiteDelegate* delegate, DelegateHost* host, int op, void* params, bool two, int* output) {
    host_init(host);
    int inputs[2];
    for (int i = 0; i < 1 + two; i++) inputs[i] = host_variable(host, 1, (int[]){COUNT});
    *output = host_variable(host, 1, (int[]){COUNT});
    host_node(host, op, NULL, params, 1 + two, inputs, *output);
    assert_int_equal(host_delegate(host, delegate, -1), kTfLiteOk);
    assert_int_equal(host_prepare(host), kTfLiteOk);
    for (int i = 0; i < COUNT; i++) {
        host_floats(host, inputs[0])[i] = numbers[i];
        if (two) host_floats(host, inputs[1])[i] = exponents[i];
    }
    assert_int_equal(host_invoke(host), kTfLiteOk);
}

static void check_function(TfLiteDelegate* delegate, const Function* f, bool approximate) {
    TfLiteGeluParams params = {approximate};
    DelegateHost host;
    int output;
    run(delegate, &host, f->op, f->op == kTfLiteBuiltinGelu ? (void*)&params : NULL, false, &output);
    for (int i = 0; i < COUNT; i++) {
        const double want = f->exact((double)numbers[i]), got = (double)host_floats(&host, output)[i];
        // What a formula makes of infinities follows from how it is written.
        if (f->op == kTfLiteBuiltinGelu && (isinf(numbers[i]) || fabsf(numbers[i]) > 1e12f)) continue;
        if (isnan(want) || isinf((float)want)) {
            if (isnan(want) ? isnan(got) : got == want || got == (double)(float)want) continue;
            fail_msg("function %d of %a is %a, expected %a", f->op, (double)numbers[i], got, want);
        }
        const double room = f->units * unit_of(want), off = fabs(got - want);
        if (!(off <= (room > f->absolute ? room : f->absolute)))
            fail_msg("function %d of %a is %a, expected %a", f->op, (double)numbers[i], got, want);
        if (want == 0.0 && f->absolute == 0.0) assert_int_equal(signbit(got) != 0, signbit(want) != 0);
    }
    host_free(&host);
}

static TfLiteDelegate* open_delegate(void) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("");
    assert_non_null(delegate);
    return delegate;
}

static void functions_are_accurate(void** state) {
    (void)state;
    static const Function approximate = {kTfLiteBuiltinGelu, gelu_tanh, 4.0, 2e-6};
    TfLiteDelegate* delegate = open_delegate();
    for (int all = 0; all < 2; all++) {
        fill(all != 0);
        for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
            check_function(delegate, &functions[i], false);
        check_function(delegate, &approximate, true);
    }
    oclite_opencl_delegate_delete(delegate);
}

// Of all kinds of numbers by all kinds of exponents, and of positive ones by whole and other ones.
static void powers_are_accurate(void** state) {
    (void)state;
    TfLiteDelegate* delegate = open_delegate();
    for (int all = 0; all < 2; all++) {
        fill(all != 0);
        for (int i = 0; i < COUNT; i++)
            exponents[i] = all ? numbers[(int)((int64_t)i * 977 % COUNT)] : (float)(i % 9) * 0.5f - 2.0f;
        DelegateHost host;
        int output;
        run(delegate, &host, kTfLiteBuiltinPow, NULL, true, &output);
        for (int i = 0; i < COUNT; i++) {
            const float got = host_floats(&host, output)[i];
            const double want = pow((double)numbers[i], (double)exponents[i]);
            if (isnan(want) ? isnan(got) : got == (float)want && signbit(got) == signbit((float)want))
                continue;
            if (!(fabs((double)got - want) <= unit_of(want)))
                fail_msg("%a to the power of %a is %a", (double)numbers[i], (double)exponents[i],
                         (double)got);
        }
        host_free(&host);
    }
    oclite_opencl_delegate_delete(delegate);
}

int main(void) {
    if (!host_has_opencl()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_accurate),
        cmocka_unit_test(powers_are_accurate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
