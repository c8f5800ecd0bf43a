// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_SCATTER: a copy of the input, to which windows of updates are joined.
#include "kernels-cl/args/stablehlo_scatter.h"
#include "core/semantics/move.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"
#include "kernels-cl/args/common.h"

enum { kInput, kIndices, kUpdates, kInputs };

static const struct {
    int body;
    const char* real;
    const char* integer;
} joins[] = {
    {LITE_CL_BODY_EMPTY, "b", "b"},
    {kTfLiteBuiltinStablehloAdd, "a + b", "(T)((U)a + (U)b)"},
    {kTfLiteBuiltinStablehloMultiply, "a * b", "(T)((U)a * (U)b)"},
    {kTfLiteBuiltinStablehloMaximum, "a < b ? b : a", "a < b ? b : a"},
    {kTfLiteBuiltinStablehloMinimum, "b < a ? b : a", "b < a ? b : a"},
};

static const char* find_join(const LiteClNode* node) {
    const TfLiteType type = node->inputs[kInput]->type;
    const bool real = type == kTfLiteFloat32 || type == kTfLiteFloat16;
    for (size_t i = 0; i < sizeof joins / sizeof joins[0]; i++) {
        if (joins[i].body == node->body) return real ? joins[i].real : joins[i].integer;
    }
    return NULL;
}

// The vectors of indices and what they are about.
static bool find_vectors(const LiteClNode* node, LiteClScatterArgs* args, unsigned* moved,
                         LiteClReason* reason) {
    const TfLiteStablehloScatterParams* p = node->params;
    const LiteShape *input = &node->inputs[kInput]->shape, *indices = &node->inputs[kIndices]->shape;
    if (p->index_vector_dim < 0 || p->index_vector_dim > indices->rank)
        return lite_cl_refuse(reason, "index_vector_dim %lld", (long long)p->index_vector_dim);
    const bool scalars = p->index_vector_dim == indices->rank;
    args->length = scalars ? 1 : indices->dims[p->index_vector_dim];
    args->step = scalars ? 1 : lite_cl_axis(indices, (int)p->index_vector_dim).inner;
    if (args->length != p->num_scatter_dims_to_operand_dims || args->length > LITE_CL_RANK)
        return lite_cl_refuse(reason, "vectors of %d indices for %d dimensions", args->length,
                              p->num_scatter_dims_to_operand_dims);
    for (int i = 0; i < args->length; i++) {
        const int64_t d = p->scatter_dims_to_operand_dims[i];
        if (d < 0 || d >= input->rank)
            return lite_cl_refuse(reason, "index %d is for dimension %lld", i, (long long)d);
        args->map[i] = (int)d;
        *moved |= 1u << d;
    }
    return true;
}

// What dimension of the input each dimension of the updates is about, -1: a position of the vectors.
static bool find_windows(const LiteClNode* node, int about[LITE_MAX_RANK], LiteClReason* reason) {
    const TfLiteStablehloScatterParams* p = node->params;
    const LiteShape *input = &node->inputs[kInput]->shape, *indices = &node->inputs[kIndices]->shape;
    const LiteShape* updates = &node->inputs[kUpdates]->shape;
    unsigned windows, inserted;
    if (!lite_cl_dimension_bits(p->update_window_dims, p->num_update_window_dims, updates->rank, &windows,
                                reason) ||
        !lite_cl_dimension_bits(p->inserted_window_dims, p->num_inserted_window_dims, input->rank, &inserted,
                                reason))
        return false;
    const int positions = indices->rank - (p->index_vector_dim < indices->rank ? 1 : 0);
    if (p->num_update_window_dims + p->num_inserted_window_dims != input->rank ||
        updates->rank != p->num_update_window_dims + positions)
        return lite_cl_refuse(reason, "%d window and %d inserted dimensions", p->num_update_window_dims,
                              p->num_inserted_window_dims);
    for (int i = 0; i < updates->rank; i++) about[i] = -1;
    for (int i = 0, d = 0; i < p->num_update_window_dims; i++, d++) {
        while ((inserted >> d & 1u) != 0) d++;
        about[p->update_window_dims[i]] = d;
    }
    return true;
}

static bool find_scatter(const LiteClNode* node, LiteClScatterArgs* args, LiteClReason* reason) {
    const LiteShape *input = &node->inputs[kInput]->shape, *indices = &node->inputs[kIndices]->shape;
    const LiteShape* updates = &node->inputs[kUpdates]->shape;
    const int64_t vector = ((const TfLiteStablehloScatterParams*)node->params)->index_vector_dim;
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK], in_indices[LITE_MAX_RANK];
    int about[LITE_MAX_RANK];
    unsigned moved = 0;
    if (!find_vectors(node, args, &moved, reason) || !find_windows(node, about, reason)) return false;
    lite_move_strides(updates, from);
    lite_move_strides(input, to);
    lite_move_strides(indices, in_indices);
    args->out_rank = input->rank;
    for (int d = 0; d < input->rank; d++) {
        args->bounds[d] = input->dims[d];
        args->to[d] = (int)to[d];
    }
    args->count = args->free_count = 1;
    for (int i = 0, position = 0; i < updates->rank; i++) {
        if (about[i] >= 0 && (moved >> about[i] & 1u) == 0) {
            args->free_dims[args->free_rank] = updates->dims[i];
            args->free_from[args->free_rank] = (int)from[i];
            args->free_about[args->free_rank++] = about[i];
            args->free_count *= updates->dims[i];
            continue;
        }
        args->dims[args->rank] = updates->dims[i];
        args->from[args->rank] = (int)from[i];
        args->about[args->rank] = about[i];
        if (about[i] < 0) {
            if (position == vector) position++;
            if (updates->dims[i] != indices->dims[position])
                return lite_cl_refuse(reason, "dimension %d of the updates is %d, that of the indices %d", i,
                                      updates->dims[i], indices->dims[position]);
            args->in_indices[args->rank] = (int)in_indices[position++];
        }
        args->count *= updates->dims[i];
        args->rank++;
    }
    return true;
}

static bool scatter_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClScatterArgs args = {0};
    if (find_join(node) == NULL) return lite_cl_refuse(reason, "its function is none that has a kernel");
    *output = node->inputs[kInput]->shape;
    return find_scatter(node, &args, reason);
}

static TfLiteStatus scatter_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor *output = node->outputs[0], *indices = node->inputs[kIndices];
    LiteClScatterArgs args = {.chunk = lite_cl_tune(plan->device->class)->tile_width};
    LiteMove copy = {0};
    LiteClPrelude prelude = {0};
    lite_cl_agreed(find_scatter(node, &args, &(LiteClReason){0}));
    lite_move_add(&copy, lite_shape_elements(&output->shape), 1, 1);
    LITE_TRY(lite_cl_move_tensor(plan, &copy, node->inputs[kInput], 0, output, 0));
    lite_cl_define_type(&prelude, "", output->type);
    lite_cl_define_type(&prelude, "I_", indices->type);
    lite_cl_define(&prelude, "JOIN(a, b) (%s)", find_join(node));
    const LiteClLaunch launch = {
        .family = &lite_cl_source_stablehlo_scatter,
        .kernel = "scatter",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {lite_cl_plan_tensor(plan, indices), lite_cl_plan_tensor(plan, node->inputs[kUpdates]),
                    lite_cl_plan_tensor(plan, output)},
        .items = {args.count > 0 ? lite_cl_chunks(args.free_count, args.chunk) : 0, 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

static bool scatter_fits(const LiteClDevice* device, const LiteClNode* node, LiteClReason* reason) {
    (void)node;
    const LiteClLaunch launch = {.args_size = sizeof(LiteClScatterArgs), .buffer_count = 3};
    return lite_cl_launch_fits(device, &launch, reason);
}

const LiteClOp lite_cl_op_STABLEHLO_SCATTER = {
    .rounds = kLiteClRoundsAll,
    .params_size = sizeof(TfLiteStablehloScatterParams),
    .body = offsetof(TfLiteStablehloScatterParams, update_computation_subgraph_index),
    .min_inputs = kInputs,
    .max_inputs = kInputs,
    .inputs = "TIT",
    .types = LITE_TYPES_FLOAT | LITE_TYPES_INTEGER | LITE_TYPE(UInt16) | LITE_TYPE(UInt32) |
             LITE_TYPE(UInt64) | LITE_TYPE(Bool),
    .infer = scatter_infer,
    .fits = scatter_fits,
    .lower = scatter_lower};
