// SPDX-License-Identifier: Apache-2.0
// Returns a tensor's elements to operators: tflite::GetTensorData<float>(tensor).
#ifndef TENSORFLOW_LITE_KERNELS_INTERNAL_TENSOR_CTYPES_H_
#define TENSORFLOW_LITE_KERNELS_INTERNAL_TENSOR_CTYPES_H_

#include "tensorflow/lite/c/common.h"

namespace tflite {

// Returns nullptr for nullptr, and for tensors without memory. The type is not checked.
template <typename T> T* GetTensorData(TfLiteTensor* tensor) {
    return tensor != nullptr ? reinterpret_cast<T*>(tensor->data.raw) : nullptr;
}
template <typename T> const T* GetTensorData(const TfLiteTensor* tensor) {
    return tensor != nullptr ? reinterpret_cast<const T*>(tensor->data.raw) : nullptr;
}

} // namespace tflite

#endif
