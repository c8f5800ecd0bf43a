// SPDX-License-Identifier: Apache-2.0
// oclite bench: how long one inference takes. Inputs are pseudo-random, the same in every run of the program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/commands.h"
#include "tools/options.h"
#include "tools/profile.h"
#include "tools/tensor_io.h"

typedef struct Bench {
    const char* model;
    ToolSetup setup;
    int runs;
    int warmup;
    bool profile;
    ToolList shapes;
    ToolResize* resizes; // the same
} Bench;

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static uint32_t next_random(uint32_t* state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// Floats in [0, 1), any byte for 8-bit types; the rest is zero, because integers are mostly indices.
static void fill_random(TfLiteTensor* tensor, uint32_t* state) {
    const size_t bytes = TfLiteTensorByteSize(tensor);
    const TfLiteType type = TfLiteTensorType(tensor);
    void* data = TfLiteTensorData(tensor);
    if (!data) return;
    if (type == kTfLiteFloat32) {
        float* values = data;
        for (size_t i = 0; i < bytes / sizeof(float); ++i) values[i] = (float)next_random(state) * 0x1p-24f;
    } else if (type == kTfLiteInt8 || type == kTfLiteUInt8) {
        uint8_t* values = data;
        for (size_t i = 0; i < bytes; ++i) values[i] = (uint8_t)(next_random(state) >> 8);
    }
}

static ToolStatus prepare(const Bench* bench, TfLiteInterpreter* interpreter, ToolMessage* message) {
    bool changed = false;
    ToolStatus status = tool_job_resize(interpreter, bench->resizes, bench->shapes.count, &changed, message);
    if (status != kToolOk) return status;
    if (TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) {
        return tool_fail(message, kToolAllocate, "the tensors could not be allocated");
    }
    uint32_t state = 1;
    const int count = TfLiteInterpreterGetInputTensorCount(interpreter);
    for (int i = 0; i < count && status == kToolOk; ++i) {
        TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, i);
        status = tool_tensor_clear(tensor, message);
        fill_random(tensor, &state);
    }
    return status;
}

static int compare_times(const void* left, const void* right) {
    const double a = *(const double*)left;
    const double b = *(const double*)right;
    return (a > b) - (a < b);
}

static ToolStatus time_runs(const Bench* bench, TfLiteInterpreter* interpreter, double* times, double* first,
                            ToolMessage* message) {
    for (int i = -bench->warmup; i < bench->runs; ++i) {
        const double start = now_ms();
        if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) {
            return tool_fail(message, kToolInvoke, "the model could not be run");
        }
        const double taken = now_ms() - start;
        if (i == -bench->warmup) *first = taken;
        if (i >= 0) times[i] = taken;
    }
    qsort(times, (size_t)bench->runs, sizeof(double), compare_times);
    return kToolOk;
}

static void print_times(const Bench* bench, double load, double first, const double* times) {
    printf("{\"runs\": %d, \"threads\": %d, \"load_ms\": %.3f, \"first_ms\": %.3f, \"min_ms\": %.4f, "
           "\"median_ms\": %.4f, \"max_ms\": %.4f}\n",
           bench->runs, bench->setup.threads, load, first, times[0], times[bench->runs / 2],
           times[bench->runs - 1]);
}

// As the device has timed it, in all runs: with the option profiling=1.
static void print_kernel(void* user_data, const OcliteOpenclKernel* kernel) {
    (void)user_data;
    if (kernel->runs == 0) return;
    printf("%10.4f ms on the device  graph %d", (double)kernel->total_ns / (double)kernel->runs * 1e-6,
           kernel->graph);
    for (int n = 0; n < kernel->node_count; ++n) printf("%s%d", n > 0 ? "+" : " #", kernel->nodes[n]);
    printf(" ");
    tool_print_name(kernel->op);
    printf(" %s %zux%zux%zu", kernel->kernel, kernel->global[0], kernel->global[1], kernel->global[2]);
    if (kernel->local[0] > 0) printf(" by %zux%zux%zu", kernel->local[0], kernel->local[1], kernel->local[2]);
    printf("\n");
}

// A profile costs time itself, so it is made of runs of its own.
static ToolStatus profile_runs(const Bench* bench, const ToolSession* session, double* times,
                               ToolMessage* message) {
    TfLiteInterpreter* interpreter = session->interpreter;
    double first = 0;
    ToolProfile profile;
    ToolStatus status = tool_profile_start(&profile, interpreter, message);
    if (status == kToolOk) status = time_runs(bench, interpreter, times, &first, message);
    if (status == kToolOk) status = tool_profile_print(&profile, interpreter, message);
    if (status == kToolOk) oclite_opencl_delegate_profile(session->delegate, print_kernel, NULL);
    oclite_interpreter_set_profile(interpreter, NULL, NULL);
    tool_profile_free(&profile);
    return status;
}

static ToolStatus measure(const Bench* bench, double* times, ToolMessage* message) {
    const double start = now_ms();
    double first = 0;
    ToolSession session;
    ToolStatus status = tool_session_open(bench->model, &bench->setup, &session, message);
    if (status != kToolOk) return status;
    status = prepare(bench, session.interpreter, message);
    const double load = now_ms() - start;
    if (status == kToolOk) status = time_runs(bench, session.interpreter, times, &first, message);
    if (status == kToolOk) print_times(bench, load, first, times);
    if (status == kToolOk && bench->profile) status = profile_runs(bench, &session, times, message);
    tool_session_close(&session);
    return status;
}

static ToolStatus run_bench(void* settings, const ToolList* operands, ToolMessage* message) {
    Bench* bench = settings;
    bench->model = operands->items[0];
    ToolStatus status = kToolOk;
    double* times = calloc((size_t)bench->runs, sizeof(double));
    bench->resizes = calloc((size_t)bench->shapes.count + 1, sizeof(ToolResize));
    if (!times || !bench->resizes) status = tool_fail(message, kToolFile, "out of memory");
    for (int i = 0; i < bench->shapes.count && status == kToolOk; ++i) {
        status = tool_parse_resize(bench->shapes.items[i], &bench->resizes[i], message);
    }
    if (status == kToolOk) status = measure(bench, times, message);
    free(times);
    free(bench->resizes);
    return status;
}

static const ToolOption kOptions[] = {
    {.name = "runs",
     .value = "N",
     .help = "Timed inferences.",
     .kind = kToolInteger,
     .low = 1,
     .offset = offsetof(Bench, runs)},
    {.name = "warmup",
     .value = "N",
     .help = "Inferences before them.",
     .kind = kToolInteger,
     .offset = offsetof(Bench, warmup)},
    {.name = "resize",
     .value = "I=SHAPE",
     .help = "Gives the I-th input a shape: 0=1x224x224x3.",
     .kind = kToolTexts,
     .offset = offsetof(Bench, shapes)},
    {.name = "profile",
     .help = "Then one line per node, and with --delegate opencl:profiling=1 one per kernel on the device.",
     .kind = kToolFlag,
     .offset = offsetof(Bench, profile)},
    {0},
};

static const Bench kDefaults = {.runs = 50, .warmup = 5};

const ToolCommand tool_bench_command = {
    .name = "bench",
    .summary = "times inference",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .description = "Prints one line of JSON, times in milliseconds. Inputs are pseudo-random.",
    .options = kOptions,
    .has_setup = true,
    .setup_offset = offsetof(Bench, setup),
    .size = sizeof(Bench),
    .defaults = &kDefaults,
    .run = run_bench,
};
