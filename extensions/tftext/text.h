// SPDX-License-Identifier: Apache-2.0
// What the operators of this library share. Each file defines one or two LiteTextOperator, which tftext.c
// lists; nothing here is known outside the library.
#ifndef EXTENSIONS_TFTEXT_TEXT_H_
#define EXTENSIONS_TFTEXT_TEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/c/common.h"

typedef struct LiteTextOperator {
    const char* name; // as models say it
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

// Passes an error on.
#define LITE_TEXT_TRY(call)                                                                                  \
    do {                                                                                                     \
        const TfLiteStatus try_status_ = (call);                                                             \
        if (try_status_ != kTfLiteOk) return try_status_;                                                    \
    } while (0)

// Reports a message, which begins with the operator's name, and returns kTfLiteError.
TfLiteStatus lite_text_fail(TfLiteOpaqueContext* context, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Input or output `index` of the node has this type, or an error that calls it `what`.
TfLiteStatus lite_text_check_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                   const char* what, int index, TfLiteType type);
TfLiteStatus lite_text_check_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                    const char* what, int index, TfLiteType type);

// Gives an output its shape: the first `kept` dimensions of `from`, which may be NULL for none, and `last`.
TfLiteStatus lite_text_resize(TfLiteOpaqueContext* context, const char* op, TfLiteOpaqueTensor* tensor,
                              const TfLiteOpaqueTensor* from, int kept, int64_t last);

// How many elements the first `rank` dimensions of a tensor have; more than INT32_MAX counts as INT32_MAX.
int64_t lite_text_elements(const TfLiteOpaqueTensor* tensor, int rank);

// Element `index` of an INT32 or INT64 tensor.
int64_t lite_text_integer(const TfLiteOpaqueTensor* tensor, int64_t index);

// ---- Strings ----

// How many strings an input holds: as many as it has elements, or an error.
TfLiteStatus lite_text_count(TfLiteOpaqueContext* context, const char* op, const TfLiteOpaqueTensor* tensor,
                             int* count);
TfLiteStatus lite_text_get(TfLiteOpaqueContext* context, const char* op, const TfLiteOpaqueTensor* tensor,
                           int index, const char** text, int* length);

// Strings for an output, which lie elsewhere.
typedef struct LiteTextList {
    const char** texts;
    int* lengths;
    int count;
} LiteTextList;

// A list of `count` empty strings; release it with lite_text_list_free, also after an error.
TfLiteStatus lite_text_list_create(TfLiteOpaqueContext* context, const char* op, int64_t count,
                                   LiteTextList* list);
void lite_text_list_free(LiteTextList* list);
TfLiteStatus lite_text_list_write(TfLiteOpaqueContext* context, const char* op, const LiteTextList* list,
                                  TfLiteOpaqueTensor* tensor);

#endif
