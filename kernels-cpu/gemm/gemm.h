// SPDX-License-Identifier: Apache-2.0
// Convolutions and matrix products are one: rows (output pixels) times columns (output channels), summed over
// filter taps and input channels. Floats, and unsigned bytes whose rows follow each other, are read in place.
// Other integers are gathered a few rows at a time. The input is never expanded as a whole. Weights are
// packed in panels (micro/micro_table.h).
#ifndef KERNELS_CPU_GEMM_GEMM_H_
#define KERNELS_CPU_GEMM_GEMM_H_

#include "core/base/epilogue.h"
#include "kernels-cpu/gemm/gemm_shape.h"
#include "kernels-cpu/micro/micro.h"
#include "kernels-cpu/support/kernel.h"

// Scratch of at most so many bytes is on each thread's stack: in the arena it would add to the largest
// tensors.
#define LITE_STACK_SCRATCH 4096
// Row tiles of a work item of floats, at most.
#define LITE_ITEM_TILES 64

// What so many sums begin with is on the stack of the thread that runs a product, and needs no memory of the
// node's.
#define LITE_STACK_SUMS 2048

// What is multiplied.
typedef enum LiteGemmForm {
    kLiteGemmFloat,
    kLiteGemmPairs, // pairs of int16: INT16 inputs, and 8-bit ones less their zero point
    kLiteGemmBytes, // fours of unsigned input bytes and signed weight bytes
} LiteGemmForm;
// INT8 and UINT8 inputs are bytes, and so are the inputs that hybrid operators quantize. Where pairs are
// faster, lite_gemm_prepare takes these instead.
LiteGemmForm lite_gemm_form(TfLiteType input, TfLiteType weights);

// Zero-initialised is empty; lite_gemm_free accepts it.
typedef struct LiteGemm {
    LiteConvShape shape;
    const LiteMicro* micro;
    LiteGemmForm form;
    int rows;           // largest tile
    int32_t taps;       // filter_d * filter_h * filter_w
    int32_t depth;      // input channels of one group
    int32_t columns;    // output channels of one group
    int32_t panels;     // of one group
    size_t panel_size;  // elements of a packed panel
    int32_t runs;       // float: reads for each window. A read is a tap or, where taps are short, a line of
                        // the filter
    int32_t run_depth;  // float: elements of a read
    size_t steps;       // taps * depth, and what is missing to whole pairs or fours
    size_t row_step;    // from one gathered row to the next
    LiteShared* shared; // where packed weights are shared; NULL: they are this product's own
    bool is_lent;       // the memory of packed weights is the caller's, who sets `packed`
    // Float, one tap: so many panels are packed where they are used, from weights that lie as they are. 0:
    // all have been packed before.
    int own_panels;
    LiteSharedBlock* block; // has what `packed` and `sums` point to; NULL: nothing is packed yet
    size_t packed_bytes;    // of `packed`, up to `sums`
    size_t block_bytes;
    bool is_x3;              // float: as sums of BFLOAT16
    LitePrecision wanted;    // float: what weights are packed as, if they fit,
    LitePrecision precision; // and what they are
    void* packed;            // float, half, int16 or int8, [groups][panels][panel_size]
    const void* source;      // the weights that were packed; NULL: none yet
    const float* bias;       // float only: [groups][panels][panel]; the caller's, where it is of whole panels
    const float* zeros;      // float only: `run_depth` of them, that padding points to
    float* own;              // NULL: bias and zeros are elsewhere
    int32_t* init;           // integers: what sums begin with, [groups][panels][panel]; NULL: a run has them
    int32_t* sums;           // bytes: of the weights of each column, less their zero point, as init
    int32_t zero_point;      // bytes: of the packed weights
    const LiteEpilogue* epilogue; // float: of rows that follow each other; NULL: none
    int64_t epilogue_row;         // of its result, where the first row of this one is
    const int32_t* add;           // integers: a bias that is part of 32-bit sums, set for a run; NULL: none
    int threads;                  // that scratch has room for
    int tiles;                    // row tiles of a work item
    size_t scratch;               // bytes of scratch per thread
    int scratch_tensor;           // temporary's number, -1 as long as the stack has been enough
} LiteGemm;

// Prepares for `shape` (sizes >= 0, groups >= 1 and a divisor of the channels): allocates memory for packed
// weights, unless they are `shared` (lite_kernel_shared of the weights, or NULL), and sizes the temporary,
// which the caller puts in the node's list.
TfLiteStatus lite_gemm_prepare(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                               const LiteConvShape* shape, LiteGemmForm form, LiteShared* shared);
void lite_gemm_free(LiteGemm* gemm);

// What weights are packed as that are `shared`, or NULL: others are floats.
LitePrecision lite_gemm_precision(const TfLiteOpaqueContext* context, const LiteMicro* micro,
                                  const LiteShared* shared);

// The two parts of lite_gemm_prepare, for several products that run one after the other with one scratch.
TfLiteStatus lite_gemm_prepare_weights(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                                       const LiteConvShape* shape, LiteGemmForm form, LiteShared* shared);
TfLiteStatus lite_gemm_prepare_scratch(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemms,
                                       int64_t count, int* scratch_tensor);

// Float: what weights are packed as next; sets packed_bytes and block_bytes.
void lite_gemm_set_precision(LiteGemm* gemm, LitePrecision precision);
// Makes a block of gemm->block_bytes bytes the memory of the packed weights.
void lite_gemm_place(LiteGemm* gemm, void* memory);

#endif
