// SPDX-License-Identifier: Apache-2.0
// Shared by the sets of custom operators. Each has a hidden copy; nothing here is visible outside of its
// library.
#ifndef EXTENSIONS_COMMON_OPERATOR_H_
#define EXTENSIONS_COMMON_OPERATOR_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/c/common.h"

typedef struct LiteExtensionOperator {
    const char* name; // as in models
    void* (*init)(TfLiteOpaqueContext* context, const char* buffer, size_t length);
    void (*free)(TfLiteOpaqueContext* context, void* data);
    TfLiteStatus (*prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    TfLiteStatus (*invoke)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
} LiteExtensionOperator;

// The operators of a library. They are made when a program first asks for them.
typedef struct LiteExtensionSet {
    const LiteExtensionOperator* const* sources;
    _Atomic(TfLiteOperator*)* made; // as many; NULL until made
    int count;
} LiteExtensionSet;

// Returns an operator, which belongs to the set; NULL when `index` is out of range or memory runs out.
TfLiteOperator* lite_extension_operator(LiteExtensionSet* set, int index);
// Adds all of them to `options`. Returns kTfLiteError for NULL and when memory runs out.
TfLiteStatus lite_extension_add(LiteExtensionSet* set, TfLiteInterpreterOptions* options);

// Returns from the calling function when a call fails.
#define LITE_EXTENSION_TRY(call)                                                                             \
    do {                                                                                                     \
        const TfLiteStatus try_status_ = (call);                                                             \
        if (try_status_ != kTfLiteOk) return try_status_;                                                    \
    } while (0)

// Reports a message, which begins with the operator's name, and returns kTfLiteError.
TfLiteStatus lite_extension_fail(TfLiteOpaqueContext* context, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Check that an input or output of the node has this type. The error message calls it `what`.
TfLiteStatus lite_extension_check_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                        const char* what, int index, TfLiteType type);
TfLiteStatus lite_extension_check_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                         const char* what, int index, TfLiteType type);

// Sets an output's shape: the first `kept` dimensions of `from`, which may be NULL when there are none, and
// then `last`.
TfLiteStatus lite_extension_resize(TfLiteOpaqueContext* context, const char* op, TfLiteOpaqueTensor* tensor,
                                   const TfLiteOpaqueTensor* from, int kept, int64_t last);

// Sets an output's shape; an error names the dimension that is negative or too large.
TfLiteStatus lite_extension_set_shape(TfLiteOpaqueContext* context, const char* op,
                                      TfLiteOpaqueTensor* tensor, int rank, const int64_t* dims);

// Returns how many elements the first `rank` dimensions of a tensor have; at most INT32_MAX.
int64_t lite_extension_elements(const TfLiteOpaqueTensor* tensor, int rank);

// Returns an element of an INT32 or INT64 tensor.
int64_t lite_extension_integer(const TfLiteOpaqueTensor* tensor, int64_t index);

// ---- Strings ----

// Stores the number of strings of an input. It is an error when the input has another number of elements.
TfLiteStatus lite_extension_string_count(TfLiteOpaqueContext* context, const char* op,
                                         const TfLiteOpaqueTensor* tensor, int* count);
TfLiteStatus lite_extension_string(TfLiteOpaqueContext* context, const char* op,
                                   const TfLiteOpaqueTensor* tensor, int index, const char** text,
                                   int* length);

// A list of strings for an output. The strings themselves lie elsewhere.
typedef struct LiteExtensionStrings {
    const char** texts;
    int* lengths;
    int count;
} LiteExtensionStrings;

// Makes a list of `count` empty strings. Release it with lite_extension_strings_free, also after an error.
TfLiteStatus lite_extension_strings_create(TfLiteOpaqueContext* context, const char* op, int64_t count,
                                           LiteExtensionStrings* list);
void lite_extension_strings_free(LiteExtensionStrings* list);
TfLiteStatus lite_extension_strings_write(TfLiteOpaqueContext* context, const char* op,
                                          const LiteExtensionStrings* list, TfLiteOpaqueTensor* tensor);

#endif
