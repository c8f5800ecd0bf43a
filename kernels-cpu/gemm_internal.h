// SPDX-License-Identifier: Apache-2.0
// What the float and the integer form of the product share.
#ifndef KERNELS_CPU_GEMM_INTERNAL_H_
#define KERNELS_CPU_GEMM_INTERNAL_H_

#include "kernels-cpu/gemm.h"

// Scratch of at most so many bytes is on each thread's stack: in the arena it would add to the largest
// tensors.
#define LITE_STACK_SCRATCH 4096

// An output pixel, and where its window begins in the input (may lie in the padding).
typedef struct LitePixel {
    int32_t batch;
    int32_t out_z;
    int32_t out_y;
    int32_t out_x;
    int64_t image; // elements before the pixel's image
    int64_t z;
    int64_t y;
    int64_t x;
} LitePixel;

LitePixel lite_gemm_pixel(const LiteConvShape* shape, int64_t row);

// Elements of the input of one batch.
static inline int64_t lite_gemm_image(const LiteConvShape* shape) {
    return (int64_t)shape->in_d * shape->in_h * shape->in_w * shape->in_c;
}

// Moves on to the next row.
static inline void lite_gemm_next_pixel(const LiteConvShape* shape, LitePixel* pixel) {
    pixel->out_x++;
    pixel->x += shape->stride_w;
    if (pixel->out_x < shape->out_w) return;
    pixel->out_x = 0;
    pixel->x = -(int64_t)shape->pad_w;
    pixel->out_y++;
    pixel->y += shape->stride_h;
    if (pixel->out_y < shape->out_h) return;
    pixel->out_y = 0;
    pixel->y = -(int64_t)shape->pad_h;
    pixel->out_z++;
    pixel->z += shape->stride_d;
    if (pixel->out_z < shape->out_d) return;
    pixel->out_z = 0;
    pixel->z = -(int64_t)shape->pad_d;
    pixel->batch++;
    pixel->image += lite_gemm_image(shape);
}
int64_t lite_gemm_rows(const LiteConvShape* shape);

// A range of row tiles times a range of panels (counted over all groups).
typedef struct LiteGemmItem {
    int64_t first_row;
    int64_t end_row;
    int64_t first_panel;
    int64_t end_panel;
    int64_t part; // of the `parts` items that use these panels one after the other
    int64_t parts;
    char* scratch;
} LiteGemmItem;
typedef void (*LiteGemmItemBody)(const LiteGemm* gemm, const LiteGemmItem* item, const void* argument);

// Rows of an item for one group, in the form that is multiplied.
typedef struct LiteGemmRows {
    const void* data;
    size_t stride; // elements
    // Bytes: lines of so many rows and runs of so many elements, and from one to the next (LiteByteRows).
    int line_rows;
    size_t line_step;
    size_t run;
    size_t run_step;
} LiteGemmRows;
// Pairs are less their zero points, with padding 0; bytes are unsigned, with padding as the zero point. They
// are in the scratch of the item or, where nothing has to change, in the input.
LiteGemmRows lite_gemm_gather(const LiteGemm* gemm, const LiteGemmInput* input, const LiteGemmItem* item,
                              int64_t group);

// Do the rows follow each other in the input as they do in memory?
bool lite_gemm_is_plain(const LiteGemm* gemm);

// Whether windows are read by lines (gemm_lines.c), with the shape of this inference.
bool lite_gemm_is_by_lines(const LiteGemm* gemm);
// Items of whole output lines, or parts of one, of a single image: into how many blocks rows are divided, if
// possible a multiple of `multiple`; and the rows of a block.
int64_t lite_gemm_line_blocks(const LiteGemm* gemm, int64_t multiple);
void lite_gemm_line_block(const LiteGemm* gemm, int64_t blocks, int64_t block, LiteGemmItem* item);
LiteGemmRows lite_gemm_lines(const LiteGemm* gemm, const LiteGemmInput* input, const LiteGemmItem* item);

// What makes signed bytes unsigned.
static inline uint8_t lite_byte_flip(TfLiteType type) {
    return type == kTfLiteInt8 ? 0x80 : 0;
}

// The same for the rows of a product; kernels may multiply signed bytes as they are. Sums of rows are of
// unsigned ones.
static inline uint8_t lite_gemm_flip(const LiteGemm* gemm, TfLiteType type) {
    return gemm->micro->takes_signed && gemm->zero_point == 0 ? 0 : lite_byte_flip(type);
}

// Splits the product into items and runs them on the interpreter's threads.
TfLiteStatus lite_gemm_run_items(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                                 LiteGemmItemBody body, const void* argument);

#endif
