// SPDX-License-Identifier: Apache-2.0
// The arguments of resampler.cl.
#ifndef KERNELS_CL_ARGS_RESAMPLER_H_
#define KERNELS_CL_ARGS_RESAMPLER_H_

typedef struct LiteClResamplerArgs {
    int points;
    int image_points; // of one image
    int height;
    int width;
    int channels;
} LiteClResamplerArgs;

#endif
