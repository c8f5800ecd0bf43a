// SPDX-License-Identifier: Apache-2.0
// benchmark_pipelined [MODEL [OPTIONS]]: two interpreters of a model on one OpenCL device, of which the CPU
// computes a part (OPTIONS are the delegate's, such as "deny=SOFTMAX"): inferences one after the other, and
// in the background of both, by turns in the same run. Prints the medians of the rounds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"

enum { kRounds = 11, kPrograms = 2 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check(bool good, const char* what) {
    if (good) return;
    fprintf(stderr, "%s failed: %s\n", what, oclite_opencl_last_error());
    exit(1);
}

static TfLiteInterpreter* open_interpreter(const TfLiteModel* model, TfLiteDelegate* delegate) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreterOptionsSetNumThreads(options, 1);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    check(interpreter != NULL && TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk, "the model");
    for (int i = 0; i < TfLiteInterpreterGetInputTensorCount(interpreter); i++) {
        TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, i);
        memset(TfLiteTensorData(input), 0, TfLiteTensorByteSize(input));
    }
    check(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk, "the first inference");
    return interpreter;
}

// Inferences per second, of both together.
static double run_serially(TfLiteInterpreter* const* interpreters, int count) {
    const double begin = now();
    for (int i = 0; i < count; i++) {
        for (int p = 0; p < kPrograms; p++)
            check(TfLiteInterpreterInvoke(interpreters[p]) == kTfLiteOk, "an inference");
    }
    return kPrograms * count / (now() - begin);
}

static double run_pipelined(TfLiteInterpreter* const* interpreters, int count) {
    const double begin = now();
    for (int i = 0; i < count; i++) {
        for (int p = 0; p < kPrograms; p++)
            check(oclite_invoke_async(interpreters[p], NULL, NULL) == kTfLiteOk, "oclite_invoke_async");
    }
    for (int p = 0; p < kPrograms; p++)
        check(oclite_invoke_wait(interpreters[p]) == kTfLiteOk, "an inference in the background");
    return kPrograms * count / (now() - begin);
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
    const char* options = argc > 2 ? argv[2] : "";
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(options);
    check(delegate != NULL, "the delegate");
    TfLiteModel* model = TfLiteModelCreateFromFile(argc > 1 ? argv[1] : "examples/models/digits.tflite");
    check(model != NULL, "the model file");
    TfLiteInterpreter* interpreters[kPrograms];
    for (int p = 0; p < kPrograms; p++) interpreters[p] = open_interpreter(model, delegate);
    // Rounds of about 0.2 s.
    const int count = 1 + (int)(0.2 * run_serially(interpreters, 3) / kPrograms);
    double serial[kRounds], pipelined[kRounds], ratio[kRounds];
    for (int round = 0; round < kRounds; round++) {
        serial[round] = run_serially(interpreters, count);
        pipelined[round] = run_pipelined(interpreters, count);
        ratio[round] = pipelined[round] / serial[round];
    }
    printf("%s, %s: the device has %.0f %% of an inference\n", oclite_opencl_delegate_device(delegate),
           options, 100 * device_share(interpreters[0], count));
    printf("serial %.1f/s, pipelined %.1f/s, ratio %.2f (medians of %d rounds of %d inferences)\n",
           median(serial), median(pipelined), median(ratio), kRounds, kPrograms * count);
    for (int p = 0; p < kPrograms; p++) TfLiteInterpreterDelete(interpreters[p]);
    TfLiteModelDelete(model);
    oclite_opencl_delegate_delete(delegate);
    return 0;
}
