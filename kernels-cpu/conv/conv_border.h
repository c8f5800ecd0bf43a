// SPDX-License-Identifier: Apache-2.0
// A convolution whose input another node only surrounds with zeros: it reads what is inside, and takes the
// border for padding of its own.
#ifndef KERNELS_CPU_CONV_CONV_BORDER_H_
#define KERNELS_CPU_CONV_CONV_BORDER_H_

#include "kernels-cpu/gemm/gemm_shape.h"
#include "kernels-cpu/support/kernel.h"

// Zero-initialised: the input has no border.
typedef struct LiteConvBorder {
    TfLiteOpaqueNode* node; // surrounds its input 0; NULL: there is none
    LiteBorder at;
    int32_t in_h, in_w; // of what is inside
} LiteConvBorder;

// Describes the border that `producer` puts around the input; border->node stays NULL where it does something
// else, and on paths that are for comparisons.
void lite_conv_border_find(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                           const LiteLines* lines, TfLiteOpaqueNode* producer, LiteConvBorder* border);

// Makes the shape with the border that of what is inside.
void lite_conv_border_shape(const LiteConvBorder* border, LiteConvShape* shape);

// Is each window of the shape, which has no border now, one that SAME could make: not in the padding alone?
bool lite_conv_border_is_usual(const LiteConvShape* shape);

// The view of the input with its border gets the data of what is inside.
TfLiteStatus lite_conv_border_input(TfLiteOpaqueContext* context, const char* op,
                                    const LiteConvBorder* border, LiteView* input);

#endif
