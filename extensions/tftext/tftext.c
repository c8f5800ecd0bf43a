// SPDX-License-Identifier: Apache-2.0
// The list of operators. They are made when a program first asks for them.
#include "oclite/tftext.h"

#include <pthread.h>

#include "extensions/tftext/text.h"

static const LiteTextOperator* const sources[] = {&lite_text_whitespace_tokenizer,
                                                  &lite_text_whitespace_offsets,
                                                  &lite_text_byte_split,
                                                  &lite_text_byte_parts,
                                                  &lite_text_ngrams,
                                                  &lite_text_string_join,
                                                  &lite_text_ragged_to_tensor};

enum { kCount = sizeof(sources) / sizeof(sources[0]) };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TfLiteOperator* operators[kCount]; // NULL until made

static TfLiteOperator* make_operator(const LiteTextOperator* source) {
    TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, source->name, 1);
    if (op == NULL) return NULL;
    TfLiteOperatorSetInit(op, source->init);
    TfLiteOperatorSetFree(op, source->free);
    TfLiteOperatorSetPrepare(op, source->prepare);
    TfLiteOperatorSetInvoke(op, source->invoke);
    return op;
}

TfLiteOperator* oclite_tftext_operator(int index) {
    if (index < 0 || index >= kCount) return NULL;
    pthread_mutex_lock(&lock);
    if (operators[index] == NULL) operators[index] = make_operator(sources[index]);
    TfLiteOperator* op = operators[index];
    pthread_mutex_unlock(&lock);
    return op;
}

TfLiteStatus oclite_tftext_add_operators(TfLiteInterpreterOptions* options) {
    if (options == NULL) return kTfLiteError;
    for (int i = 0; i < kCount; i++) {
        TfLiteOperator* op = oclite_tftext_operator(i);
        if (op == NULL) return kTfLiteError;
        TfLiteInterpreterOptionsAddOperator(options, op);
    }
    return kTfLiteOk;
}
