// SPDX-License-Identifier: Apache-2.0
// TfLiteOperator*: what an operator is called and the functions that implement it.
#include "core/base/operator.h"
#include "core/base/memory.h"
#include "tensorflow/lite/c/operator.h"

// The parentheses keep the macro of operator.h, which adds the last argument, out of the definition.
TfLiteOperator*(TfLiteOperatorCreate)(TfLiteBuiltinOperator builtin_code, const char* custom_name,
                                      int version, void* user_data) {
    TfLiteOperator* created = lite_calloc(1, sizeof *created);
    if (created == NULL) return NULL;
    created->builtin_code = builtin_code;
    created->custom_name = custom_name;
    created->version = version;
    created->user_data = user_data;
    return created;
}

void TfLiteOperatorDelete(TfLiteOperator* registration) {
    lite_free(registration);
}

TfLiteBuiltinOperator TfLiteOperatorGetBuiltInCode(const TfLiteOperator* registration) {
    return registration ? registration->builtin_code : kTfLiteBuiltinPlaceholderForGreaterOpCodes;
}

const char* TfLiteOperatorGetCustomName(const TfLiteOperator* registration) {
    return registration ? registration->custom_name : NULL;
}

int TfLiteOperatorGetVersion(const TfLiteOperator* registration) {
    return registration ? registration->version : -1;
}

void* TfLiteOperatorGetUserData(const TfLiteOperator* registration) {
    return registration ? registration->user_data : NULL;
}

// For each method two setters; the later call wins.
#define DEFINE_SETTERS(Method, method, plain_type, data_type)                                                \
    void TfLiteOperatorSet##Method(TfLiteOperator* registration, plain_type) {                               \
        if (registration == NULL) return;                                                                    \
        registration->method = method;                                                                       \
        registration->method##_with_data = NULL;                                                             \
    }                                                                                                        \
                                                                                                             \
    TfLiteStatus TfLiteOperatorSet##Method##WithData(TfLiteOperator* registration, data_type) {              \
        if (registration == NULL) return kTfLiteError;                                                       \
        registration->method = NULL;                                                                         \
        registration->method##_with_data = method;                                                           \
        return kTfLiteOk;                                                                                    \
    }

// The parameter lists of the methods, without and with the operator's user data in front.
#define INIT_ARGUMENTS TfLiteOpaqueContext *context, const char *buffer, size_t length
#define FREE_ARGUMENTS TfLiteOpaqueContext *context, void *data
#define NODE_ARGUMENTS TfLiteOpaqueContext *context, TfLiteOpaqueNode *node

DEFINE_SETTERS(Init, init, void* (*init)(INIT_ARGUMENTS), void* (*init)(void* user_data, INIT_ARGUMENTS))
DEFINE_SETTERS(Free, free, void (*free)(FREE_ARGUMENTS), void (*free)(void* user_data, FREE_ARGUMENTS))
DEFINE_SETTERS(Prepare, prepare, TfLiteStatus (*prepare)(NODE_ARGUMENTS),
               TfLiteStatus (*prepare)(void* user_data, NODE_ARGUMENTS))
DEFINE_SETTERS(Invoke, invoke, TfLiteStatus (*invoke)(NODE_ARGUMENTS),
               TfLiteStatus (*invoke)(void* user_data, NODE_ARGUMENTS))
DEFINE_SETTERS(AsyncKernel, async_kernel, struct TfLiteAsyncKernel* (*async_kernel)(NODE_ARGUMENTS),
               struct TfLiteAsyncKernel* (*async_kernel)(void* user_data, NODE_ARGUMENTS))

void TfLiteOperatorSetInplaceOperator(TfLiteOperator* registration, uint64_t inplace_operator) {
    if (registration) registration->inplace_operator = inplace_operator;
}

// Earlier names of the same functions, exported for programs compiled against them.

TfLiteOperator* TfLiteOperatorCreateWithData(TfLiteBuiltinOperator builtin_code, const char* custom_name,
                                             int version, void* user_data) {
    return TfLiteOperatorCreate(builtin_code, custom_name, version, user_data);
}

TfLiteRegistrationExternal* TfLiteRegistrationExternalCreate(TfLiteBuiltinOperator builtin_code,
                                                             const char* custom_name, int version) {
    return TfLiteOperatorCreate(builtin_code, custom_name, version, NULL);
}

void TfLiteRegistrationExternalDelete(TfLiteRegistrationExternal* registration) {
    TfLiteOperatorDelete(registration);
}

void TfLiteRegistrationExternalSetInit(TfLiteRegistrationExternal* registration,
                                       void* (*init)(INIT_ARGUMENTS)) {
    TfLiteOperatorSetInit(registration, init);
}

void TfLiteRegistrationExternalSetFree(TfLiteRegistrationExternal* registration,
                                       void (*free)(FREE_ARGUMENTS)) {
    TfLiteOperatorSetFree(registration, free);
}

void TfLiteRegistrationExternalSetPrepare(TfLiteRegistrationExternal* registration,
                                          TfLiteStatus (*prepare)(NODE_ARGUMENTS)) {
    TfLiteOperatorSetPrepare(registration, prepare);
}

void TfLiteRegistrationExternalSetInvoke(TfLiteRegistrationExternal* registration,
                                         TfLiteStatus (*invoke)(NODE_ARGUMENTS)) {
    TfLiteOperatorSetInvoke(registration, invoke);
}

void TfLiteRegistrationExternalSetAsyncKernel(TfLiteRegistrationExternal* registration,
                                              struct TfLiteAsyncKernel* (*async_kernel)(NODE_ARGUMENTS)) {
    TfLiteOperatorSetAsyncKernel(registration, async_kernel);
}

TfLiteBuiltinOperator
TfLiteRegistrationExternalGetBuiltInCode(const TfLiteRegistrationExternal* registration) {
    return TfLiteOperatorGetBuiltInCode(registration);
}

const char* TfLiteRegistrationExternalGetCustomName(const TfLiteRegistrationExternal* registration) {
    return TfLiteOperatorGetCustomName(registration);
}

int TfLiteRegistrationExternalGetVersion(const TfLiteRegistrationExternal* registration) {
    return TfLiteOperatorGetVersion(registration);
}
