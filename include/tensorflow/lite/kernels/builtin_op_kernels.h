// SPDX-License-Identifier: Apache-2.0
// The library's builtin operators one by one, for resolvers that hold only a few of them:
//
//     tflite::MutableOpResolver resolver;
//     resolver.AddBuiltin(tflite::BuiltinOperator_ADD, tflite::ops::builtin::Register_ADD(), 1, 5);
#ifndef TENSORFLOW_LITE_KERNELS_BUILTIN_OP_KERNELS_H_
#define TENSORFLOW_LITE_KERNELS_BUILTIN_OP_KERNELS_H_

#include "oclite/oclite.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite {
namespace ops {
namespace builtin {
namespace internal {

// Returns a copy of the first version's registration, which serves all versions; nullptr when there is none.
template <TfLiteBuiltinOperator code> TfLiteRegistration* Registration() {
    static TfLiteRegistration* const registration = []() -> TfLiteRegistration* {
        static TfLiteRegistration copy;
        for (int i = 0; i < oclite_operator_count(); i++) {
            const TfLiteRegistration* op = oclite_operator(i);
            if (op->builtin_code != code || op->custom_name != nullptr) continue;
            copy = *op;
            return &copy;
        }
        return nullptr;
    }();
    return registration;
}

} // namespace internal

// Register_ADD() and so on. They return nullptr for operators that the library does not implement.
#define OCLITE_REGISTER_(NAME, Name)                                                                         \
    inline TfLiteRegistration* Register_##NAME() {                                                           \
        return internal::Registration<kTfLiteBuiltin##Name>();                                               \
    }
OCLITE_BUILTIN_OPERATORS(OCLITE_REGISTER_)
#undef OCLITE_REGISTER_

} // namespace builtin
} // namespace ops
} // namespace tflite

#endif
