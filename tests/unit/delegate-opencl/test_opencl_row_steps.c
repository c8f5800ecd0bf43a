// SPDX-License-Identifier: Apache-2.0
// Nodes along rows that OpenCL lowers together: layer norm and softmax as converters spell them out. With an
// argument: as on a GPU with fast local memory.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "delegate-opencl/partition/partition.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"
#include "tests/support/opencl_op_case.h"

enum { EXIT_SKIPPED = 77, MOST = 80 };

static const TfLiteReducerParams keeps_dims = {.keep_dims = true};

static TfLiteAddParams no_activation; // as of SUB, MUL and DIV

static float value(int i) {
    return (float)(i * 37 % 101) * 0.07f - 3.0f;
}

// A graph of rows, and what it has as parameters.
typedef struct Graph {
    DelegateHost host;
    int rows, width;
    int x, axis;
    TfLiteDelegate* delegate;
} Graph;

static void begin(Graph* graph, int rows, int width) {
    static const int32_t last = -1;
    host_init(&graph->host);
    graph->rows = rows;
    graph->width = width;
    graph->x = host_variable(&graph->host, 3, (int[]){1, rows, width});
    graph->axis = host_constant(&graph->host, kTfLiteInt32, 1, (int[]){1}, &last);
}

static int add(Graph* graph, int code, int a, int b, bool narrow) {
    const int y = host_variable(&graph->host, 3, (int[]){1, graph->rows, narrow ? 1 : graph->width});
    host_node(&graph->host, code, NULL, b < 0 ? NULL : &no_activation, b < 0 ? 1 : 2, (int[]){a, b}, y);
    return y;
}

static int reduce(Graph* graph, int code, int x) {
    const int y = host_variable(&graph->host, 3, (int[]){1, graph->rows, 1});
    host_node(&graph->host, code, NULL, (void*)(uintptr_t)&keeps_dims, 2, (int[]){x, graph->axis}, y);
    return y;
}

// Prepares, runs and returns how many steps the plan has; `shown` is an output, too.
static int run(Graph* graph, int shown) {
    graph->delegate = oclite_opencl_delegate_create_from_string(NULL);
    assert_non_null(graph->delegate);
    assert_int_equal(host_delegate(&graph->host, graph->delegate, shown), kTfLiteOk);
    assert_int_equal(host_prepare(&graph->host), kTfLiteOk);
    const LiteClPlan* plan = &((const LiteClPartition*)graph->host.partition_node.user_data)->plan;
    for (int i = 0; i < graph->rows * graph->width; i++) host_floats(&graph->host, graph->x)[i] = value(i);
    assert_int_equal(host_invoke(&graph->host), kTfLiteOk);
    return plan->device->class == kLiteClGpu && !plan->device->local_tiles ? 0 : plan->step_count;
}

static void end(Graph* graph) {
    host_free(&graph->host);
    oclite_opencl_delegate_delete(graph->delegate);
}

static double mean_of(const Graph* graph, int row, double subtracted, bool squared) {
    double sum = 0;
    for (int i = 0; i < graph->width; i++) {
        const double v = (double)value(row * graph->width + i) - subtracted;
        sum += squared ? v * v : v;
    }
    return sum / graph->width;
}

static void expect_layer_norm(Graph* graph, int y, const float* gamma, const float* beta) {
    for (int row = 0; row < graph->rows; row++) {
        const double mean = mean_of(graph, row, 0, false), variance = mean_of(graph, row, mean, true);
        for (int i = 0; i < graph->width; i++) {
            const int at = row * graph->width + i;
            const double want =
                ((double)value(at) - mean) / sqrt(variance + 0.001) * (double)gamma[i] + (double)beta[i];
            assert_true(fabs((double)host_floats(&graph->host, y)[at] - want) <= 1e-4);
        }
    }
}

// The mean is an output of the graph, too, where it is `shown`.
static void check_layer_norm(int rows, int width, bool shown) {
    static const float epsilon = 0.001f;
    float gamma[MOST], beta[MOST];
    for (int i = 0; i < width; i++) gamma[i] = value(i * 3 + 1), beta[i] = value(i * 5 + 2);
    Graph graph;
    begin(&graph, rows, width);
    const int along[] = {1, 1, width};
    const int scale = host_constant(&graph.host, kTfLiteFloat32, 3, along, gamma);
    const int offset = host_constant(&graph.host, kTfLiteFloat32, 1, &width, beta);
    const int least = host_constant(&graph.host, kTfLiteFloat32, 0, NULL, &epsilon);
    const int mean = reduce(&graph, kTfLiteBuiltinMean, graph.x);
    const int squares = add(&graph, kTfLiteBuiltinSquaredDifference, graph.x, mean, false);
    const int variance = reduce(&graph, kTfLiteBuiltinMean, squares);
    const int raised = add(&graph, kTfLiteBuiltinAdd, variance, least, true);
    const int root = add(&graph, kTfLiteBuiltinRsqrt, raised, -1, true);
    const int factor = add(&graph, kTfLiteBuiltinMul, root, scale, false);
    const int large = add(&graph, kTfLiteBuiltinMul, graph.x, factor, false);
    const int moved = add(&graph, kTfLiteBuiltinMul, mean, factor, false);
    const int rest = add(&graph, kTfLiteBuiltinSub, offset, moved, false);
    const int y = add(&graph, kTfLiteBuiltinAdd, large, rest, false);
    const int steps = run(&graph, shown ? mean : -1);
    if (steps > 0) assert_int_equal(steps, shown ? 2 : 1);
    expect_layer_norm(&graph, y, gamma, beta);
    for (int row = 0; shown && row < rows; row++)
        assert_true(fabs((double)host_floats(&graph.host, mean)[row] - mean_of(&graph, row, 0, false)) <=
                    1e-5);
    end(&graph);
}

static void layer_norms_are_one_launch(void** state) {
    (void)state;
    static const int widths[] = {2, 15, 16, 17, 32, 33, MOST};
    for (int i = 0; i < (int)(sizeof widths / sizeof widths[0]); i++) {
        check_layer_norm(1, widths[i], false);
        check_layer_norm(3, widths[i], false);
    }
    check_layer_norm(67, 20, false);
}

static void what_others_read_is_kept(void** state) {
    (void)state;
    check_layer_norm(5, 24, true);
}

static void softmax_is_one_launch(void** state) {
    (void)state;
    Graph graph;
    begin(&graph, 9, 37);
    const int most = reduce(&graph, kTfLiteBuiltinReduceMax, graph.x);
    const int below = add(&graph, kTfLiteBuiltinSub, graph.x, most, false);
    const int powers = add(&graph, kTfLiteBuiltinExp, below, -1, false);
    const int sum = reduce(&graph, kTfLiteBuiltinSum, powers);
    const int y = add(&graph, kTfLiteBuiltinDiv, powers, sum, false);
    const int steps = run(&graph, -1);
    if (steps > 0) assert_int_equal(steps, 1);
    for (int row = 0; row < graph.rows; row++) {
        double all = 0;
        for (int i = 0; i < graph.width; i++) all += exp((double)value(row * graph.width + i));
        for (int i = 0; i < graph.width; i++) {
            const int at = row * graph.width + i;
            assert_true(fabs((double)host_floats(&graph.host, y)[at] - exp((double)value(at)) / all) <= 1e-6);
        }
    }
    end(&graph);
}

// Elements that need no rows are one run, however long the last dimension is.
static void chains_are_one_launch(void** state) {
    (void)state;
    static const float half = 0.5f;
    Graph graph;
    begin(&graph, 1031, 17);
    const int factor = host_constant(&graph.host, kTfLiteFloat32, 0, NULL, &half);
    const int scaled = add(&graph, kTfLiteBuiltinMul, graph.x, factor, false);
    const int y =
        add(&graph, kTfLiteBuiltinAdd, graph.x, add(&graph, kTfLiteBuiltinAbs, scaled, -1, false), false);
    const int steps = run(&graph, -1);
    if (steps > 0) assert_int_equal(steps, 1);
    for (int i = 0; i < graph.rows * graph.width; i++)
        assert_true(fabsf(host_floats(&graph.host, y)[i] - (value(i) + fabsf(value(i) * half))) <= 1e-6f);
    end(&graph);
}

int main(int argc, char** argv) {
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layer_norms_are_one_launch),
        cmocka_unit_test(what_others_read_is_kept),
        cmocka_unit_test(softmax_is_one_launch),
        cmocka_unit_test(chains_are_one_launch),
    };
    if (!host_has_opencl()) return EXIT_SKIPPED;
    if (argc > 1) return cmocka_run_group_tests(tests, op_case_open_with_local_tiles, op_case_close);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
