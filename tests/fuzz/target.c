// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/target.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "core/base/shape.h"
#include "core/model/model.h"
#include "tensorflow/lite/c/c_api.h"

// Elements of all tensors together: mutated dimensions would otherwise keep the kernels busy for hours.
static const int64_t kMaxElements = 1 << 20;

static void count_message(void* user_data, const char* format, va_list args) {
    char text[256];
    vsnprintf(text, sizeof(text), format, args); // the arguments must fit the format
    ++*(int*)user_data;
}

// NULL when the bytes are refused.
static LiteModel* load(const uint8_t* data, size_t size) {
    int messages = 0;
    const LiteReporter reporter = {count_message, &messages};
    LiteModel* model = lite_model_create(data, size, &reporter);
    if (messages != (model == NULL)) {
        fprintf(stderr, "%d messages, model %p\n", messages, (void*)model);
        abort();
    }
    return model;
}

bool fuzz_load(const uint8_t* data, size_t size) {
    LiteModel* model = load(data, size);
    lite_model_release(model);
    return model != NULL;
}

static bool is_small(const LiteModel* model) {
    int64_t total = 0;
    for (int i = 0; i < lite_model_subgraph_count(model); i++) {
        const LiteModelSubgraph* subgraph = lite_model_subgraph(model, i);
        for (int k = 0; k < subgraph->tensor_count; k++) {
            int64_t elements = 0;
            const LiteModelInts shape = subgraph->tensors[k].shape;
            if (!lite_shape_count(shape.data, shape.count, &elements)) return false;
            total += elements;
            if (total > kMaxElements) return false;
        }
    }
    return true;
}

static void silence(void* user_data, const char* format, va_list args) {
    (void)user_data;
    (void)format;
    (void)args;
}

static const TfLiteInterpreter* volatile running;

static void cancel(int signal) {
    (void)signal;
    if (running != NULL) TfLiteInterpreterCancel(running);
}

static void invoke(TfLiteInterpreter* interpreter) {
    for (int i = 0; i < TfLiteInterpreterGetInputTensorCount(interpreter); i++) {
        TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, i);
        uint8_t* data = tensor == NULL ? NULL : TfLiteTensorData(tensor);
        if (data == NULL || TfLiteTensorType(tensor) == kTfLiteString) continue;
        // Small integers and, read as float, small numbers.
        for (size_t k = 0; k < TfLiteTensorByteSize(tensor); k++) {
            data[k] = TfLiteTensorType(tensor) == kTfLiteFloat32 && k % 4 == 3 ? 0x3f
                      : k % 4 == 0                                             ? (uint8_t)(k % 3)
                                                                               : 0;
        }
    }
    const struct itimerval second = {.it_value = {.tv_sec = 1}};
    const struct itimerval off = {0};
    signal(SIGALRM, cancel);
    running = interpreter;
    setitimer(ITIMER_REAL, &second, NULL);
    (void)TfLiteInterpreterInvoke(interpreter);
    setitimer(ITIMER_REAL, &off, NULL);
    running = NULL;
}

bool fuzz_run(const uint8_t* data, size_t size) {
    LiteModel* loaded = load(data, size);
    const bool small = loaded != NULL && is_small(loaded);
    lite_model_release(loaded);
    if (!small) return false;
    TfLiteModel* model = TfLiteModelCreate(data, size);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, silence, NULL);
    TfLiteInterpreterOptionsEnableCancellation(options, true);
    TfLiteInterpreterOptionsSetNumThreads(options, 1);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    const bool ready = interpreter != NULL && TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk;
    if (ready) invoke(interpreter);
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    return ready;
}
