// SPDX-License-Identifier: Apache-2.0
#include "shim.h"

#include <stdio.h>
#include <string.h>

#include "_cgo_export.h"

static void report(void* user_data, const char* format, va_list args) {
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    goReport((uintptr_t)user_data, text);
}

void shim_set_reporter(TfLiteInterpreterOptions* options, uintptr_t handle) {
    TfLiteInterpreterOptionsSetErrorReporter(options, report, (void*)handle);
}

static TfLiteStatus prepare(TfLiteContext* context, TfLiteNode* node) {
    TfLiteTensor* x = &context->tensors[node->inputs->data[0]];
    return context->ResizeTensor(context, &context->tensors[node->outputs->data[0]],
                                 TfLiteIntArrayCopy(x->dims));
}

static TfLiteStatus invoke(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* x = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* y = &context->tensors[node->outputs->data[0]];
    for (size_t i = 0; i < x->bytes / sizeof(float); i++) y->data.f[i] = 2 * x->data.f[i];
    return kTfLiteOk;
}

TfLiteRegistration* shim_twice(void) {
    TfLiteRegistration* registration = calloc(1, sizeof *registration);
    registration->prepare = prepare;
    registration->invoke = invoke;
    return registration;
}

void shim_give_strings(TfLiteTensor* tensor, char* bytes, size_t size, int count) {
    TfLiteIntArray* dims = malloc(sizeof(int) * 2);
    dims->size = 1;
    dims->data[0] = count;
    if (tensor->allocation_type == kTfLiteDynamic) free(tensor->data.raw);
    free(tensor->dims);
    if (tensor->quantization.type == kTfLiteAffineQuantization) {
        TfLiteAffineQuantization* params = tensor->quantization.params;
        free(params->scale);
        free(params->zero_point);
        free(params);
    }
    tensor->dims = dims;
    tensor->data.raw = bytes;
    tensor->bytes = size;
    tensor->allocation_type = kTfLiteMmapRo;
    tensor->quantization.type = kTfLiteNoQuantization;
    tensor->quantization.params = NULL;
}
