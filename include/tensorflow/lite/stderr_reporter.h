// SPDX-License-Identifier: Apache-2.0
// Prints messages to the terminal, as the C++ classes do unless a program chooses another reporter.
#ifndef TENSORFLOW_LITE_STDERR_REPORTER_H_
#define TENSORFLOW_LITE_STDERR_REPORTER_H_

#include <cstdarg>
#include <cstdio>

#include "tensorflow/lite/core/api/error_reporter.h" // IWYU pragma: export

namespace tflite {

// Prints one line to stderr for each message.
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

// Returns the StderrReporter of the program. It is never destroyed, so that it outlives all objects that
// report to it.
inline ErrorReporter* DefaultErrorReporter() {
    static ErrorReporter* const reporter = new StderrReporter;
    return reporter;
}

} // namespace tflite

#endif
