// SPDX-License-Identifier: Apache-2.0
// A program's own check of a model file, in addition to the complete one that oclite always does.
#ifndef TENSORFLOW_LITE_CORE_API_VERIFIER_H_
#define TENSORFLOW_LITE_CORE_API_VERIFIER_H_

#include "tensorflow/lite/core/api/error_reporter.h"

namespace tflite {

class TfLiteVerifier {
  public:
    virtual ~TfLiteVerifier() = default;

    // Returns false, after a message, to refuse the model.
    virtual bool Verify(const char* data, int length, ErrorReporter* reporter) = 0;
};

} // namespace tflite

#endif
