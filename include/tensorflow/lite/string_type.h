// SPDX-License-Identifier: Apache-2.0
// The string type of this API.
#ifndef TENSORFLOW_LITE_STRING_TYPE_H_
#define TENSORFLOW_LITE_STRING_TYPE_H_

#include <string>

namespace tflite {
using std::string;
} // namespace tflite

#endif
