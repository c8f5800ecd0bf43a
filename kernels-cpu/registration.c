// SPDX-License-Identifier: Apache-2.0
// The library's operators as TfLiteRegistration, for programs that call or replace single functions of them.
// The functions of a kernel have the opaque types in their signatures, and may not be called through pointers
// of another type: hence a set of functions for each operator, made from core/ops.def.
#include <pthread.h>
#include <string.h>

#include "kernels-cpu/support/prepare.h"

// Init: builtin operators get their parameters from the node, as by the opaque API; what a registration's
// init receives in place of a buffer is not for them.
#define FUNCTIONS_0(NAME, code, name)
#define FUNCTIONS_1(NAME, code, name)                                                                        \
    extern const LiteKernel lite_kernel_##NAME;                                                              \
    static void* init_##NAME(TfLiteContext* context, const char* buffer, size_t length) {                    \
        return lite_kernel_##NAME.init((TfLiteOpaqueContext*)context, length > 0 ? buffer : NULL, length);   \
    }                                                                                                        \
    static void free_##NAME(TfLiteContext* context, void* data) {                                            \
        lite_kernel_##NAME.free((TfLiteOpaqueContext*)context, data);                                        \
    }                                                                                                        \
    static TfLiteStatus prepare_##NAME(TfLiteContext* context, TfLiteNode* node) {                           \
        return lite_kernel_prepare(&lite_kernel_##NAME, code, name, (TfLiteOpaqueContext*)context,           \
                                   (TfLiteOpaqueNode*)node);                                                 \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteContext* context, TfLiteNode* node) {                            \
        return lite_kernel_##NAME.invoke((TfLiteOpaqueContext*)context, (TfLiteOpaqueNode*)node);            \
    }

#define OP(NAME, EnumName, first_version, last_version, cpu, cl)                                             \
    FUNCTIONS_##cpu(NAME, kTfLiteBuiltin##EnumName, NULL)
#define CUSTOM_OP(NAME, cpu, cl) FUNCTIONS_##cpu(NAME, kTfLiteBuiltinCustom, #NAME)
#include "core/ops.def"

typedef struct Source {
    const LiteKernel* kernel;
    int first_version;
    int last_version;
    TfLiteRegistration registration;
} Source;

#define SOURCE_0(NAME, first, last, code, name)
#define SOURCE_1(NAME, first, last, code, name)                                                              \
    {&lite_kernel_##NAME,                                                                                    \
     first,                                                                                                  \
     last,                                                                                                   \
     {.init = init_##NAME,                                                                                   \
      .free = free_##NAME,                                                                                   \
      .prepare = prepare_##NAME,                                                                             \
      .invoke = invoke_##NAME,                                                                               \
      .builtin_code = (code),                                                                                \
      .custom_name = (name)}},

static const Source sources[] = {
#define OP(NAME, EnumName, first_version, last_version, cpu, cl)                                             \
    SOURCE_##cpu(NAME, first_version, last_version, kTfLiteBuiltin##EnumName, NULL)
#define CUSTOM_OP(NAME, cpu, cl) SOURCE_##cpu(NAME, 1, 1, kTfLiteBuiltinCustom, #NAME)
#include "core/ops.def"
    {.kernel = NULL},
};

enum {
    kRegistrationCount = 0
#define OP(NAME, EnumName, first_version, last_version, cpu, cl)                                             \
    +((last_version) - (first_version) + 1) * (cpu)
#define CUSTOM_OP(NAME, cpu, cl) +(cpu)
#include "core/ops.def"
};

static pthread_once_t filled = PTHREAD_ONCE_INIT;
static TfLiteRegistration registrations[kRegistrationCount + 1];

static void fill_registrations(void) {
    int count = 0;
    for (const Source* source = sources; source->kernel != NULL; source++) {
        for (int version = source->first_version; version <= source->last_version; version++) {
            TfLiteRegistration* registration = &registrations[count++];
            *registration = source->registration;
            registration->version = version;
            if (registration->custom_name != NULL)
                registration->custom_name = lite_custom_operator_name(registration->custom_name);
            // What a kernel lacks, its registration lacks too.
            if (source->kernel->init == NULL) registration->init = NULL;
            if (source->kernel->free == NULL) registration->free = NULL;
        }
    }
}

int lite_registry_count(void) {
    return kRegistrationCount;
}

const TfLiteRegistration* lite_registry_registration(int index) {
    if (index < 0 || index >= kRegistrationCount) return NULL;
    pthread_once(&filled, fill_registrations);
    return &registrations[index];
}

LiteFold lite_registry_fold(const TfLiteRegistration* registration) {
    for (const Source* source = sources; source->kernel != NULL; source++) {
        const TfLiteRegistration* own = &source->registration;
        if (own->prepare == registration->prepare && own->invoke == registration->invoke)
            return source->kernel->fold;
    }
    return kLiteFoldNever;
}

// The functions of the C++ API that return the registration of a custom operator. C defines a function of C++
// by its name in the linker: namespaces and names with their lengths, and no parameters.
static TfLiteRegistration* find_custom(const char* listed) {
    pthread_once(&filled, fill_registrations);
    for (int i = kRegistrationCount - 1; i >= 0 && registrations[i].custom_name != NULL; i--) {
        if (strcmp(registrations[i].custom_name, lite_custom_operator_name(listed)) == 0)
            return &registrations[i];
    }
    return NULL;
}

#define CXX_FUNCTION(function, NAME, LENGTH_AND_NAME)                                                        \
    TFL_CAPI_EXPORT TfLiteRegistration* function(void) __asm__("_ZN6tflite3ops6custom" LENGTH_AND_NAME       \
                                                               "Ev");                                        \
    TfLiteRegistration* function(void) {                                                                     \
        return find_custom(#NAME);                                                                           \
    }

CXX_FUNCTION(lite_register_spectrogram, AudioSpectrogram, "26Register_AUDIO_SPECTROGRAM")
CXX_FUNCTION(lite_register_detection, TFLite_Detection_PostProcess, "30Register_DETECTION_POSTPROCESS")
CXX_FUNCTION(lite_register_hadamard, aeq_hadamard_rotation, "26Register_HADAMARD_ROTATION")
CXX_FUNCTION(lite_register_unpooling, MaxUnpooling2D, "22RegisterMaxUnpooling2D")
CXX_FUNCTION(lite_register_unpooling_too, MaxUnpooling2D, "24Register_MAX_UNPOOLING2D")
CXX_FUNCTION(lite_register_mfcc, Mfcc, "13Register_MFCC")
CXX_FUNCTION(lite_register_verify, NumericVerify, "23Register_NUMERIC_VERIFY")
CXX_FUNCTION(lite_register_verify_ref, NumericVerify, "27Register_NUMERIC_VERIFY_REF")
CXX_FUNCTION(lite_register_verify_opt, NumericVerify, "27Register_NUMERIC_VERIFY_OPT")
