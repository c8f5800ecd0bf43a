// SPDX-License-Identifier: Apache-2.0
// Finds the code that runs an operator. Most programs use one of the classes of kernels/register.h.
#ifndef TENSORFLOW_LITE_CORE_API_OP_RESOLVER_H_
#define TENSORFLOW_LITE_CORE_API_OP_RESOLVER_H_

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite {
namespace impl {
class InterpreterBuilder;
} // namespace impl

class OpResolver {
  public:
    virtual ~OpResolver() = default;

    // Returns the implementation of a builtin operator, or of a custom one by its name; nullptr when there is
    // none of that version. The registration is copied while an interpreter is built and need not live
    // longer. Its registration_external, if any, must outlive the interpreter.
    virtual const TfLiteRegistration* FindOp(BuiltinOperator op, int version = 1) const = 0;
    virtual const TfLiteRegistration* FindOp(const char* op, int version = 1) const = 0;

    // Delegates that an interpreter makes and applies by itself when its tensors are allocated for the first
    // time, after those that the program has given it. None here.
    using TfLiteDelegateCreator =
        std::function<std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>(TfLiteContext*)>;
    using TfLiteDelegateCreators = std::vector<TfLiteDelegateCreator>;
    virtual TfLiteDelegateCreators GetDelegateCreators() const { return {}; }

  private:
    friend class impl::InterpreterBuilder;

    // Adds the custom operators that FindOp knows, so that messages can name those that it does not know.
    virtual void AddCustomOpsTo(TfLiteInterpreterOptions*) const {}
};

// Finds the operator of an entry of a model's table of operators: an OperatorCode, which the header declares
// that flatc makes from the schema. A custom operator that nobody has registered is an error without a
// message: a delegate may still take it.
template <class Code>
TfLiteStatus GetRegistrationFromOpCode(const Code* opcode, const OpResolver& op_resolver,
                                       ErrorReporter* error_reporter,
                                       const TfLiteRegistration** registration) {
    *registration = nullptr;
    // Codes that did not fit a byte came later, in a field of their own.
    const int deprecated = static_cast<int>(opcode->deprecated_builtin_code());
    const int code = std::max(deprecated, static_cast<int>(opcode->builtin_code()));
    const int version = opcode->version();
    if (code < 0 || code > static_cast<int>(BuiltinOperator_MAX)) {
        TF_LITE_REPORT_ERROR(
            error_reporter,
            "Op builtin_code out of range: %d. Are you using old TFLite binary with newer model?", code);
    } else if (code != kTfLiteBuiltinCustom) {
        *registration = op_resolver.FindOp(static_cast<BuiltinOperator>(code), version);
        if (*registration != nullptr) return kTfLiteOk;
        TF_LITE_REPORT_ERROR(error_reporter, "Didn't find op for builtin opcode '%s' version '%d'.",
                             EnumNameBuiltinOperator(static_cast<BuiltinOperator>(code)), version);
    } else if (opcode->custom_code() == nullptr) {
        TF_LITE_REPORT_ERROR(error_reporter, "Operator with CUSTOM builtin_code has no custom_code.");
    } else {
        *registration = op_resolver.FindOp(opcode->custom_code()->c_str(), version);
    }
    return *registration != nullptr ? kTfLiteOk : kTfLiteError;
}

} // namespace tflite

#endif
