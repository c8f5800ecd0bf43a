// SPDX-License-Identifier: Apache-2.0
// What oclite bench adds to what it measures: benchmark_overhead MODEL [THREADS [DELEGATE]].
//
// One interpreter does the same number of inferences in turn in a bare loop, of which only beginning and end
// are timed, and as oclite bench does them. Printed are medians over many turns: of the bare loop, of what
// bench reports as its mean, and of their ratio in each turn.
#include <stdio.h>
#include <stdlib.h>

#include "tools/bench/bench.h"
#include "tools/bench/measure.h"
#include "tools/common/timing.h"

enum { TURNS = 101 };

static int compare(const void* left, const void* right) {
    const double a = *(const double*)left;
    const double b = *(const double*)right;
    return (a > b) - (a < b);
}

static double median(double* values) {
    qsort(values, TURNS, sizeof(double), compare);
    return values[TURNS / 2];
}

// Microseconds of an inference.
static double bare(TfLiteInterpreter* interpreter, int runs) {
    const double start = tool_now();
    for (int i = 0; i < runs; i++) {
        if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) exit(1);
    }
    return (tool_now() - start) / runs * 1e6;
}

static double measured(Bench* bench, ToolMessage* message) {
    bench->runs = bench->warmup = (ToolSeries){0};
    if (bench_measure(bench, message) != kToolOk) exit(1);
    const double mean = bench->runs.moments.mean;
    tool_series_free(&bench->runs);
    tool_series_free(&bench->warmup);
    return mean;
}

static void take_turns(Bench* bench, int runs, ToolMessage* message) {
    double alone[TURNS];
    double reported[TURNS];
    double ratios[TURNS];
    for (int t = 0; t < TURNS; t++) {
        // Neither always comes first.
        if (t % 2) reported[t] = measured(bench, message);
        alone[t] = bare(bench->session.interpreter, runs);
        if (!(t % 2)) reported[t] = measured(bench, message);
        ratios[t] = reported[t] / alone[t];
    }
    const double ratio = median(ratios);
    printf("bare %.3f us, reported %.3f us, %+.2f %%\n", median(alone), median(reported), (ratio - 1) * 100);
}

int main(int count, char** arguments) {
    if (count < 2) return fprintf(stderr, "benchmark_overhead MODEL [THREADS [DELEGATE]]\n"), 2;
    ToolMessage message = {{0}};
    BenchSettings settings = {.max_secs = 1e9, .run_delay = -1, .run_frequency = -1};
    settings.setup.threads = count > 2 ? atoi(arguments[2]) : 1;
    settings.setup.delegate = count > 3 ? arguments[3] : NULL;
    Bench bench = {.settings = &settings, .log = fopen("/dev/null", "w")};
    if (!bench.log || tool_session_open(arguments[1], &settings.setup, &bench.session, &message) != kToolOk ||
        bench_runner_open(&bench.runner, bench.session.interpreter, NULL, &message) != kToolOk ||
        bench_runner_allocate(&bench.runner) != kTfLiteOk) {
        return fprintf(stderr, "%s\n", message.text), 1;
    }
    // Some 20 ms in a turn.
    bare(bench.session.interpreter, 10);
    const double once = bare(bench.session.interpreter, 10);
    settings.num_runs = once < 2000 ? (int)(20000 / once) : 10;
    printf("%s, %d inferences a turn\n", arguments[1], settings.num_runs);
    take_turns(&bench, settings.num_runs, &message);
    bench_runner_close(&bench.runner);
    tool_session_close(&bench.session);
    fclose(bench.log);
    return 0;
}
