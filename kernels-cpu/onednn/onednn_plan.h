// SPDX-License-Identifier: Apache-2.0
// What oneDNN computes a node with. The output is cut into parts, one or some per thread, each with a
// primitive of its own that runs on one thread: rows of an image see different padding at the top, in the
// middle and at the bottom. All parts read the same packed weights.
#ifndef KERNELS_CPU_ONEDNN_ONEDNN_PLAN_H_
#define KERNELS_CPU_ONEDNN_ONEDNN_PLAN_H_

#include "kernels-cpu/onednn/onednn_library.h"
#include "kernels-cpu/onednn/onednn_problem.h"
#include "kernels-cpu/onednn/onednn_quant.h"

typedef struct LiteOnednnPart {
    int32_t first_image;
    int32_t end_image;
    int32_t first_row; // of the output
    int32_t rows;
    int32_t first_in; // input row; negative when rows of padding are copied
    int32_t in_rows;
    dnnl_primitive_t primitive; // for one image
    dnnl_stream_t stream;
    dnnl_memory_t input;
    dnnl_memory_t output; // INT8: of the sums
    dnnl_memory_t scratchpad;
    // Bytes of the part's scratch before its copied input and, of INT8, the image's sums; its scratchpad is
    // first.
    size_t copy;
    size_t sums;
    dnnl_status_t status; // of its last run
} LiteOnednnPart;

typedef struct LiteOnednnPlan {
    const LiteOnednnLibrary* library;
    LiteConvShape shape; // of which oneDNN computes it: a plain product is one image, a pixel wide
    bool transposed;
    dnnl_data_type_t type; // of input and weights
    size_t element;
    bool saturates; // FLOAT32: infinities become the largest numbers
    // INT8 with a zero point: oneDNN pads with 0, so padding is copied with the input, this many columns.
    bool copies;
    int8_t padding; // the zero point
    int32_t copy_columns;
    LiteOnednnPart* parts;
    int part_count;
    size_t scratch; // bytes of one part
    dnnl_memory_desc_t weights_desc;
    dnnl_memory_t weights;
    void* packed;
    const void* source;    // the weights that were packed
    dnnl_memory_t bias;    // FLOAT32
    LiteOnednnQuant quant; // INT8
} LiteOnednnPlan;

// NULL when oneDNN cannot compute it, or memory is short. Packed weights are taken from `old` if they fit
// (NULL: there is none).
LiteOnednnPlan* lite_onednn_plan_create(const LiteOnednnLibrary* library, const LiteOnednnProblem* problem,
                                        int threads, LiteOnednnPlan* old);
void lite_onednn_plan_destroy(LiteOnednnPlan* plan);

#endif
