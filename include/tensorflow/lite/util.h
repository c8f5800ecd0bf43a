// SPDX-License-Identifier: Apache-2.0
// Converts arrays of C++ to those of the C API, and returns sizes of types, tensors and names of operators.
#ifndef TENSORFLOW_LITE_UTIL_H_
#define TENSORFLOW_LITE_UTIL_H_

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "oclite/oclite.h"
#include "tensorflow/lite/array.h" // IWYU pragma: export
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/internal/checked_int.h" // IWYU pragma: export
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite {

// The alignment of a tensor's memory in bytes.
constexpr int kDefaultTensorAlignment = 64;

// The names of custom operators that stand for operators of TensorFlow begin with this prefix.
constexpr char kFlexCustomCodePrefix[] = "Flex";
inline bool IsFlexOp(const char* custom_name) {
    return custom_name != nullptr &&
           strncmp(custom_name, kFlexCustomCodePrefix, strlen(kFlexCustomCodePrefix)) == 0;
}

// The names of graphs that check others begin with this prefix. Delegates are not applied to them.
constexpr char kValidationSubgraphNamePrefix[] = "VALIDATION:";
inline bool IsValidationSubgraph(const char* name) {
    return name != nullptr &&
           strncmp(name, kValidationSubgraphNamePrefix, strlen(kValidationSubgraphNamePrefix)) == 0;
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

// An array of nullptr equals none.
inline bool EqualArrayAndTfLiteIntArray(const TfLiteIntArray* a, int b_size, const int* b) {
    return a != nullptr && TfLiteIntArrayEqualsArray(a, b_size, b) != 0;
}

// One number out of several, for hash tables.
inline size_t CombineHashes(std::initializer_list<size_t> hashes) {
    size_t result = 0;
    for (size_t hash : hashes) result = result * 31 + hash;
    return result;
}

// ---- Sizes ----

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

// Stores the product; kTfLiteError when it does not fit.
inline TfLiteStatus MultiplyAndCheckOverflow(size_t a, size_t b, size_t* product) {
    const CheckedInt<size_t> result = CheckedInt<size_t>(a) * CheckedInt<size_t>(b);
    *product = result.Value();
    return result.Status();
}

namespace internal {

template <class Count> TfLiteStatus CountElements(const int* dims, size_t size, Count& count) {
    CheckedInt<size_t> product(size_t{1});
    for (size_t i = 0; i < size; i++) {
        if (dims[i] < 0) return kTfLiteError;
        product *= CheckedInt<size_t>(dims[i]);
    }
    const CheckedInt<Count> result(product);
    if (result.Overflow()) return kTfLiteError;
    count = result.Value();
    return kTfLiteOk;
}

} // namespace internal

// Store the number of elements in a size_t or an int. They return kTfLiteError, and store nothing, for a
// negative dimension, a number that does not fit, and nullptr. `dims` is a vector, or whatever else has
// data() and size().
template <class Dims, class Count, class = decltype(std::declval<const Dims&>().data())>
TfLiteStatus CheckedNumElements(const Dims& dims, Count& count) {
    return internal::CountElements(dims.data(), dims.size(), count);
}
template <class Count> TfLiteStatus CheckedNumElements(const TfLiteIntArray* dims, Count& count) {
    if (dims == nullptr || dims->size < 0) return kTfLiteError;
    return internal::CountElements(dims->data, static_cast<size_t>(dims->size), count);
}
template <class Count> TfLiteStatus CheckedNumElements(const TfLiteTensor* tensor, Count& count) {
    return tensor == nullptr ? kTfLiteError : CheckedNumElements(tensor->dims, count);
}

inline bool IsResourceOrVariant(const TfLiteTensor* tensor) {
    return tensor->type == kTfLiteResource || tensor->type == kTfLiteVariant;
}

// Stores the bytes that a tensor of these dimensions takes. Types of less than a byte are packed. Errors are
// reported to the context unless that is nullptr.
inline TfLiteStatus BytesRequired(TfLiteType type, const int* dims, size_t dims_size, size_t* bytes,
                                  TfLiteContext* context) {
    const auto fail = [context](const char* message) {
        if (context != nullptr) context->ReportError(context, "%s", message);
        return kTfLiteError;
    };
    if (bytes == nullptr) return fail("BytesRequired has nowhere to store the size.");
    size_t count = 0;
    if (internal::CountElements(dims, dims_size, count) != kTfLiteOk) {
        return fail("BytesRequired number of elements overflowed.\n");
    }
    const bool is_4_bits = type == kTfLiteInt4 || type == kTfLiteUInt4;
    if (is_4_bits || type == kTfLiteInt2) {
        const size_t in_a_byte = is_4_bits ? 2 : 4;
        *bytes = count / in_a_byte + (count % in_a_byte != 0);
        return kTfLiteOk;
    }
    size_t size = 0;
    if (GetSizeOfType(context, type, &size) != kTfLiteOk) return kTfLiteError;
    if (MultiplyAndCheckOverflow(size, count, bytes) == kTfLiteOk) return kTfLiteOk;
    return fail("BytesRequired number of bytes overflowed.\n");
}

// ---- Tensors of the program's own ----

struct TfLiteTensorDeleter {
    void operator()(TfLiteTensor* t) const {
        TfLiteTensorFree(t);
        free(t);
    }
};
using TensorUniquePtr = std::unique_ptr<TfLiteTensor, TfLiteTensorDeleter>;

// Makes a tensor that owns its dimensions and, if it is dynamic, memory for its elements, which are not set.
// nullptr for dimensions that are absent or cannot be, and when memory runs out.
inline TensorUniquePtr BuildTfLiteTensor() {
    auto* tensor = static_cast<TfLiteTensor*>(calloc(1, sizeof(TfLiteTensor)));
    if (tensor != nullptr) tensor->buffer_handle = kTfLiteNullBufferHandle;
    return TensorUniquePtr(tensor);
}
inline TensorUniquePtr BuildTfLiteTensor(TfLiteType type, IntArrayUniquePtr dims,
                                         TfLiteAllocationType allocation_type) {
    size_t bytes = 0;
    if (dims == nullptr) return nullptr;
    const auto rank = static_cast<size_t>(dims->size);
    if (BytesRequired(type, dims->data, rank, &bytes, nullptr) != kTfLiteOk) return nullptr;
    TensorUniquePtr tensor = BuildTfLiteTensor();
    if (tensor == nullptr) return nullptr;
    TfLiteTensorReset(type, nullptr, dims.release(), {}, nullptr, bytes, allocation_type, nullptr, false,
                      tensor.get());
    const bool owns = allocation_type == kTfLiteDynamic || allocation_type == kTfLitePersistentRo;
    tensor->bytes = owns ? 0 : bytes;
    if (owns && TfLiteTensorRealloc(bytes, tensor.get()) != kTfLiteOk) return nullptr;
    return tensor;
}
inline TensorUniquePtr BuildTfLiteTensor(TfLiteType type, const std::vector<int>& dims,
                                         TfLiteAllocationType allocation_type) {
    return BuildTfLiteTensor(type, BuildTfLiteArray(dims), allocation_type);
}

// ---- Operators ----

namespace internal {

inline TfLiteStatus UnresolvedOpInvoke(TfLiteContext* context, TfLiteNode*) {
    context->ReportError(context,
                         "Encountered an unresolved custom op. Did you miss a custom op or delegate?");
    return kTfLiteError;
}

} // namespace internal

// Makes a registration that stands for a custom operator nobody has registered yet. It fails when it is
// invoked. The name must live as long as the registration.
inline TfLiteRegistration CreateUnresolvedCustomOp(const char* custom_op_name) {
    TfLiteRegistration registration{};
    registration.invoke = internal::UnresolvedOpInvoke;
    registration.builtin_code = kTfLiteBuiltinCustom;
    registration.custom_name = custom_op_name;
    registration.version = 1;
    return registration;
}
inline bool IsUnresolvedCustomOp(const TfLiteRegistration& registration) {
    return registration.builtin_code == kTfLiteBuiltinCustom &&
           registration.invoke == internal::UnresolvedOpInvoke;
}

// Returns "ADD", "CUSTOM name" or "DELEGATE name"; "" for codes that the format does not define.
inline std::string GetOpNameByRegistration(const TfLiteRegistration& registration) {
    const char* name = oclite_operator_name(registration.builtin_code);
    std::string result = name == nullptr ? "" : name;
    const bool has_name = registration.builtin_code == kTfLiteBuiltinCustom ||
                          registration.builtin_code == kTfLiteBuiltinDelegate;
    if (has_name && registration.custom_name != nullptr)
        result += " " + std::string(registration.custom_name);
    return result;
}

} // namespace tflite

#endif
