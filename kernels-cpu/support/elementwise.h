// SPDX-License-Identifier: Apache-2.0
// Loops over the elements of an output whose inputs have its shape or are broadcast to it.
//
// Dimensions in which every input behaves alike are merged, so that most operators run as one long row and a
// broadcast as few of them. An operator supplies the row function: the inner loop over elements of one row.
#ifndef KERNELS_CPU_SUPPORT_ELEMENTWISE_H_
#define KERNELS_CPU_SUPPORT_ELEMENTWISE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/row.h"
#include "kernels-cpu/support/check.h"

// The loop of a row function with two inputs of types LEFT and RIGHT: RESULT, in terms of their elements `a`
// and `b`, goes to an output of type OUT. Three loops, so that each can be vectorised.
#define LITE_MIXED_LOOP(row, LEFT, RIGHT, OUT, RESULT)                                                       \
    do {                                                                                                     \
        const LEFT* const left_ = (row)->in[0];                                                              \
        const RIGHT* const right_ = (row)->in[1];                                                            \
        OUT* const out_ = (row)->out;                                                                        \
        const int64_t count_ = (row)->count;                                                                 \
        if ((row)->step[0] != 0 && (row)->step[1] != 0) {                                                    \
            for (int64_t i_ = 0; i_ < count_; i_++) {                                                        \
                const LEFT a = left_[i_];                                                                    \
                const RIGHT b = right_[i_];                                                                  \
                out_[i_] = (OUT)(RESULT);                                                                    \
            }                                                                                                \
        } else if ((row)->step[0] != 0) {                                                                    \
            const RIGHT b = right_[0];                                                                       \
            for (int64_t i_ = 0; i_ < count_; i_++) {                                                        \
                const LEFT a = left_[i_];                                                                    \
                out_[i_] = (OUT)(RESULT);                                                                    \
            }                                                                                                \
        } else {                                                                                             \
            const LEFT a = left_[0];                                                                         \
            for (int64_t i_ = 0; i_ < count_; i_++) {                                                        \
                const RIGHT b = right_[i_];                                                                  \
                out_[i_] = (OUT)(RESULT);                                                                    \
            }                                                                                                \
        }                                                                                                    \
    } while (0)

// The same of one type.
#define LITE_BINARY_LOOP(row, IN, OUT, RESULT) LITE_MIXED_LOOP(row, IN, IN, OUT, RESULT)

// Runs `function` over all elements of `output`, on the interpreter's threads. The inputs' shapes must
// broadcast to the output's. `cost` is about how many nanoseconds an element takes, at least 1.
TfLiteStatus lite_elementwise_run(TfLiteOpaqueContext* context, const char* op, LiteRowFunction function,
                                  const void* params, int cost, const LiteView* output,
                                  const LiteView* inputs, int input_count);

// Prepare of an operator with one input, whose output has its shape and type.
TfLiteStatus lite_elementwise_prepare_unary(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                            const char* op, LiteView* input, LiteView* output);

// Prepare of an operator with two inputs of one type that are broadcast; the output and its view
// get their common shape. The output's type is not checked.
TfLiteStatus lite_elementwise_prepare_binary(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                             const char* op, LiteView inputs[2], LiteView* output);

// Both inputs are of one type, or an error.
TfLiteStatus lite_elementwise_check_pair(TfLiteOpaqueContext* context, const char* op,
                                         const LiteView inputs[2]);

// Fails: the shapes of 2 or 3 inputs have no common one.
TfLiteStatus lite_elementwise_fail_broadcast(TfLiteOpaqueContext* context, const char* op,
                                             const LiteView* inputs, int count);

// The same with inputs of any types.
TfLiteStatus lite_elementwise_prepare_mixed(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                            const char* op, LiteView inputs[2], LiteView* output);

#endif
