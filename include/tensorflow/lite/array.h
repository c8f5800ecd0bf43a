// SPDX-License-Identifier: Apache-2.0
// Arrays of the C API that release themselves:
//
//     tflite::IntArrayUniquePtr dims = tflite::BuildTfLiteArray({1, 2, 3});
//     context->ResizeTensor(context, output, dims.release());
#ifndef TENSORFLOW_LITE_ARRAY_H_
#define TENSORFLOW_LITE_ARRAY_H_

#include <stddef.h>

#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

#include "tensorflow/lite/c/common.h"

namespace tflite {
namespace array_internal {

struct TfLiteArrayDeleter {
    void operator()(TfLiteIntArray* a) const { TfLiteIntArrayFree(a); }
    void operator()(TfLiteFloatArray* a) const { TfLiteFloatArrayFree(a); }
};

// The array with elements of a type, and how it is made.
template <class T> struct TfLiteArrayInfo;
template <> struct TfLiteArrayInfo<int> {
    using Type = TfLiteIntArray;
    static Type* Create(int size) { return TfLiteIntArrayCreate(size); }
};
template <> struct TfLiteArrayInfo<float> {
    using Type = TfLiteFloatArray;
    static Type* Create(int size) { return TfLiteFloatArrayCreate(size); }
};

// The elements' own type where the caller does not name another.
template <class T, class Element>
using Chosen = std::conditional_t<std::is_same<T, void>::value, std::remove_cv_t<Element>, T>;

} // namespace array_internal

template <class T>
using TfLiteArrayUniquePtr =
    std::unique_ptr<typename array_internal::TfLiteArrayInfo<T>::Type, array_internal::TfLiteArrayDeleter>;
using IntArrayUniquePtr = TfLiteArrayUniquePtr<int>;
using FloatArrayUniquePtr = TfLiteArrayUniquePtr<float>;

// The functions return nullptr for a negative size and when memory runs out.

// Makes an array whose elements are not set.
template <class T = int> TfLiteArrayUniquePtr<T> BuildTfLiteArray(int size) {
    return TfLiteArrayUniquePtr<T>(array_internal::TfLiteArrayInfo<T>::Create(size));
}

// Copies `size` values, converted to T where it is named. nullptr in the place of values leaves the elements
// unset.
template <class T = void, class U, class Type = array_internal::Chosen<T, U>>
TfLiteArrayUniquePtr<Type> BuildTfLiteArray(int size, const U* values) {
    TfLiteArrayUniquePtr<Type> array = BuildTfLiteArray<Type>(size);
    for (int i = 0; array != nullptr && values != nullptr && i < size; i++) {
        array->data[i] = static_cast<Type>(values[i]);
    }
    return array;
}
template <class T, size_t N> TfLiteArrayUniquePtr<T> BuildTfLiteArray(const T (&values)[N]) {
    return BuildTfLiteArray<T>(static_cast<int>(N), values);
}

// The same for whatever has data() and size(): vectors, spans and arrays.
template <class T = void, class Container,
          class Element = std::decay_t<decltype(*std::declval<Container>().data())>,
          class Size = std::decay_t<decltype(std::declval<Container>().size())>,
          class Type = array_internal::Chosen<T, Element>>
TfLiteArrayUniquePtr<Type> BuildTfLiteArray(const Container& values) {
    return BuildTfLiteArray<Type>(static_cast<int>(values.size()), values.data());
}
template <class T> TfLiteArrayUniquePtr<T> BuildTfLiteArray(const std::initializer_list<T>& values) {
    return BuildTfLiteArray<T>(static_cast<int>(values.size()), values.begin());
}

inline IntArrayUniquePtr BuildTfLiteArray(const TfLiteIntArray& other) {
    return BuildTfLiteArray<int>(other.size, other.data);
}
inline FloatArrayUniquePtr BuildTfLiteArray(const TfLiteFloatArray& other) {
    return BuildTfLiteArray<float>(other.size, other.data);
}

} // namespace tflite

#endif
