// SPDX-License-Identifier: Apache-2.0
// Convolutions of bytes by filters of 3 x 3 with fewer multiplications (Winograd): for each tile of 2 x 2
// outputs 16 products of 16 bits instead of 36, exact. Inputs less their zero point and weights g become
// B^T d B and, with no fractions, 2 G g (2 G)^T; sums of their products are four times those of the direct
// way. For instruction sets whose products of bytes are products of 16 bits anyway.
#ifndef KERNELS_CPU_CONV_WINOGRAD_BYTES_H_
#define KERNELS_CPU_CONV_WINOGRAD_BYTES_H_

#include "kernels-cpu/conv/winograd_plan.h"
#include "kernels-cpu/micro/micro.h"
#include "kernels-cpu/support/kernel.h"

typedef struct LiteWinogradOfBytes {
    LiteConvShape shape;
    const LiteMicro* micro;
    LiteWinogradPlan plan;  // tile 0: the node is computed in another way
    LiteSharedBlock* block; // has what `packed` points to
    LiteShared* shared;     // where that is shared; NULL: it is this node's own
    const int16_t* packed;  // transformed weights, [panel][plane][in_c / 2][micro->panel][2]
    const void* source;     // the weights that were packed
    int threads;            // that scratch has room for
    size_t scratch;         // bytes for each thread
    int scratch_tensor;     // temporary's number, -1 before the first plan
} LiteWinogradOfBytes;

// As lite_winograd_prepare: decides whether the node is computed so, from its shape, types and constant
// weights.
TfLiteStatus lite_winograd_bytes_prepare(TfLiteOpaqueContext* context, LiteWinogradOfBytes** winograd,
                                         const LiteConvShape* shape, const LiteView* input,
                                         const LiteView* filter);
// These and what follows accept NULL.
bool lite_winograd_bytes_computes(const LiteWinogradOfBytes* winograd);
void lite_winograd_bytes_forget(LiteWinogradOfBytes* winograd);
void lite_winograd_bytes_destroy(LiteWinogradOfBytes* winograd);

typedef struct LiteWinogradBytesRun {
    const LiteView* input;
    LiteRequantization scale; // of all channels; `start` is the bias, or NULL
    uint8_t* output;
} LiteWinogradBytesRun;
TfLiteStatus lite_winograd_bytes_run(TfLiteOpaqueContext* context, const char* op,
                                     const LiteWinogradOfBytes* winograd, const LiteWinogradBytesRun* run);

#endif
