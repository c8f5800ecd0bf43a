// SPDX-License-Identifier: Apache-2.0
// portable_type_to_tflitetype.h with strings.
#ifndef TENSORFLOW_LITE_TYPE_TO_TFLITETYPE_H_
#define TENSORFLOW_LITE_TYPE_TO_TFLITETYPE_H_

#include <string>

#include "tensorflow/lite/portable_type_to_tflitetype.h" // IWYU pragma: export

namespace tflite {

template <> constexpr TfLiteType typeToTfLiteType<std::string>() {
    return kTfLiteString;
}
template <> struct TfLiteTypeToType<kTfLiteString> { using Type = std::string; };

} // namespace tflite

#endif
