// SPDX-License-Identifier: Apache-2.0
// Messages on the terminal, which is where the C++ classes send them unless a program says otherwise.
#ifndef TENSORFLOW_LITE_STDERR_REPORTER_H_
#define TENSORFLOW_LITE_STDERR_REPORTER_H_

#include <cstdarg>
#include <cstdio>

#include "tensorflow/lite/core/api/error_reporter.h" // IWYU pragma: export

namespace tflite {

// One line on stderr for each message.
class StderrReporter : public ErrorReporter {
  public:
    using ErrorReporter::Report;
    int Report(const char* format, va_list args) override {
        std::fputs("ERROR: ", stderr);
        const int result = std::vfprintf(stderr, format, args);
        std::fputc('\n', stderr);
        return result;
    }
};

// The StderrReporter of the program. Never destroyed, so that it outlives all that reports to it.
inline ErrorReporter* DefaultErrorReporter() {
    static ErrorReporter* const reporter = new StderrReporter;
    return reporter;
}

} // namespace tflite

#endif
