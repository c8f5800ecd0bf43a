// SPDX-License-Identifier: Apache-2.0
// Convolution and matrix product as one thing: rows (output pixels) times columns (output channels), summed
// over filter taps and input channels. The input is read in place (float, and unsigned bytes where their rows
// follow each other) or gathered a few rows at a time (integers), never expanded as a whole; weights are
// packed in panels (micro/micro.h).
#ifndef KERNELS_CPU_GEMM_H_
#define KERNELS_CPU_GEMM_H_

#include "kernels-cpu/kernel.h"
#include "kernels-cpu/micro/micro.h"

// Images of two dimensions have one plane: in_d, filter_d and out_d are 1.
typedef struct LiteConvShape {
    int32_t batches, in_d, in_h, in_w, in_c;
    int32_t filter_d, filter_h, filter_w;
    int32_t out_d, out_h, out_w, out_c;
    int32_t stride_d, stride_h, stride_w;
    int32_t dilation_d, dilation_h, dilation_w;
    int32_t pad_d, pad_h, pad_w; // before the first plane, row and column
    int32_t groups;
} LiteConvShape;

// The convolution that is a plain product of `rows` x `depth` and `depth` x `columns`: one pixel per batch.
LiteConvShape lite_conv_shape_of_product(int32_t rows, int32_t depth, int32_t columns);

// What is multiplied.
typedef enum LiteGemmForm {
    kLiteGemmFloat,
    kLiteGemmPairs, // pairs of int16: INT16 inputs, and 8-bit ones less their zero point
    kLiteGemmBytes, // fours of unsigned input bytes and signed weight bytes
} LiteGemmForm;
// INT8 and UINT8 inputs, also what hybrid operators quantize floats to, are bytes; where the processor cannot
// multiply bytes, lite_gemm_prepare takes pairs for them.
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
    int32_t runs;       // float: what is read of a window in one go, a tap's depth or, where that is little,
    int32_t run_depth;  // a line of the filter: how many, and the elements of each
    size_t steps;       // taps * depth, and what is missing to whole pairs or fours
    size_t row_step;    // from one gathered row to the next
    void* packed;       // float, int16 or int8, [groups][panels][panel_size]
    const void* source; // the weights that were packed; NULL: none yet
    float* bias;        // float only: [groups][panels][panel], then `run_depth` zeros that padding points to
    int32_t* init;      // integers: what sums begin with, [groups][panels][panel]
    int32_t* sums;      // bytes: of the weights of each column, less their zero point, as init
    int32_t zero_point; // bytes: of the packed weights
    const int32_t* add; // integers: a bias that is part of 32-bit sums, set for a run; NULL: none
    int threads;        // that scratch has room for
    int tiles;          // row tiles of a work item
    size_t scratch;     // bytes of scratch per thread
    int scratch_tensor; // temporary's number, -1 before the first prepare
} LiteGemm;

// Prepares for `shape` (sizes >= 0, groups >= 1 and a divisor of the channels):
// allocates the packed weights and sizes the temporary, which the caller puts in the node's list.
TfLiteStatus lite_gemm_prepare(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                               const LiteConvShape* shape, LiteGemmForm form);
void lite_gemm_free(LiteGemm* gemm);

// The two halves of it, for several products that run one after the other with one scratch.
TfLiteStatus lite_gemm_prepare_weights(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                                       const LiteConvShape* shape, LiteGemmForm form);
TfLiteStatus lite_gemm_prepare_scratch(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemms,
                                       int64_t count, int* scratch_tensor);

// Weights w(column, k), k = tap * depth + channel, at weights[column * column_step + k * depth_step]; columns
// of all groups in a row.
void lite_gemm_pack_f32(LiteGemm* gemm, const float* weights, size_t column_step, size_t depth_step);
// One per column; NULL: zeros.
void lite_gemm_bias_f32(LiteGemm* gemm, const float* bias);

// As above from INT8, UINT8, INT16, or packed INT4 or INT2; zero_point is subtracted. column_step is
// taps * depth and depth_step 1 for the packed types.
void lite_gemm_pack_int(LiteGemm* gemm, TfLiteType type, const void* weights, size_t column_step,
                        size_t depth_step, int32_t zero_point);

// Where the row of output pixel (batch, z, y, x) begins, in elements: first + batch * .batch + z * .plane +
// ...
typedef struct LiteGrid {
    int64_t first;
    int64_t batch;
    int64_t plane;
    int64_t line;
    int64_t pixel;
} LiteGrid;
// `grid` NULL: rows one after the other.
int64_t lite_gemm_offset(const LiteGemm* gemm, const LiteGrid* grid, int64_t row);

// output[row][column] = clamp(product + bias).
TfLiteStatus lite_gemm_run_f32(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                               const float* input, float low, float high, float* output,
                               const LiteGrid* grid);

// The rows [first, end) of one panel of that, on the calling thread, to output[end - first][micro->panel].
// `scratch` has gemm->scratch bytes.
typedef struct LiteGemmF32 {
    const float* input;
    float low;
    float high;
} LiteGemmF32;
void lite_gemm_panel_f32(const LiteGemm* gemm, const LiteGemmF32* job, int64_t panel, int64_t first,
                         int64_t end, void* scratch, float* output);

// The same of all columns, to output[end - first][out_c].
void lite_gemm_rows_f32(const LiteGemm* gemm, const LiteGemmF32* job, int64_t first, int64_t end,
                        void* scratch, float* output);

// Part of an integer product, given to a sink that scales and stores it: a panel of some rows. `wide` instead
// of `sums` for int16 inputs, whose sums do not fit 32 bits. Both are [rows][step].
typedef struct LiteTile {
    int64_t row;
    int rows;
    int32_t batch_rows; // rows (pixels) of one batch: row / batch_rows is the batch
    int32_t column;
    int columns;
    const int32_t* sums;
    const int64_t* wide;
    int step;
} LiteTile;
typedef void (*LiteTileSink)(const void* argument, const LiteTile* tile);

// The input of an integer product: INT8, UINT8 or INT16 (zero point 0).
typedef struct LiteGemmInput {
    TfLiteType type;
    const void* data;
    const int32_t* zero_points; // one, or one per batch; NULL: 0
    bool per_batch;
} LiteGemmInput;

TfLiteStatus lite_gemm_run_int(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                               const LiteGemmInput* input, LiteTileSink sink, const void* argument);

// Rows of 8 bits, one after the other, that sums of 32 bits are scaled to: the fastest way there.
typedef struct LiteGemmOutput {
    LiteRequantization scale;
    uint8_t* data;
} LiteGemmOutput;

// INT8 and UINT8 inputs with one zero point.
TfLiteStatus lite_gemm_run_8(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                             const LiteGemmInput* input, const LiteGemmOutput* output);

#endif
