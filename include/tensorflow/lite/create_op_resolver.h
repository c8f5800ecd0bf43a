// SPDX-License-Identifier: Apache-2.0
// The resolver of programs that do not choose one: all operators of the library.
#ifndef TENSORFLOW_LITE_CREATE_OP_RESOLVER_H_
#define TENSORFLOW_LITE_CREATE_OP_RESOLVER_H_

#include <memory>

#include "tensorflow/lite/kernels/register.h"

namespace tflite {

inline std::unique_ptr<MutableOpResolver> CreateOpResolver() {
    return std::make_unique<ops::builtin::BuiltinOpResolver>();
}

} // namespace tflite

#endif
