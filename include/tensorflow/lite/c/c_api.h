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
// Conventions
//   Sizes in bytes are size_t; counts, indices and dimensions are int32_t or int.
//   Objects are made by a …Create function, which gives NULL on failure, and released by …Delete, which
//   accepts NULL. Everything else that is returned belongs to the object it was got from.
//   NULL where an object is expected gives an error status, NULL, 0 or -1, never a crash; so does an index
//   that does not exist.
//   Messages go to the error reporter that was given to the model or the options, and nowhere else: without a
//   reporter they are dropped. The library never writes to the terminal.
//   A model may be used by several threads at the same time. An interpreter, its tensors and its signature
//   runners are used by one thread at a time, except for TfLiteInterpreterCancel.
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

// The version of the TensorFlow Lite API that is implemented: of the whole, and of what operators and
// delegates use. (oclite's own version: oclite_version() in oclite/oclite.h.)
TFL_CAPI_EXPORT extern const char* TfLiteVersion(void);
TFL_CAPI_EXPORT extern const char* TfLiteExtensionApisVersion(void);

// The version of the model format that is read.
TFL_CAPI_EXPORT extern int TfLiteSchemaVersion(void);

// ---- Models ----

// A model in memory. The bytes are not copied: they must stay as they are until the model and all its
// interpreters have been deleted. They need no alignment. NULL when they are not a well-formed model.
TFL_CAPI_EXPORT extern TfLiteModel* TfLiteModelCreate(const void* model_data, size_t model_size);

// The same; `reporter` learns why it failed. It gets `user_data` and a printf format with its arguments.
TFL_CAPI_EXPORT extern TfLiteModel*
TfLiteModelCreateWithErrorReporter(const void* model_data, size_t model_size,
                                   void (*reporter)(void* user_data, const char* format, va_list args),
                                   void* user_data);

// A model in a file, which is mapped into memory, not read.
TFL_CAPI_EXPORT extern TfLiteModel* TfLiteModelCreateFromFile(const char* model_path);
TFL_CAPI_EXPORT extern TfLiteModel* TfLiteModelCreateFromFileWithErrorReporter(
    const char* model_path, void (*reporter)(void* user_data, const char* format, va_list args),
    void* user_data);

// May be called while interpreters of the model are in use: they keep what they need.
TFL_CAPI_EXPORT extern void TfLiteModelDelete(TfLiteModel* model);

// ---- Options of an interpreter ----
// Options are read when an interpreter is created and may be deleted afterwards. Where memory runs out in one
// of these functions, TfLiteInterpreterCreate fails.

// Options with the defaults, or with all that another object has been told so far (delegates and operators
// are shared with it, not copied). NULL when out of memory. The caller deletes them.
TFL_CAPI_EXPORT extern TfLiteInterpreterOptions* TfLiteInterpreterOptionsCreate(void);
TFL_CAPI_EXPORT extern TfLiteInterpreterOptions*
TfLiteInterpreterOptionsCopy(const TfLiteInterpreterOptions* from);
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsDelete(TfLiteInterpreterOptions* options);

// CPU threads an inference may use; -1, the default, leaves the choice to the library.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsSetNumThreads(TfLiteInterpreterOptions* options,
                                                                  int32_t num_threads);

// Delegates are applied in the order in which they were added. A delegate must outlive the interpreter. When
// one cannot be applied no interpreter is made, except with TfLiteInterpreterOptionsSetEnableDelegateFallback
// (c_api_experimental.h). NULL is left out.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsAddDelegate(TfLiteInterpreterOptions* options,
                                                                TfLiteOpaqueDelegate* delegate);

// Where the interpreter's messages go: from any thread that uses it, as long as it lives.
TFL_CAPI_EXPORT extern void
TfLiteInterpreterOptionsSetErrorReporter(TfLiteInterpreterOptions* options,
                                         void (*reporter)(void* user_data, const char* format, va_list args),
                                         void* user_data);

// Adds an operator: a custom one, or one that replaces a builtin. It must outlive the interpreter. Where two
// have the same name and version the later one counts.
TFL_CAPI_EXPORT extern void TfLiteInterpreterOptionsAddOperator(TfLiteInterpreterOptions* options,
                                                                TfLiteOperator* registration);
// The earlier name of the same.
TFL_CAPI_EXPORT extern void
TfLiteInterpreterOptionsAddRegistrationExternal(TfLiteInterpreterOptions* options,
                                                TfLiteRegistrationExternal* registration);

// Lets TfLiteInterpreterCancel and TfLiteSignatureRunnerCancel work.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteInterpreterOptionsEnableCancellation(TfLiteInterpreterOptions* options, bool enable);

// ---- Interpreters ----

// An interpreter of the model. NULL, with a message, when the model has a builtin operator that nobody
// implements, or memory runs out. `optional_options` may be NULL. A custom operator that nobody has added is
// reported by TfLiteInterpreterAllocateTensors: a delegate may take it until then.
TFL_CAPI_EXPORT extern TfLiteInterpreter*
TfLiteInterpreterCreate(const TfLiteModel* model, const TfLiteInterpreterOptions* optional_options);
TFL_CAPI_EXPORT extern void TfLiteInterpreterDelete(TfLiteInterpreter* interpreter);

// Inputs: how many there are, which tensors of the graph they are, and the tensors themselves. Between
// TfLiteInterpreterAllocateTensors and the next resizing an input keeps its address and its contents.
TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetInputTensorCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern const int* TfLiteInterpreterInputTensorIndices(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern TfLiteTensor* TfLiteInterpreterGetInputTensor(const TfLiteInterpreter* interpreter,
                                                                     int32_t input_index);

// Gives an input another shape of `input_dims_size` dimensions. Tensors are to be allocated again afterwards.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterResizeInputTensor(TfLiteInterpreter* interpreter,
                                                                       int32_t input_index,
                                                                       const int* input_dims,
                                                                       int32_t input_dims_size);

// Prepares all operators and allocates all tensors: before the first inference, and after resizing. Outputs
// may move.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterAllocateTensors(TfLiteInterpreter* interpreter);

// Runs the model. kTfLiteCancelled when it was cancelled; any other failure has been reported. Outputs are
// valid only after success, and after kTfLiteDelegateError where the fallback is enabled
// (TfLiteInterpreterOptionsSetEnableDelegateFallback).
//
// A delegate's kernel that fails makes the inference fail, with kTfLiteError, unless the kernel gives
// kTfLiteDelegateError, by which it says that its device failed and not the data: then its delegate is
// removed, with a message, the CPU runs the model from its inputs on, and the status is kTfLiteOk.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterInvoke(TfLiteInterpreter* interpreter);

// Outputs. Their shapes may be known, and their data be there, only after an inference.
TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetOutputTensorCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern const int* TfLiteInterpreterOutputTensorIndices(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern const TfLiteTensor*
TfLiteInterpreterGetOutputTensor(const TfLiteInterpreter* interpreter, int32_t output_index);

// Any tensor of the graph. The contents of what is neither input, output nor variable are overwritten during
// an inference.
TFL_CAPI_EXPORT extern TfLiteTensor* TfLiteInterpreterGetTensor(const TfLiteInterpreter* interpreter,
                                                                int index);

// Makes the inference that is running return kTfLiteCancelled, from another thread. kTfLiteError when
// cancellation has not been enabled.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteInterpreterCancel(const TfLiteInterpreter* interpreter);

// ---- Signatures ----
// A signature is a named entry of a model, with names for its inputs and outputs.

// How many signatures the model has, 0 for many models, and their keys, which belong to the interpreter.
TFL_CAPI_EXPORT extern int32_t TfLiteInterpreterGetSignatureCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT extern const char* TfLiteInterpreterGetSignatureKey(const TfLiteInterpreter* interpreter,
                                                                    int32_t signature_index);

// A runner of the signature with that key; NULL stands for the first one of the main graph, or for the whole
// model where it has no signatures: then the names are those of the tensors, "input<i>" and "output<i>" for
// tensors without one. The caller deletes the runner, before the interpreter.
TFL_CAPI_EXPORT extern TfLiteSignatureRunner*
TfLiteInterpreterGetSignatureRunner(const TfLiteInterpreter* interpreter, const char* signature_key);
TFL_CAPI_EXPORT extern void TfLiteSignatureRunnerDelete(TfLiteSignatureRunner* signature_runner);

// As the functions of the interpreter, by names, which are sorted. A name that does not exist gives NULL or
// kTfLiteError. Unlike an interpreter's, a runner's inputs can be resized only in the dimensions that the
// model leaves open (-1 in the tensor's signature of dimensions).
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

// kTfLiteNoType for NULL.
TFL_CAPI_EXPORT extern TfLiteType TfLiteTensorType(const TfLiteTensor* tensor);

// Number of dimensions, 0 for a scalar; -1 when the tensor has no shape yet.
TFL_CAPI_EXPORT extern int32_t TfLiteTensorNumDims(const TfLiteTensor* tensor);
// Length of one dimension; -1 when there is no such dimension.
TFL_CAPI_EXPORT extern int32_t TfLiteTensorDim(const TfLiteTensor* tensor, int32_t dim_index);

// Bytes of the contents; 0 while a tensor's size is not known.
TFL_CAPI_EXPORT extern size_t TfLiteTensorByteSize(const TfLiteTensor* tensor);

// The elements, in row-major order; NULL before they have been allocated. Strings: see c_api_opaque.h.
TFL_CAPI_EXPORT extern void* TfLiteTensorData(const TfLiteTensor* tensor);

// The name in the model; it may be empty.
TFL_CAPI_EXPORT extern const char* TfLiteTensorName(const TfLiteTensor* tensor);

// Quantization of a tensor with one scale: real = scale * (stored - zero_point). Zeros for other tensors.
TFL_CAPI_EXPORT extern TfLiteQuantizationParams TfLiteTensorQuantizationParams(const TfLiteTensor* tensor);

// Copies the whole contents in or out. kTfLiteError unless the size is exactly TfLiteTensorByteSize, the
// tensor is allocated, and, when writing, is not a constant.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor* tensor, const void* input_data,
                                                               size_t input_data_size);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor* output_tensor,
                                                             void* output_data, size_t output_data_size);

#ifdef __cplusplus
}
#endif

#endif
