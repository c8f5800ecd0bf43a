// SPDX-License-Identifier: Apache-2.0
// How long placement by cost takes, and how much memory: benchmark_partitioner [NODES...].
//
// Graphs of several kinds, each in a process of its own, so that its peak of memory is its own. Node times
// are random between 1 and 100 us on the host and a fraction of that on the device; every tenth kind of node
// the device cannot run. Transfers take 10 us, a partition 30 us.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "oclite/partition.h"

enum { INPUTS = 3, NEVER_ONE_IN = 10 };

typedef struct Graph {
    int count;
    int most;
    int32_t (*inputs)[INPUTS]; // nodes, whose outputs have their numbers; -1: none
} Graph;

static uint32_t seed = 1;

static int random_below(int limit) {
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)limit);
}

// A node that reads what others have written; returns its number.
static int add(Graph* graph, int a, int b, int c) {
    if (graph->count == graph->most) return graph->count - 1;
    int32_t* inputs = graph->inputs[graph->count];
    inputs[0] = a;
    inputs[1] = b;
    inputs[2] = c;
    return graph->count++;
}

static int add_chain(Graph* graph, int from, int length) {
    for (int i = 0; i < length; i++) from = add(graph, from, -1, -1);
    return from;
}

// A convolutional network: blocks of three nodes with a shortcut around them.
static void make_residual(Graph* graph) {
    int x = add(graph, -1, -1, -1);
    while (graph->count < graph->most) x = add(graph, x, add_chain(graph, x, 3), -1);
}

static void make_chain(Graph* graph) {
    (void)add_chain(graph, -1, graph->most);
}

// Layers of attention as converters write them; a mask is read in every layer.
static void make_transformer(Graph* graph) {
    const int mask = add(graph, -1, -1, -1);
    int x = add(graph, -1, -1, -1);
    while (graph->count < graph->most) {
        const int normal = add_chain(graph, x, 4);
        const int query = add_chain(graph, normal, 3);
        const int key = add_chain(graph, normal, 3);
        const int value = add_chain(graph, normal, 3);
        const int scores = add(graph, add(graph, query, key, -1), mask, -1);
        const int mixed = add_chain(graph, add(graph, add_chain(graph, scores, 1), value, -1), 3);
        x = add(graph, x, mixed, -1);
        x = add(graph, x, add_chain(graph, x, 8), -1);
    }
}

// Modules of four branches, which a concatenation joins.
static void make_inception(Graph* graph) {
    int x = add(graph, -1, -1, -1);
    while (graph->count < graph->most) {
        const int a = add_chain(graph, x, 1);
        const int b = add_chain(graph, x, 2);
        const int c = add_chain(graph, x, 3);
        x = add(graph, add(graph, a, b, c), add_chain(graph, x, 2), -1);
    }
}

// A network for segmentation: ever smaller images, and back, with links between those of one size.
static void make_unet(Graph* graph) {
    enum { LEVELS = 5 };
    int x = add(graph, -1, -1, -1);
    while (graph->count < graph->most) {
        int links[LEVELS];
        for (int level = 0; level < LEVELS; level++) x = links[level] = add_chain(graph, x, 3);
        for (int level = LEVELS - 1; level >= 0; level--)
            x = add_chain(graph, add(graph, x, links[level], -1), 3);
    }
}

// Inputs from anywhere before: nearly all tensors are in use all the time.
static void make_random(Graph* graph) {
    while (graph->count < graph->most) {
        const int n = graph->count;
        const int a = n > 0 ? random_below(n) : -1;
        (void)add(graph, a, n > 0 ? random_below(n) : -1, -1);
    }
}

// Many branches beside each other, in turn.
static void make_parallel(Graph* graph) {
    enum { BRANCHES = 64 };
    int ends[BRANCHES];
    const int x = add(graph, -1, -1, -1);
    for (int i = 0; i < BRANCHES; i++) ends[i] = x;
    while (graph->count < graph->most) {
        for (int i = 0; i < BRANCHES; i++) ends[i] = add(graph, ends[i], -1, -1);
    }
}

static void place(const Graph* graph) {
    const int n = graph->count;
    int32_t* inputs = calloc((size_t)n * INPUTS, sizeof *inputs);
    int32_t* starts = calloc((size_t)n + 1, sizeof *starts);
    int32_t* numbers = calloc((size_t)n + 1, sizeof *numbers);
    int64_t* host = calloc((size_t)n, sizeof *host);
    int64_t* device = calloc((size_t)n, sizeof *device);
    int64_t* move = calloc((size_t)n, sizeof *move);
    int32_t* partition_of = calloc((size_t)n, sizeof *partition_of);
    if (!inputs || !starts || !numbers || !host || !device || !move || !partition_of) exit(1);
    for (int i = 0; i < n; i++) {
        starts[i + 1] = starts[i] + INPUTS;
        numbers[i + 1] = i + 1;
        for (int k = 0; k < INPUTS; k++) inputs[starts[i] + k] = graph->inputs[i][k];
        host[i] = 1000 + random_below(99000);
        device[i] =
            random_below(NEVER_ONE_IN) == 0 ? OCLITE_PARTITION_NEVER : host[i] / (1 + random_below(8));
        move[i] = 10000;
    }
    const OclitePartitionProblem problem = {.size = sizeof problem,
                                            .node_count = n,
                                            .tensor_count = n,
                                            .input_start = starts,
                                            .inputs = inputs,
                                            .output_start = numbers,
                                            .outputs = numbers,
                                            .host_ns = host,
                                            .device_ns = device,
                                            .to_device_ns = move,
                                            .to_host_ns = move,
                                            .partition_ns = 30000};
    OclitePartitionResult result = {.size = sizeof result};
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (oclite_partition(&problem, kOclitePartitionCost, partition_of, &result) != kOclitePartitionOk)
        exit(1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    getrusage(RUSAGE_SELF, &after);
    const double ms = (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) / 1e6;
    printf("%9.1f ms %7.1f MB  %-7s %6d partitions, %5.1f %% of the host's time, %5.1f %% of all's\n", ms,
           (double)(after.ru_maxrss - before.ru_maxrss) / 1024, result.exact ? "exact" : "",
           result.partition_count, 100 * (double)result.total_ns / (double)result.host_ns,
           100 * (double)result.total_ns / (double)result.all_ns);
    free(inputs);
    free(starts);
    free(numbers);
    free(host);
    free(device);
    free(move);
    free(partition_of);
}

static void run(const char* name, void (*make)(Graph* graph), int nodes) {
    printf("%-12s %7d ", name, nodes);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        Graph graph = {.most = nodes, .inputs = calloc((size_t)nodes, sizeof *graph.inputs)};
        if (graph.inputs == NULL) exit(1);
        make(&graph);
        place(&graph);
        free(graph.inputs);
        exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
        printf("failed\n");
        exit(1);
    }
}

int main(int count, char** arguments) {
    const char* const sizes[] = {NULL, "1000", "10000", "100000"};
    const char* const* given = count > 1 ? (const char* const*)arguments : sizes;
    for (int i = 1; i < (count > 1 ? count : 4); i++) {
        const int nodes = atoi(given[i]);
        if (nodes < 1) return fprintf(stderr, "benchmark_partitioner [NODES...]\n"), 2;
        run("chain", make_chain, nodes);
        run("residual", make_residual, nodes);
        run("inception", make_inception, nodes);
        run("transformer", make_transformer, nodes);
        run("unet", make_unet, nodes);
        run("parallel", make_parallel, nodes);
        run("random", make_random, nodes);
    }
    return 0;
}
