// SPDX-License-Identifier: Apache-2.0
// The C API: load a model, run it, read the result.
//
//     TfLiteModel* model = TfLiteModelCreateFromFile("model.tflite");
//     TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
//     TfLiteInterpreterOptionsSetNumThreads(options, 2);
//     TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
//     if (interpreter == NULL) return 1; // model was NULL, or cannot be run
//
//     if (TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) return 1;
//     TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
//     if (TfLiteTensorCopyFromBuffer(input, pixels, sizeof pixels) != kTfLiteOk) return 1;
//
//     if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) return 1;
//     const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
//     if (TfLiteTensorCopyToBuffer(output, scores, sizeof scores) != kTfLiteOk) return 1;
//
//     TfLiteInterpreterDelete(interpreter);
//     TfLiteInterpreterOptionsDelete(options);
//     TfLiteModelDelete(model);
//
// Conventions:
// - Sizes in bytes are size_t; counts, indices and dimensions are int32_t or int.
// - A …Create function makes an object and returns NULL on failure. A …Delete function releases it and
//   accepts NULL. Everything else that a function returns belongs to the object that it was got from.
// - NULL in place of an object, and an index that does not exist, give an error status, NULL, 0 or -1, never
//   a crash.
// - Messages go to the error reporter of the model or the options, and nowhere else: without a reporter they
//   are dropped. The library never writes to the terminal.
// - Several threads may use a model at the same time. An interpreter, its tensors and its signature runners
//   are used by one thread at a time, except for TfLiteInterpreterCancel.
#ifndef TENSORFLOW_LITE_C_C_API_H_
#define TENSORFLOW_LITE_C_C_API_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/c_api_types.h"
#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteModel TfLiteModel;
typedef struct TfLiteInterpreterOptions TfLiteInterpreterOptions;
typedef struct TfLiteInterpreter TfLiteInterpreter;
typedef struct TfLiteSignatureRunner TfLiteSignatureRunner;

// ---- Versions ----

// Return the version of the TensorFlow Lite API that the library implements: of the whole API, and of the
// part that operators and delegates use. (oclite_version() in oclite/oclite.h returns oclite's own version.)
TFL_CAPI_EXPORT extern const char* TfLiteVersion(void);
TFL_CAPI_EXPORT extern const char* TfLiteExtensionApisVersion(void);

// Returns the version of the model format that the library reads.
TFL_CAPI_EXPORT extern int TfLiteSchemaVersion(void);

// ---- Models ----

// Opens a model in memory. The bytes are not copied: they must stay unchanged until the model and all its
// interpreters have been deleted. They need no alignment. Returns NULL when they are not a well-formed model.
TFL_CAPI_EXPORT extern TfLiteModel* TfLiteModelCreate(const void* model_data, size_t model_size);

// The same. `reporter` receives the reason of a failure: `user_data`, and a printf format with its arguments.
TFL_CAPI_EXPORT extern TfLiteModel*
TfLiteModelCreateWithErrorReporter(const void* model_data, size_t model_size,
                                   void (*reporter)(void* user_data, const char* format, va_list args),
                                   void* user_data);

// Opens a model in a file. The file is mapped into memory.
TFL_CAPI_EXPORT extern TfLiteModel* TfLiteModelCreateFromFile(const char* model_path);
TFL_CAPI_EXPORT extern TfLiteModel* TfLiteModelCreateFromFileWithErrorReporter(
    const char* model_path, void (*reporter)(void* user_data, const char* format, va_list args),
    void* user_data);

// May be called while interpreters of the model are in use: they keep what they need.
TFL_CAPI_EXPORT extern void TfLiteModelDelete(TfLiteModel* model);

// ---- Options of an interpreter ----
// Options are read when an interpreter is created and may be deleted afterwards. When memory runs out in one
// of these functions, TfLiteInterpreterCreate fails later.

// Create options with the defaults, or with everything that another object contains (delegates and operators
// are shared with it, not copied). Return NULL when memory runs out. The caller deletes the options.
TFL_CAPI_EXPORT extern TfLiteInterpreterOptions* TfLiteInterpreterOptionsCreate(void);
TFL_CAPI_EXPORT extern TfLiteInterpreterOptions*
TfLiteInterpreterOptionsCopy(const TfLiteInterpreterOptions* from);
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsDelete(TfLiteInterpreterOptions* options);

// Sets the number of CPU threads that an inference may use. -1, the default, leaves the choice to the
// library.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetNumThreads(TfLiteInterpreterOptions* options,
                                                                  int32_t num_threads);

// Adds a delegate. Delegates are applied in the order in which they were added. A delegate must outlive the
// interpreter. When one cannot be applied, no interpreter is created, except with
// TfLiteInterpreterOptionsSetEnableDelegateFallback (c_api_experimental.h). NULL adds nothing.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsAddDelegate(TfLiteInterpreterOptions* options,
                                                                TfLiteOpaqueDelegate* delegate);

// Sets the function that receives the interpreter's messages. It is called on every thread that uses the
// interpreter, as long as the interpreter lives.
TFL_CAPI_EXPORT extern void
TfLiteInterpreterOptionsSetErrorReporter(TfLiteInterpreterOptions* options,
                                         void (*reporter)(void* user_data, const char* format, va_list args),
                                         void* user_data);

// Adds a custom operator, or an operator that replaces a builtin one. It must outlive the interpreter. When
// two operators have the same name and version, the one that was added later counts.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsAddOperator(TfLiteInterpreterOptions* options,
                                                                TfLiteOperator* registration);
// The earlier name of TfLiteInterpreterOptionsAddOperator.
TFL_CAPI_EXPORT extern void
TfLiteInterpreterOptionsAddRegistrationExternal(TfLiteInterpreterOptions* options,
                                                TfLiteRegistrationExternal* registration);

// Enables TfLiteInterpreterCancel and TfLiteSignatureRunnerCancel.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteInterpreterOptionsEnableCancellation(TfLiteInterpreterOptions* options, bool enable);

// ---- Interpreters ----

// Creates an interpreter of the model. Returns NULL, with a message, when nobody implements a builtin
// operator of the model, and when memory runs out. `optional_options` may be NULL.
// TfLiteInterpreterAllocateTensors reports a custom operator that nobody has added: until then a delegate may
// take it.
TFL_CAPI_EXPORT extern TfLiteInterpreter*
TfLiteInterpreterCreate(const TfLiteModel* model, const TfLiteInterpreterOptions* optional_options);
TFL_CAPI_EXPORT extern void TfLiteInterpreterDelete(TfLiteInterpreter* interpreter);

// The number of inputs, the indices of their tensors in the graph, and the tensors themselves. Between
// TfLiteInterpreterAllocateTensors and the next resize, an input keeps its address and its contents.
TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetInputTensorCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern const int* TfLiteInterpreterInputTensorIndices(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern TfLiteTensor* TfLiteInterpreterGetInputTensor(const TfLiteInterpreter* interpreter,
                                                                     int32_t input_index);

// Changes the shape of an input to `input_dims_size` dimensions. Call TfLiteInterpreterAllocateTensors
// afterwards.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterResizeInputTensor(TfLiteInterpreter* interpreter,
                                                                       int32_t input_index,
                                                                       const int* input_dims,
                                                                       int32_t input_dims_size);

// Prepares all operators and allocates all tensors. Call it before the first inference and after each resize.
// Outputs may move.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterAllocateTensors(TfLiteInterpreter* interpreter);

// Runs the model. Returns kTfLiteCancelled when the inference was cancelled; every other failure has been
// reported. The outputs are valid only after success, and after kTfLiteDelegateError when the fallback is
// enabled (TfLiteInterpreterOptionsSetEnableDelegateFallback).
//
// When a delegate's kernel fails, the inference fails with kTfLiteError, unless the kernel returns
// kTfLiteDelegateError, which says that the device failed and not the data. Then the delegate is removed,
// with a message, the CPU runs the model again from its inputs, and the status is kTfLiteOk.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterInvoke(TfLiteInterpreter* interpreter);

// The outputs. Their shapes and data may not be known before an inference.
TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetOutputTensorCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern const int* TfLiteInterpreterOutputTensorIndices(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern const TfLiteTensor*
TfLiteInterpreterGetOutputTensor(const TfLiteInterpreter* interpreter, int32_t output_index);

// Returns any tensor of the graph. An inference overwrites the contents of tensors that are neither inputs,
// outputs nor variables.
TFL_CAPI_EXPORT extern TfLiteTensor* TfLiteInterpreterGetTensor(const TfLiteInterpreter* interpreter,
                                                                int index);

// Makes the inference that is running on another thread return kTfLiteCancelled, also within a node. An
// inference that leaves nothing out, because the call came late, returns kTfLiteOk. After a cancelled one the
// outputs are undefined, and variables hold what the nodes have written until then, of the last node perhaps
// a part; the interpreter can be invoked again. Returns kTfLiteError when cancellation is not enabled.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterCancel(const TfLiteInterpreter* interpreter);

// ---- Signatures ----
// A signature is a named entry point of a model, with names for its inputs and outputs.

// The number of signatures, 0 in many models, and their keys, which belong to the interpreter.
TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetSignatureCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern const char* TfLiteInterpreterGetSignatureKey(const TfLiteInterpreter* interpreter,
                                                                    int32_t signature_index);

// Creates a runner of the signature with this key. A key of NULL means the first signature of the main graph.
// In a model without signatures it means the whole model: the names are then those of the tensors, and
// "input<i>" and "output<i>" for tensors without a name. The caller deletes the runner, before the
// interpreter.
TFL_CAPI_EXPORT extern TfLiteSignatureRunner*
TfLiteInterpreterGetSignatureRunner(const TfLiteInterpreter* interpreter, const char* signature_key);
TFL_CAPI_EXPORT extern void TfLiteSignatureRunnerDelete(TfLiteSignatureRunner* signature_runner);

// These functions correspond to those of the interpreter, with names in place of indices. The names are
// sorted. A name that does not exist gives NULL or kTfLiteError. The inputs of a runner, unlike those of an
// interpreter, can be resized only in the dimensions that the model leaves open (-1 in the tensor's dims
// signature).
TFL_CAPI_EXPORT extern size_t
TfLiteSignatureRunnerGetInputCount(const TfLiteSignatureRunner* signature_runner);
TFL_CAPI_EXPORT extern const char*
TfLiteSignatureRunnerGetInputName(const TfLiteSignatureRunner* signature_runner, int32_t input_index);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteSignatureRunnerResizeInputTensor(TfLiteSignatureRunner* signature_runner, const char* input_name,
                                       const int* input_dims, int32_t input_dims_size);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteSignatureRunnerAllocateTensors(TfLiteSignatureRunner* signature_runner);
TFL_CAPI_EXPORT extern TfLiteTensor*
TfLiteSignatureRunnerGetInputTensor(TfLiteSignatureRunner* signature_runner, const char* input_name);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteSignatureRunnerInvoke(TfLiteSignatureRunner* signature_runner);
TFL_CAPI_EXPORT extern size_t
TfLiteSignatureRunnerGetOutputCount(const TfLiteSignatureRunner* signature_runner);
TFL_CAPI_EXPORT extern const char*
TfLiteSignatureRunnerGetOutputName(const TfLiteSignatureRunner* signature_runner, int32_t output_index);
TFL_CAPI_EXPORT extern const TfLiteTensor*
TfLiteSignatureRunnerGetOutputTensor(const TfLiteSignatureRunner* signature_runner, const char* output_name);

// ---- Tensors ----

// Returns the type of the elements; kTfLiteNoType for NULL.
TFL_CAPI_EXPORT extern TfLiteType TfLiteTensorType(const TfLiteTensor* tensor);

// Returns the number of dimensions, 0 for a scalar; -1 when the tensor has no shape yet.
TFL_CAPI_EXPORT extern int32_t TfLiteTensorNumDims(const TfLiteTensor* tensor);
// Returns the length of one dimension; -1 when there is no such dimension.
TFL_CAPI_EXPORT extern int32_t TfLiteTensorDim(const TfLiteTensor* tensor, int32_t dim_index);

// Returns the size of the contents in bytes; 0 while the size is not known.
TFL_CAPI_EXPORT extern size_t TfLiteTensorByteSize(const TfLiteTensor* tensor);

// Returns the elements, in row-major order; NULL before they are allocated. c_api_opaque.h has functions for
// strings.
TFL_CAPI_EXPORT extern void* TfLiteTensorData(const TfLiteTensor* tensor);

// Returns the name in the model, which may be empty.
TFL_CAPI_EXPORT extern const char* TfLiteTensorName(const TfLiteTensor* tensor);

// Returns the quantization of a tensor with one scale: real = scale * (stored - zero_point). Returns zeros
// for other tensors.
TFL_CAPI_EXPORT extern TfLiteQuantizationParams TfLiteTensorQuantizationParams(const TfLiteTensor* tensor);

// Copy the whole contents in or out. Return kTfLiteError unless the size is exactly TfLiteTensorByteSize and
// the tensor is allocated. A constant can only be read.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor* tensor, const void* input_data,
                                                               size_t input_data_size);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor* output_tensor,
                                                             void* output_data, size_t output_data_size);

#ifdef __cplusplus
}
#endif

#endif
