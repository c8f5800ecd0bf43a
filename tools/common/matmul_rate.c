// SPDX-License-Identifier: Apache-2.0
#include "tools/common/matmul_rate.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/common/timing.h"

typedef struct Matmul {
    TfLiteDelegate* delegate;
    int threads;
    int rows;
    unsigned char* file;
    TfLiteModel* model;
    TfLiteInterpreterOptions* options;
    TfLiteInterpreter* interpreter;
    ToolMessage* message;
} Matmul;

// Fills with small numbers of both signs, for which no kernel has a short cut.
static void fill(TfLiteType type, void* data, size_t bytes) {
    int8_t* integers = data;
    float* floats = data;
    for (size_t i = 0; type == kTfLiteInt8 && i < bytes; i++)
        integers[i] = (int8_t)((int)(i * 37 % 201) - 100);
    for (size_t i = 0; type == kTfLiteFloat32 && i < bytes / sizeof(*floats); i++) {
        floats[i] = (float)((int)(i * 37 % 201) - 100) / 64;
    }
}

// Makes a file with weights, which follow the head: the buffer of the head says so.
static unsigned char* make_file(TfLiteType type, size_t* size) {
    const MatmulModel* model = matmul_models;
    while (model->name != NULL &&
           strcmp(model->name, type == kTfLiteInt8 ? "matmul_int8" : "matmul_float32") != 0)
        model++;
    const size_t body = (size_t)kMatmulSize * kMatmulSize * (type == kTfLiteInt8 ? 1 : sizeof(float));
    unsigned char* file = model->name != NULL ? malloc(kMatmulHead + body) : NULL;
    *size = kMatmulHead + body;
    if (file == NULL) return NULL;
    memcpy(file, model->file, kMatmulHead);
    fill(type, file + kMatmulHead, body);
    return file;
}

static ToolStatus open_matmul(Matmul* matmul, TfLiteType type) {
    size_t size = 0;
    matmul->file = make_file(type, &size);
    if (matmul->file != NULL) {
        matmul->model = TfLiteModelCreateWithErrorReporter(matmul->file, size, tool_report, matmul->message);
    }
    matmul->options = TfLiteInterpreterOptionsCreate();
    if (matmul->model == NULL || matmul->options == NULL) return tool_out_of_memory(matmul->message);
    TfLiteInterpreterOptionsSetErrorReporter(matmul->options, tool_report, matmul->message);
    TfLiteInterpreterOptionsSetNumThreads(matmul->options, matmul->threads);
    if (matmul->delegate != NULL) TfLiteInterpreterOptionsAddDelegate(matmul->options, matmul->delegate);
    matmul->interpreter = TfLiteInterpreterCreate(matmul->model, matmul->options);
    const int shape[] = {matmul->rows, kMatmulSize};
    if (matmul->interpreter == NULL ||
        TfLiteInterpreterResizeInputTensor(matmul->interpreter, 0, shape, 2) != kTfLiteOk ||
        TfLiteInterpreterAllocateTensors(matmul->interpreter) != kTfLiteOk) {
        return tool_fail(matmul->message, kToolAllocate, "the product of matrices could not be prepared");
    }
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(matmul->interpreter, 0);
    fill(type, TfLiteTensorData(input), TfLiteTensorByteSize(input));
    return kToolOk;
}

static void close_matmul(Matmul* matmul) {
    TfLiteInterpreterDelete(matmul->interpreter);
    TfLiteInterpreterOptionsDelete(matmul->options);
    TfLiteModelDelete(matmul->model);
    free(matmul->file);
}

static ToolStatus invoke(void* data, long rounds) {
    Matmul* matmul = data;
    for (long r = 0; r < rounds; r++) {
        if (TfLiteInterpreterInvoke(matmul->interpreter) != kTfLiteOk) {
            return tool_fail(matmul->message, kToolInvoke, "the product of matrices could not be computed");
        }
    }
    return kToolOk;
}

static void add_kernel(void* user_data, const OcliteOpenclKernel* kernel) {
    double* seconds = user_data;
    if (kernel->runs > 0) *seconds += (double)kernel->total_ns / (double)kernel->runs * 1e-9;
}

// Measures inferences per second.
static ToolStatus measure(Matmul* matmul, double* rate) {
    OcliteNode node;
    double seconds = 0;
    *rate = 0;
    if (oclite_interpreter_node(matmul->interpreter, 0, 0, &node) != kTfLiteOk) return kToolOk;
    if (matmul->delegate != NULL && node.delegate_node < 0) return kToolOk;
    const ToolStatus status = tool_rate(invoke, matmul, rate);
    if (status != kToolOk || matmul->delegate == NULL) return status;
    oclite_opencl_delegate_profile(matmul->delegate, add_kernel, &seconds);
    *rate = seconds > 0 ? 1 / seconds : 0;
    return kToolOk;
}

ToolStatus tool_matmul_rate(TfLiteDelegate* delegate, int threads, TfLiteType type, double* rate,
                            ToolMessage* message) {
    OcliteOpenclDevice device = {0};
    const bool is_gpu = oclite_opencl_delegate_properties(delegate, &device) == kTfLiteOk &&
                        strcmp(device.device_class, "gpu") == 0;
    Matmul matmul = {
        .delegate = delegate, .threads = threads, .rows = is_gpu ? 4096 : 512, .message = message};
    *rate = 0;
    ToolStatus status = open_matmul(&matmul, type);
    if (status == kToolOk) status = measure(&matmul, rate);
    *rate *= 2.0 * matmul.rows * kMatmulSize * kMatmulSize;
    close_matmul(&matmul);
    return status;
}
