// SPDX-License-Identifier: Apache-2.0
// Defines operators: a name, a version, and up to five functions.
//
//     static TfLiteStatus AtanPrepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) { … }
//     static TfLiteStatus AtanInvoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) { … }
//
//     TfLiteOperator* atan_op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Atan", 1);
//     TfLiteOperatorSetPrepare(atan_op, AtanPrepare);
//     TfLiteOperatorSetInvoke(atan_op, AtanInvoke);
//     TfLiteInterpreterOptionsAddOperator(options, atan_op);
//
// Every function is optional, but a node whose operator has no prepare or no invoke cannot run. After all its
// setters have been called, an operator may serve any number of interpreters on any threads. Whoever created
// it deletes it, after the last interpreter that uses it.
#ifndef TENSORFLOW_LITE_C_OPERATOR_H_
#define TENSORFLOW_LITE_C_OPERATOR_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#define OCLITE_DEFAULT_NULL = nullptr
#else
#define OCLITE_DEFAULT_NULL
#endif

// ---- Identity ----

// Creates an operator without functions. Returns NULL when memory runs out. For a custom operator,
// `builtin_code` is kTfLiteBuiltinCustom and `custom_name` is the name in models, which must match exactly.
// For an operator that replaces a builtin one, they are its code and NULL. The name is not copied: it must
// outlive the operator. `version` is 1 unless the model says otherwise. The functions set by the …WithData
// setters receive `user_data`, which the call may omit.
TFL_CAPI_EXPORT extern TfLiteOperator* TfLiteOperatorCreate(TfLiteBuiltinOperator builtin_code,
                                                            const char* custom_name, int version,
                                                            void* user_data OCLITE_DEFAULT_NULL);

// Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteOperatorDelete(TfLiteOperator* registration);

// Return what was given to TfLiteOperatorCreate.
TFL_CAPI_EXPORT extern TfLiteBuiltinOperator TfLiteOperatorGetBuiltInCode(const TfLiteOperator* registration);
TFL_CAPI_EXPORT extern const char* TfLiteOperatorGetCustomName(const TfLiteOperator* registration);
TFL_CAPI_EXPORT extern int TfLiteOperatorGetVersion(const TfLiteOperator* registration);
TFL_CAPI_EXPORT extern void* TfLiteOperatorGetUserData(const TfLiteOperator* registration);

// ---- Functions ----
// Each function can be set in two forms; the second form receives the operator's user data first. The last
// call counts. NULL removes a function.

// Sets init, which is called once per node when an interpreter is created. `buffer` holds `length` bytes: for
// a custom operator its options in the model, usually a FlexBuffers map from parameter name to value
// (oclite/flexbuffers.h reads it); for a builtin operator nothing (length 0; TfLiteOpaqueNodeGetBuiltinData
// returns its parameters). The bytes may be gone after the call. The result is the node's state, which
// TfLiteOpaqueNodeGetUserData returns; the result TfLiteKernelInitFailed() reports a failure.
TFL_CAPI_EXPORT extern void TfLiteOperatorSetInit(TfLiteOperator* registration,
                                                  void* (*init)(TfLiteOpaqueContext* context,
                                                                const char* buffer, size_t length));
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOperatorSetInitWithData(
    TfLiteOperator* registration,
    void* (*init)(void* user_data, TfLiteOpaqueContext* context, const char* buffer, size_t length));

// Sets free, which is called exactly once for each call of init, with the result of init as `data`.
TFL_CAPI_EXPORT extern void TfLiteOperatorSetFree(TfLiteOperator* registration,
                                                  void (*free)(TfLiteOpaqueContext* context, void* data));
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOperatorSetFreeWithData(TfLiteOperator* registration,
                              void (*free)(void* user_data, TfLiteOpaqueContext* context, void* data));

// Sets prepare, which is called when tensors are allocated, and again after inputs were resized. It checks
// the number, types and shapes of the inputs, resizes the outputs and requests temporaries. Only constants
// have contents then.
TFL_CAPI_EXPORT extern void TfLiteOperatorSetPrepare(TfLiteOperator* registration,
                                                     TfLiteStatus (*prepare)(TfLiteOpaqueContext* context,
                                                                             TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOperatorSetPrepareWithData(
    TfLiteOperator* registration,
    TfLiteStatus (*prepare)(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));

// Sets invoke, which is called once per inference. It reads the inputs and writes the outputs.
TFL_CAPI_EXPORT extern void TfLiteOperatorSetInvoke(TfLiteOperator* registration,
                                                    TfLiteStatus (*invoke)(TfLiteOpaqueContext* context,
                                                                           TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOperatorSetInvokeWithData(
    TfLiteOperator* registration,
    TfLiteStatus (*invoke)(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));

// Sets the function that returns the node's asynchronous kernel. The operator keeps it for programs that ask
// for it; the interpreter itself calls invoke.
TFL_CAPI_EXPORT extern void TfLiteOperatorSetAsyncKernel(
    TfLiteOperator* registration,
    struct TfLiteAsyncKernel* (*async_kernel)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOperatorSetAsyncKernelWithData(
    TfLiteOperator* registration,
    struct TfLiteAsyncKernel* (*async_kernel)(void* user_data, TfLiteOpaqueContext* context,
                                              TfLiteOpaqueNode* node));

// Sets which inputs an output may share its memory with: TfLiteInPlaceOp values, or-ed.
TFL_CAPI_EXPORT extern void TfLiteOperatorSetInplaceOperator(TfLiteOperator* registration,
                                                             uint64_t inplace_operator);

// ---- Earlier names ----
// The names of the same functions in earlier versions of the API. TfLiteRegistrationExternal is
// TfLiteOperator.

// The earlier names of TfLiteOperatorCreate, with all its arguments, and of the functions that are called
// TfLiteOperator… above; ownership is as there.
TFL_CAPI_EXPORT extern TfLiteOperator* TfLiteOperatorCreateWithData(TfLiteBuiltinOperator builtin_code,
                                                                    const char* custom_name, int version,
                                                                    void* user_data);
TFL_CAPI_EXPORT extern TfLiteRegistrationExternal*
TfLiteRegistrationExternalCreate(TfLiteBuiltinOperator builtin_code, const char* custom_name, int version);
TFL_CAPI_EXPORT extern void TfLiteRegistrationExternalDelete(TfLiteRegistrationExternal* registration);
TFL_CAPI_EXPORT extern void TfLiteRegistrationExternalSetInit(TfLiteRegistrationExternal* registration,
                                                              void* (*init)(TfLiteOpaqueContext* context,
                                                                            const char* buffer,
                                                                            size_t length));
TFL_CAPI_EXPORT extern void TfLiteRegistrationExternalSetFree(TfLiteRegistrationExternal* registration,
                                                              void (*free)(TfLiteOpaqueContext* context,
                                                                           void* data));
TFL_CAPI_EXPORT extern void TfLiteRegistrationExternalSetPrepare(
    TfLiteRegistrationExternal* registration,
    TfLiteStatus (*prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT extern void TfLiteRegistrationExternalSetInvoke(
    TfLiteRegistrationExternal* registration,
    TfLiteStatus (*invoke)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT extern void TfLiteRegistrationExternalSetAsyncKernel(
    TfLiteRegistrationExternal* registration,
    struct TfLiteAsyncKernel* (*async_kernel)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT extern TfLiteBuiltinOperator
TfLiteRegistrationExternalGetBuiltInCode(const TfLiteRegistrationExternal* registration);
TFL_CAPI_EXPORT extern const char*
TfLiteRegistrationExternalGetCustomName(const TfLiteRegistrationExternal* registration);
TFL_CAPI_EXPORT extern int
TfLiteRegistrationExternalGetVersion(const TfLiteRegistrationExternal* registration);

#undef OCLITE_DEFAULT_NULL

#ifdef __cplusplus
}
#else
// In C this macro lets a call omit the last argument; in C++ a default argument does.
#define TfLiteOperatorCreate(...) OCLITE_OPERATOR_CREATE_(__VA_ARGS__, NULL, 0)
#define OCLITE_OPERATOR_CREATE_(builtin_code, custom_name, version, user_data, ...)                          \
    (TfLiteOperatorCreate)(builtin_code, custom_name, version, user_data)
#endif

#endif
