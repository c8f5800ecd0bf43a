// SPDX-License-Identifier: Apache-2.0
// The custom operators of TensorFlow Text that models contain. They are in a library of their own,
// liboclite_tftext, which uses only the public API, as any program's operators do.
//
//     TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
//     if (oclite_tftext_add_operators(options) != kTfLiteOk) ...
//     TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
//
// The operators, their inputs -> outputs:
//
// tftext:WhitespaceTokenizer
//     Strings of any shape -> their tokens: the parts between white space (Unicode's property White_Space).
//     The text is UTF-8; bytes that are not valid UTF-8 belong to tokens. With one output, the tokens are a
//     tensor with one more dimension, whose rows are filled up with empty strings. With one output more than
//     the input has dimensions, they are a ragged tensor: all tokens, then the row splits (INT64) of each
//     dimension.
// TFText>WhitespaceTokenizeWithOffsetsV2
//     A vector of strings and a config -> all tokens, their row splits (INT64), and the offsets in bytes
//     (INT32) at which each token begins and ends in its string. The config is one string with a bit for each
//     character up to the last white space character: the bit c % 8 of byte c / 8 tells whether c is white
//     space. Bytes that are not valid UTF-8 belong to tokens.
// TFText>ByteSplitWithOffsets
//     A vector of strings -> their bytes (UINT8), the row splits (INT64), and the offsets (INT32) at which
//     each byte begins and ends in its string.
// TFText>ByteSplitByOffsets
//     A vector of strings, the offsets (INT32) at which their parts begin and end, and row splits (INT64)
//     that assign the parts to the strings -> the parts, and their row splits. A part that lies outside of
//     its string is an error.
// tftext:Ngrams and TFText>NgramsStringJoin
//     Strings -> every run of `width` neighbours in a row, joined by `string_separator`. The rows are the
//     last dimension of a tensor, or those of the last row splits of a ragged tensor, whose inputs are the
//     values and then the row splits (INT64). `axis` must be -1. Of tftext:Ngrams, `reduction_type` must be
//     STRING_JOIN.
// RaggedTensorToTensor
//     Shape, values, default value and row partitions -> a tensor. `row_partition_types` names the
//     partitions: ROW_SPLITS for each, or FIRST_DIM_SIZE and then VALUE_ROWIDS for each. A negative length in
//     the shape becomes the length of the longest row, and so does every length when the shape is a scalar.
//     Longer rows are cut off, shorter ones are filled with the default value. Values are FLOAT32, INT32,
//     INT64 or strings.
#ifndef OCLITE_TFTEXT_H_
#define OCLITE_TFTEXT_H_

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds the operators to `options`, so that interpreters created with these options know them. Returns
// kTfLiteError for NULL and when memory runs out. May be called on any thread.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_tftext_add_operators(TfLiteInterpreterOptions* options);

// Returns the operators one by one, from index 0 on. Returns NULL when `index` is out of range, and when
// memory runs out. The operators belong to the library and live as long as it is loaded.
TFL_CAPI_EXPORT extern TfLiteOperator* oclite_tftext_operator(int index);

#ifdef __cplusplus
}
#endif

#endif
