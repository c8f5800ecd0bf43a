// SPDX-License-Identifier: Apache-2.0
// Convolutions of floats by filters of 3 x 3 with fewer multiplications (Winograd, "minimal filtering"): for
// each tile of 2 x 2 outputs 16 instead of 36, for one of 4 x 4 36 instead of 144. Tiles of inputs, and once
// the weights, are transformed into 16 or 36 planes; each plane is a product of its own (rows: tiles), and of
// those come the outputs. Where a result is not finite, the tile is computed again in the direct way, so that
// infinities and NaN stay where they are without this.
#ifndef KERNELS_CPU_CONV_WINOGRAD_H_
#define KERNELS_CPU_CONV_WINOGRAD_H_

#include "core/base/epilogue.h"
#include "kernels-cpu/conv/winograd_plan.h"
#include "kernels-cpu/micro/micro.h"
#include "kernels-cpu/support/kernel.h"

typedef struct LiteWinograd {
    LiteConvShape shape;
    const LiteMicro* micro;
    LiteWinogradPlan plan;   // tile 0: the node is computed in another way
    LiteSharedBlock* block;  // has what `packed` points to
    LiteShared* shared;      // where that is shared; NULL: it is this node's own
    const void* packed;      // transformed weights, [plane][panel][in_c][micro->panel]
    LitePrecision wanted;    // what they are packed as, if they fit,
    LitePrecision precision; // and what they are
    const float* bias;       // [panels][micro->panel], of a run
    const float* zeros;      // for as many, and for in_c
    float* own;              // memory for both where they are not elsewhere; NULL: they are
    const void* source;      // the weights that were packed
    int threads;             // that scratch has room for
    size_t scratch;          // bytes for each thread
    int scratch_tensor;      // temporary's number, -1 before the first plan
} LiteWinograd;

// Decides whether the node is computed so, from its shape and constant weights; if so, packs them and sizes
// the temporary, which the caller puts in the node's list. When memory for them runs out, it is not.
// *winograd is NULL until a node is computed so for the first time: most are not.
TfLiteStatus lite_winograd_prepare(TfLiteOpaqueContext* context, LiteWinograd** winograd,
                                   const LiteConvShape* shape, const LiteView* input, const LiteView* filter);
// Whether the node is computed so. This and what follows accept NULL.
bool lite_winograd_computes(const LiteWinograd* winograd);
void lite_winograd_destroy(LiteWinograd* winograd);

// output = clamp(convolution + bias); bias NULL: zeros. `weights` are those that were packed.
typedef struct LiteWinogradRun {
    const float* input;
    const float* weights;
    const float* bias;
    float low;
    float high;
    float* output;
    const LiteEpilogue* epilogue; // NULL: none
} LiteWinogradRun;
TfLiteStatus lite_winograd_run(TfLiteOpaqueContext* context, const char* op, const LiteWinograd* winograd,
                               const LiteWinogradRun* run);

#endif
