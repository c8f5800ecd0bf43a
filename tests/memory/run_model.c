// SPDX-License-Identifier: Apache-2.0
// A model is loaded, made an interpreter of, allocated, invoked, resized, and run through its signatures.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/custom_atan/atan_operator.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/profiling/telemetry/c/profiler.h"
#include "tests/memory/scenario.h"

typedef enum Delegation {
    kNone,
    kBefore,
    kAfter,
    kOpenCl
} Delegation; // the test's: before or after the interpreter

typedef struct Model {
    const char* path;                // a file, or
    const char* file;                // one in models_folder, or
    uint8_t* (*build)(size_t* size); // what makes it
    int resize_rank;                 // of the first input, before a second inference; 0: none
    int resize[4];
    Delegation delegation;
    int threads;
} Model;

typedef struct Life {
    uint8_t* bytes;
    TfLiteModel* model;
    TfLiteOperator* atan;
    TfLiteOpaqueDelegate* delegate;
    TfLiteDelegate* opencl;
    TfLiteInterpreter* interpreter;
} Life;

static uint32_t begin_op(struct TfLiteTelemetryProfilerStruct* profiler, const char* op_name, int64_t op_idx,
                         int64_t subgraph_idx) {
    (void)profiler, (void)op_name, (void)op_idx, (void)subgraph_idx;
    return UINT32_MAX;
}

static void on_settings(struct TfLiteTelemetryProfilerStruct* profiler, const char* setting_name,
                        const TfLiteTelemetrySettings* settings) {
    (void)profiler, (void)setting_name, (void)settings;
}

static TfLiteTelemetryProfilerStruct profiler = {.ReportBeginOpInvokeEvent = begin_op,
                                                 .ReportSettings = on_settings};

static TfLiteModel* load(const Model* data, Life* life) {
    if (data->path != NULL) {
        return TfLiteModelCreateFromFileWithErrorReporter(data->path, report_message, NULL);
    }
    if (data->file == NULL) {
        size_t size;
        life->bytes = data->build(&size);
        return TfLiteModelCreateWithErrorReporter(life->bytes, size, report_message, NULL);
    }
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", models_folder, data->file);
    return TfLiteModelCreateFromFileWithErrorReporter(path, report_message, NULL);
}

static TfLiteInterpreterOptions* make_options(const Model* data, Life* life) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetNumThreads(options, data->threads);
    TfLiteInterpreterOptionsSetErrorReporter(options, report_message, NULL);
    TfLiteInterpreterOptionsAddOperator(options, life->atan);
    TfLiteInterpreterOptionsSetTelemetryProfiler(options, &profiler);
    (void)TfLiteInterpreterOptionsEnableCancellation(options, true);
    if (data->delegation == kBefore) TfLiteInterpreterOptionsAddDelegate(options, life->delegate);
    if (data->delegation == kOpenCl) TfLiteInterpreterOptionsAddDelegate(options, life->opencl);
    TfLiteInterpreterOptions* copy = TfLiteInterpreterOptionsCopy(options);
    TfLiteInterpreterOptionsDelete(options);
    return copy;
}

static bool begin(const Model* data, Life* life) {
    life->model = load(data, life);
    life->atan = atan_operator_create();
    if (life->model == NULL || life->atan == NULL) return false;
    if (data->delegation == kBefore || data->delegation == kAfter) {
        life->delegate = test_delegate_create();
        if (life->delegate == NULL) return false;
    }
    if (data->delegation == kOpenCl) {
        life->opencl = oclite_opencl_delegate_create(NULL);
        if (life->opencl == NULL) return false;
    }
    TfLiteInterpreterOptions* options = make_options(data, life);
    if (options == NULL) return false;
    life->interpreter = TfLiteInterpreterCreate(life->model, options);
    TfLiteInterpreterOptionsDelete(options);
    if (life->interpreter == NULL) return false;
    return data->delegation != kAfter ||
           TfLiteInterpreterModifyGraphWithDelegate(life->interpreter, life->delegate) == kTfLiteOk;
}

static bool run_graph(TfLiteInterpreter* interpreter) {
    if (TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) return false;
    for (int i = 0; i < TfLiteInterpreterGetInputTensorCount(interpreter); i++) {
        if (!fill_input(TfLiteInterpreterGetInputTensor(interpreter, i))) return false;
    }
    if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) return false;
    for (int i = 0; i < TfLiteInterpreterGetOutputTensorCount(interpreter); i++) {
        observe_tensor(TfLiteInterpreterGetOutputTensor(interpreter, i));
    }
    return true;
}

static bool use_runner(TfLiteSignatureRunner* runner) {
    if (TfLiteSignatureRunnerAllocateTensors(runner) != kTfLiteOk) return false;
    for (int i = 0; i < (int)TfLiteSignatureRunnerGetInputCount(runner); i++) {
        const char* name = TfLiteSignatureRunnerGetInputName(runner, i);
        if (!fill_input(TfLiteSignatureRunnerGetInputTensor(runner, name))) return false;
    }
    if (TfLiteSignatureRunnerInvoke(runner) != kTfLiteOk) return false;
    for (int i = 0; i < (int)TfLiteSignatureRunnerGetOutputCount(runner); i++) {
        observe_tensor(
            TfLiteSignatureRunnerGetOutputTensor(runner, TfLiteSignatureRunnerGetOutputName(runner, i)));
    }
    return true;
}

// `key` NULL: the whole model.
static bool run_signature(TfLiteInterpreter* interpreter, const char* key) {
    TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(interpreter, key);
    const bool complete = runner != NULL && use_runner(runner);
    TfLiteSignatureRunnerDelete(runner);
    return complete;
}

static bool use(const Model* data, TfLiteInterpreter* interpreter) {
    if (!run_graph(interpreter)) return false;
    if (data->resize_rank > 0) {
        if (TfLiteInterpreterResizeInputTensor(interpreter, 0, data->resize, data->resize_rank) != kTfLiteOk)
            return false;
        if (!run_graph(interpreter)) return false;
    }
    if (TfLiteInterpreterResetVariableTensors(interpreter) != kTfLiteOk) return false;
    const int count = TfLiteInterpreterGetSignatureCount(interpreter);
    if (count == 0) return run_signature(interpreter, NULL);
    for (int i = 0; i < count; i++) {
        if (!run_signature(interpreter, TfLiteInterpreterGetSignatureKey(interpreter, i))) return false;
    }
    return true;
}

static bool run_model(const void* data) {
    Life life = {0};
    const bool complete = begin(data, &life) && use(data, life.interpreter);
    TfLiteInterpreterDelete(life.interpreter);
    TfLiteOpaqueDelegateDelete(life.delegate);
    oclite_opencl_delegate_delete(life.opencl);
    TfLiteOperatorDelete(life.atan);
    TfLiteModelDelete(life.model);
    free(life.bytes);
    return complete;
}

bool run_model_file(const void* data) {
    const Model model = {.path = data, .threads = 1};
    return run_model(&model);
}

static bool fill_strings(TfLiteTensor* tensor) {
    enum { kMost = 64 };
    static const char* const words[] = {"two", "many", "twelve"};
    const char* texts[kMost];
    int lengths[kMost], count = 1;
    for (int i = 0; i < TfLiteTensorNumDims(tensor); i++) count *= TfLiteTensorDim(tensor, i);
    if (count > kMost) return false;
    for (int i = 0; i < count; i++) {
        texts[i] = words[i % 3];
        lengths[i] = (int)strlen(texts[i]);
    }
    return TfLiteOpaqueTensorWriteStrings((TfLiteOpaqueTensor*)tensor, texts, count, lengths) == kTfLiteOk;
}

bool fill_input(TfLiteTensor* tensor) {
    void* data = TfLiteTensorData(tensor);
    const size_t size = TfLiteTensorByteSize(tensor);
    switch (TfLiteTensorType(tensor)) {
    case kTfLiteString:
        return fill_strings(tensor);
    case kTfLiteFloat32:
        for (size_t i = 0; i < size / sizeof(float); i++) ((float*)data)[i] = (float)(i % 7) / 4;
        return true;
    case kTfLiteInt32:
        for (size_t i = 0; i < size / sizeof(int32_t); i++) ((int32_t*)data)[i] = 3;
        return true;
    default:
        if (size > 0) memset(data, 7, size);
        return true;
    }
}

#define DIGITS .file = "digits.tflite", .resize_rank = 4, .resize = {1, 8, 8, 1}
#define DIGITS_INT8 .file = "digits_int8.tflite", .resize_rank = 4, .resize = {1, 8, 8, 1}
#define ATAN .file = "atan.tflite", .resize_rank = 1, .resize = {9}
#define LOOP .build = model_with_loop, .resize_rank = 1, .resize = {5}
#define STRINGS .build = model_with_strings, .resize_rank = 1, .resize = {2}
#define VARIABLES .build = model_with_variables

#define MODEL(name, ...)                                                                                     \
    { name, run_model, &(const Model){.threads = 1, __VA_ARGS__}, kNoOpenCl }
#define OPENCL(name, use, ...)                                                                               \
    { name, run_model, &(const Model){.threads = 1, .delegation = kOpenCl, __VA_ARGS__}, use }

const Scenario model_scenarios[] = {
    MODEL("float model", DIGITS),
    {"float model with threads", run_model, &(const Model){DIGITS, .threads = 3}, kNoOpenCl},
    MODEL("float model, delegate", DIGITS, .delegation = kBefore),
    MODEL("float model, late delegate", DIGITS, .delegation = kAfter),
    OPENCL("float model on OpenCL", kWarmOpenCl, DIGITS),
    MODEL("int8 model", DIGITS_INT8),
    MODEL("int8 model, delegate", DIGITS_INT8, .delegation = kBefore),
    OPENCL("int8 model on OpenCL", kWarmOpenCl, DIGITS_INT8),
    MODEL("custom operator", ATAN),
    MODEL("custom operator, delegate", ATAN, .delegation = kBefore),
    MODEL("custom operator, late delegate", ATAN, .delegation = kAfter),
    OPENCL("custom operator on OpenCL", kWarmOpenCl, ATAN),
    OPENCL("custom operator on new OpenCL", kColdOpenCl, ATAN),
    OPENCL("float model on new OpenCL", kLinkOpenCl, DIGITS),
    MODEL("loop", LOOP),
    MODEL("loop, delegate", LOOP, .delegation = kBefore),
    OPENCL("loop on OpenCL", kWarmOpenCl, LOOP),
    MODEL("strings and tables", STRINGS),
    MODEL("strings and tables, delegate", STRINGS, .delegation = kBefore),
    MODEL("signatures and variables", VARIABLES),
    MODEL("signatures and variables, delegate", VARIABLES, .delegation = kBefore),
    OPENCL("signatures and variables on OpenCL", kWarmOpenCl, VARIABLES),
};
const int model_scenario_count = sizeof model_scenarios / sizeof *model_scenarios;
