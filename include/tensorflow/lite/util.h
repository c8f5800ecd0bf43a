// SPDX-License-Identifier: Apache-2.0
// Converts arrays of C++ to those of the C API, and returns sizes of types.
#ifndef TENSORFLOW_LITE_UTIL_H_
#define TENSORFLOW_LITE_UTIL_H_

#include <stddef.h>
#include <string.h>

#include <memory>
#include <vector>

#include "tensorflow/lite/c/common.h"

namespace tflite {

// The alignment of a tensor's memory in bytes.
constexpr int kDefaultTensorAlignment = 64;

// The names of custom operators that stand for operators of TensorFlow begin with this prefix.
constexpr char kFlexCustomCodePrefix[] = "Flex";
inline bool IsFlexOp(const char* custom_name) {
    return custom_name != nullptr &&
           strncmp(custom_name, kFlexCustomCodePrefix, strlen(kFlexCustomCodePrefix)) == 0;
}

// Return copies, which the caller owns; nullptr when memory runs out.
inline TfLiteIntArray* ConvertArrayToTfLiteIntArray(int ndims, const int* dims) {
    TfLiteIntArray* result = TfLiteIntArrayCreate(ndims);
    for (int i = 0; result != nullptr && i < ndims; i++) result->data[i] = dims[i];
    return result;
}
inline TfLiteIntArray* ConvertVectorToTfLiteIntArray(const std::vector<int>& input) {
    return ConvertArrayToTfLiteIntArray(static_cast<int>(input.size()), input.data());
}

inline bool EqualArrayAndTfLiteIntArray(const TfLiteIntArray* a, int b_size, const int* b) {
    return TfLiteIntArrayEqualsArray(a, b_size, b) != 0;
}

// Arrays that release themselves.
struct TfLiteIntArrayDeleter {
    void operator()(TfLiteIntArray* a) const { TfLiteIntArrayFree(a); }
};
using IntArrayUniquePtr = std::unique_ptr<TfLiteIntArray, TfLiteIntArrayDeleter>;
inline IntArrayUniquePtr BuildTfLiteArray(const std::vector<int>& values) {
    return IntArrayUniquePtr(ConvertVectorToTfLiteIntArray(values));
}

// Stores the size of one element in bytes. For types without a size of whole bytes it returns kTfLiteError,
// with a message unless the context is nullptr.
inline TfLiteStatus GetSizeOfType(TfLiteContext* context, TfLiteType type, size_t* bytes) {
    switch (type) {
    case kTfLiteBool:
    case kTfLiteInt8:
    case kTfLiteUInt8:
    case kTfLiteFloat8E4M3FN:
    case kTfLiteFloat8E5M2:
        *bytes = 1;
        return kTfLiteOk;
    case kTfLiteInt16:
    case kTfLiteUInt16:
    case kTfLiteFloat16:
    case kTfLiteBFloat16:
        *bytes = 2;
        return kTfLiteOk;
    case kTfLiteInt32:
    case kTfLiteUInt32:
    case kTfLiteFloat32:
        *bytes = 4;
        return kTfLiteOk;
    case kTfLiteInt64:
    case kTfLiteUInt64:
    case kTfLiteFloat64:
    case kTfLiteComplex64:
        *bytes = 8;
        return kTfLiteOk;
    case kTfLiteComplex128:
        *bytes = 16;
        return kTfLiteOk;
    default:
        if (context != nullptr) {
            context->ReportError(context, "Type %s has no size of its own.", TfLiteTypeGetName(type));
        }
        return kTfLiteError;
    }
}

} // namespace tflite

#endif
