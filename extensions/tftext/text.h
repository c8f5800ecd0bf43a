// SPDX-License-Identifier: Apache-2.0
// Shared by the operators of this library. Each file defines one or two LiteTextOperator, which tftext.c
// lists. Nothing here is visible outside the library.
#ifndef EXTENSIONS_TFTEXT_TEXT_H_
#define EXTENSIONS_TFTEXT_TEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/c/common.h"

typedef struct LiteTextOperator {
    const char* name; // as in models
    void* (*init)(TfLiteOpaqueContext* context, const char* buffer, size_t length);
    void (*free)(TfLiteOpaqueContext* context, void* data);
    TfLiteStatus (*prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    TfLiteStatus (*invoke)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
} LiteTextOperator;

extern const LiteTextOperator lite_text_whitespace_tokenizer;
extern const LiteTextOperator lite_text_whitespace_offsets;
extern const LiteTextOperator lite_text_byte_split;
extern const LiteTextOperator lite_text_byte_parts;
extern const LiteTextOperator lite_text_ngrams;
extern const LiteTextOperator lite_text_string_join;
extern const LiteTextOperator lite_text_ragged_to_tensor;

// Returns from the calling function when a call fails.
#define LITE_TEXT_TRY(call)                                                                                  \
    do {                                                                                                     \
        const TfLiteStatus try_status_ = (call);                                                             \
        if (try_status_ != kTfLiteOk) return try_status_;                                                    \
    } while (0)

// Reports a message, which begins with the operator's name, and returns kTfLiteError.
TfLiteStatus lite_text_fail(TfLiteOpaqueContext* context, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Check that an input or output of the node has this type. The error message calls it `what`.
TfLiteStatus lite_text_check_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                   const char* what, int index, TfLiteType type);
TfLiteStatus lite_text_check_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                    const char* what, int index, TfLiteType type);

// Sets an output's shape: the first `kept` dimensions of `from`, which may be NULL when there are none, and
// then `last`.
TfLiteStatus lite_text_resize(TfLiteOpaqueContext* context, const char* op, TfLiteOpaqueTensor* tensor,
                              const TfLiteOpaqueTensor* from, int kept, int64_t last);

// Returns how many elements the first `rank` dimensions of a tensor have; at most INT32_MAX.
int64_t lite_text_elements(const TfLiteOpaqueTensor* tensor, int rank);

// Returns an element of an INT32 or INT64 tensor.
int64_t lite_text_integer(const TfLiteOpaqueTensor* tensor, int64_t index);

// ---- Strings ----

// Stores the number of strings of an input. It is an error when the input has another number of elements.
TfLiteStatus lite_text_count(TfLiteOpaqueContext* context, const char* op, const TfLiteOpaqueTensor* tensor,
                             int* count);
TfLiteStatus lite_text_get(TfLiteOpaqueContext* context, const char* op, const TfLiteOpaqueTensor* tensor,
                           int index, const char** text, int* length);

// A list of strings for an output. The strings themselves lie elsewhere.
typedef struct LiteTextList {
    const char** texts;
    int* lengths;
    int count;
} LiteTextList;

// Makes a list of `count` empty strings. Release it with lite_text_list_free, also after an error.
TfLiteStatus lite_text_list_create(TfLiteOpaqueContext* context, const char* op, int64_t count,
                                   LiteTextList* list);
void lite_text_list_free(LiteTextList* list);
TfLiteStatus lite_text_list_write(TfLiteOpaqueContext* context, const char* op, const LiteTextList* list,
                                  TfLiteOpaqueTensor* tensor);

#endif
