// SPDX-License-Identifier: Apache-2.0
// benchmark_pipelined MODEL OPTIONS MODEL OPTIONS: two models on one OpenCL device, of each of which the CPU
// computes a part (OPTIONS are the delegate's, such as "deny=SOFTMAX"): inferences one after the other, and
// in the background of both, by turns in the same run. Prints the medians of the rounds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/measure.h"
#include "oclite/oclite.h"

enum { kRounds = 11, kPrograms = 2 };

typedef struct Program {
    const char* name;
    const char* options;
    TfLiteDelegate* delegate;
    TfLiteModel* model;
    TfLiteInterpreter* interpreter;
    int count; // of inferences in a round: the models take about as long
} Program;

static void open_program(Program* p, const char* path, const char* options) {
    *p = (Program){.name = path, .options = options};
    p->delegate = oclite_opencl_delegate_create_from_string(options);
    check(p->delegate != NULL, "the delegate");
    p->model = TfLiteModelCreateFromFile(path);
    check(p->model != NULL, path);
    TfLiteInterpreterOptions* settings = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddDelegate(settings, p->delegate);
    TfLiteInterpreterOptionsSetNumThreads(settings, 1);
    TfLiteInterpreter* interpreter = p->interpreter = TfLiteInterpreterCreate(p->model, settings);
    TfLiteInterpreterOptionsDelete(settings);
    check(interpreter != NULL && TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk, path);
    for (int i = 0; i < TfLiteInterpreterGetInputTensorCount(interpreter); i++) {
        TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, i);
        memset(TfLiteTensorData(input), 0, TfLiteTensorByteSize(input));
    }
    check(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk, "the first inference");
}

static void close_program(Program* p) {
    TfLiteInterpreterDelete(p->interpreter);
    TfLiteModelDelete(p->model);
    oclite_opencl_delegate_delete(p->delegate);
}

static double run_alone(const Program* p, int count) {
    const double begin = now();
    for (int i = 0; i < count; i++)
        check(TfLiteInterpreterInvoke(p->interpreter) == kTfLiteOk, "an inference");
    return now() - begin;
}

// Seconds for `count` inferences of each.
static double run_serially(const Program* programs) {
    double seconds = 0;
    for (int p = 0; p < kPrograms; p++) seconds += run_alone(&programs[p], programs[p].count);
    return seconds;
}

static double run_pipelined(const Program* programs) {
    const double begin = now();
    for (int p = 0; p < kPrograms; p++) {
        for (int i = 0; i < programs[p].count; i++)
            check(oclite_invoke_async(programs[p].interpreter, NULL, NULL) == kTfLiteOk,
                  "oclite_invoke_async");
    }
    for (int p = 0; p < kPrograms; p++)
        check(oclite_invoke_wait(programs[p].interpreter) == kTfLiteOk, "an inference in the background");
    return now() - begin;
}

// What the device does of an inference, nanoseconds.
typedef struct Share {
    TfLiteInterpreter* interpreter;
    uint64_t device, all;
} Share;

static void add_node(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    Share* share = user_data;
    OcliteNode info;
    const bool known = oclite_interpreter_node(share->interpreter, subgraph, node, &info) == kTfLiteOk;
    if (known && info.is_delegate) share->device += end_ns - begin_ns;
    share->all += end_ns - begin_ns;
}

static double device_share(TfLiteInterpreter* interpreter, int count) {
    Share share = {.interpreter = interpreter};
    oclite_interpreter_set_profile(interpreter, add_node, &share);
    for (int i = 0; i < count; i++) check(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk, "an inference");
    oclite_interpreter_set_profile(interpreter, NULL, NULL);
    return share.all > 0 ? (double)share.device / (double)share.all : 0;
}

static int compare_doubles(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double* values) {
    qsort(values, kRounds, sizeof *values, compare_doubles);
    return values[kRounds / 2];
}

int main(int argc, char** argv) {
    if (argc != 1 + 2 * kPrograms) {
        fprintf(stderr, "usage: %s MODEL OPTIONS MODEL OPTIONS\n", argv[0]);
        return 2;
    }
    Program programs[kPrograms];
    for (int p = 0; p < kPrograms; p++) open_program(&programs[p], argv[1 + 2 * p], argv[2 + 2 * p]);
    for (int p = 0; p < kPrograms; p++) programs[p].count = 1 + (int)(0.1 * 20 / run_alone(&programs[p], 20));
    double serial[kRounds], pipelined[kRounds], ratio[kRounds];
    for (int round = 0; round < kRounds; round++) {
        serial[round] = run_serially(programs);
        pipelined[round] = run_pipelined(programs);
        ratio[round] = serial[round] / pipelined[round];
    }
    for (int p = 0; p < kPrograms; p++) {
        printf("%s, %s: %s has %.0f %% of an inference\n", programs[p].name, programs[p].options,
               oclite_opencl_delegate_device(programs[p].delegate),
               100 * device_share(programs[p].interpreter, programs[p].count));
    }
    printf("%d and %d inferences: serial %.3f s, pipelined %.3f s, ratio %.2f (medians of %d rounds)\n",
           programs[0].count, programs[1].count, median(serial), median(pipelined), median(ratio), kRounds);
    for (int p = 0; p < kPrograms; p++) close_program(&programs[p]);
    return 0;
}
