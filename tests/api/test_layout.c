// SPDX-License-Identifier: Apache-2.0
// The layout of public structs, the values of public constants and the types of public functions are those
// that programs written for TensorFlow Lite rely on, under the headers that declare them there.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/converter/core/c/builtin_op_data.h"
#include "tensorflow/lite/converter/core/c/tflite_types.h"
#include "tensorflow/lite/core/async/c/async_kernel.h"
#include "tensorflow/lite/core/async/c/async_signature_runner.h"
#include "tensorflow/lite/core/async/c/task.h"
#include "tensorflow/lite/core/async/c/types.h"
#include "tensorflow/lite/core/async/interop/c/attribute_map.h"
#include "tensorflow/lite/core/async/interop/c/types.h"
#include "tensorflow/lite/core/c/c_api.h"
#include "tensorflow/lite/core/c/c_api_experimental.h"
#include "tensorflow/lite/core/c/c_api_opaque.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/core/c/operator.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/delegate_options.h"
#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting.h"

static int checks;
static int failures;

static void check(const char* what, unsigned long long found, unsigned long long expected) {
    checks++;
    if (found == expected) return;
    printf("%s is %llu, expected %llu\n", what, found, expected);
    failures++;
}

// The tables say how it should be; the compiler compares.
#define SAME_TYPE(a, b) __builtin_types_compatible_p(a, b)

static void check_values(void) {
#define VALUE(name, value) check(#name, (unsigned long long)name, (unsigned long long)value);
#include "tests/api/values.def"
#undef VALUE
}

static void check_functions(void) {
#define FUNCTION(result, name, ...)                                                                          \
    check("type of " #name, _Generic(&name, result(*)(__VA_ARGS__) : 1, default : 0), 1);
#include "tests/api/functions.def"
#undef FUNCTION
}

static void check_types(void) {
#define STRUCT(kind, name, size, alignment, ...) typedef kind Expected##name{__VA_ARGS__} Expected##name;
#define FIELD(name, field, offset)                                                                           \
    check("type of " #name "." #field,                                                                       \
          SAME_TYPE(__typeof__(((name*)0)->field), __typeof__(((Expected##name*)0)->field)), 1);
#define NESTED(name, field, offset)
#define TYPE(name, same) check("meaning of " #name, SAME_TYPE(name, same), 1);
#include "tests/api/layout.def"
#undef STRUCT
#undef FIELD
#undef NESTED
#undef TYPE
}

static void check_layout(void) {
#define STRUCT(kind, name, size, alignment, ...)                                                             \
    check("size of " #name, sizeof(name), size);                                                             \
    check("alignment of " #name, _Alignof(name), alignment);
#define FIELD(name, field, offset) check("offset of " #name "." #field, offsetof(name, field), offset);
#define NESTED FIELD
#define TYPE(name, same)
#include "tests/api/layout.def"
}

int main(void) {
    check_values();
    check_functions();
    check_types();
    if (sizeof(void*) == 8) check_layout(); // recorded for 64 bits
    printf("%d checks, %d differences\n", checks, failures);
    return failures ? 1 : 0;
}
