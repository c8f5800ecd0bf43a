// SPDX-License-Identifier: Apache-2.0
#include "tools/product.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/timing.h"

typedef struct Product {
    TfLiteDelegate* delegate;
    int threads;
    int rows;
    unsigned char* file;
    TfLiteModel* model;
    TfLiteInterpreterOptions* options;
    TfLiteInterpreter* interpreter;
    ToolMessage* message;
} Product;

// Small numbers of both signs, which no kernel can take a short cut for.
static void fill(TfLiteType type, void* data, size_t bytes) {
    int8_t* integers = data;
    float* floats = data;
    for (size_t i = 0; type == kTfLiteInt8 && i < bytes; ++i)
        integers[i] = (int8_t)((int)(i * 37 % 201) - 100);
    for (size_t i = 0; type == kTfLiteFloat32 && i < bytes / sizeof(*floats); ++i) {
        floats[i] = (float)((int)(i * 37 % 201) - 100) / 64;
    }
}

// The weights follow the file, whose buffer says so.
static unsigned char* make_file(TfLiteType type, size_t* size) {
    const ProductModel* model = product_models;
    while (model->name && strcmp(model->name, type == kTfLiteInt8 ? "product_int8" : "product_float32") != 0)
        ++model;
    const size_t body = (size_t)kProductSize * kProductSize * (type == kTfLiteInt8 ? 1 : sizeof(float));
    unsigned char* file = model->name ? malloc(kProductHead + body) : NULL;
    *size = kProductHead + body;
    if (!file) return NULL;
    memcpy(file, model->file, kProductHead);
    fill(type, file + kProductHead, body);
    return file;
}

static ToolStatus open_product(Product* product, TfLiteType type) {
    size_t size = 0;
    product->file = make_file(type, &size);
    if (product->file) {
        product->model =
            TfLiteModelCreateWithErrorReporter(product->file, size, tool_report, product->message);
    }
    product->options = TfLiteInterpreterOptionsCreate();
    if (!product->model || !product->options) return tool_fail(product->message, kToolFile, "out of memory");
    TfLiteInterpreterOptionsSetErrorReporter(product->options, tool_report, product->message);
    TfLiteInterpreterOptionsSetNumThreads(product->options, product->threads);
    if (product->delegate) TfLiteInterpreterOptionsAddDelegate(product->options, product->delegate);
    product->interpreter = TfLiteInterpreterCreate(product->model, product->options);
    const int shape[] = {product->rows, kProductSize};
    if (!product->interpreter ||
        TfLiteInterpreterResizeInputTensor(product->interpreter, 0, shape, 2) != kTfLiteOk ||
        TfLiteInterpreterAllocateTensors(product->interpreter) != kTfLiteOk) {
        return tool_fail(product->message, kToolAllocate, "the product of matrices could not be prepared");
    }
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(product->interpreter, 0);
    fill(type, TfLiteTensorData(input), TfLiteTensorByteSize(input));
    return kToolOk;
}

static void close_product(Product* product) {
    TfLiteInterpreterDelete(product->interpreter);
    TfLiteInterpreterOptionsDelete(product->options);
    TfLiteModelDelete(product->model);
    free(product->file);
}

static ToolStatus invoke(void* data, long rounds) {
    Product* product = data;
    for (long r = 0; r < rounds; ++r) {
        if (TfLiteInterpreterInvoke(product->interpreter) != kTfLiteOk) {
            return tool_fail(product->message, kToolInvoke, "the product of matrices could not be computed");
        }
    }
    return kToolOk;
}

static void add_kernel(void* user_data, const OcliteOpenclKernel* kernel) {
    double* seconds = user_data;
    if (kernel->runs > 0) *seconds += (double)kernel->total_ns / (double)kernel->runs * 1e-9;
}

// Inferences per second.
static ToolStatus measure(Product* product, double* rate) {
    OcliteNode node;
    double seconds = 0;
    *rate = 0;
    if (oclite_interpreter_node(product->interpreter, 0, 0, &node) != kTfLiteOk) return kToolOk;
    if (product->delegate && node.delegate_node < 0) return kToolOk;
    const ToolStatus status = tool_rate(invoke, product, rate);
    if (status != kToolOk || !product->delegate) return status;
    oclite_opencl_delegate_profile(product->delegate, add_kernel, &seconds);
    *rate = seconds > 0 ? 1 / seconds : 0;
    return kToolOk;
}

ToolStatus tool_product_rate(TfLiteDelegate* delegate, int threads, TfLiteType type, double* rate,
                             ToolMessage* message) {
    OcliteOpenclDevice device = {0};
    const bool is_gpu = oclite_opencl_delegate_properties(delegate, &device) == kTfLiteOk &&
                        strcmp(device.device_class, "gpu") == 0;
    Product product = {
        .delegate = delegate, .threads = threads, .rows = is_gpu ? 4096 : 512, .message = message};
    *rate = 0;
    ToolStatus status = open_product(&product, type);
    if (status == kToolOk) status = measure(&product, rate);
    *rate *= 2.0 * product.rows * kProductSize * kProductSize;
    close_product(&product);
    return status;
}
