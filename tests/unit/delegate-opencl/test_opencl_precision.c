// SPDX-License-Identifier: Apache-2.0
// precision=float16: intermediates stored as half, arithmetic in float32.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "delegate-opencl/partition/partition.h"
#include "oclite/opencl.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"
#include "tests/support/halves_clock.h"

enum { EXIT_SKIPPED = 77 };

static TfLiteAddParams no_activation;
static TfLiteReducerParams keeps_none;

static void add_node(DelegateHost* host, int a, int b, int y) {
    host_node(host, kTfLiteBuiltinAdd, NULL, &no_activation, 2, (int[]){a, b}, y);
}

// Makes the partition of all nodes.
static TfLiteDelegate* delegate_all(DelegateHost* host, const char* options) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(options);
    assert_non_null(delegate);
    assert_int_equal(host_delegate(host, delegate, -1), kTfLiteOk);
    assert_non_null(host->taken);
    assert_int_equal(host->taken->size, host->node_count);
    assert_int_equal(host_prepare(host), kTfLiteOk);
    return delegate;
}

static void end(DelegateHost* host, TfLiteDelegate* delegate) {
    host_free(host);
    oclite_opencl_delegate_delete(delegate);
}

static size_t arena_bytes(const DelegateHost* host) {
    return ((const LiteClPartition*)host->partition_node.user_data)->plan.arenas.bytes;
}

// Six additions of a constant, of a form that no launch computes together; returns the largest error,
// relative to the result.
static double run_chain(const char* options, size_t* arena) {
    enum { COUNT = 10000, NODES = 6 };
    DelegateHost host;
    host_init(&host);
    static const float third[] = {1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f};
    const int shape[] = {2, COUNT / 4, 2};
    int at = host_variable(&host, 3, shape);
    const int x = at, c = host_constant(&host, kTfLiteFloat32, 3, (int[]){2, 1, 2}, third);
    for (int i = 0; i < NODES; i++) {
        const int next = host_variable(&host, 3, shape);
        add_node(&host, at, c, next);
        at = next;
    }
    TfLiteDelegate* delegate = delegate_all(&host, options);
    for (int i = 0; i < COUNT; i++) host_floats(&host, x)[i] = 0.001f * (float)i;
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    double worst = 0.0;
    for (int i = 0; i < COUNT; i++) {
        const double want = 0.001 * i + NODES / 3.0;
        worst = fmax(worst, fabs((double)host_floats(&host, at)[i] - want) / want);
    }
    *arena = arena_bytes(&host);
    end(&host, delegate);
    return worst;
}

static void intermediates_take_half_the_memory(void** state) {
    (void)state;
    size_t single, half;
    assert_true(run_chain(NULL, &single) < 1e-6);
    assert_true(run_chain("precision=float32", &half) < 1e-6);
    assert_int_equal(half, single);
    const double error = run_chain("precision=float16", &half);
    assert_true(error > 1e-5); // it was used
    assert_true(error < 8.0 / 2048.0);
    assert_true(half <= single / 2 + 4096);
}

// The mean of many: their sum is far beyond what half holds.
static void sums_are_not_of_halves(void** state) {
    (void)state;
    enum { COUNT = 200000 };
    DelegateHost host;
    host_init(&host);
    const int x = host_variable(&host, 1, (int[]){COUNT}), y = host_variable(&host, 0, NULL);
    const int axis = host_constant(&host, kTfLiteInt32, 1, (int[]){1}, (int[]){0});
    host_node(&host, kTfLiteBuiltinMean, NULL, &keeps_none, 2, (int[]){x, axis}, y);
    TfLiteDelegate* delegate = delegate_all(&host, "precision=float16");
    for (int i = 0; i < COUNT; i++) host_floats(&host, x)[i] = i % 2 == 0 ? 1.0f : 3.0f;
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    assert_float_equal(host_floats(&host, y)[0], 2.0f, 0.0);
    end(&host, delegate);
}

static void what_half_does_not_hold_is_infinite(void** state) {
    (void)state;
    DelegateHost host;
    host_init(&host);
    const int x = host_variable(&host, 1, (int[]){2}), twice = host_variable(&host, 1, (int[]){2});
    const int y = host_variable(&host, 1, (int[]){2});
    add_node(&host, x, x, twice);
    add_node(&host, twice, x, y);
    TfLiteDelegate* delegate = delegate_all(&host, "precision=float16");
    host_floats(&host, x)[0] = 40000.0f;
    host_floats(&host, x)[1] = 16.0f;
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    assert_true(isinf(host_floats(&host, y)[0]));
    assert_float_equal(host_floats(&host, y)[1], 48.0f, 0.0);
    end(&host, delegate);
}

// x + x, whose result half does not hold, + x; returns the final result.
static float run_large(const char* options) {
    DelegateHost host;
    host_init(&host);
    const int x = host_variable(&host, 1, (int[]){1}), twice = host_variable(&host, 1, (int[]){1});
    const int y = host_variable(&host, 1, (int[]){1});
    add_node(&host, x, x, twice);
    add_node(&host, twice, x, y);
    TfLiteDelegate* delegate = delegate_all(&host, options);
    host_floats(&host, x)[0] = 40000.0f;
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    const float result = host_floats(&host, y)[0];
    end(&host, delegate);
    return result;
}

static void nodes_have_precisions_of_their_own(void** state) {
    (void)state;
    static const struct {
        const char* options;
        bool finite;
    } cases[] = {
        {"precision=float16", false},
        {"precision=float16,precision_float32=ADD", true},
        {"precision=float16,precision_float32=0+1", true},
        {"precision=float16,precision_float32=0:0+0:1", true},
        {"precision=float16,precision_float32=0", false}, // the second reads a half
        {"precision=float16,precision_float32=1:0+1:1", false},
        {"precision_float16=1", false},
        {"precision_float16=MUL", true},
        {"precision_float16=ADD,precision_float32=ADD", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const float result = run_large(cases[i].options);
        assert_int_equal(isfinite(result), cases[i].finite);
        if (cases[i].finite) assert_float_equal(result, 120000.0f, 0.0);
    }
}

// x + x -> CUMSUM, which has no form for halves -> + x; and views of halves.
static void operators_without_halves_get_floats(void** state) {
    (void)state;
    DelegateHost host;
    host_init(&host);
    TfLiteCumsumParams cumsum = {0};
    const int x = host_variable(&host, 1, (int[]){8}), twice = host_variable(&host, 1, (int[]){8});
    const int view = host_variable(&host, 2, (int[]){1, 8}), sums = host_variable(&host, 2, (int[]){1, 8});
    const int y = host_variable(&host, 2, (int[]){1, 8});
    const int shape = host_constant(&host, kTfLiteInt32, 1, (int[]){2}, (int[]){1, 8});
    const int axis = host_constant(&host, kTfLiteInt32, 0, NULL, (int[]){1});
    add_node(&host, x, x, twice);
    host_node(&host, kTfLiteBuiltinReshape, NULL, NULL, 2, (int[]){twice, shape}, view);
    host_node(&host, kTfLiteBuiltinCumsum, NULL, &cumsum, 2, (int[]){view, axis}, sums);
    add_node(&host, sums, view, y);
    TfLiteDelegate* delegate = delegate_all(&host, "precision=float16");
    for (int i = 0; i < 8; i++) host_floats(&host, x)[i] = (float)i;
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    for (int i = 0; i < 8; i++)
        assert_float_equal(host_floats(&host, y)[i], (float)(i * (i + 1) + 2 * i), 0.0);
    end(&host, delegate);
}

// Small integers, which half holds exactly: twice x by a matrix of 3 x 5, then sums of 3 x 3 neighbours.
static void convolutions_take_halves(void** state) {
    (void)state;
    enum { SIDE = 6, IN = 3, OUT = 5 };
    DelegateHost host;
    host_init(&host);
    TfLiteConvParams conv = {.padding = kTfLitePaddingValid, .stride_width = 1, .stride_height = 1};
    conv.dilation_width_factor = conv.dilation_height_factor = 1;
    TfLiteDepthwiseConvParams depthwise = {.padding = kTfLitePaddingValid, .depth_multiplier = 1};
    depthwise.stride_width = depthwise.stride_height = 1;
    depthwise.dilation_width_factor = depthwise.dilation_height_factor = 1;
    float matrix[OUT * IN], bias[OUT], ones[9 * OUT];
    for (int i = 0; i < OUT * IN; i++) matrix[i] = (float)(i % 3 - 1);
    for (int i = 0; i < OUT; i++) bias[i] = (float)i;
    for (int i = 0; i < 9 * OUT; i++) ones[i] = 1.0f;
    const int x = host_variable(&host, 4, (int[]){1, SIDE, SIDE, IN});
    const int twice = host_variable(&host, 4, (int[]){1, SIDE, SIDE, IN});
    const int mixed = host_variable(&host, 4, (int[]){1, SIDE, SIDE, OUT});
    const int y = host_variable(&host, 4, (int[]){1, SIDE - 2, SIDE - 2, OUT});
    const int filter = host_constant(&host, kTfLiteFloat32, 4, (int[]){OUT, 1, 1, IN}, matrix);
    const int offset = host_constant(&host, kTfLiteFloat32, 1, (int[]){OUT}, bias);
    const int window = host_constant(&host, kTfLiteFloat32, 4, (int[]){1, 3, 3, OUT}, ones);
    add_node(&host, x, x, twice);
    host_node(&host, kTfLiteBuiltinConv2d, NULL, &conv, 3, (int[]){twice, filter, offset}, mixed);
    host_node(&host, kTfLiteBuiltinDepthwiseConv2d, NULL, &depthwise, 2, (int[]){mixed, window}, y);
    TfLiteDelegate* delegate = delegate_all(&host, "precision=float16");
    for (int i = 0; i < SIDE * SIDE * IN; i++) host_floats(&host, x)[i] = (float)(i % 7);
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    for (int i = 0; i < (SIDE - 2) * (SIDE - 2) * OUT; i++) {
        const int o = i % OUT, column = i / OUT % (SIDE - 2), row = i / OUT / (SIDE - 2);
        float want = 0.0f;
        for (int tap = 0; tap < 9; tap++) {
            const int pixel = (row + tap / 3) * SIDE + column + tap % 3;
            want += bias[o];
            for (int c = 0; c < IN; c++) want += 2.0f * (float)((pixel * IN + c) % 7) * matrix[o * IN + c];
        }
        assert_float_equal(host_floats(&host, y)[i], want, 0.0);
    }
    // Three operators and a conversion at either end.
    assert_int_equal(((const LiteClPartition*)host.partition_node.user_data)->plan.step_count, 5);
    end(&host, delegate);
}

// conv(|x|) + |x|, of which all but the absolute value is float32: the two are computed at once all the same.
static void floats_beside_halves_are_joined(void** state) {
    (void)state;
    enum { SIDE = 4, CHANNELS = 16, COUNT = SIDE * SIDE * CHANNELS };
    static const int dims[] = {1, SIDE, SIDE, CHANNELS};
    DelegateHost host;
    host_init(&host);
    TfLiteConvParams conv = {.padding = kTfLitePaddingValid, .stride_width = 1, .stride_height = 1};
    conv.dilation_width_factor = conv.dilation_height_factor = 1;
    float twice[CHANNELS * CHANNELS] = {0}, bias[CHANNELS];
    for (int i = 0; i < CHANNELS; i++) {
        twice[i * CHANNELS + i] = 2.0f;
        bias[i] = 5000.25f; // which half does not hold
    }
    const int x = host_variable(&host, 4, dims), a = host_variable(&host, 4, dims);
    const int product = host_variable(&host, 4, dims), y = host_variable(&host, 4, dims);
    const int filter = host_constant(&host, kTfLiteFloat32, 4, (int[]){CHANNELS, 1, 1, CHANNELS}, twice);
    const int offset = host_constant(&host, kTfLiteFloat32, 1, (int[]){CHANNELS}, bias);
    host_node(&host, kTfLiteBuiltinAbs, NULL, NULL, 1, (int[]){x}, a);
    host_node(&host, kTfLiteBuiltinConv2d, NULL, &conv, 3, (int[]){a, filter, offset}, product);
    add_node(&host, product, a, y);
    TfLiteDelegate* delegate = delegate_all(&host, "precision_float16=ABS");
    for (int i = 0; i < COUNT; i++) host_floats(&host, x)[i] = (float)-i;
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    for (int i = 0; i < COUNT; i++)
        assert_float_equal(host_floats(&host, y)[i], 3.0f * (float)i + 5000.25f, 0.0);
    // To half, ABS, to float, and both others.
    assert_int_equal(((const LiteClPartition*)host.partition_node.user_data)->plan.step_count, 4);
    end(&host, delegate);
}

// x + x + x.
typedef struct Sums {
    DelegateHost host;
    int x, y;
} Sums;

static void begin_sums(Sums* sums, TfLiteDelegate* delegate) {
    enum { COUNT = 1000 };
    const int shape[] = {2, COUNT / 4, 2};
    host_init(&sums->host);
    sums->x = host_variable(&sums->host, 3, shape);
    const int twice = host_variable(&sums->host, 3, shape);
    sums->y = host_variable(&sums->host, 3, shape);
    add_node(&sums->host, sums->x, sums->x, twice);
    add_node(&sums->host, twice, sums->x, sums->y);
    assert_int_equal(host_delegate(&sums->host, delegate, -1), kTfLiteOk);
    assert_int_equal(host_prepare(&sums->host), kTfLiteOk);
    for (int i = 0; i < COUNT; i++) host_floats(&sums->host, sums->x)[i] = (float)i;
}

// An inference; returns whether there was a message since the last one, which then has these parts.
static bool warns(Sums* sums, const char* first, const char* second) {
    assert_int_equal(host_invoke(&sums->host), kTfLiteOk);
    assert_float_equal(host_floats(&sums->host, sums->y)[999], 2997.0f, 1.5);
    const bool has_warned = sums->host.message[0] != '\0';
    if (has_warned) assert_non_null(strstr(sums->host.message, first));
    if (has_warned) assert_non_null(strstr(sums->host.message, second));
    sums->host.message[0] = '\0';
    return has_warned;
}

static bool has_halves(const Sums* sums) {
    return ((const LiteClPartition*)sums->host.partition_node.user_data)->graph.nodes[0].has_float16;
}

// Once, when the first partition is made.
static void devices_without_halves_are_told_of(void** state) {
    (void)state;
    static const struct {
        const char* options;
        bool warns;
    } cases[] = {{"precision=float16", true},
                 {"precision_float16=ADD", true},
                 {"precision=float32", false},
                 {"precision=auto", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(cases[i].options);
        Sums sums, others;
        begin_sums(&sums, delegate);
        begin_sums(&others, delegate);
        const bool warned = warns(&sums, "float16 is asked for", "does not offer it (cl_khr_fp16)");
        assert_int_equal(warned, cases[i].warns);
        assert_false(warns(&sums, "", "") || warns(&others, "", ""));
        host_free(&sums.host);
        end(&others.host, delegate);
    }
}

// Once, by the first inference. Results are halves all the same, as they were asked for.
static void slow_halves_are_told_of(void** state) {
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("precision=float16");
        Sums sums, others;
        halves_clock = (HalvesClock){.is_slow = slow == 1, .offers = true};
        begin_sums(&sums, delegate);
        begin_sums(&others, delegate);
        const size_t memory = oclite_opencl_delegate_memory(delegate);
        assert_int_equal(warns(&sums, "is slower on", "2 nodes take 0.002 ms, and 0.001 as float32"),
                         slow == 1);
        assert_int_equal(halves_clock.asked, 4);
        assert_true(has_halves(&sums));
        assert_false(warns(&sums, "", "") || warns(&others, "", ""));
        assert_int_equal(halves_clock.asked, 4);
        assert_int_equal(oclite_opencl_delegate_memory(delegate), memory);
        host_free(&sums.host);
        end(&others.host, delegate);
    }
    halves_clock = (HalvesClock){0};
}

// The inference is right or is the host's, and nothing is left.
static void failures_while_measuring_leak_nothing(void** state) {
    (void)state;
    shim_install();
    bool failed = true;
    for (int n = 1; failed; n += n / 4 + 1) {
        TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("precision=float16");
        Sums sums;
        halves_clock = (HalvesClock){.offers = true};
        begin_sums(&sums, delegate);
        shim_fail(n, true);
        const TfLiteStatus status = host_invoke(&sums.host);
        failed = shim_failures() > 0;
        shim_fail(0, false);
        if (status != kTfLiteOk) assert_int_equal(status, kTfLiteDelegateError);
        if (status == kTfLiteOk) assert_float_equal(host_floats(&sums.host, sums.y)[9], 27.0f, 0);
        assert_true(failed || status == kTfLiteOk);
        end(&sums.host, delegate);
        assert_int_equal(shim_live_objects(), 0);
    }
    shim_remove();
    halves_clock = (HalvesClock){0};
}

static void other_precisions_are_refused(void** state) {
    (void)state;
    assert_null(oclite_opencl_delegate_create_from_string("precision=int3"));
    assert_string_equal(oclite_opencl_last_error(),
                        "OpenCL: option precision: \"int3\" is none of float32, float16 and auto");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intermediates_take_half_the_memory),
        cmocka_unit_test(sums_are_not_of_halves),
        cmocka_unit_test(what_half_does_not_hold_is_infinite),
        cmocka_unit_test(nodes_have_precisions_of_their_own),
        cmocka_unit_test(operators_without_halves_get_floats),
        cmocka_unit_test(convolutions_take_halves),
        cmocka_unit_test(floats_beside_halves_are_joined),
        cmocka_unit_test(devices_without_halves_are_told_of),
        cmocka_unit_test(slow_halves_are_told_of),
        cmocka_unit_test(failures_while_measuring_leak_nothing),
        cmocka_unit_test(other_precisions_are_refused),
    };
    if (!host_has_opencl()) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
