// SPDX-License-Identifier: Apache-2.0
// profiling=1: times of kernels, told by the delegate and to the program's profiler.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/system.h"
#include "core/base/telemetry.h"
#include "delegate-opencl/partition/partition.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"

enum { EXIT_SKIPPED = 77, SIDE = 16, CHANNELS = 32, COUNT = SIDE * SIDE * CHANNELS, MOST = 16 };

typedef struct Told {
    int count;
    OcliteOpenclKernel kernels[MOST];
    int nodes[MOST][2];
    char ops[MOST][64];
    uint64_t last_ns; // of all
} Told;

static void tell(void* user_data, const OcliteOpenclKernel* kernel) {
    Told* told = user_data;
    assert_true(told->count < MOST);
    const int i = told->count++;
    told->kernels[i] = *kernel;
    for (int n = 0; n < kernel->node_count; n++) told->nodes[i][n] = kernel->nodes[n];
    snprintf(told->ops[i], sizeof told->ops[i], "%s", kernel->op);
    told->last_ns += kernel->last_ns;
}

static Told told_by(const TfLiteDelegate* delegate) {
    Told told = {0};
    oclite_opencl_delegate_profile(delegate, tell, &told);
    return told;
}

// y = convolution(|x|) + x, the convolution being a matrix of zeros but for the bias.
typedef struct Example {
    DelegateHost host;
    TfLiteDelegate* delegate;
    int x, y;
} Example;

static TfLiteConvParams conv = {.padding = kTfLitePaddingSame,
                                .stride_width = 1,
                                .stride_height = 1,
                                .dilation_width_factor = 1,
                                .dilation_height_factor = 1};
static TfLiteAddParams no_activation;
static const float zeros[CHANNELS * CHANNELS], bias[CHANNELS];

static void begin(Example* e, TfLiteDelegate* delegate,
                  TfLiteExternalContext* (*find)(TfLiteContext*, TfLiteExternalContextType)) {
    static const int dims[] = {1, SIDE, SIDE, CHANNELS};
    assert_non_null(delegate);
    e->delegate = delegate;
    host_init(&e->host);
    e->host.context.GetExternalContext = find;
    e->x = host_variable(&e->host, 4, dims);
    const int a = host_variable(&e->host, 4, dims), c = host_variable(&e->host, 4, dims);
    e->y = host_variable(&e->host, 4, dims);
    const int filter = host_constant(&e->host, kTfLiteFloat32, 4, (int[]){CHANNELS, 1, 1, CHANNELS}, zeros);
    const int offset = host_constant(&e->host, kTfLiteFloat32, 1, (int[]){CHANNELS}, bias);
    host_node(&e->host, kTfLiteBuiltinAbs, NULL, NULL, 1, (int[]){e->x}, a);
    host_node(&e->host, kTfLiteBuiltinConv2d, NULL, &conv, 3, (int[]){a, filter, offset}, c);
    host_node(&e->host, kTfLiteBuiltinAdd, NULL, &no_activation, 2, (int[]){c, e->x}, e->y);
    assert_int_equal(host_delegate(&e->host, delegate, -1), kTfLiteOk);
    assert_int_equal(e->host.taken->size, 3);
    assert_int_equal(host_prepare(&e->host), kTfLiteOk);
    for (int i = 0; i < COUNT; i++) host_floats(&e->host, e->x)[i] = (float)(i % 9);
}

static void end(Example* e) {
    host_free(&e->host);
    oclite_opencl_delegate_delete(e->delegate);
}

static int steps(const Example* e) {
    return ((const LiteClPartition*)e->host.partition_node.user_data)->plan.step_count;
}

static void kernels_are_timed(void** state) {
    (void)state;
    enum { RUNS = 3 };
    Example e;
    begin(&e, oclite_opencl_delegate_create_from_string("profiling=1"), NULL);
    Told told = told_by(e.delegate);
    assert_int_equal(told.count, steps(&e));
    assert_int_equal(told.kernels[0].runs, 0);
    uint64_t wall = 0;
    for (int i = 0; i < RUNS; i++) {
        const uint64_t start = lite_clock_ns();
        assert_int_equal(host_invoke(&e.host), kTfLiteOk);
        wall = lite_clock_ns() - start;
    }
    told = told_by(e.delegate);
    assert_int_equal(told.count, steps(&e));
    assert_true(told.last_ns > 0 && told.last_ns <= wall);
    int work[3] = {0}; // how many kernels there are of each node
    for (int k = 0; k < told.count; k++) {
        const OcliteOpenclKernel* kernel = &told.kernels[k];
        assert_int_equal(kernel->graph, 0);
        assert_int_equal(kernel->runs, RUNS);
        assert_true(kernel->last_ns > 0 && kernel->total_ns >= kernel->last_ns + RUNS - 1);
        assert_true(kernel->global[0] > 0 && kernel->global[1] > 0 && kernel->global[2] > 0);
        for (int n = 0; n < kernel->node_count; n++) work[told.nodes[k][n]]++;
        const bool joined = kernel->node_count == 2;
        if (joined) assert_int_equal(told.nodes[k][1], 2);
        const char* const names[] = {"ABS", joined ? "CONV_2D+ADD" : "CONV_2D", "ADD"};
        assert_string_equal(told.ops[k], names[told.nodes[k][0]]);
    }
    for (int n = 0; n < 3; n++) assert_true(work[n] > 0);
    // With the partition its profile ends.
    host_free(&e.host);
    assert_int_equal(told_by(e.delegate).count, 0);
    oclite_opencl_delegate_delete(e.delegate);
}

static void nothing_is_timed_unless_asked_for(void** state) {
    (void)state;
    Example e;
    begin(&e, oclite_opencl_delegate_create_from_string("profiling=0"), NULL);
    assert_int_equal(host_invoke(&e.host), kTfLiteOk);
    assert_int_equal(told_by(e.delegate).count, 0);
    assert_null(((const LiteClPartition*)e.host.partition_node.user_data)->plan.profile);
    assert_int_equal(told_by(NULL).count, 0);
    end(&e);
}

// Another shape is another plan.
static void times_begin_anew_with_the_shapes(void** state) {
    (void)state;
    static const char *const keys[] = {"profiling"}, *const values[] = {"1"};
    Example e;
    begin(&e, tflite_plugin_create_delegate(keys, values, 1, NULL), NULL);
    assert_int_equal(host_invoke(&e.host), kTfLiteOk);
    host_resize(&e.host, e.x, 4, (int[]){2, SIDE, SIDE, CHANNELS});
    assert_int_equal(host_prepare(&e.host), kTfLiteOk);
    const Told told = told_by(e.delegate);
    assert_int_equal(told.count, steps(&e));
    for (int k = 0; k < told.count; k++) assert_int_equal(told.kernels[k].runs, 0);
    assert_int_equal(host_invoke(&e.host), kTfLiteOk);
    assert_int_equal(told_by(e.delegate).kernels[0].runs, 1);
    end(&e);
}

typedef struct Reported {
    int count;
    int nodes[MOST];
    char ops[256];
} Reported;

static Reported reported;

static void report_node(TfLiteTelemetryProfilerStruct* profiler, const char* op, uint64_t elapsed,
                        int64_t node, int64_t subgraph) {
    assert_ptr_equal(profiler->data, &reported);
    assert_int_equal(subgraph, 0);
    assert_true(elapsed < 60u * 1000 * 1000);
    reported.nodes[reported.count++] = (int)node;
    strcat(strcat(reported.ops, op), " ");
}

static TfLiteExternalContext* find_profiler(TfLiteContext* context, TfLiteExternalContextType type) {
    static TfLiteTelemetryProfilerStruct profiler = {.data = &reported, .ReportOpInvokeEvent = report_node};
    (void)context;
    return (int)type == kLiteTelemetryContext ? (TfLiteExternalContext*)(void*)&profiler : NULL;
}

// Each node once, also those of which the device computes two at once.
static void the_programs_profiler_is_told(void** state) {
    (void)state;
    Example e;
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.profiling = true;
    begin(&e, oclite_opencl_delegate_create(&options), find_profiler);
    assert_true((e.delegate->flags & kTfLiteDelegateFlagsPerOperatorProfiling) != 0);
    const bool joined = told_by(e.delegate).kernels[steps(&e) - 1].node_count == 2;
    for (int i = 0; i < 2; i++) {
        reported = (Reported){0};
        assert_int_equal(host_invoke(&e.host), kTfLiteOk);
        assert_string_equal(reported.ops, joined ? "ABS CONV_2D+ADD " : "ABS CONV_2D ADD ");
        for (int n = 0; n < reported.count; n++) assert_int_equal(reported.nodes[n], n);
    }
    end(&e);
    begin(&e, oclite_opencl_delegate_create(NULL), find_profiler);
    assert_true((e.delegate->flags & kTfLiteDelegateFlagsPerOperatorProfiling) == 0);
    end(&e);
}

// A time that the driver does not know costs no inference, and no failed inference leaks events.
static void failures_leak_nothing(void** state) {
    (void)state;
    shim_install();
    for (int n = 1;; n++) {
        Example e;
        begin(&e, oclite_opencl_delegate_create_from_string("profiling=1"), NULL);
        shim_fail(n, false);
        const TfLiteStatus status = host_invoke(&e.host);
        const int failures = shim_failures();
        shim_fail(0, false);
        if (failures == 0) {
            assert_int_equal(status, kTfLiteOk);
            assert_int_equal(told_by(e.delegate).kernels[0].runs, 1);
        }
        end(&e);
        assert_int_equal(shim_live_objects(), 0);
        if (failures == 0) break;
    }
    shim_remove();
}

// What partitions have on the device is known, and nothing is left of it when they are gone.
static void memory_is_counted(void** state) {
    (void)state;
    Example e;
    begin(&e, oclite_opencl_delegate_create(NULL), NULL);
    const size_t constants = sizeof zeros + sizeof bias;
    const size_t first = oclite_opencl_delegate_memory(e.delegate);
    assert_true(first >= constants && first < constants + 8 * COUNT * sizeof(float));
    assert_int_equal(host_invoke(&e.host), kTfLiteOk);
    assert_int_equal(oclite_opencl_delegate_memory(e.delegate), first);
    // Intermediate tensors grow with the shapes, constants do not.
    host_resize(&e.host, e.x, 4, (int[]){4, SIDE, SIDE, CHANNELS});
    assert_int_equal(host_prepare(&e.host), kTfLiteOk);
    const size_t larger = oclite_opencl_delegate_memory(e.delegate);
    assert_true(larger >= first + 3 * COUNT * sizeof(float) && larger < 4 * first);
    host_resize(&e.host, e.x, 4, (int[]){1, SIDE, SIDE, CHANNELS});
    assert_int_equal(host_prepare(&e.host), kTfLiteOk);
    assert_int_equal(oclite_opencl_delegate_memory(e.delegate), first);
    host_free(&e.host);
    assert_int_equal(oclite_opencl_delegate_memory(e.delegate), 0);
    oclite_opencl_delegate_delete(e.delegate);
    assert_int_equal(oclite_opencl_delegate_memory(NULL), 0);
}

static void other_values_are_refused(void** state) {
    (void)state;
    assert_null(oclite_opencl_delegate_create_from_string("profiling=2"));
    assert_string_equal(oclite_opencl_last_error(),
                        "OpenCL: option profiling: \"2\" is none of 1, true, yes, on, 0, false, no and off");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_timed),
        cmocka_unit_test(nothing_is_timed_unless_asked_for),
        cmocka_unit_test(times_begin_anew_with_the_shapes),
        cmocka_unit_test(the_programs_profiler_is_told),
        cmocka_unit_test(failures_leak_nothing),
        cmocka_unit_test(memory_is_counted),
        cmocka_unit_test(other_values_are_refused),
    };
    if (!host_has_opencl()) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
