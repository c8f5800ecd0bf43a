// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_GATHER: windows of a tensor from where indices say.
#include "kernels-cl/args/stablehlo_gather.h"
#include "core/semantics/move.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"

// The vectors of indices: their dimension, whose step and length go into the arguments.

static bool find_vectors(const LiteClNode* node, LiteClWindowsArgs* args, LiteClReason* reason) {
    const TfLiteStablehloGatherParams* p = node->params;
    const LiteShape *input = &node->inputs[0]->shape, *indices = &node->inputs[1]->shape;
    if (p->index_vector_dim < 0 || p->index_vector_dim > indices->rank)
        return lite_cl_refuse(reason, "index_vector_dim %lld", (long long)p->index_vector_dim);
    const bool scalars = p->index_vector_dim == indices->rank;
    args->length = scalars ? 1 : indices->dims[p->index_vector_dim];
    args->step = scalars ? 1 : lite_cl_axis(indices, (int)p->index_vector_dim).inner;
    if (args->length != p->num_start_index_map || args->length > LITE_MAX_RANK)
        return lite_cl_refuse(reason, "vectors of %d indices for %d dimensions", args->length,
                              p->num_start_index_map);
    if (p->num_slice_sizes != input->rank)
        return lite_cl_refuse(reason, "%d slice sizes", p->num_slice_sizes);
    int64_t strides[LITE_MAX_RANK];
    lite_move_strides(input, strides);
    for (int i = 0; i < args->length; i++) {
        const int64_t d = p->start_index_map[i];
        if (d < 0 || d >= input->rank)
            return lite_cl_refuse(reason, "index %d is for dimension %lld", i, (long long)d);
        args->most[i] = input->dims[d] - (int)p->slice_sizes[d];
        args->strides[i] = (int)strides[d];
    }
    return true;
}

// Everything but the count; the output's dimensions are those of `args`.
static bool find_windows(const LiteClNode* node, LiteClWindowsArgs* args, LiteClReason* reason) {
    const TfLiteStablehloGatherParams* p = node->params;
    const LiteShape *input = &node->inputs[0]->shape, *indices = &node->inputs[1]->shape;
    unsigned offsets, collapsed;
    if (!find_vectors(node, args, reason)) return false;
    const int vectors = indices->rank - (p->index_vector_dim < indices->rank ? 1 : 0);
    args->rank = vectors + p->num_offset_dims;
    if (args->rank > LITE_MAX_RANK || p->num_offset_dims + p->num_collapsed_slice_dims != input->rank)
        return lite_cl_refuse(reason, "%d offset and %d collapsed dimensions", p->num_offset_dims,
                              p->num_collapsed_slice_dims);
    if (!lite_cl_dimension_bits(p->offset_dims, p->num_offset_dims, args->rank, &offsets, reason) ||
        !lite_cl_dimension_bits(p->collapsed_slice_dims, p->num_collapsed_slice_dims, input->rank, &collapsed,
                                reason)) {
        return false;
    }
    for (int d = 0; d < input->rank; d++) {
        if (p->slice_sizes[d] < (int64_t)(collapsed >> d & 1u) || p->slice_sizes[d] > input->dims[d])
            return lite_cl_refuse(reason, "a slice of %lld of %d elements", (long long)p->slice_sizes[d],
                                  input->dims[d]);
    }
    int64_t in_input[LITE_MAX_RANK], in_indices[LITE_MAX_RANK];
    lite_move_strides(input, in_input);
    lite_move_strides(indices, in_indices);
    for (int d = 0, batch = 0, from = 0; d < args->rank; d++) {
        if ((offsets >> d & 1u) == 0) {
            if (batch == p->index_vector_dim) batch++;
            args->dims[d] = indices->dims[batch];
            args->in_indices[d] = (int)in_indices[batch++];
            continue;
        }
        while ((collapsed >> from & 1u) != 0) from++;
        args->dims[d] = (int)p->slice_sizes[from];
        args->in_input[d] = (int)in_input[from++];
    }
    return true;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClWindowsArgs args = {0};
    if (!find_windows(node, &args, reason)) return false;
    output->rank = args.rank;
    for (int d = 0; d < args.rank; d++) output->dims[d] = args.dims[d];
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClWindowsArgs args = {.count = (int)lite_shape_elements(&node->outputs[0]->shape),
                              .chunk = lite_cl_tune(plan->device->class)->chunk};
    lite_cl_agreed(find_windows(node, &args, &(LiteClReason){0}));
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "I_", node->inputs[1]->type);
    lite_cl_define_element(&prelude, node->inputs[0]->type);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_stablehlo_gather,
        .kernel = "stablehlo_gather",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_launch_buffers(plan, node, &launch, false);
}

const LiteClOp lite_cl_op_STABLEHLO_GATHER = {.params_size = sizeof(TfLiteStablehloGatherParams),
                                              .min_inputs = 2,
                                              .max_inputs = 2,
                                              .inputs = "TI",
                                              .types = LITE_CL_ANY,
                                              .infer = infer,
                                              .lower = lower};
