// SPDX-License-Identifier: Apache-2.0
// The list of operators.
#include "oclite/tftext.h"

#include "extensions/tftext/text.h"

static const LiteExtensionOperator* const sources[] = {&lite_text_whitespace_tokenizer,
                                                       &lite_text_whitespace_offsets,
                                                       &lite_text_byte_split,
                                                       &lite_text_byte_parts,
                                                       &lite_text_ngrams,
                                                       &lite_text_string_join,
                                                       &lite_text_ragged_to_tensor};

enum { kCount = sizeof(sources) / sizeof(sources[0]) };

static _Atomic(TfLiteOperator*) operators[kCount];
static LiteExtensionSet set = {sources, operators, kCount};

TfLiteOperator* oclite_tftext_operator(int index) {
    return lite_extension_operator(&set, index);
}

TfLiteStatus oclite_tftext_add_operators(TfLiteInterpreterOptions* options) {
    return lite_extension_add(&set, options);
}
