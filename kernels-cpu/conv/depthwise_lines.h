// SPDX-License-Identifier: Apache-2.0
// A depthwise convolution of floats whose input another node computes, a block of channels and a few lines at
// a time (core/base/lines.h): they never leave the first cache.
#ifndef KERNELS_CPU_CONV_DEPTHWISE_LINES_H_
#define KERNELS_CPU_CONV_DEPTHWISE_LINES_H_

#include "kernels-cpu/conv/depthwise_f32.h"

// Zero-initialised, but for the temporary's number, is one whose input is a tensor.
typedef struct LiteDepthwiseLines {
    LiteLineSource source; // begin NULL: the input is a tensor
    int32_t ranges;        // of output lines of an image that threads share
    int32_t band;          // output lines that are computed at a time
    int32_t capacity;      // input lines for those, in a ring
    size_t scratch;        // bytes of a thread: this ring, then what `source` is lent
    int threads;           // that there is scratch for
    int scratch_tensor;    // temporary's number, -1 before the first
} LiteDepthwiseLines;

// Not in builds of selected operators, which are small for it.
#ifndef LITE_HAS_COPIED_LINES
#define LITE_HAS_COPIED_LINES 1
#endif

// Channels of lines that are copied: a cache line.
enum { LITE_DEPTHWISE_COPIED = 16 };

// Is an input of this shape better computed on the way than before?
bool lite_depthwise_lines_wanted(const LiteConvShape* shape, int threads);
// Are lines of an input of this shape better copied first? Those that crowd the first cache; their channels
// are a multiple of LITE_DEPTHWISE_COPIED.
bool lite_depthwise_lines_copied(const LiteConvShape* shape);
// What a source of these does, from the whole input.
void lite_depthwise_copy_lines(const LiteConvShape* shape, const float* input, const LiteLineBlock* what,
                               float* out);
// With a source: sizes the temporary, which the caller puts in the node's list.
TfLiteStatus lite_depthwise_lines_prepare(TfLiteOpaqueContext* context, const char* op,
                                          const LiteConvShape* shape, LiteDepthwiseLines* lines);
// job->input, column and origin do not matter.
TfLiteStatus lite_depthwise_lines_run(TfLiteOpaqueContext* context, const char* op,
                                      const LiteDepthwise* depthwise, const LiteDepthwiseLines* lines,
                                      const LiteDepthwiseF32* job);

#endif
