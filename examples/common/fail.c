// SPDX-License-Identifier: Apache-2.0
#include "examples/common/fail.h"

#include <stdio.h>

void print_message(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

#undef fail
bool fail(const char* format, ...) {
    va_list args;
    va_start(args, format);
    print_message(NULL, format, args);
    va_end(args);
    return false;
}
