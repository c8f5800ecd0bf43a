// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution of bytes by strips: parts of some output lines, a vector of channels.
#ifndef KERNELS_CPU_CONV_DEPTHWISE_STRIP_H_
#define KERNELS_CPU_CONV_DEPTHWISE_STRIP_H_

#include "kernels-cpu/conv/depthwise_types.h"

// The bytes of the packed weights; 0: strips are of no use for this shape.
size_t lite_depthwise_strip_weights(const LiteDepthwise* depthwise);

// Packs the weights into depthwise->strips. False when they do not fit bytes.
bool lite_depthwise_pack_strips(LiteDepthwise* depthwise, TfLiteType type, const void* weights,
                                int32_t zero_point);

// Runs on at most `threads` threads.
void lite_depthwise_run_strips(const LiteDepthwise* depthwise, const LiteDepthwiseInt* job, int threads);

#endif
