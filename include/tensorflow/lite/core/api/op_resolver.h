// SPDX-License-Identifier: Apache-2.0
// Finds the code that runs an operator. Most programs use one of the classes of kernels/register.h.
#ifndef TENSORFLOW_LITE_CORE_API_OP_RESOLVER_H_
#define TENSORFLOW_LITE_CORE_API_OP_RESOLVER_H_

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

} // namespace tflite

#endif
