// SPDX-License-Identifier: Apache-2.0
// Partitions whose kernels one launch computes, one after the other: results are those of a launch for each,
// whatever is run before, at the same time, or with other shapes.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "delegate-opencl/partition/partition.h"
#include "delegate-opencl/plan/series.h"
#include "oclite/opencl.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"
#include "tests/support/random_numbers.h"

enum { EXIT_SKIPPED = 77, MOST_NODES = 20, GRAPHS = 20, THREADS = 6 };

static TfLiteDelegate* delegates[2]; // a launch for each kernel, and one for all

typedef struct Graph {
    DelegateHost host;
    TfLiteAddParams sum;
    TfLiteSoftmaxParams softmax;
    TfLiteCumsumParams cumsum;
    int inputs, nodes, side; // tensors are squares
} Graph;

static int find_axis(Graph* g) {
    static const int axis = 1;
    return host_constant(&g->host, kTfLiteInt32, 0, NULL, &axis);
}

// A node that `seed` describes: what it does, and which of the `count` earlier tensors it reads.
static void add_node(Graph* g, uint32_t seed, const int* tensors, int count, int output) {
    static const int turned[] = {1, 0}, square[] = {2};
    const uint32_t choice = (seed >> 3) % 5, near = count - 1 - (int)((seed >> 8) % 3);
    const int a = tensors[(int)near < 0 ? 0 : (int)near], b = tensors[(seed >> 16) % (uint32_t)count];
    if (choice == 0) host_node(&g->host, kTfLiteBuiltinAdd, NULL, &g->sum, 2, (int[]){a, b}, output);
    if (choice == 1) host_node(&g->host, kTfLiteBuiltinSoftmax, NULL, &g->softmax, 1, &a, output);
    if (choice == 2)
        host_node(&g->host, kTfLiteBuiltinCumsum, NULL, &g->cumsum, 2, (int[]){a, find_axis(g)}, output);
    if (choice == 3) {
        const int order = host_constant(&g->host, kTfLiteInt32, 1, square, turned);
        host_node(&g->host, kTfLiteBuiltinTranspose, NULL, NULL, 2, (int[]){a, order}, output);
    }
    if (choice == 4) host_node(&g->host, kTfLiteBuiltinTanh, NULL, NULL, 1, &a, output);
}

static void begin(Graph* g, int seed, int inputs, int nodes, int side, TfLiteDelegate* delegate) {
    *g = (Graph){.sum = {.activation = kTfLiteActRelu6},
                 .softmax = {.beta = 1.0f},
                 .inputs = inputs,
                 .nodes = nodes,
                 .side = side};
    host_init(&g->host);
    const int dims[] = {side, side};
    int tensors[MOST_NODES + 4];
    uint32_t state = (uint32_t)seed * 2654435761u + 12345u;
    for (int i = 0; i < inputs + nodes; i++) tensors[i] = host_variable(&g->host, 2, dims);
    for (int n = 0; n < nodes; n++) {
        state = state * 1664525u + 1013904223u;
        add_node(g, state, tensors, inputs + n, tensors[inputs + n]);
    }
    if (host_delegate(&g->host, delegate, -1) != kTfLiteOk) fail_msg("%s", g->host.message);
    if (host_prepare(&g->host) != kTfLiteOk) fail_msg("%s", g->host.message);
}

static void begin_both(Graph* each, Graph* series, int seed, int inputs, int nodes, int side) {
    begin(each, seed, inputs, nodes, side, delegates[0]);
    begin(series, seed, inputs, nodes, side, delegates[1]);
}

static LiteClPlan* plan_of(Graph* g) {
    return &((LiteClPartition*)g->host.partition_node.user_data)->plan;
}

static bool run(Graph* g, int salt) {
    for (int t = 0; t < g->inputs; t++) {
        float* data = host_floats(&g->host, t);
        const int count = host_elements(&g->host, t);
        for (int i = 0; i < count; i++) data[i] = (float)((i * 37 + t * 11 + salt * 53) % 101 - 50) / 25;
    }
    return host_invoke(&g->host) == kTfLiteOk;
}

// Runs both graphs; the tensors that nobody reads have to be the same to the bit.
static void compare(Graph* a, Graph* b, int salt) {
    if (!run(a, salt)) fail_msg("%s", a->host.message);
    if (!run(b, salt)) fail_msg("%s", b->host.message);
    const TfLiteIntArray* outputs = a->host.partition_node.outputs;
    for (int i = 0; i < outputs->size; i++) {
        const int t = outputs->data[i];
        const size_t bytes = (size_t)host_elements(&a->host, t) * sizeof(float);
        assert_memory_equal(host_floats(&a->host, t), host_floats(&b->host, t), bytes);
    }
}

static void end(Graph* g) {
    host_free(&g->host);
}

static void one_launch_computes_all(void** state) {
    (void)state;
    Graph each, series;
    begin_both(&each, &series, 7, 1, 12, 19);
    const int steps = plan_of(&series)->step_count;
    assert_true(steps > 3);
    assert_int_equal(plan_of(&each)->series.count, 0);
    assert_int_equal(plan_of(&series)->series.count, 1);
    assert_int_equal(plan_of(&series)->series.all[0].count, steps);
    shim_install();
    assert_true(run(&each, 0));
    const int launches = shim_count(kShimKernels);
    assert_true(run(&series, 0));
    const int more = shim_count(kShimKernels) - launches;
    shim_remove();
    assert_int_equal(launches, steps);
    assert_int_equal(more, 1);
    end(&each);
    end(&series);
}

static void random_graphs_are_the_same(void** state) {
    (void)state;
    int with_series = 0;
    for (int i = 0; i < GRAPHS; i++) {
        Graph each, series;
        const int nodes = random_int(2, MOST_NODES), side = random_int(1, 90), inputs = random_int(1, 3);
        begin_both(&each, &series, i, inputs, nodes, side);
        with_series += plan_of(&series)->series.count > 0;
        for (int salt = 0; salt < 3; salt++) compare(&each, &series, salt);
        const int dims[] = {side + 3, side + 3};
        for (int t = 0; t < inputs; t++) {
            host_resize(&each.host, t, 2, dims);
            host_resize(&series.host, t, 2, dims);
        }
        assert_int_equal(host_prepare(&each.host), kTfLiteOk);
        assert_int_equal(host_prepare(&series.host), kTfLiteOk);
        compare(&each, &series, 4);
        end(&each);
        end(&series);
    }
    assert_true(with_series > GRAPHS / 2); // in others one launch does all
}

// What a series counts after so many runs.
static void set_runs(LiteClSeries* series, const LiteClDevice* device, uint32_t runs) {
    const LiteClSeriesStep* steps = series->table;
    uint32_t* counters = (uint32_t*)(void*)((char*)series->table + series->counters);
    const uint32_t ranges = (uint32_t)lite_cl_series_ranges(device);
    for (int s = 0; s < series->count; s++) {
        const uint32_t items = (uint32_t)steps[s].items;
        for (uint32_t r = 0; r < ranges; r++, counters += LITE_CL_SERIES_LINE)
            *counters = runs * ((uint32_t)((uint64_t)items * (r + 1) / ranges) -
                                (uint32_t)((uint64_t)items * r / ranges));
        *counters = runs * items;
        counters += LITE_CL_SERIES_LINE;
    }
    series->run = runs;
}

static void counters_go_round(void** state) {
    (void)state;
    Graph each, series;
    begin_both(&each, &series, 3, 2, 14, 31);
    compare(&each, &series, 0);
    for (int bits = 25; bits <= 32; bits++) {
        set_runs(&plan_of(&series)->series.all[0], plan_of(&series)->device,
                 (uint32_t)((UINT64_C(1) << bits) - 2));
        for (int salt = 1; salt < 5; salt++) compare(&each, &series, salt);
    }
    end(&each);
    end(&series);
}

// Counters are set back, and the next run is right.
static void a_run_that_fails(void** state) {
    (void)state;
    Graph each, series;
    begin_both(&each, &series, 3, 2, 14, 31);
    compare(&each, &series, 0);
    LiteClSeries* one = &plan_of(&series)->series.all[0];
    memset((char*)one->table + one->counters, 0xA5, one->bytes - one->counters);
    assert_false(lite_cl_series_end(&plan_of(&series)->series, true));
    for (int salt = 1; salt < 4; salt++) compare(&each, &series, salt);
    assert_true(lite_cl_series_end(&plan_of(&series)->series, true));
    one->run++; // as if the device had left one out
    assert_false(lite_cl_series_end(&plan_of(&series)->series, true));
    compare(&each, &series, 4);
    assert_true(lite_cl_series_end(&plan_of(&series)->series, false));
    compare(&each, &series, 5);
    end(&each);
    end(&series);
}

// More buffers of the host's than arguments for them: several series, or launches between them.
static void many_buffers_of_the_hosts(void** state) {
    (void)state;
    enum { COUNT = 14 };
    static const int dims[] = {17, 17};
    Graph graphs[2];
    for (int g = 0; g < 2; g++) {
        graphs[g] = (Graph){.inputs = COUNT, .side = 17};
        DelegateHost* host = &graphs[g].host;
        host_init(host);
        for (int i = 0; i < COUNT; i++) (void)host_variable(host, 2, dims);
        const int axis = find_axis(&graphs[g]);
        for (int i = 0; i < COUNT; i++)
            host_node(host, kTfLiteBuiltinCumsum, NULL, &graphs[g].cumsum, 2, (int[]){i, axis},
                      host_variable(host, 2, dims));
        assert_int_equal(host_delegate(host, delegates[g], -1), kTfLiteOk);
        assert_int_equal(host_prepare(host), kTfLiteOk);
    }
    assert_true(plan_of(&graphs[1])->series.count > 1);
    for (int salt = 0; salt < 3; salt++) compare(&graphs[0], &graphs[1], salt);
    for (int g = 0; g < 2; g++) end(&graphs[g]);
}

static void* run_often(void* argument) {
    Graph* g = argument;
    bool ran = true;
    for (int i = 0; i < 200 && ran; i++) ran = run(g, i);
    return ran ? g : NULL;
}

// More series than the device has threads: none waits for another one's.
static void at_the_same_time(void** state) {
    (void)state;
    static Graph graphs[THREADS], want[THREADS];
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++) {
        begin(&want[t], 20 + t, 2, 16, 20 + t, delegates[0]);
        begin(&graphs[t], 20 + t, 2, 16, 20 + t, delegates[1]);
    }
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, run_often, &graphs[t]), 0);
    for (int t = 0; t < THREADS; t++) {
        void* result;
        assert_int_equal(pthread_join(threads[t], &result), 0);
        assert_ptr_equal(result, &graphs[t]);
    }
    for (int t = 0; t < THREADS; t++) {
        compare(&want[t], &graphs[t], 1);
        end(&graphs[t]);
        end(&want[t]);
    }
}

static int open_device(void** state) {
    (void)state;
    for (int d = 0; d < 2; d++) {
        OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
        options.series = d;
        options.partition = "all";
        delegates[d] = oclite_opencl_delegate_create(&options);
        if (delegates[d] == NULL) return -1;
    }
    return 0;
}

static int close_device(void** state) {
    (void)state;
    for (int d = 0; d < 2; d++) oclite_opencl_delegate_delete(delegates[d]);
    return lite_memory_live() == 0 ? 0 : -1;
}

static bool has_series(void) {
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    const bool has = device != NULL && device->series;
    lite_cl_device_release(device);
    return has;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_launch_computes_all),   cmocka_unit_test(random_graphs_are_the_same),
        cmocka_unit_test(counters_go_round),         cmocka_unit_test(a_run_that_fails),
        cmocka_unit_test(many_buffers_of_the_hosts), cmocka_unit_test(at_the_same_time),
    };
    if (!host_has_opencl()) return EXIT_SKIPPED;
    if (!has_series()) {
        print_message("skipped: the device has no shared virtual memory, or is none of a CPU\n");
        return EXIT_SKIPPED;
    }
    return cmocka_run_group_tests(tests, open_device, close_device);
}
