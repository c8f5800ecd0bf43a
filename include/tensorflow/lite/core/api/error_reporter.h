// SPDX-License-Identifier: Apache-2.0
// Receives messages. A program derives its own class, or uses StderrReporter (stderr_reporter.h).
#ifndef TENSORFLOW_LITE_CORE_API_ERROR_REPORTER_H_
#define TENSORFLOW_LITE_CORE_API_ERROR_REPORTER_H_

#include <cstdarg>

namespace tflite {

class ErrorReporter {
  public:
    virtual ~ErrorReporter() = default;

    // Receives a printf format without a line break at the end, and its values. The result is ignored.
    virtual int Report(const char* format, va_list args) = 0;

    // Reports a message.
    int Report(const char* format, ...) {
        va_list args;
        va_start(args, format);
        const int result = Report(format, args);
        va_end(args);
        return result;
    }

    // The same in the form of TfLiteContext::ReportError.
    int ReportError(void*, const char* format, ...) {
        va_list args;
        va_start(args, format);
        const int result = Report(format, args);
        va_end(args);
        return result;
    }
};

} // namespace tflite

// Calls reporter->Report(...), also for classes whose own Report hides the one with values.
#ifndef TF_LITE_REPORT_ERROR
#define TF_LITE_REPORT_ERROR(reporter, ...)                                                                  \
    do {                                                                                                     \
        static_cast<::tflite::ErrorReporter*>(reporter)->Report(__VA_ARGS__);                                \
    } while (false)
#endif

#endif
