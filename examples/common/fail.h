// SPDX-License-Identifier: Apache-2.0
// How the examples fail: one line on the standard error, and a false that goes up to main.
#ifndef EXAMPLES_COMMON_FAIL_H_
#define EXAMPLES_COMMON_FAIL_H_

#include <stdarg.h>
#include <stdbool.h>

// Prints a message and returns false.
bool fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Lets compilers and analyzers see that the result is never true.
static inline bool failed(bool result) {
    (void)result;
    return false;
}
#define fail(...) failed(fail(__VA_ARGS__))

// The same as an error reporter of the library: `user_data` is not used.
void print_message(void* user_data, const char* format, va_list args);

#endif
