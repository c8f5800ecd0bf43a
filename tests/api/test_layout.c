// SPDX-License-Identifier: Apache-2.0
// The layout of public structs and the values of public constants are those that binaries compiled against
// TensorFlow Lite rely on.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"
#include "tensorflow/lite/delegates/gpu/delegate_options.h"

static int failures;

static void check(const char* what, unsigned long long found, unsigned long long expected) {
    if (found == expected) return;
    printf("%s is %llu, expected %llu\n", what, found, expected);
    failures++;
}

static void check_values(void) {
#define VALUE(name, value) check(#name, (unsigned long long)name, (unsigned long long)value);
#include "tests/api/values.def"
#undef VALUE
}

static void check_layout(void) {
#define STRUCT(name, size, alignment)                                                                        \
    check("size of " #name, sizeof(name), size);                                                             \
    check("alignment of " #name, _Alignof(name), alignment);
#define FIELD(name, field, offset) check("offset of " #name "." #field, offsetof(name, field), offset);
#include "tests/api/layout.def"
}

int main(void) {
    check_values();
    if (sizeof(void*) != 8) {
        printf("the layout is recorded for 64 bits\n");
        return failures ? 1 : 77;
    }
    check_layout();
    printf("%d differences\n", failures);
    return failures ? 1 : 0;
}
