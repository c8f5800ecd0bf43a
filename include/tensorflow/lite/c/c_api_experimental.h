// SPDX-License-Identifier: Apache-2.0
// The part of the C API that the reference calls experimental: variables, operator resolvers, delegates'
// buffers, memory of the program. The conventions of c_api.h hold.
#ifndef TENSORFLOW_LITE_C_C_API_EXPERIMENTAL_H_
#define TENSORFLOW_LITE_C_C_API_EXPERIMENTAL_H_

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

struct TfLiteTelemetryProfilerStruct; // profiling/telemetry/c/profiler.h

// ---- Variables: tensors that keep their contents between inferences ----

// Sets all variables to zero.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterResetVariableTensors(TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetVariableTensorCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern TfLiteTensor* TfLiteInterpreterGetVariableTensor(const TfLiteInterpreter* interpreter,
                                                                        int32_t variable_index);

// ---- Operators ----
// Where an interpreter finds the operator for a node: among those added to the options (also by
// TfLiteInterpreterOptionsAddOperator), the latest first; then by the resolver functions; then, except for
// TfLiteInterpreterCreateWithSelectedOps, in the library.

// Adds an implementation of a builtin operator for versions min_version..max_version, or of a custom one.
// Name and registration are copied; the registration's own name and versions do not matter.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsAddBuiltinOp(TfLiteInterpreterOptions* options,
                                                                 TfLiteBuiltinOperator op,
                                                                 const TfLiteRegistration* registration,
                                                                 int32_t min_version, int32_t max_version);
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsAddCustomOp(TfLiteInterpreterOptions* options,
                                                                const char* name,
                                                                const TfLiteRegistration* registration,
                                                                int32_t min_version, int32_t max_version);

// Resolver functions: asked for each operator of a model while an interpreter is created; NULL from them
// means "not here". Either function may be NULL. A later call of any of these setters replaces the earlier
// one. The returned operators must outlive the interpreter; registrations are copied.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverExternal(
    TfLiteInterpreterOptions* options,
    const TfLiteOperator* (*find_builtin_op)(void* user_data, int op, int version),
    const TfLiteOperator* (*find_custom_op)(void* user_data, const char* custom_op, int version),
    void* op_resolver_user_data);

// The functions with registrations are asked where the others have no answer.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverExternalWithFallback(
    TfLiteInterpreterOptions* options,
    const TfLiteOperator* (*find_builtin_op_external)(void* user_data, int op, int version),
    const TfLiteOperator* (*find_custom_op_external)(void* user_data, const char* custom_op, int version),
    const TfLiteRegistration* (*find_builtin_op)(void* user_data, TfLiteBuiltinOperator op, int version),
    const TfLiteRegistration* (*find_custom_op)(void* user_data, const char* op, int version),
    void* op_resolver_user_data);

// Functions with registrations only.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolver(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration* (*find_builtin_op)(void* user_data, TfLiteBuiltinOperator op, int version),
    const TfLiteRegistration* (*find_custom_op)(void* user_data, const char* custom_op, int version),
    void* op_resolver_user_data);

// The same for programs that were compiled with earlier forms of TfLiteRegistration.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverV3(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration_V3* (*find_builtin_op_v3)(void* user_data, TfLiteBuiltinOperator op,
                                                       int version),
    const TfLiteRegistration_V3* (*find_custom_op_v3)(void* user_data, const char* op, int version),
    void* op_resolver_user_data);
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverV2(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration_V2* (*find_builtin_op_v2)(void* user_data, TfLiteBuiltinOperator op,
                                                       int version),
    const TfLiteRegistration_V2* (*find_custom_op_v2)(void* user_data, const char* op, int version),
    void* op_resolver_user_data);
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverV1(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration_V1* (*find_builtin_op_v1)(void* user_data, TfLiteBuiltinOperator op,
                                                       int version),
    const TfLiteRegistration_V1* (*find_custom_op_v1)(void* user_data, const char* op, int version),
    void* op_resolver_user_data);

// As TfLiteInterpreterCreate, with no operators but those of the options.
TFL_CAPI_EXPORT extern TfLiteInterpreter*
TfLiteInterpreterCreateWithSelectedOps(const TfLiteModel* model, const TfLiteInterpreterOptions* options);

// Without effect: there is no NNAPI here.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetUseNNAPI(TfLiteInterpreterOptions* options,
                                                                bool enable);

// ---- Telemetry ----

// Functions of the program that the interpreter calls to tell what it does: telemetry/c/profiler.h says what
// and when. `profiler` must outlive the interpreter; NULL takes it back.
TFL_CAPI_EXPORT extern void
TfLiteInterpreterOptionsSetTelemetryProfiler(TfLiteInterpreterOptions* options,
                                             struct TfLiteTelemetryProfilerStruct* profiler);

// ---- Delegates and memory ----

// With `true` the CPU stands in for delegates that fail. A delegate that cannot be applied does not prevent
// the interpreter from being made: it runs without any. An inference that fails is run again without
// delegates, from the same inputs; where that succeeds all delegates are gone, variables begin anew at zero,
// tensors may have moved, and the status is kTfLiteDelegateError for this inference and kTfLiteOk for those
// that follow.
TFL_CAPI_EXPORT extern void
TfLiteInterpreterOptionsSetEnableDelegateFallback(TfLiteInterpreterOptions* options, bool enable);

// Applies a delegate to an interpreter that exists; it must outlive the interpreter. Tensors are to be
// allocated again afterwards. On failure, with a message:
// kTfLiteDelegateError     The delegate failed, or is NULL. All delegates, those of the options too, are
//                          removed; the CPU runs the model, at once.
// kTfLiteApplicationError  It does not suit the model, whose tensors are dynamic, or delegates applied
// before. Others                   The model cannot be prepared; the interpreter is as before.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteInterpreterModifyGraphWithDelegate(const TfLiteInterpreter* interpreter, TfLiteDelegate* delegate);

// Which tensor of the graph an input or output is; -1 when there is none.
TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetInputTensorIndex(const TfLiteInterpreter* interpreter,
                                                                    int32_t input_index);
TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetOutputTensorIndex(const TfLiteInterpreter* interpreter,
                                                                     int32_t output_index);

// Lets a tensor live in memory of the program, which is valid as long as the interpreter, aligned to 64 bytes
// unless `flags` has kTfLiteCustomAllocationFlagsSkipAlignCheck, and as long as the tensor:
// TfLiteInterpreterAllocateTensors, which is to be called afterwards where anything was resized, fails where
// it is too short.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteInterpreterSetCustomAllocationForTensor(TfLiteInterpreter* interpreter, int tensor_index,
                                              const TfLiteCustomAllocation* allocation, int64_t flags);

// The delegate's buffer that holds a tensor. Setting replaces, and frees, the one before; getting gives
// kTfLiteNullBufferHandle and NULL where there is none.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterSetBufferHandle(TfLiteInterpreter* interpreter,
                                                                     TfLiteTensor* tensor,
                                                                     TfLiteBufferHandle buffer_handle,
                                                                     TfLiteOpaqueDelegate* delegate);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterGetBufferHandle(TfLiteInterpreter* interpreter,
                                                                     int tensor_index,
                                                                     TfLiteBufferHandle* buffer_handle,
                                                                     TfLiteOpaqueDelegate** delegate);

// With `true`, outputs may stay in delegates' buffers at the end of an inference;
// TfLiteInterpreterEnsureTensorDataIsReadable copies a tensor from there.
TFL_CAPI_EXPORT extern void TfLiteSetAllowBufferHandleOutput(const TfLiteInterpreter* interpreter,
                                                             bool allow_buffer_handle_output);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteInterpreterEnsureTensorDataIsReadable(TfLiteInterpreter* interpreter, int tensor_index);

// As TfLiteInterpreterCancel.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteSignatureRunnerCancel(TfLiteSignatureRunner* signature_runner);

#ifdef __cplusplus
}
#endif

#endif
