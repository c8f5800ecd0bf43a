// SPDX-License-Identifier: Apache-2.0
// The operators of this library. Each file defines one or two.
#ifndef EXTENSIONS_TFTEXT_TEXT_H_
#define EXTENSIONS_TFTEXT_TEXT_H_

#include "extensions/common/operator.h"

extern const LiteExtensionOperator lite_text_whitespace_tokenizer;
extern const LiteExtensionOperator lite_text_whitespace_offsets;
extern const LiteExtensionOperator lite_text_byte_split;
extern const LiteExtensionOperator lite_text_byte_parts;
extern const LiteExtensionOperator lite_text_ngrams;
extern const LiteExtensionOperator lite_text_string_join;
extern const LiteExtensionOperator lite_text_ragged_to_tensor;

#endif
