// SPDX-License-Identifier: Apache-2.0
// A delegate in a shared library, for TfLiteExternalDelegateCreate: takes all nodes and computes y = K x,
// with K from the option "factor". Uses nothing but the structs of common.h, as such libraries do.
#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/delegates/external/external_delegate_interface.h"

typedef struct Plugin {
    TfLiteDelegate delegate; // first
    float factor;
} Plugin;

static void* kernel_init(TfLiteContext* context, const char* buffer, size_t length) {
    (void)context;
    if (length != sizeof(TfLiteDelegateParams)) return NULL;
    return ((const TfLiteDelegateParams*)(const void*)buffer)->delegate;
}

static TfLiteStatus kernel_prepare(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
    return context->ResizeTensorExplicit(context, output, input->dims->size, input->dims->data);
}

static TfLiteStatus kernel_invoke(TfLiteContext* context, TfLiteNode* node) {
    const Plugin* plugin = node->user_data;
    const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
    for (size_t i = 0; i < input->bytes / sizeof(float); i++) {
        output->data.f[i] = plugin->factor * input->data.f[i];
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    TfLiteIntArray* plan;
    if (context->GetExecutionPlan(context, &plan) != kTfLiteOk) return kTfLiteError;
    const TfLiteRegistration kernel = {
        .init = kernel_init,
        .prepare = kernel_prepare,
        .invoke = kernel_invoke,
        .builtin_code = 51, // kTfLiteBuiltinDelegate
        .custom_name = "Plugin",
        .version = 1,
    };
    return context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, plan, delegate);
}

TfLiteDelegate* tflite_plugin_create_delegate(const char* const* options_keys,
                                              const char* const* options_values, size_t num_options,
                                              void (*report_error)(const char*)) {
    (void)report_error;
    Plugin* plugin = calloc(1, sizeof *plugin);
    if (plugin == NULL) return NULL;
    for (size_t i = 0; i < num_options; i++) {
        if (strcmp(options_keys[i], "fail") == 0) {
            free(plugin);
            return NULL;
        }
        if (strcmp(options_keys[i], "factor") == 0) plugin->factor = strtof(options_values[i], NULL);
    }
    plugin->delegate.Prepare = prepare;
    plugin->delegate.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
    return &plugin->delegate;
}

void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate) {
    free(delegate);
}
