// SPDX-License-Identifier: Apache-2.0
// Adds operators of TfLiteOperatorCreate to a resolver:
//
//     tflite::AddOp(&resolver, AtanOperator());
#ifndef TENSORFLOW_LITE_MUTABLE_OP_RESOLVER_UTILS_H_
#define TENSORFLOW_LITE_MUTABLE_OP_RESOLVER_UTILS_H_

#include "tensorflow/lite/c/c_api.h"        // IWYU pragma: export
#include "tensorflow/lite/c/c_api_opaque.h" // IWYU pragma: export
#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite {

// Adds the operator under its own name or code, for the versions min_version to max_version. It must outlive
// the interpreters.
inline void AddOp(MutableOpResolver* resolver, const TfLiteOperator* op, int min_version, int max_version) {
    if (resolver == nullptr || op == nullptr) return;
    TfLiteRegistration registration{};
    // The field is not const, but nothing is changed through it.
    registration.registration_external = const_cast<TfLiteOperator*>(op);
    if (const char* name = TfLiteOperatorGetCustomName(op)) {
        resolver->AddCustom(name, &registration, min_version, max_version);
    } else {
        resolver->AddBuiltin(static_cast<BuiltinOperator>(TfLiteOperatorGetBuiltInCode(op)), &registration,
                             min_version, max_version);
    }
}

// The same for the operator's own version.
inline void AddOp(MutableOpResolver* resolver, const TfLiteOperator* op) {
    const int version = TfLiteOperatorGetVersion(op);
    AddOp(resolver, op, version, version);
}

// The same for a registration: adds the operator inside it or, when there is none, its own functions under
// its own name or code.
inline void AddOp(MutableOpResolver* resolver, const TfLiteRegistration& registration) {
    if (registration.registration_external != nullptr) {
        AddOp(resolver, registration.registration_external);
        return;
    }
    const int version = registration.version > 0 ? registration.version : 1;
    if (resolver == nullptr) return;
    if (registration.custom_name != nullptr) {
        resolver->AddCustom(registration.custom_name, &registration, version);
    } else {
        resolver->AddBuiltin(static_cast<BuiltinOperator>(registration.builtin_code), &registration, version);
    }
}

} // namespace tflite

#endif
