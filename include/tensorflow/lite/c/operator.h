#ifndef TENSORFLOW_LITE_C_OPERATOR_H_
#define TENSORFLOW_LITE_C_OPERATOR_H_

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

TFL_CAPI_EXPORT extern TfLiteOperator * TfLiteOperatorCreate(TfLiteBuiltinOperator builtin_code, const char *custom_name, int version, void *user_data);

TFL_CAPI_EXPORT extern void TfLiteOperatorDelete(TfLiteOperator *registration);

TFL_CAPI_EXPORT extern TfLiteBuiltinOperator TfLiteOperatorGetBuiltInCode(const TfLiteOperator *registration);

TFL_CAPI_EXPORT extern const char * TfLiteOperatorGetCustomName(const TfLiteOperator *registration);

TFL_CAPI_EXPORT extern int TfLiteOperatorGetVersion(const TfLiteOperator *registration);

TFL_CAPI_EXPORT extern void * TfLiteOperatorGetUserData(const TfLiteOperator *registration);

TFL_CAPI_EXPORT extern void TfLiteOperatorSetInit(TfLiteOperator *registration, void *(*init)(TfLiteOpaqueContext *context, const char *buffer, size_t length));

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOperatorSetInitWithData(TfLiteOperator *registration, void *(*init)(void *user_data, TfLiteOpaqueContext *context, const char *buffer, size_t length));

TFL_CAPI_EXPORT extern void TfLiteOperatorSetFree(TfLiteOperator *registration, void (*free)(TfLiteOpaqueContext *context, void *data));

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOperatorSetFreeWithData(TfLiteOperator *registration, void (*free)(void *user_data, TfLiteOpaqueContext *context, void *data));

TFL_CAPI_EXPORT extern void TfLiteOperatorSetPrepare(TfLiteOperator *registration, TfLiteStatus (*prepare)(TfLiteOpaqueContext *context, TfLiteOpaqueNode *node));

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOperatorSetPrepareWithData(TfLiteOperator *registration, TfLiteStatus (*prepare)(void *user_data, TfLiteOpaqueContext *context, TfLiteOpaqueNode *node));

TFL_CAPI_EXPORT extern void TfLiteOperatorSetInvoke(TfLiteOperator *registration, TfLiteStatus (*invoke)(TfLiteOpaqueContext *context, TfLiteOpaqueNode *node));

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOperatorSetInvokeWithData(TfLiteOperator *registration, TfLiteStatus (*invoke)(void *user_data, TfLiteOpaqueContext *context, TfLiteOpaqueNode *node));

TFL_CAPI_EXPORT extern void TfLiteOperatorSetAsyncKernel(TfLiteOperator *registration, struct TfLiteAsyncKernel *(*async_kernel)(TfLiteOpaqueContext *context, TfLiteOpaqueNode *node));

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOperatorSetAsyncKernelWithData(TfLiteOperator *registration, struct TfLiteAsyncKernel *(*async_kernel)(void *user_data, TfLiteOpaqueContext *context, TfLiteOpaqueNode *node));

TFL_CAPI_EXPORT extern void TfLiteOperatorSetInplaceOperator(TfLiteOperator *registration, uint64_t inplace_operator);

#ifdef __cplusplus
}
#endif

#endif
