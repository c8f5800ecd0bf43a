// SPDX-License-Identifier: Apache-2.0
// Finds the code that runs an operator. Most programs use one of the classes of kernels/register.h.
#ifndef TENSORFLOW_LITE_CORE_API_OP_RESOLVER_H_
#define TENSORFLOW_LITE_CORE_API_OP_RESOLVER_H_

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite {

class InterpreterBuilder;

class OpResolver {
  public:
    virtual ~OpResolver() = default;

    // Returns the implementation of a builtin operator, or of a custom one by its name; nullptr when there is
    // none of that version. The registration is copied while an interpreter is built and need not live
    // longer. Its registration_external, if any, must outlive the interpreter.
    virtual const TfLiteRegistration* FindOp(BuiltinOperator op, int version = 1) const = 0;
    virtual const TfLiteRegistration* FindOp(const char* op, int version = 1) const = 0;

  private:
    friend class InterpreterBuilder;

    // Adds the custom operators that FindOp knows, so that messages can name those that it does not know.
    virtual void AddCustomOpsTo(TfLiteInterpreterOptions*) const {}
};

} // namespace tflite

#endif
