// SPDX-License-Identifier: Apache-2.0
// Status and messages: the one way in which a failure travels.
//
// Every fallible function returns TfLiteStatus. The function that notices the fault says what is wrong, where
// and which value, and returns in one statement:
//
//     if (n != 4) return lite_fail(context, "CONV_2D: filter has %d dimensions, expected 4", n);
//
// Callers pass the status on with LITE_TRY and add nothing.
#ifndef CORE_BASE_STATUS_H_
#define CORE_BASE_STATUS_H_

#include <stdarg.h>

#include "tensorflow/lite/c/c_api_types.h"

#if defined(__GNUC__)
#define LITE_PRINTF(format_index, first_arg) __attribute__((format(printf, format_index, first_arg)))
#else
#define LITE_PRINTF(format_index, first_arg)
#endif

// Returns from the calling function when `expression` is not kTfLiteOk.
#define LITE_TRY(expression)                                                                                 \
    do {                                                                                                     \
        const TfLiteStatus lite_try_status_ = (expression);                                                  \
        if (lite_try_status_ != kTfLiteOk) return lite_try_status_;                                          \
    } while (0)

// Reports through the context's error reporter and returns kTfLiteError. One sentence without a full stop,
// beginning with the operator or object it is about. `context` must not be NULL.
TfLiteStatus lite_fail(TfLiteOpaqueContext* context, const char* format, ...) LITE_PRINTF(2, 3);

// Lets compilers and analyzers see that the result is never kTfLiteOk.
static inline TfLiteStatus lite_failed(TfLiteStatus status) {
    (void)status;
    return kTfLiteError;
}
#define lite_fail(...) lite_failed(lite_fail(__VA_ARGS__))

// Where messages go that do not belong to a context (loading a model, creating an interpreter).
// `report` NULL: the program has named no place. Messages are dropped, unless it, or its user, has set the
// environment variable OCLITE_LOG to 1: then they go to the standard error.
typedef struct LiteReporter {
    void (*report)(void* user_data, const char* format, va_list args);
    void* user_data;
} LiteReporter;

// Reports through `reporter` (NULL allowed: dropped) and returns kTfLiteError.
TfLiteStatus lite_report(const LiteReporter* reporter, const char* format, ...) LITE_PRINTF(2, 3);
#define lite_report(...) lite_failed(lite_report(__VA_ARGS__))

#endif
