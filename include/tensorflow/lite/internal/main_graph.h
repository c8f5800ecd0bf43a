// SPDX-License-Identifier: Apache-2.0
// How a program builds the main graph of an interpreter: what Subgraph does for any graph (core/subgraph.h,
// where the functions are described), with shorter lists of arguments. A base of tflite::Interpreter.
#ifndef TENSORFLOW_LITE_INTERNAL_MAIN_GRAPH_H_
#define TENSORFLOW_LITE_INTERNAL_MAIN_GRAPH_H_

#include <stddef.h>

#include <cmath>
#include <cstdarg>
#include <cstdlib>
#include <vector>

#include "oclite/graph.h"
#include "tensorflow/lite/allocation.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tflite {
namespace internal {

// Returns nullptr, after a message, when memory runs out.
inline TfLiteInterpreter* CreateEmpty(ErrorReporter* reporter) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(
        options,
        [](void* user_data, const char* format, va_list args) {
            static_cast<ErrorReporter*>(user_data)->Report(format, args);
        },
        reporter);
    // Cancel itself checks whether the program has enabled it.
    TfLiteInterpreterOptionsEnableCancellation(options, true);
    TfLiteInterpreter* interpreter = oclite_interpreter_create_empty(options);
    TfLiteInterpreterOptionsDelete(options);
    return interpreter;
}

// Derived has primary_subgraph().
template <class Derived> class MainGraph {
  public:
    TfLiteStatus SetInputs(const std::vector<int>& inputs) { return graph().SetInputs(inputs); }
    TfLiteStatus SetOutputs(const std::vector<int>& outputs) { return graph().SetOutputs(outputs); }
    TfLiteStatus SetVariables(const std::vector<int>& variables) { return graph().SetVariables(variables); }
    TfLiteStatus AddTensors(int tensors_to_add, int* first_new_tensor_index = nullptr) {
        return graph().AddTensors(tensors_to_add, first_new_tensor_index);
    }
    TfLiteStatus AddNodeWithParameters(const std::vector<int>& inputs, const std::vector<int>& outputs,
                                       const char* init_data, size_t init_data_size, void* builtin_data,
                                       const TfLiteRegistration* registration, int* node_index = nullptr) {
        return graph().AddNodeWithParameters(inputs, outputs, {}, init_data, init_data_size, builtin_data,
                                             registration, node_index);
    }
    TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name,
                                             const std::vector<int>& dims, TfLiteQuantization quantization,
                                             const char* buffer, size_t bytes,
                                             const Allocation* allocation = nullptr) {
        return graph().SetTensorParametersReadOnly(tensor_index, type, name, dims, quantization, buffer,
                                                   bytes, allocation);
    }
    TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                              const std::vector<int>& dims, TfLiteQuantization quantization,
                                              bool is_variable = false) {
        return graph().SetTensorParametersReadWrite(tensor_index, type, name, dims, quantization,
                                                    is_variable);
    }
    // The same with one scale and zero point. A scale that is not greater than 0 means no quantization.
    TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name,
                                             const std::vector<int>& dims,
                                             TfLiteQuantizationParams quantization, const char* buffer,
                                             size_t bytes, const Allocation* allocation = nullptr) {
        return SetTensorParametersReadOnly(tensor_index, type, name, dims, Affine(quantization), buffer,
                                           bytes, allocation);
    }
    TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name, size_t rank,
                                             const int* dims, TfLiteQuantizationParams quantization,
                                             const char* buffer, size_t bytes,
                                             const Allocation* allocation = nullptr) {
        return graph().SetTensorParametersReadOnly(tensor_index, type, name, rank, dims, Affine(quantization),
                                                   buffer, bytes, allocation);
    }
    TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                              const std::vector<int>& dims,
                                              TfLiteQuantizationParams quantization, bool is_variable = false,
                                              const std::vector<int>* dims_signature = nullptr) {
        return SetTensorParametersReadWrite(tensor_index, type, name, dims.size(), dims.data(), quantization,
                                            is_variable, dims_signature ? dims_signature->size() : 0,
                                            dims_signature ? dims_signature->data() : nullptr);
    }
    TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                              size_t rank, const int* dims,
                                              TfLiteQuantizationParams quantization, bool is_variable = false,
                                              size_t rank_dims_signature = 0,
                                              const int* dims_signature = nullptr) {
        return graph().SetTensorParametersReadWrite(tensor_index, type, name, rank, dims,
                                                    Affine(quantization), is_variable, rank_dims_signature,
                                                    dims_signature);
    }

  protected:
    MainGraph() = default;
    ~MainGraph() = default;

  private:
    Subgraph& graph() { return static_cast<Derived*>(this)->primary_subgraph(); }

    static TfLiteQuantization Affine(TfLiteQuantizationParams legacy) {
        TfLiteQuantization quantization{};
        if (!std::isfinite(legacy.scale) || !(legacy.scale > 0)) return quantization;
        auto* affine =
            static_cast<TfLiteAffineQuantization*>(std::calloc(1, sizeof(TfLiteAffineQuantization)));
        if (affine == nullptr) return quantization;
        quantization.type = kTfLiteAffineQuantization;
        quantization.params = affine;
        affine->scale = TfLiteFloatArrayCreate(1);
        affine->zero_point = TfLiteIntArrayCreate(1);
        if (affine->scale == nullptr || affine->zero_point == nullptr) return quantization;
        affine->scale->data[0] = legacy.scale;
        affine->zero_point->data[0] = legacy.zero_point;
        return quantization;
    }
};

} // namespace internal
} // namespace tflite

#endif
