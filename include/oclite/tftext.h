// SPDX-License-Identifier: Apache-2.0
// The custom operators of TensorFlow Text that models contain, in a library of their own, liboclite_tftext:
// like any program's operators they are written with the public API.
//
//     TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
//     if (oclite_tftext_add_operators(options) != kTfLiteOk) ...
//     TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
//
// tftext:WhitespaceTokenizer
//     Strings of any shape -> their tokens: what lies between white space (Unicode's property White_Space;
//     the text is UTF-8, bytes that are not belong to tokens). With one output these are a tensor with one
//     more dimension, rows filled up with empty strings. With one output more than the input has dimensions
//     they are a ragged tensor: the tokens one after the other, and the row splits (INT64) of each dimension.
// TFText>WhitespaceTokenizeWithOffsetsV2
//     A vector of strings and a config -> the tokens one after the other, their row splits (INT64), and where
//     in its string each token begins and ends (INT32, bytes). The config is one string that has a bit for
//     each character, up to the last which is white space: bit c % 8 of byte c / 8. Bytes that are not UTF-8
//     belong to tokens.
// TFText>ByteSplitWithOffsets
//     A vector of strings -> their bytes (UINT8), the row splits (INT64), and where in its string each byte
//     begins and ends (INT32).
// TFText>ByteSplitByOffsets
//     A vector of strings, where their parts begin and end (INT32), and row splits that say whose parts they
//     are (INT64) -> the parts, and the row splits. A part that its string does not have is an error.
// tftext:Ngrams and TFText>NgramsStringJoin
//     Strings -> each run of `width` neighbours in a row, joined by `string_separator`. Rows are the last
//     dimension of a tensor, or those of the last row splits of a ragged one: values, then row splits
//     (INT64). `axis` is -1 and `reduction_type`, for the first of the two names, STRING_JOIN.
// RaggedTensorToTensor
//     Shape, values, default value and row partitions, as `row_partition_types` says: ROW_SPLITS each, or
//     FIRST_DIM_SIZE and then VALUE_ROWIDS each -> a tensor. Lengths in the shape that are negative, and all
//     where the shape is a scalar, are those of the longest rows; longer rows are cut off, shorter ones
//     filled up. Values are FLOAT32, INT32, INT64 or strings.
#ifndef OCLITE_TFTEXT_H_
#define OCLITE_TFTEXT_H_

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes the operators known to interpreters that are created with these options. kTfLiteError for NULL and
// when out of memory. May be called on any thread.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_tftext_add_operators(TfLiteInterpreterOptions* options);

// The operators one by one, from 0 on: NULL when there is none of that number, and when out of memory. They
// belong to the library and live as long as it is loaded.
TFL_CAPI_EXPORT extern TfLiteOperator* oclite_tftext_operator(int index);

#ifdef __cplusplus
}
#endif

#endif
