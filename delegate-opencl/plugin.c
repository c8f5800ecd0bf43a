// SPDX-License-Identifier: Apache-2.0
// The entry points of the delegate: our own functions, those of the reference's GPU delegate, and the plugin
// interface by which any host loads a delegate from a file.
#include <stdio.h>

#include "delegate-opencl/delegate.h"
#include "delegate-opencl/inspect.h"
#include "delegate-opencl/partition/shared.h"
#include "oclite/opencl_custom.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"

static _Thread_local char last_error[1024];

static void remember(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vsnprintf(last_error, sizeof last_error, format, args);
    const LiteReporter nobody = {0};
    lite_report(&nobody, "%s", last_error);
}

static const LiteReporter error_reporter = {remember, NULL};

const char* oclite_opencl_last_error(void) {
    return last_error;
}

// Takes the options, which are complete unless `status` says otherwise.
static TfLiteDelegate* create(LiteClOptions* options, TfLiteStatus status) {
    if (status == kTfLiteOk) return lite_cl_delegate_create(options, &error_reporter);
    lite_cl_options_free(options);
    return NULL;
}

TfLiteDelegate* oclite_opencl_delegate_create(const OcliteOpenclDelegateOptions* given) {
    last_error[0] = '\0';
    LiteClOptions options;
    if (lite_cl_options_init(&options, given, &error_reporter) != kTfLiteOk) return NULL;
    return lite_cl_delegate_create(&options, &error_reporter);
}

TfLiteDelegate* oclite_opencl_delegate_create_from_string(const char* text) {
    last_error[0] = '\0';
    LiteClOptions options;
    if (lite_cl_options_init(&options, NULL, &error_reporter) != kTfLiteOk) return NULL;
    return create(&options,
                  text != NULL ? lite_cl_options_parse(&options, text, &error_reporter) : kTfLiteOk);
}

OcliteOpenclOperator* oclite_opencl_operator_create(const char* source, const char* file) {
    last_error[0] = '\0';
    if (source != NULL)
        return lite_cl_custom_create(source, file != NULL ? file : "operator", &error_reporter);
    lite_report(&error_reporter, "OpenCL: an operator without a source");
    return NULL;
}

OcliteOpenclOperator* oclite_opencl_operator_create_from_file(const char* path) {
    last_error[0] = '\0';
    if (path != NULL) return lite_cl_custom_open(path, &error_reporter);
    lite_report(&error_reporter, "OpenCL: an operator without a path");
    return NULL;
}

void oclite_opencl_operator_delete(OcliteOpenclOperator* custom) {
    lite_cl_custom_release(custom);
}

const char* oclite_opencl_operator_name(const OcliteOpenclOperator* custom) {
    return custom != NULL ? custom->declaration.name : "";
}

void oclite_opencl_delegate_delete(TfLiteDelegate* delegate) {
    lite_cl_delegate_delete(delegate);
}

TfLiteStatus oclite_opencl_bind_buffer_to_tensor(TfLiteDelegate* delegate, const TfLiteTensor* tensor,
                                                 void* memory, size_t offset, size_t bytes) {
    last_error[0] = '\0';
    if (delegate == NULL || tensor == NULL || memory == NULL) {
        return lite_report(&error_reporter, "OpenCL: bind: %s is NULL",
                           delegate == NULL ? "the delegate"
                           : tensor == NULL ? "the tensor"
                                            : "the cl_mem");
    }
    return lite_cl_bindings_bind(&lite_cl_shared_of(delegate)->bindings, tensor, memory, offset, bytes,
                                 &error_reporter);
}

TfLiteStatus oclite_opencl_delegate_selftest(const TfLiteDelegate* delegate, bool all,
                                             void (*callback)(void* user_data,
                                                              const OcliteOpenclTrial* trial),
                                             void* user_data) {
    last_error[0] = '\0';
    return lite_cl_delegate_selftest(delegate, all, callback, user_data, &error_reporter);
}

void oclite_opencl_unbind_tensor(TfLiteDelegate* delegate, const TfLiteTensor* tensor) {
    if (delegate != NULL && tensor != NULL)
        lite_cl_bindings_unbind(&lite_cl_shared_of(delegate)->bindings, tensor);
}

TfLiteGpuDelegateOptionsV2 TfLiteGpuDelegateOptionsV2Default(void) {
    return (TfLiteGpuDelegateOptionsV2){
        .is_precision_loss_allowed = -1, // the priorities decide
        .inference_preference = TFLITE_GPU_INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER,
        .inference_priority1 = TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION,
        .inference_priority2 = TFLITE_GPU_INFERENCE_PRIORITY_AUTO,
        .inference_priority3 = TFLITE_GPU_INFERENCE_PRIORITY_AUTO,
        .experimental_flags = TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT,
        .max_delegated_partitions = 1,
    };
}

// Preferences need no translation: there is one way to prepare and run. Quantized operators are taken in any
// case, because they give the CPU's bits.
static TfLiteStatus take_gpu_options(LiteClOptions* options, const TfLiteGpuDelegateOptionsV2* given) {
    const int64_t flags = given->experimental_flags;
    if (given->inference_preference < 0 ||
        given->inference_preference > TFLITE_GPU_INFERENCE_PREFERENCE_BALANCED) {
        return lite_report(&error_reporter, "OpenCL: option inference_preference: %d is none of 0, 1 and 2",
                           (int)given->inference_preference);
    }
    if ((flags & TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY) && !(flags & TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY)) {
        return lite_report(&error_reporter,
                           "OpenCL: option experimental_flags: OpenGL alone is asked for, and there is none");
    }
    options->max_partitions = given->max_delegated_partitions > 0 ? given->max_delegated_partitions : 0;
    options->priorities = (LiteClPriorities){
        .given = true,
        .is_precision_loss_allowed = given->is_precision_loss_allowed,
        .order = {given->inference_priority1, given->inference_priority2, given->inference_priority3}};
    // As in the reference all three are needed. Files are found by their contents, not by the token.
    if ((flags & TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION) && given->serialization_dir != NULL &&
        given->model_token != NULL) {
        LITE_TRY(
            lite_cl_options_set(options, "serialization_dir", given->serialization_dir, &error_reporter));
    }
    return lite_cl_options_resolve(options, &error_reporter);
}

static TfLiteDelegate* create_gpu(const TfLiteGpuDelegateOptionsV2* given, const OclitePartitionMode* mode) {
    const TfLiteGpuDelegateOptionsV2 defaults = TfLiteGpuDelegateOptionsV2Default();
    last_error[0] = '\0';
    LiteClOptions options;
    if (lite_cl_options_init(&options, NULL, &error_reporter) != kTfLiteOk) return NULL;
    if (mode != NULL) options.partition = *mode;
    return create(&options, take_gpu_options(&options, given != NULL ? given : &defaults));
}

TfLiteDelegate* TfLiteGpuDelegateV2Create(const TfLiteGpuDelegateOptionsV2* given) {
    return create_gpu(given, NULL);
}

// Every delegate of ours can execute asynchronously what it has taken as a whole.
TfLiteDelegate* TfLiteGpuDelegateV2CreateAsync(const TfLiteGpuDelegateOptionsV2* options) {
    static const OclitePartitionMode mode = kOclitePartitionAll;
    return create_gpu(options, &mode);
}

void TfLiteGpuDelegateV2Delete(TfLiteDelegate* delegate) {
    lite_cl_delegate_delete(delegate);
}

static TfLiteDelegate* create_from_pairs(const char* const* keys, const char* const* values, size_t count) {
    LiteClOptions options;
    if (lite_cl_options_init(&options, NULL, &error_reporter) != kTfLiteOk) return NULL;
    TfLiteStatus status = kTfLiteOk;
    for (size_t i = 0; i < count && status == kTfLiteOk; i++) {
        status = lite_cl_options_set(&options, keys[i], values[i], &error_reporter);
    }
    if (status == kTfLiteOk) status = lite_cl_options_resolve(&options, &error_reporter);
    return create(&options, status);
}

TfLiteDelegate* tflite_plugin_create_delegate(const char* const* options_keys,
                                              const char* const* options_values, size_t num_options,
                                              void (*report_error)(const char*)) {
    last_error[0] = '\0';
    TfLiteDelegate* delegate = create_from_pairs(options_keys, options_values, num_options);
    if (delegate == NULL && report_error != NULL) report_error(last_error);
    return delegate;
}

void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate) {
    lite_cl_delegate_delete(delegate);
}
