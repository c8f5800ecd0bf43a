// SPDX-License-Identifier: Apache-2.0
// The arguments of resize.cl.
#ifndef KERNELS_CL_ARGS_RESIZE_H_
#define KERNELS_CL_ARGS_RESIZE_H_

// Bilinear interpolation, NHWC. Source coordinate: (y + shift) * scale - shift.
typedef struct LiteClResizeArgs {
    int rows; // of the output, all images
    int out_h;
    int out_w;
    int in_h;
    int in_w;
    int channels;
    int chunk; // pixels of a row that one item does
    float scale_h;
    float scale_w;
    float shift; // 0.5 for half-pixel centres, else 0
    int step_h;  // of integers: the scale in 1024ths
    int step_w;
} LiteClResizeArgs;

#endif
