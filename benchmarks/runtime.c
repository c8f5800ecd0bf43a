// SPDX-License-Identifier: Apache-2.0
// What the runtime itself costs: an inference of one operator that does nothing, and preparing and placing a
// graph of a thousand nodes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/support/model_builder.h"

enum { kRounds = 51, kInvokes = 2000, kNodes = 1000, kLength = 16 };

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int compare_doubles(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Median over rounds of the microseconds that one of `count` calls of `step` takes.
static double median_us(void (*step)(void* argument, int i), void* argument, int count) {
    double times[kRounds];
    for (int round = 0; round < kRounds; round++) {
        const double begin = now_us();
        for (int i = 0; i < count; i++) step(argument, i + round);
        times[round] = (now_us() - begin) / count;
    }
    qsort(times, kRounds, sizeof *times, compare_doubles);
    return times[kRounds / 2];
}

static void check(TfLiteStatus status, const char* what) {
    if (status == kTfLiteOk) return;
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static TfLiteStatus prepare_nothing(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
    if (dims == NULL) return kTfLiteError;
    dims->data[0] = TfLiteOpaqueTensorDim(TfLiteOpaqueNodeGetInput(context, node, 0), 0);
    return TfLiteOpaqueContextResizeTensor(context, TfLiteOpaqueNodeGetOutput(context, node, 0), dims);
}

static TfLiteStatus invoke_nothing(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context;
    (void)node;
    return kTfLiteOk;
}

// A chain of nodes: the custom operator "Nothing", or ADD of each tensor to itself.
static TfLiteModel* create_chain(int nodes, bool custom, void** bytes) {
    static const TfLiteAddParams params = {.activation = kTfLiteActNone};
    ModelBuilder* builder = builder_create();
    const BuilderTensor shape = {.type = kTfLiteFloat32, .rank = 1, .dims = {kLength}};
    const int first = builder_tensor(builder, shape);
    int last = first;
    for (int i = 0; i < nodes; i++) {
        const int next = builder_tensor(builder, shape);
        const BuilderOperator nothing = {
            .custom_name = "Nothing", .inputs = {1, {last}}, .outputs = {1, {next}}};
        const BuilderOperator add = {.code = kTfLiteBuiltinAdd,
                                     .inputs = {2, {last, last}},
                                     .outputs = {1, {next}},
                                     .params = &params};
        builder_operator(builder, custom ? nothing : add);
        last = next;
    }
    builder_inputs(builder, (BuilderInts){1, {first}});
    builder_outputs(builder, (BuilderInts){1, {last}});
    size_t size;
    *bytes = builder_finish(builder, &size);
    return TfLiteModelCreate(*bytes, size);
}

static void invoke(void* argument, int i) {
    (void)i;
    check(TfLiteInterpreterInvoke(argument), "invoke");
}

// Every other length, so that nothing is as it was.
static void resize_and_allocate(void* argument, int i) {
    const int length = kLength + i % 2;
    check(TfLiteInterpreterResizeInputTensor(argument, 0, &length, 1), "resize");
    check(TfLiteInterpreterAllocateTensors(argument), "allocation");
}

int main(void) {
    TfLiteOperator* nothing = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Nothing", 1, NULL);
    TfLiteOperatorSetPrepare(nothing, prepare_nothing);
    TfLiteOperatorSetInvoke(nothing, invoke_nothing);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddOperator(options, nothing);
    void* bytes[2];
    TfLiteModel* models[2] = {create_chain(1, true, &bytes[0]), create_chain(kNodes, false, &bytes[1])};
    TfLiteInterpreter* one = TfLiteInterpreterCreate(models[0], options);
    TfLiteInterpreter* chain = TfLiteInterpreterCreate(models[1], options);
    if (one == NULL || chain == NULL) return 1;
    check(TfLiteInterpreterAllocateTensors(one), "allocation");
    printf("invoke of one operator that does nothing: %.3f us\n", median_us(invoke, one, kInvokes));
    printf("resize and allocation of %d nodes:        %.3f ms\n", kNodes,
           median_us(resize_and_allocate, chain, 1) * 1e-3);
    printf("invoke of %d ADDs of %d numbers:          %.3f ms\n", kNodes, kLength,
           median_us(invoke, chain, 1) * 1e-3);
    TfLiteInterpreterDelete(one);
    TfLiteInterpreterDelete(chain);
    for (int i = 0; i < 2; i++) {
        TfLiteModelDelete(models[i]);
        free(bytes[i]);
    }
    TfLiteInterpreterOptionsDelete(options);
    TfLiteOperatorDelete(nothing);
    return 0;
}
