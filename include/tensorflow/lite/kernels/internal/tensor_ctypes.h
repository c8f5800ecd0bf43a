// SPDX-License-Identifier: Apache-2.0
// A tensor's elements for operators: tflite::GetTensorData<float>(tensor).
#ifndef TENSORFLOW_LITE_KERNELS_INTERNAL_TENSOR_CTYPES_H_
#define TENSORFLOW_LITE_KERNELS_INTERNAL_TENSOR_CTYPES_H_

#include "tensorflow/lite/c/common.h"

namespace tflite {

// The type is not checked. nullptr for nullptr, and for tensors without memory.
template <typename T> T* GetTensorData(TfLiteTensor* tensor) {
    return tensor != nullptr ? reinterpret_cast<T*>(tensor->data.raw) : nullptr;
}
template <typename T> const T* GetTensorData(const TfLiteTensor* tensor) {
    return tensor != nullptr ? reinterpret_cast<const T*>(tensor->data.raw) : nullptr;
}

} // namespace tflite

#endif
