// SPDX-License-Identifier: Apache-2.0
// benchmark_placement MODEL THREADS OPTIONS: the model with partition=none, all and cost of the OpenCL
// delegate (OPTIONS are its other ones, such as "cache_dir=/tmp/x"), in three interpreters of one process
// that take turns every few milliseconds, so that whatever else the machine does concerns all of them. Prints
// JSON: the medians in milliseconds, how long the first preparation by cost took, with the programs compiled
// already, and how many nodes the device has by cost.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/measure.h"
#include "oclite/oclite.h"
#include "oclite/tftext.h"
#include "tensorflow/lite/c/c_api_opaque.h"

enum { WAYS = 3, MOST_TIMES = 20000 };
static const double turn = 0.006, together = 2.0; // seconds

// What the device's programs leave in the heap is there for both of the others.
static const char* const ways[WAYS] = {"all", "none", "cost"};

typedef struct Way {
    TfLiteDelegate* delegate;
    TfLiteInterpreter* interpreter;
    int count;
    double times[MOST_TIMES];
} Way;

// The same words in every element.
static void fill_strings(TfLiteTensor* tensor) {
    static const char* const words = "the quick brown fox jumps over the lazy dog";
    int32_t count = 1;
    for (int32_t d = 0; d < TfLiteTensorNumDims(tensor); d++) count *= TfLiteTensorDim(tensor, d);
    const char** all = calloc((size_t)count + 1, sizeof *all);
    int* lengths = calloc((size_t)count + 1, sizeof *lengths);
    check(all != NULL && lengths != NULL, "memory");
    for (int32_t i = 0; i < count; i++) all[i] = words, lengths[i] = (int)strlen(words);
    check(TfLiteOpaqueTensorWriteStrings((TfLiteOpaqueTensor*)tensor, all, count, lengths) == kTfLiteOk,
          "strings");
    free(all);
    free(lengths);
}

// Floats between -1 and 1; other types stay zero, and so do inputs that are constants.
static void fill(TfLiteTensor* tensor) {
    const TfLiteType type = TfLiteTensorType(tensor);
    if (type == kTfLiteString) {
        fill_strings(tensor);
        return;
    }
    const size_t bytes = TfLiteTensorByteSize(tensor);
    uint32_t state = 1;
    float* values = type == kTfLiteFloat32 ? calloc(bytes + 1, 1) : NULL;
    for (size_t i = 0; values != NULL && i < bytes / sizeof *values; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (float)(int32_t)state / 2147483648.0f;
    }
    if (values != NULL) (void)TfLiteTensorCopyFromBuffer(tensor, values, bytes);
    free(values);
}

static void open_way(Way* way, const TfLiteModel* model, const char* name, int threads, const char* options) {
    char text[1024];
    snprintf(text, sizeof text, "partition=%s,%s", name, options);
    way->delegate = oclite_opencl_delegate_create_from_string(text);
    check(way->delegate != NULL, "the delegate");
    TfLiteInterpreterOptions* given = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetNumThreads(given, threads);
    TfLiteInterpreterOptionsAddDelegate(given, way->delegate);
    check(oclite_tftext_add_operators(given) == kTfLiteOk, "the operators for text");
    way->interpreter = TfLiteInterpreterCreate(model, given);
    TfLiteInterpreterOptionsDelete(given);
    check(way->interpreter != NULL && TfLiteInterpreterAllocateTensors(way->interpreter) == kTfLiteOk,
          "the interpreter");
    for (int i = 0; i < TfLiteInterpreterGetInputTensorCount(way->interpreter); i++)
        fill(TfLiteInterpreterGetInputTensor(way->interpreter, i));
    check(TfLiteInterpreterInvoke(way->interpreter) == kTfLiteOk, "an inference");
}

static void close_way(Way* way) {
    TfLiteInterpreterDelete(way->interpreter);
    oclite_opencl_delegate_delete(way->delegate);
}

// The first inference finds the caches as another way has left them, and does not count.
static void take_turn(Way* way) {
    check(TfLiteInterpreterInvoke(way->interpreter) == kTfLiteOk, "an inference");
    const double begin = now();
    double last = begin;
    do {
        check(TfLiteInterpreterInvoke(way->interpreter) == kTfLiteOk, "an inference");
        const double end = now();
        if (way->count < MOST_TIMES) way->times[way->count++] = end - last;
        last = end;
    } while (last - begin < turn);
}

static int compare(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median_ms(Way* way) {
    qsort(way->times, (size_t)way->count, sizeof way->times[0], compare);
    return way->times[way->count / 2] * 1e3;
}

static void count_taken(void* user_data, const OcliteOpenclNode* node) {
    ((int*)user_data)[0]++;
    ((int*)user_data)[1] += node->taken;
}

int main(int argc, char** argv) {
    static Way running[WAYS];
    if (argc != 4) {
        fprintf(stderr, "usage: benchmark_placement MODEL THREADS OPTIONS\n");
        return 2;
    }
    TfLiteModel* model = TfLiteModelCreateFromFile(argv[1]);
    check(model != NULL, "the model");
    double first = 0;
    for (int w = 0; w < WAYS; w++) { // cost is the last one
        first = now();
        open_way(&running[w], model, ways[w], atoi(argv[2]), argv[3]);
    }
    first = now() - first;
    for (const double begin = now(); now() - begin < together;) {
        for (int w = 0; w < WAYS; w++) take_turn(&running[w]);
    }
    int nodes[2] = {0}; // all, and those on the device
    oclite_opencl_delegate_explain(running[WAYS - 1].delegate, count_taken, nodes);
    printf("{");
    for (int w = 0; w < WAYS; w++) printf("\"%s\": %.6f, ", ways[w], median_ms(&running[w]));
    printf("\"first_s\": %.3f, \"nodes\": %d, \"taken\": %d}\n", first, nodes[0], nodes[1]);
    for (int w = 0; w < WAYS; w++) close_way(&running[w]);
    TfLiteModelDelete(model);
    return 0;
}
