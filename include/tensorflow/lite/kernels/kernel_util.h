// SPDX-License-Identifier: Apache-2.0
// Functions for operators in the form of TfLiteRegistration:
//
//     TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
//         TF_LITE_ENSURE_EQ(context, tflite::NumInputs(node), 1);
//         const TfLiteTensor* input;
//         TF_LITE_ENSURE_OK(context, tflite::GetInputSafe(context, node, 0, &input));
//         TfLiteTensor* output;
//         TF_LITE_ENSURE_OK(context, tflite::GetOutputSafe(context, node, 0, &output));
//         return context->ResizeTensor(context, output, TfLiteIntArrayCopy(input->dims));
//     }
#ifndef TENSORFLOW_LITE_KERNELS_KERNEL_UTIL_H_
#define TENSORFLOW_LITE_KERNELS_KERNEL_UTIL_H_

#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>

#include "tensorflow/lite/c/builtin_op_data.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/util.h"

namespace tflite {

// ---- A node's tensors ----

inline int NumInputs(const TfLiteNode* node) {
    return node->inputs == nullptr ? 0 : node->inputs->size;
}
inline int NumOutputs(const TfLiteNode* node) {
    return node->outputs == nullptr ? 0 : node->outputs->size;
}
inline int NumIntermediates(const TfLiteNode* node) {
    return node->intermediates == nullptr ? 0 : node->intermediates->size;
}

namespace internal {

// Returns the tensor at a position of one of a node's lists; nullptr when there is none, or when it is left
// out.
inline TfLiteTensor* TensorAt(const TfLiteContext* context, const TfLiteIntArray* list, int position) {
    if (list == nullptr || position < 0 || position >= list->size) return nullptr;
    const int index = list->data[position];
    if (index < 0 || static_cast<size_t>(index) >= context->tensors_size) return nullptr;
    return context->tensors != nullptr ? &context->tensors[index] : context->GetTensor(context, index);
}

// The same, with a message when there is none.
template <typename Tensor>
TfLiteStatus TensorAtOrFail(TfLiteContext* context, const TfLiteIntArray* list, int position,
                            const char* kind, Tensor** tensor) {
    *tensor = TensorAt(context, list, position);
    if (*tensor != nullptr) return kTfLiteOk;
    TF_LITE_MAYBE_KERNEL_LOG(context, "the node has no %s %d", kind, position);
    return kTfLiteError;
}

} // namespace internal

// Return a tensor of the node by its position; nullptr when the node has no such tensor. The forms with
// `Safe` also report a message.
inline const TfLiteTensor* GetInput(const TfLiteContext* context, const TfLiteNode* node, int index) {
    return internal::TensorAt(context, node->inputs, index);
}
inline TfLiteStatus GetInputSafe(TfLiteContext* context, const TfLiteNode* node, int index,
                                 const TfLiteTensor** tensor) {
    return internal::TensorAtOrFail(context, node->inputs, index, "input", tensor);
}
inline TfLiteTensor* GetOutput(TfLiteContext* context, const TfLiteNode* node, int index) {
    return internal::TensorAt(context, node->outputs, index);
}
inline TfLiteStatus GetOutputSafe(TfLiteContext* context, const TfLiteNode* node, int index,
                                  TfLiteTensor** tensor) {
    return internal::TensorAtOrFail(context, node->outputs, index, "output", tensor);
}
inline TfLiteTensor* GetTemporary(TfLiteContext* context, const TfLiteNode* node, int index) {
    return internal::TensorAt(context, node->temporaries, index);
}
inline TfLiteStatus GetTemporarySafe(TfLiteContext* context, const TfLiteNode* node, int index,
                                     TfLiteTensor** tensor) {
    return internal::TensorAtOrFail(context, node->temporaries, index, "temporary", tensor);
}
inline const TfLiteTensor* GetIntermediates(TfLiteContext* context, const TfLiteNode* node, int index) {
    return internal::TensorAt(context, node->intermediates, index);
}
inline TfLiteStatus GetIntermediatesSafe(TfLiteContext* context, const TfLiteNode* node, int index,
                                         TfLiteTensor** tensor) {
    return internal::TensorAtOrFail(context, node->intermediates, index, "intermediate", tensor);
}

// Returns an input that may be left out; nullptr when it is.
inline const TfLiteTensor* GetOptionalInputTensor(const TfLiteContext* context, const TfLiteNode* node,
                                                  int index) {
    return GetInput(context, node, index);
}

// Returns an input that is a variable, for writing; nullptr for other inputs.
inline TfLiteTensor* GetVariableInput(TfLiteContext* context, const TfLiteNode* node, int index) {
    TfLiteTensor* tensor = internal::TensorAt(context, node->inputs, index);
    return tensor != nullptr && tensor->is_variable ? tensor : nullptr;
}

// ---- Shapes ----

inline int NumDimensions(const TfLiteTensor* t) {
    return t->dims->size;
}
inline int SizeOfDimension(const TfLiteTensor* t, int dim) {
    return t->dims->data[dim];
}

inline int64_t NumElements(const int* dims, int num_dims) {
    int64_t count = 1;
    for (int i = 0; i < num_dims; i++) count *= dims[i];
    return count;
}
inline int64_t NumElements(const TfLiteIntArray* dims) {
    return NumElements(dims->data, dims->size);
}
inline int64_t NumElements(const TfLiteTensor* t) {
    return NumElements(t->dims);
}

// Return "[1,2,3]" and, for a tensor, its type and shape on lines of their own.
inline std::string GetShapeDebugString(const TfLiteIntArray* shape) {
    std::string text = "[";
    for (int i = 0; shape != nullptr && i < shape->size; i++) {
        text += (i > 0 ? "," : "") + std::to_string(shape->data[i]);
    }
    return text + "]";
}
inline std::string GetTensorDebugString(const TfLiteTensor* tensor) {
    return std::string("{\n  type: ") + TfLiteTypeGetName(tensor->type) +
           "\n  data: {...}\n  dims: " + GetShapeDebugString(tensor->dims) + "\n}";
}

// Whether the model leaves a dimension of the tensor open.
inline bool HasUnspecifiedDimension(const TfLiteTensor* tensor) {
    const TfLiteIntArray* signature = tensor->dims_signature;
    for (int i = 0; signature != nullptr && i < signature->size; i++) {
        if (signature->data[i] == -1) return true;
    }
    return false;
}

// Multiply dimensions. A negative one, and a product that does not fit, are errors, with a message;
// `error_message` is that for the product. `dims` is a vector, or whatever else has data() and size().
template <class Dims, class Product>
TfLiteStatus CheckedShapeProduct(TfLiteContext* context, const Dims& dims, const char* error_message,
                                 Product& product) {
    for (size_t i = 0; i < dims.size(); i++) {
        TF_LITE_ENSURE_MSG(context, dims.data()[i] >= 0, "Encountered a negative dimension.");
    }
    if (CheckedNumElements(dims, product) == kTfLiteOk) return kTfLiteOk;
    TF_LITE_MAYBE_KERNEL_LOG(context, "%s", error_message);
    return kTfLiteError;
}
template <class Dims>
TfLiteStatus CheckedShapeProductToInt(TfLiteContext* context, const Dims& dims, const char* error_message,
                                      int& product) {
    return CheckedShapeProduct(context, dims, error_message, product);
}

inline bool HaveSameShapes(const TfLiteTensor* input1, const TfLiteTensor* input2) {
    return TfLiteIntArrayEqual(input1->dims, input2->dims) != 0;
}

namespace internal {

// Computes the shape that results when the shapes of the inputs are broadcast: a dimension of length 1 takes
// on any length, and missing leading dimensions count as 1.
inline TfLiteStatus BroadcastShape(TfLiteContext* context, std::initializer_list<const TfLiteTensor*> inputs,
                                   TfLiteIntArray** output_shape) {
    int rank = 0;
    for (const TfLiteTensor* input : inputs) rank = std::max(rank, NumDimensions(input));
    TfLiteIntArray* shape = TfLiteIntArrayCreate(rank);
    TF_LITE_ENSURE(context, shape != nullptr);
    for (int i = 0; i < rank; i++) {
        int size = 1;
        for (const TfLiteTensor* input : inputs) {
            const int missing = rank - NumDimensions(input);
            const int own = i < missing ? 1 : SizeOfDimension(input, i - missing);
            if (own != 1 && size != 1 && own != size) {
                TfLiteIntArrayFree(shape);
                std::string shapes;
                for (const TfLiteTensor* const* one = inputs.begin(); one != inputs.end(); one++) {
                    shapes += one == inputs.begin() ? "" : one + 1 == inputs.end() ? " and " : ", ";
                    shapes += GetShapeDebugString((*one)->dims);
                }
                TF_LITE_KERNEL_LOG(context, "Given shapes, %s, are not broadcastable.", shapes.c_str());
                return kTfLiteError;
            }
            if (own != 1) size = own;
        }
        shape->data[i] = size;
    }
    *output_shape = shape;
    return kTfLiteOk;
}

} // namespace internal

// Computes the output shape of an elementwise operator. The array is the caller's.
inline TfLiteStatus CalculateShapeForBroadcast(TfLiteContext* context, const TfLiteTensor* input1,
                                               const TfLiteTensor* input2, TfLiteIntArray** output_shape) {
    return internal::BroadcastShape(context, {input1, input2}, output_shape);
}
inline TfLiteStatus CalculateShapeForBroadcast(TfLiteContext* context, const TfLiteTensor* input1,
                                               const TfLiteTensor* input2, const TfLiteTensor* input3,
                                               TfLiteIntArray** output_shape) {
    return internal::BroadcastShape(context, {input1, input2, input3}, output_shape);
}

// Makes a shape out of the elements of a tensor of int32 [n]. The array is the caller's.
inline TfLiteStatus GetOutputShapeFromInput(TfLiteContext* context, const TfLiteTensor* input,
                                            TfLiteIntArray** output_shape) {
    if (NumDimensions(input) != 1) {
        TF_LITE_KERNEL_LOG(context, "Invalid %dD input tensor (must be a 1D tensor).", NumDimensions(input));
        return kTfLiteError;
    }
    const int rank = SizeOfDimension(input, 0);
    TF_LITE_ENSURE(context, input->bytes >= static_cast<size_t>(rank) * sizeof(int32_t));
    IntArrayUniquePtr shape = BuildTfLiteArray<int>(rank, input->data.i32);
    TF_LITE_ENSURE(context, shape != nullptr);
    *output_shape = shape.release();
    return kTfLiteOk;
}

// ---- Types ----

// Return the size of an element in bits and in bytes; 0 for types without a size, and, in bytes, for those of
// less than a byte.
inline int TfLiteTypeGetSizeBits(TfLiteType type) {
    size_t bytes = 0;
    if (type == kTfLiteInt2) return 2;
    if (type == kTfLiteInt4 || type == kTfLiteUInt4) return 4;
    return GetSizeOfType(nullptr, type, &bytes) == kTfLiteOk ? static_cast<int>(bytes) * 8 : 0;
}
inline int TfLiteTypeGetSize(TfLiteType type) {
    const int bits = TfLiteTypeGetSizeBits(type);
    return bits % 8 == 0 ? bits / 8 : 0;
}

inline bool IsMobilePlatform() {
#if defined(__ANDROID__)
    return true;
#else
    return false;
#endif
}

// ---- Where tensors live ----

inline bool IsConstantTensor(const TfLiteTensor* tensor) {
    return tensor->allocation_type == kTfLiteMmapRo;
}
inline bool IsConstantOrPersistentTensor(const TfLiteTensor* tensor) {
    return IsConstantTensor(tensor) || tensor->allocation_type == kTfLitePersistentRo;
}
inline bool IsDynamicTensor(const TfLiteTensor* tensor) {
    return tensor->allocation_type == kTfLiteDynamic;
}

// In prepare: makes the output dynamic, so that it gets its shape in invoke.
inline void SetTensorToDynamic(TfLiteTensor* tensor) {
    if (tensor->allocation_type == kTfLiteDynamic) return;
    TfLiteTensorDataFree(tensor);
    tensor->allocation_type = kTfLiteDynamic;
}
// In prepare: declares that the output is computed in prepare and does not change afterwards.
inline void SetTensorToPersistentRo(TfLiteTensor* tensor) {
    if (tensor->allocation_type == kTfLitePersistentRo) return;
    TfLiteTensorDataFree(tensor);
    tensor->allocation_type = kTfLitePersistentRo;
}

// ---- Quantization and activation ----

// Whether the weights are quantized and the input is not.
inline bool IsHybridOp(const TfLiteTensor* input, const TfLiteTensor* weight) {
    const bool quantized = weight->type == kTfLiteUInt8 || weight->type == kTfLiteInt8;
    return quantized && input->type == kTfLiteFloat32;
}

// Computes the range of an activation function's results.
template <typename T>
void CalculateActivationRange(TfLiteFusedActivation activation, T* activation_min, T* activation_max) {
    *activation_min = std::numeric_limits<T>::lowest();
    *activation_max = std::numeric_limits<T>::max();
    if (activation == kTfLiteActRelu || activation == kTfLiteActRelu6) *activation_min = 0;
    if (activation == kTfLiteActRelu6) *activation_max = 6;
    if (activation == kTfLiteActReluN1To1) {
        *activation_min = -1;
        *activation_max = 1;
    }
}

// The same in the stored numbers of a quantized output.
inline TfLiteStatus CalculateActivationRangeQuantized(TfLiteContext* context,
                                                      TfLiteFusedActivation activation, TfLiteTensor* output,
                                                      int32_t* act_min, int32_t* act_max) {
    switch (output->type) {
    case kTfLiteUInt8:
        *act_min = 0;
        *act_max = UINT8_MAX;
        break;
    case kTfLiteInt8:
        *act_min = INT8_MIN;
        *act_max = INT8_MAX;
        break;
    case kTfLiteInt16:
        *act_min = INT16_MIN;
        *act_max = INT16_MAX;
        break;
    default:
        TF_LITE_KERNEL_LOG(context, "Type %s is not that of a quantized output.",
                           TfLiteTypeGetName(output->type));
        return kTfLiteError;
    }
    float low, high;
    CalculateActivationRange(activation, &low, &high);
    const double scale = static_cast<double>(output->params.scale);
    TF_LITE_ENSURE(context, scale > 0);
    const double all[2] = {static_cast<double>(*act_min), static_cast<double>(*act_max)};
    const double zero_point = output->params.zero_point;
    const auto quantize = [&](float bound) {
        const double value = zero_point + std::round(static_cast<double>(bound) / scale);
        return static_cast<int32_t>(std::min(std::max(value, all[0]), all[1]));
    };
    *act_min = quantize(low);
    *act_max = quantize(high);
    return kTfLiteOk;
}

} // namespace tflite

#endif
