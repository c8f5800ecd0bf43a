// SPDX-License-Identifier: Apache-2.0
// A delegate in a shared library, for TfLiteExternalDelegateCreate: takes all nodes and computes y = K x. In
// its plain form it uses nothing but the structs of common.h, as most such libraries do. Options:
//
//   factor=K               and handles hold K times their number
//   form=plain|opaque|none of the delegate
//   first                  only the first node is taken
//   fail_prepare           Prepare fails
//   fail_invoke=device|data
//
// With any other there is no delegate.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/c/operator.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"

typedef struct Plugin {
    TfLiteDelegate delegate; // first
    TfLiteOpaqueDelegateBuilder opaque;
    float factor;
    bool first;
    bool fail_prepare;
    TfLiteStatus invoke_status;
} Plugin;

static void* kernel_init(TfLiteContext* context, const char* buffer, size_t length) {
    (void)context, (void)length;
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
    return plugin->invoke_status;
}

static TfLiteStatus replace(TfLiteContext* context, const Plugin* plugin, TfLiteDelegate* delegate,
                            TfLiteRegistration kernel) {
    TfLiteIntArray* plan;
    if (plugin->fail_prepare || context->GetExecutionPlan(context, &plan) != kTfLiteOk) return kTfLiteError;
    kernel.builtin_code = 51; // kTfLiteBuiltinDelegate
    kernel.custom_name = "Plugin";
    kernel.version = 1;
    if (plugin->first) plan->size = 1;
    return context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, plan, delegate);
}

static TfLiteStatus prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    const TfLiteRegistration kernel = {
        .init = kernel_init, .prepare = kernel_prepare, .invoke = kernel_invoke};
    return replace(context, (const Plugin*)(const void*)delegate, delegate, kernel);
}

static TfLiteStatus copy_from(TfLiteContext* context, TfLiteDelegate* delegate, TfLiteBufferHandle handle,
                              TfLiteTensor* tensor) {
    (void)context;
    const Plugin* plugin = (const Plugin*)(const void*)delegate;
    for (size_t i = 0; i < tensor->bytes / sizeof(float); i++) {
        tensor->data.f[i] = plugin->factor * (float)handle;
    }
    return kTfLiteOk;
}

// The opaque form, in programs that export the functions it needs. An opaque context is a context, and so on.
#pragma weak TfLiteOperatorCreate
#pragma weak TfLiteOperatorSetInit
#pragma weak TfLiteOperatorSetPrepare
#pragma weak TfLiteOperatorSetInvoke

static void* opaque_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)length;
    return ((const TfLiteOpaqueDelegateParams*)(const void*)buffer)->delegate_data;
}

static TfLiteStatus opaque_kernel_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return kernel_prepare((TfLiteContext*)context, (TfLiteNode*)node);
}

static TfLiteStatus opaque_kernel_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return kernel_invoke((TfLiteContext*)context, (TfLiteNode*)node);
}

static TfLiteStatus opaque_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data) {
    TfLiteRegistration kernel = {0};
    if (&(TfLiteOperatorCreate) == NULL) return kTfLiteError;
    kernel.registration_external = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Plugin", 1, NULL);
    if (kernel.registration_external == NULL) return kTfLiteError;
    TfLiteOperatorSetInit(kernel.registration_external, opaque_init);
    TfLiteOperatorSetPrepare(kernel.registration_external, opaque_kernel_prepare);
    TfLiteOperatorSetInvoke(kernel.registration_external, opaque_kernel_invoke);
    return replace((TfLiteContext*)context, data, delegate, kernel);
}

// The library.

static void set_form(Plugin* plugin, const char* form) {
    plugin->delegate.Prepare = strcmp(form, "plain") == 0 ? prepare : NULL;
    plugin->delegate.opaque_delegate_builder = strcmp(form, "opaque") == 0 ? &plugin->opaque : NULL;
    plugin->opaque = (TfLiteOpaqueDelegateBuilder){
        .data = plugin, .Prepare = opaque_prepare, .flags = kTfLiteDelegateFlagsAllowDynamicTensors};
}

static bool set_option(Plugin* plugin, const char* key, const char* value) {
    if (strcmp(key, "factor") == 0) {
        plugin->factor = strtof(value, NULL);
    } else if (strcmp(key, "form") == 0) {
        set_form(plugin, value);
    } else if (strcmp(key, "first") == 0) {
        plugin->first = true;
    } else if (strcmp(key, "fail_prepare") == 0) {
        plugin->fail_prepare = true;
    } else if (strcmp(key, "fail_invoke") == 0) {
        plugin->invoke_status = strcmp(value, "device") == 0 ? kTfLiteDelegateError : kTfLiteError;
    } else {
        return false;
    }
    return true;
}

TfLiteDelegate* tflite_plugin_create_delegate(const char* const* options_keys,
                                              const char* const* options_values, size_t num_options,
                                              void (*report_error)(const char*)) {
    Plugin* plugin = calloc(1, sizeof *plugin);
    if (plugin == NULL) return NULL;
    set_form(plugin, "plain");
    plugin->delegate.CopyFromBufferHandle = copy_from;
    plugin->delegate.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
    for (size_t i = 0; i < num_options; i++) {
        if (set_option(plugin, options_keys[i], options_values[i])) continue;
        if (report_error != NULL) report_error(options_keys[i]);
        free(plugin);
        return NULL;
    }
    return &plugin->delegate;
}

void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate) {
    free(delegate);
}
