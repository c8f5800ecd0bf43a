// SPDX-License-Identifier: Apache-2.0
// Models, interpreters and tensors of c_api.h.
#include "tensorflow/lite/c/c_api.h"
#include "core/graph/allocate.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"

#include "core/api/options.h"
#include "core/model/open.h"
#include "tensorflow/lite/c/c_api_opaque.h"

// The API is that of this release of TensorFlow.
const char* TfLiteVersion(void) {
    return "2.21.0";
}

const char* TfLiteExtensionApisVersion(void) {
    return TfLiteVersion();
}

int TfLiteSchemaVersion(void) {
    return 3;
}

// Models.

TfLiteModel* TfLiteModelCreateWithErrorReporter(const void* model_data, size_t model_size,
                                                void (*reporter)(void* user_data, const char* format,
                                                                 va_list args),
                                                void* user_data) {
    const LiteReporter messages = {reporter, user_data};
    if (model_data == NULL) {
        lite_report(&messages, "model: no data");
        return NULL;
    }
    return (TfLiteModel*)lite_model_create(model_data, model_size, &messages);
}

TfLiteModel* TfLiteModelCreate(const void* model_data, size_t model_size) {
    return TfLiteModelCreateWithErrorReporter(model_data, model_size, NULL, NULL);
}

TfLiteModel* TfLiteModelCreateFromFileWithErrorReporter(const char* model_path,
                                                        void (*reporter)(void* user_data, const char* format,
                                                                         va_list args),
                                                        void* user_data) {
    const LiteReporter messages = {reporter, user_data};
    if (model_path == NULL) {
        lite_report(&messages, "model: no file name");
        return NULL;
    }
    return (TfLiteModel*)lite_model_open(model_path, &messages);
}

TfLiteModel* TfLiteModelCreateFromFile(const char* model_path) {
    return TfLiteModelCreateFromFileWithErrorReporter(model_path, NULL, NULL);
}

void TfLiteModelDelete(TfLiteModel* model) {
    lite_model_release((LiteModel*)model);
}

// Interpreters.

TfLiteInterpreter* TfLiteInterpreterCreate(const TfLiteModel* model,
                                           const TfLiteInterpreterOptions* optional_options) {
    return lite_options_create_interpreter(model, optional_options, false);
}

void TfLiteInterpreterDelete(TfLiteInterpreter* interpreter) {
    lite_interpreter_destroy(as_interpreter(interpreter));
}

static LiteModelInts input_indices(const TfLiteInterpreter* interpreter) {
    return interpreter ? lite_subgraph_inputs(main_subgraph(interpreter)) : (LiteModelInts){0};
}

static LiteModelInts output_indices(const TfLiteInterpreter* interpreter) {
    return interpreter ? lite_subgraph_outputs(main_subgraph(interpreter)) : (LiteModelInts){0};
}

static int index_at(LiteModelInts indices, int position) {
    return position >= 0 && position < indices.count ? indices.data[position] : -1;
}

int32_t TfLiteInterpreterGetInputTensorCount(const TfLiteInterpreter* interpreter) {
    return input_indices(interpreter).count;
}

const int* TfLiteInterpreterInputTensorIndices(const TfLiteInterpreter* interpreter) {
    return input_indices(interpreter).data;
}

int32_t TfLiteInterpreterGetInputTensorIndex(const TfLiteInterpreter* interpreter, int32_t input_index) {
    return index_at(input_indices(interpreter), input_index);
}

TfLiteTensor* TfLiteInterpreterGetInputTensor(const TfLiteInterpreter* interpreter, int32_t input_index) {
    return TfLiteInterpreterGetTensor(interpreter,
                                      TfLiteInterpreterGetInputTensorIndex(interpreter, input_index));
}

int32_t TfLiteInterpreterGetOutputTensorCount(const TfLiteInterpreter* interpreter) {
    return output_indices(interpreter).count;
}

const int* TfLiteInterpreterOutputTensorIndices(const TfLiteInterpreter* interpreter) {
    return output_indices(interpreter).data;
}

int32_t TfLiteInterpreterGetOutputTensorIndex(const TfLiteInterpreter* interpreter, int32_t output_index) {
    return index_at(output_indices(interpreter), output_index);
}

const TfLiteTensor* TfLiteInterpreterGetOutputTensor(const TfLiteInterpreter* interpreter,
                                                     int32_t output_index) {
    return TfLiteInterpreterGetTensor(interpreter,
                                      TfLiteInterpreterGetOutputTensorIndex(interpreter, output_index));
}

TfLiteTensor* TfLiteInterpreterGetTensor(const TfLiteInterpreter* interpreter, int index) {
    return interpreter ? lite_subgraph_tensor(main_subgraph(interpreter), index) : NULL;
}

TfLiteStatus TfLiteInterpreterResizeInputTensor(TfLiteInterpreter* interpreter, int32_t input_index,
                                                const int* input_dims, int32_t input_dims_size) {
    if (interpreter == NULL) return kTfLiteError;
    const LiteReporter* reporter = lite_interpreter_reporter(as_interpreter(interpreter));
    const int tensor = TfLiteInterpreterGetInputTensorIndex(interpreter, input_index);
    if (tensor < 0) return lite_report(reporter, "resize: there is no input %d", (int)input_index);
    if (input_dims_size < 0 || (input_dims_size > 0 && input_dims == NULL)) {
        return lite_report(reporter, "resize: no dimensions for input %d", (int)input_index);
    }
    return lite_subgraph_resize_input(main_subgraph(interpreter), tensor, input_dims, input_dims_size);
}

TfLiteStatus TfLiteInterpreterAllocateTensors(TfLiteInterpreter* interpreter) {
    return interpreter ? lite_subgraph_allocate(main_subgraph(interpreter)) : kTfLiteError;
}

TfLiteStatus TfLiteInterpreterInvoke(TfLiteInterpreter* interpreter) {
    return interpreter ? lite_subgraph_invoke(main_subgraph(interpreter)) : kTfLiteError;
}

TfLiteStatus TfLiteInterpreterCancel(const TfLiteInterpreter* interpreter) {
    return interpreter ? lite_interpreter_cancel(as_interpreter(interpreter)) : kTfLiteError;
}

// Tensors: an opaque tensor is a tensor. The parentheses keep the macros of c_api_opaque.h out.

static const TfLiteOpaqueTensor* opaque(const TfLiteTensor* tensor) {
    return (const TfLiteOpaqueTensor*)tensor;
}

TfLiteType(TfLiteTensorType)(const TfLiteTensor* tensor) {
    return TfLiteOpaqueTensorType(opaque(tensor));
}

int32_t TfLiteTensorNumDims(const TfLiteTensor* tensor) {
    return TfLiteOpaqueTensorNumDims(opaque(tensor));
}

int32_t TfLiteTensorDim(const TfLiteTensor* tensor, int32_t dim_index) {
    return TfLiteOpaqueTensorDim(opaque(tensor), dim_index);
}

size_t TfLiteTensorByteSize(const TfLiteTensor* tensor) {
    return TfLiteOpaqueTensorByteSize(opaque(tensor));
}

void*(TfLiteTensorData)(const TfLiteTensor* tensor) {
    return TfLiteOpaqueTensorData(opaque(tensor));
}

const char* TfLiteTensorName(const TfLiteTensor* tensor) {
    return TfLiteOpaqueTensorName(opaque(tensor));
}

TfLiteQuantizationParams TfLiteTensorQuantizationParams(const TfLiteTensor* tensor) {
    return TfLiteOpaqueTensorGetQuantizationParams(opaque(tensor));
}

TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor* tensor, const void* input_data,
                                        size_t input_data_size) {
    return TfLiteOpaqueTensorCopyFromBuffer((TfLiteOpaqueTensor*)tensor, input_data, input_data_size);
}

TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor* output_tensor, void* output_data,
                                      size_t output_data_size) {
    return TfLiteOpaqueTensorCopyToBuffer(opaque(output_tensor), output_data, output_data_size);
}
