// SPDX-License-Identifier: Apache-2.0
// A resolver to which a program adds operators:
//
//     tflite::MutableOpResolver resolver;
//     resolver.AddAll(tflite::ops::builtin::BuiltinOpResolver());
//     resolver.AddCustom("Atan", AtanRegistration());
//     resolver.AddBuiltin(tflite::BuiltinOperator_ADD, MyAddRegistration(), 1, 5);
#ifndef TENSORFLOW_LITE_MUTABLE_OP_RESOLVER_H_
#define TENSORFLOW_LITE_MUTABLE_OP_RESOLVER_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/core/api/op_resolver.h"

namespace tflite {

// Registrations are copied; what they point to must outlive the interpreters. The name, code and version in
// the call count, not those inside the registration. A later addition replaces an earlier one of the same
// operator and version. nullptr adds nothing.
class MutableOpResolver : public OpResolver {
  public:
    MutableOpResolver() = default;
    MutableOpResolver(const MutableOpResolver& other) : OpResolver(other) { AddAll(other); }
    MutableOpResolver& operator=(const MutableOpResolver& other) {
        if (this == &other) return *this;
        builtins_.clear();
        custom_ops_.clear();
        chained_.clear();
        AddAll(other);
        return *this;
    }

    const TfLiteRegistration* FindOp(BuiltinOperator op, int version = 1) const override {
        const auto found = builtins_.find({op, version});
        return found != builtins_.end() ? &found->second : FindChained(op, version);
    }
    const TfLiteRegistration* FindOp(const char* op, int version = 1) const override {
        if (op == nullptr) return nullptr;
        const auto found = custom_ops_.find({op, version});
        return found != custom_ops_.end() ? &found->second : FindChained(op, version);
    }

    // Add a builtin operator in one version, or in all versions from min_version to max_version.
    void AddBuiltin(BuiltinOperator op, const TfLiteRegistration* registration, int version = 1) {
        if (registration == nullptr) return;
        TfLiteRegistration& entry = builtins_[{op, version}];
        entry = *registration;
        entry.builtin_code = op;
        entry.custom_name = nullptr;
        entry.version = version;
    }
    void AddBuiltin(BuiltinOperator op, const TfLiteRegistration* registration, int min_version,
                    int max_version) {
        for (int v = min_version; v <= max_version; v++) AddBuiltin(op, registration, v);
    }
    template <typename... Versions>
    void AddBuiltin(BuiltinOperator op, const TfLiteRegistration& registration, Versions... versions) {
        AddBuiltin(op, &registration, versions...);
    }

    // The same for a custom operator. The name is copied, unless it is the registration's own: what a
    // registration points to lives on.
    void AddCustom(const char* name, const TfLiteRegistration* registration, int version = 1) {
        if (name == nullptr || registration == nullptr) return;
        InsertCustom(name, *registration, version, name == registration->custom_name);
    }
    void AddCustom(const char* name, const TfLiteRegistration* registration, int min_version,
                   int max_version) {
        for (int v = min_version; v <= max_version; v++) AddCustom(name, registration, v);
    }
    template <typename... Versions>
    void AddCustom(const char* name, const TfLiteRegistration& registration, Versions... versions) {
        AddCustom(name, &registration, versions...);
    }

    // Adds everything that another resolver contains.
    void AddAll(const MutableOpResolver& other) {
        for (const auto& [key, registration] : other.builtins_) {
            AddBuiltin(key.first, &registration, key.second);
        }
        for (const auto& [key, registration] : other.custom_ops_) {
            InsertCustom(key.first.c_str(), registration, key.second,
                         registration.custom_name != key.first.c_str());
        }
        chained_.insert(chained_.begin(), other.chained_.begin(), other.chained_.end());
    }

  protected:
    // Asks `other` for operators that this resolver does not contain. `other` must outlive this resolver.
    void ChainOpResolver(const OpResolver* other) {
        if (other != nullptr) chained_.push_back(other);
    }

  private:
    void InsertCustom(const char* name, const TfLiteRegistration& registration, int version,
                      bool keeps_name) {
        const auto place = custom_ops_.insert({{name, version}, TfLiteRegistration()}).first;
        TfLiteRegistration& entry = place->second;
        entry = registration;
        entry.builtin_code = BuiltinOperator_CUSTOM;
        if (!keeps_name) entry.custom_name = place->first.first.c_str();
        entry.version = version;
    }

    template <typename Op> const TfLiteRegistration* FindChained(Op op, int version) const {
        for (const OpResolver* other : chained_) {
            if (const TfLiteRegistration* found = other->FindOp(op, version)) return found;
        }
        return nullptr;
    }

    void AddCustomOpsTo(TfLiteInterpreterOptions* options) const override {
        for (const auto& [key, registration] : custom_ops_) {
            // A derived class may find something else.
            if (FindOp(key.first.c_str(), key.second) != &registration) continue;
            TfLiteInterpreterOptionsAddCustomOp(options, key.first.c_str(), &registration, key.second,
                                                key.second);
        }
    }

    std::map<std::pair<BuiltinOperator, int>, TfLiteRegistration> builtins_;
    std::map<std::pair<std::string, int>, TfLiteRegistration> custom_ops_;
    std::vector<const OpResolver*> chained_;
};

} // namespace tflite

#endif
