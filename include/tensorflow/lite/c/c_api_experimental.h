#ifndef TENSORFLOW_LITE_C_C_API_EXPERIMENTAL_H_
#define TENSORFLOW_LITE_C_C_API_EXPERIMENTAL_H_

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

struct TfLiteTelemetryProfilerStruct;

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterResetVariableTensors(TfLiteInterpreter *interpreter);

TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetVariableTensorCount(const TfLiteInterpreter *interpreter);

TFL_CAPI_EXPORT extern TfLiteTensor * TfLiteInterpreterGetVariableTensor(const TfLiteInterpreter *interpreter, int32_t variable_index);

TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsAddBuiltinOp(TfLiteInterpreterOptions *options, TfLiteBuiltinOperator op, const TfLiteRegistration *registration, int32_t min_version, int32_t max_version);

TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsAddCustomOp(TfLiteInterpreterOptions *options, const char *name, const TfLiteRegistration *registration, int32_t min_version, int32_t max_version);

TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverExternal(TfLiteInterpreterOptions *options, const TfLiteOperator *(*find_builtin_op)(void *user_data, int op, int version), const TfLiteOperator *(*find_custom_op)(void *user_data, const char *custom_op, int version), void *op_resolver_user_data);

TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverExternalWithFallback(TfLiteInterpreterOptions *options, const TfLiteOperator *(*find_builtin_op_external)(void *user_data, int op, int version), const TfLiteOperator *(*find_custom_op_external)(void *user_data, const char *custom_op, int version), const TfLiteRegistration *(*find_builtin_op)(void *user_data, TfLiteBuiltinOperator op, int version), const TfLiteRegistration *(*find_custom_op)(void *user_data, const char *op, int version), void *op_resolver_user_data);

TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolver(TfLiteInterpreterOptions *options, const TfLiteRegistration *(*find_builtin_op)(void *user_data, TfLiteBuiltinOperator op, int version), const TfLiteRegistration *(*find_custom_op)(void *user_data, const char *custom_op, int version), void *op_resolver_user_data);

TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverV3(TfLiteInterpreterOptions *options, const TfLiteRegistration_V3 *(*find_builtin_op_v3)(void *user_data, TfLiteBuiltinOperator op, int version), const TfLiteRegistration_V3 *(*find_custom_op_v3)(void *user_data, const char *op, int version), void *op_resolver_user_data);

TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverV2(TfLiteInterpreterOptions *options, const TfLiteRegistration_V2 *(*find_builtin_op_v2)(void *user_data, TfLiteBuiltinOperator op, int version), const TfLiteRegistration_V2 *(*find_custom_op_v2)(void *user_data, const char *op, int version), void *op_resolver_user_data);

TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverV1(TfLiteInterpreterOptions *options, const TfLiteRegistration_V1 *(*find_builtin_op_v1)(void *user_data, TfLiteBuiltinOperator op, int version), const TfLiteRegistration_V1 *(*find_custom_op_v1)(void *user_data, const char *op, int version), void *op_resolver_user_data);

TFL_CAPI_EXPORT extern TfLiteInterpreter * TfLiteInterpreterCreateWithSelectedOps(const TfLiteModel *model, const TfLiteInterpreterOptions *options);

TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetUseNNAPI(TfLiteInterpreterOptions *options, bool enable);

TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetEnableDelegateFallback(TfLiteInterpreterOptions *options, bool enable);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterModifyGraphWithDelegate(const TfLiteInterpreter *interpreter, TfLiteDelegate *delegate);

TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetInputTensorIndex(const TfLiteInterpreter *interpreter, int32_t input_index);

TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetOutputTensorIndex(const TfLiteInterpreter *interpreter, int32_t output_index);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterSetCustomAllocationForTensor(TfLiteInterpreter *interpreter, int tensor_index, const TfLiteCustomAllocation *allocation, int64_t flags);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterSetBufferHandle(TfLiteInterpreter *interpreter, TfLiteTensor *tensor, TfLiteBufferHandle buffer_handle, TfLiteOpaqueDelegate *delegate);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterGetBufferHandle(TfLiteInterpreter *interpreter, int tensor_index, TfLiteBufferHandle *buffer_handle, TfLiteOpaqueDelegate **delegate);

TFL_CAPI_EXPORT extern void TfLiteSetAllowBufferHandleOutput(const TfLiteInterpreter *interpreter, bool allow_buffer_handle_output);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteSignatureRunnerCancel(TfLiteSignatureRunner *signature_runner);

TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetTelemetryProfiler(TfLiteInterpreterOptions *options, struct TfLiteTelemetryProfilerStruct *profiler);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterEnsureTensorDataIsReadable(TfLiteInterpreter *interpreter, int tensor_index);

#ifdef __cplusplus
}
#endif

#endif
