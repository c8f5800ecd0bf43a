// SPDX-License-Identifier: Apache-2.0
// The arguments of cast.cl.
#ifndef KERNELS_CL_ARGS_CAST_H_
#define KERNELS_CL_ARGS_CAST_H_

#include "kernels-cl/args/common.h"

typedef struct LiteClCastArgs {
    int count;
    int chunk;
    float scale; // quantized output, or input of DEQUANTIZE
    int zero;
    int input_zero;
    int low;
    int high;
    LiteClMultiplier multiplier;
    float real_low; // FAKE_QUANT
    float real_high;
    float inverse_scale;
    int channels; // with scales of their own: elements are [outer][channels][inner]
    int inner;
} LiteClCastArgs;

#endif
