// SPDX-License-Identifier: Apache-2.0
// Resolvers that contain the library's operators.
#ifndef TENSORFLOW_LITE_KERNELS_REGISTER_H_
#define TENSORFLOW_LITE_KERNELS_REGISTER_H_

#include "oclite/oclite.h"
#include "tensorflow/lite/mutable_op_resolver.h"       // IWYU pragma: export
#include "tensorflow/lite/mutable_op_resolver_utils.h" // IWYU pragma: export

namespace tflite {
namespace ops {
namespace builtin {

// All operators of the library. A program can add operators and replace single ones.
class BuiltinOpResolver : public tflite::MutableOpResolver {
  public:
    BuiltinOpResolver() {
        for (int i = 0; i < oclite_operator_count(); i++) {
            const TfLiteRegistration* op = oclite_operator(i);
            if (op->custom_name != nullptr) {
                AddCustom(op->custom_name, op, op->version);
            } else {
                AddBuiltin(static_cast<BuiltinOperator>(op->builtin_code), op, op->version);
            }
        }
    }
};

// The same: oclite applies no delegate unless the program asks for it.
class BuiltinOpResolverWithoutDefaultDelegates : public BuiltinOpResolver {};

// The name that the guide to custom operators gives to tflite::MutableOpResolver.
using MutableOpResolver = tflite::MutableOpResolver;

} // namespace builtin
} // namespace ops
} // namespace tflite

#endif
