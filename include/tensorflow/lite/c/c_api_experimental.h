// SPDX-License-Identifier: Apache-2.0
// The part of the C API that the reference calls experimental: variables, operator resolvers, buffers of
// delegates, memory of the program. The conventions of c_api.h hold.
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
// An interpreter looks for the operator of a node in this order: the operators that were added to the options
// (also by TfLiteInterpreterOptionsAddOperator), the latest first; the resolver functions; the library's
// operators, except in TfLiteInterpreterCreateWithSelectedOps.

// Adds an implementation of a builtin operator for the versions min_version to max_version, or of a custom
// operator. Name and registration are copied. The name and version inside the registration are ignored.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsAddBuiltinOp(TfLiteInterpreterOptions* options,
                                                                 TfLiteBuiltinOperator op,
                                                                 const TfLiteRegistration* registration,
                                                                 int32_t min_version, int32_t max_version);
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsAddCustomOp(TfLiteInterpreterOptions* options,
                                                                const char* name,
                                                                const TfLiteRegistration* registration,
                                                                int32_t min_version, int32_t max_version);

// Sets resolver functions, which the library calls for each operator of a model while it creates an
// interpreter. A resolver function returns NULL when it does not have the operator. Each function may be
// NULL. A later call of any of these setters replaces the earlier one. The operators that a function returns
// must outlive the interpreter; registrations are copied.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverExternal(
    TfLiteInterpreterOptions* options,
    const TfLiteOperator* (*find_builtin_op)(void* user_data, int op, int version),
    const TfLiteOperator* (*find_custom_op)(void* user_data, const char* custom_op, int version),
    void* op_resolver_user_data);

// Sets four resolver functions. The two that return registrations are called when the others return NULL.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetOpResolverExternalWithFallback(
    TfLiteInterpreterOptions* options,
    const TfLiteOperator* (*find_builtin_op_external)(void* user_data, int op, int version),
    const TfLiteOperator* (*find_custom_op_external)(void* user_data, const char* custom_op, int version),
    const TfLiteRegistration* (*find_builtin_op)(void* user_data, TfLiteBuiltinOperator op, int version),
    const TfLiteRegistration* (*find_custom_op)(void* user_data, const char* op, int version),
    void* op_resolver_user_data);

// Sets resolver functions that return registrations.
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

// Creates an interpreter as TfLiteInterpreterCreate does, but with the operators of the options only.
TFL_CAPI_EXPORT extern TfLiteInterpreter*
TfLiteInterpreterCreateWithSelectedOps(const TfLiteModel* model, const TfLiteInterpreterOptions* options);

// Has no effect: there is no NNAPI here.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetUseNNAPI(TfLiteInterpreterOptions* options,
                                                                bool enable);

// ---- Telemetry ----

// Sets the functions of the program that the interpreter calls to report what it does; telemetry/c/profiler.h
// describes them. `profiler` must outlive the interpreter. NULL removes it.
TFL_CAPI_EXPORT extern void
TfLiteInterpreterOptionsSetTelemetryProfiler(TfLiteInterpreterOptions* options,
                                             struct TfLiteTelemetryProfilerStruct* profiler);

// ---- Delegates and memory ----

// With `true` the CPU replaces delegates that fail. A delegate that cannot be applied then does not prevent
// the creation of the interpreter, which runs without any delegate. An inference that fails is repeated
// without delegates, from the same inputs. When the repetition succeeds, all delegates are removed, the
// variables are zero again, and tensors may have moved. The status of that inference is kTfLiteDelegateError,
// that of the following ones kTfLiteOk.
TFL_CAPI_EXPORT extern void
TfLiteInterpreterOptionsSetEnableDelegateFallback(TfLiteInterpreterOptions* options, bool enable);

// Applies a delegate to an existing interpreter. The delegate must outlive the interpreter. Call
// TfLiteInterpreterAllocateTensors afterwards. A failure is reported:
// - kTfLiteDelegateError: the delegate failed, or is NULL. All delegates, those of the options included, are
//   removed, and the CPU runs the model at once.
// - kTfLiteApplicationError: the delegate does not suit the model, whose tensors are dynamic, or the
//   delegates that were applied before.
// - Other statuses: the model cannot be prepared. The interpreter is as before.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteInterpreterModifyGraphWithDelegate(const TfLiteInterpreter* interpreter, TfLiteDelegate* delegate);

// Returns the index of the tensor that is an input or output; -1 when there is none.
TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetInputTensorIndex(const TfLiteInterpreter* interpreter,
                                                                    int32_t input_index);
TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetOutputTensorIndex(const TfLiteInterpreter* interpreter,
                                                                     int32_t output_index);

// Places a tensor in memory of the program. The memory must stay valid as long as the interpreter, and be
// aligned to 64 bytes unless `flags` has kTfLiteCustomAllocationFlagsSkipAlignCheck. Call
// TfLiteInterpreterAllocateTensors afterwards when anything was resized; it fails when the memory is shorter
// than the tensor.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteInterpreterSetCustomAllocationForTensor(TfLiteInterpreter* interpreter, int tensor_index,
                                              const TfLiteCustomAllocation* allocation, int64_t flags);

// The delegate's buffer that holds a tensor. The setter frees the buffer that it replaces. The getter stores
// kTfLiteNullBufferHandle and NULL when there is none.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterSetBufferHandle(TfLiteInterpreter* interpreter,
                                                                     TfLiteTensor* tensor,
                                                                     TfLiteBufferHandle buffer_handle,
                                                                     TfLiteOpaqueDelegate* delegate);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterGetBufferHandle(TfLiteInterpreter* interpreter,
                                                                     int tensor_index,
                                                                     TfLiteBufferHandle* buffer_handle,
                                                                     TfLiteOpaqueDelegate** delegate);

// With `true`, outputs may stay in the buffers of delegates at the end of an inference.
// TfLiteInterpreterEnsureTensorDataIsReadable copies a tensor from there.
TFL_CAPI_EXPORT extern void TfLiteSetAllowBufferHandleOutput(const TfLiteInterpreter* interpreter,
                                                             bool allow_buffer_handle_output);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteInterpreterEnsureTensorDataIsReadable(TfLiteInterpreter* interpreter, int tensor_index);

// Does what TfLiteInterpreterCancel does.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteSignatureRunnerCancel(TfLiteSignatureRunner* signature_runner);

#ifdef __cplusplus
}
#endif

#endif
