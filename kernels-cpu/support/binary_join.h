// SPDX-License-Identifier: Apache-2.0
// A binary operator of floats one of whose inputs another node computes (core/base/lines.h), some pixels at a
// time, which are combined with the other input while they are in the cache.
#ifndef KERNELS_CPU_SUPPORT_BINARY_JOIN_H_
#define KERNELS_CPU_SUPPORT_BINARY_JOIN_H_

#include "kernels-cpu/support/elementwise.h"

// Zero-initialised, but for the temporary's number, is an operator whose inputs are tensors.
typedef struct LiteBinaryJoin {
    LiteLineSource source; // begin NULL: none
    int input;             // that it computes
    size_t scratch;        // bytes of a thread: pixels, then what `source` is lent
    int threads;           // that there is scratch for
    int scratch_tensor;    // temporary's number, -1 before the first
} LiteBinaryJoin;

// Takes input number `input`, of the output's shape and type, from the node that offers it, where that is of
// use; then join->source.begin is set, and the temporary is in the node's list.
TfLiteStatus lite_binary_join(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int input,
                              const LiteLines* lines, TfLiteOpaqueNode* producer, LiteBinaryJoin* join);
// `function` with `params` over all elements; `other` is the input that is a tensor.
TfLiteStatus lite_binary_join_run(TfLiteOpaqueContext* context, const char* op, const LiteBinaryJoin* join,
                                  LiteRowFunction function, const void* params, const LiteView* other,
                                  const LiteView* output);

#endif
