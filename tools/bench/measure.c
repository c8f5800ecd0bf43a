// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/measure.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

#include "tools/bench/delegates.h"
#include "tools/common/timing.h"

static void sleep_us(double microseconds) {
    if (!(microseconds > 0)) return;
    const double seconds = floor(microseconds * 1e-6);
    const struct timespec time = {(time_t)seconds, (long)((microseconds - seconds * 1e6) * 1e3)};
    nanosleep(&time, NULL);
}

// The progress, shown on a terminal a few times a second, between inferences.
typedef struct Progress {
    bool is_shown;
    const char* what;
    double next_us;
} Progress;

static void show_progress(Progress* progress, const ToolSeries* series, int wanted, double now) {
    enum { kIntervalUs = 200000 };
    if (!progress->is_shown || now < progress->next_us) return;
    progress->next_us = now + kIntervalUs;
    fprintf(stderr, "\r%s: %lld of at least %d, %.3f ms on average\033[K", progress->what,
            (long long)series->moments.count, wanted, series->moments.mean * 1e-3);
    fflush(stderr);
}

static void end_progress(const Progress* progress) {
    if (progress->is_shown && progress->next_us > 0) fprintf(stderr, "\r\033[K");
}

typedef struct Plan {
    const char* what;
    int runs;
    double seconds;
    bool is_profiled;
} Plan;

static ToolStatus run_once(Bench* bench, const Plan* plan, ToolSeries* series, double* end,
                           ToolMessage* message) {
    if (plan->is_profiled) bench_profile_begin_run(&bench->profile);
    const double start = tool_now_us();
    const TfLiteStatus status = bench_runner_invoke(&bench->runner);
    *end = tool_now_us();
    if (status != kTfLiteOk) return tool_fail(message, kToolInvoke, "the model could not be run");
    if (!tool_series_add(series, fmax(*end - start - bench->clock_us, 0)))
        return tool_fail(message, kToolInvoke, "out of memory");
    return plan->is_profiled ? bench_profile_end_run(&bench->profile, bench_opencl(bench), message) : kToolOk;
}

static void log_series(FILE* log, ToolSeries* series) {
    const ToolMoments* moments = &series->moments;
    if (moments->count == 0) {
        fprintf(log, "count=0");
    } else if (moments->min == moments->max) {
        fprintf(log, "count=%lld curr=%lld%s", (long long)moments->count, (long long)moments->last,
                moments->count > 1 ? "(all same)" : "");
    } else {
        fprintf(log, "count=%lld first=%lld curr=%lld min=%lld max=%lld avg=%g std=%lld",
                (long long)moments->count, (long long)moments->first, (long long)moments->last,
                (long long)moments->min, (long long)moments->max, moments->mean,
                (long long)tool_moments_deviation(moments));
    }
    if (moments->count > 0) {
        fprintf(log, " p5=%lld median=%lld p95=%lld", (long long)tool_series_percentile(series, 5),
                (long long)tool_series_percentile(series, 50), (long long)tool_series_percentile(series, 95));
    }
    fprintf(log, "\n\n");
}

static ToolStatus run_many(Bench* bench, const Plan* plan, ToolSeries* series, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    fprintf(bench->log,
            "Running benchmark for at least %d iterations and at least %g seconds but terminate if exceeding "
            "%g seconds.\n",
            plan->runs, plan->seconds, settings->max_secs);
    fflush(bench->log);
    Progress progress = {.is_shown = isatty(STDERR_FILENO), .what = plan->what};
    const double begin = tool_now_us();
    const double gap = settings->run_frequency > 0 ? 1e6 / settings->run_frequency : 0;
    double next = begin + gap;
    double now = begin;
    ToolStatus status = kToolOk;
    while (status == kToolOk && (series->moments.count < plan->runs || now < begin + plan->seconds * 1e6) &&
           now <= begin + settings->max_secs * 1e6) {
        status = run_once(bench, plan, series, &now, message);
        show_progress(&progress, series, plan->runs, now);
        if (gap > 0) {
            sleep_us(next - tool_now_us());
            next += gap;
        } else {
            sleep_us(settings->run_delay * 1e6);
        }
        if (gap > 0 || settings->run_delay > 0) now = tool_now_us();
    }
    end_progress(&progress);
    if (status == kToolOk) log_series(bench->log, series);
    return status;
}

ToolStatus bench_measure(Bench* bench, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    const bool dry = settings->dry_run;
    const Plan warmup = {"warm-up", dry ? 0 : settings->warmup_runs, dry ? -1 : settings->warmup_min_secs,
                         false};
    const Plan runs = {"inferences", dry ? 0 : settings->num_runs, dry ? -1 : settings->min_secs,
                       settings->profile};
    bench->clock_us = tool_clock_cost() * 1e6;
    const ToolStatus status = run_many(bench, &warmup, &bench->warmup, message);
    return status == kToolOk ? run_many(bench, &runs, &bench->runs, message) : status;
}
