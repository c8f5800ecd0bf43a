// SPDX-License-Identifier: Apache-2.0
// Converts C++ types to TfLiteType and back: typeToTfLiteType<float>() is kTfLiteFloat32, and
// TfLiteTypeToType<kTfLiteFloat32>::Type is float.
#ifndef TENSORFLOW_LITE_PORTABLE_TYPE_TO_TFLITETYPE_H_
#define TENSORFLOW_LITE_PORTABLE_TYPE_TO_TFLITETYPE_H_

#include <stdint.h>

#include <complex>

#include "tensorflow/lite/c/c_api_types.h"
#include "tensorflow/lite/c/common.h"

namespace tflite {

// kTfLiteNoType for types that no tensor has.
template <typename T> constexpr TfLiteType typeToTfLiteType() {
    return kTfLiteNoType;
}
template <TfLiteType type> struct TfLiteTypeToType {};

#define OCLITE_TYPE_(CppType, type)                                                                          \
    template <> constexpr TfLiteType typeToTfLiteType<CppType>() {                                           \
        return type;                                                                                         \
    }                                                                                                        \
    template <> struct TfLiteTypeToType<type> { using Type = CppType; };

OCLITE_TYPE_(float, kTfLiteFloat32)
OCLITE_TYPE_(double, kTfLiteFloat64)
OCLITE_TYPE_(TfLiteFloat16, kTfLiteFloat16)
OCLITE_TYPE_(TfLiteBFloat16, kTfLiteBFloat16)
OCLITE_TYPE_(int8_t, kTfLiteInt8)
OCLITE_TYPE_(uint8_t, kTfLiteUInt8)
OCLITE_TYPE_(int16_t, kTfLiteInt16)
OCLITE_TYPE_(uint16_t, kTfLiteUInt16)
OCLITE_TYPE_(int32_t, kTfLiteInt32)
OCLITE_TYPE_(uint32_t, kTfLiteUInt32)
OCLITE_TYPE_(int64_t, kTfLiteInt64)
OCLITE_TYPE_(uint64_t, kTfLiteUInt64)
OCLITE_TYPE_(bool, kTfLiteBool)
OCLITE_TYPE_(std::complex<float>, kTfLiteComplex64)
OCLITE_TYPE_(std::complex<double>, kTfLiteComplex128)

#undef OCLITE_TYPE_

} // namespace tflite

#endif
