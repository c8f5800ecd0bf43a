// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_GATHER (windows of a tensor from where indices say), REDUCE_WINDOW and STABLEHLO_REDUCE_WINDOW
// (one value for each window).
#include "delegate-opencl/ops/move.h"

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

static bool gather_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClWindowsArgs args = {0};
    if (!find_windows(node, &args, reason)) return false;
    output->rank = args.rank;
    for (int d = 0; d < args.rank; d++) output->dims[d] = args.dims[d];
    return true;
}

static TfLiteStatus gather_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClReason reason;
    LiteClWindowsArgs args = {.count = (int)lite_shape_elements(&node->outputs[0]->shape),
                              .chunk = lite_cl_tune(plan->device->class)->chunk};
    (void)find_windows(node, &args, &reason); // infer has agreed to it
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "I_", node->inputs[1]->type);
    lite_cl_define_element(&prelude, node->inputs[0]->type);
    const LiteClLaunch launch = {
        .family = "index",
        .kernel = "gather_windows",
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
                                              .infer = gather_infer,
                                              .lower = gather_lower};

enum { kMostRank = 6 }; // of the reference

// The reference takes no others.
static bool check_constants(const LiteClNode* node, LiteClReason* reason) {
    for (int i = 2; i < 5; i++) {
        if (node->inputs[i]->data == NULL) return lite_cl_refuse(reason, "input %d is not constant", i);
    }
    return true;
}

// REDUCE_WINDOW: input, initial value, window, strides, dilations.
static bool find_reduction(const LiteClNode* node, LiteClReduceWindowArgs* args, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    const TfLiteReduceWindowParams* params = node->params;
    LiteClInts of[3]; // window, strides, dilations
    if (input->rank < 1 || input->rank > kMostRank || lite_shape_elements(&node->inputs[1]->shape) < 1)
        return lite_cl_refuse(reason, "input of %d dimensions", input->rank);
    if (params->reduce_function < TfLiteReduceWindowFunctionAdd ||
        params->reduce_function > TfLiteReduceWindowFunctionAny) {
        return lite_cl_refuse(reason, "function %d", (int)params->reduce_function);
    }
    for (int i = 0; i < 3; i++) {
        if (!lite_cl_constant_ints(node, i + 2, &of[i], reason)) return false;
        if (of[i].count != input->rank || node->inputs[i + 2]->type != kTfLiteInt64)
            return lite_cl_refuse(reason, "input %d is not a number for each dimension", i + 2);
        for (int d = 0; d < input->rank; d++) {
            if (of[i].values[d] < 1 || of[i].values[d] > INT16_MAX)
                return lite_cl_refuse(reason, "window, stride or dilation %lld", (long long)of[i].values[d]);
        }
    }
    int64_t strides[LITE_MAX_RANK], taps = 1;
    lite_move_strides(input, strides);
    args->rank = input->rank;
    for (int d = 0; d < input->rank; d++) {
        const int64_t span = (of[0].values[d] - 1) * of[2].values[d] + 1, length = input->dims[d];
        args->out[d] = length < span ? 0 : (int)((length - span) / of[1].values[d] + 1);
        args->window[d] = (int)of[0].values[d];
        args->at[d] = (int)(strides[d] * of[1].values[d]);
        args->tap[d] = (int)(strides[d] * of[2].values[d]);
        taps *= args->window[d];
        if (taps > INT32_MAX) return lite_cl_refuse(reason, "the window is too large");
    }
    args->taps = (int)taps;
    return true;
}

static bool reduce_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClReduceWindowArgs args = {0};
    if (!find_reduction(node, &args, reason)) return false;
    output->rank = args.rank;
    for (int d = 0; d < args.rank; d++) output->dims[d] = args.out[d];
    return true;
}

// The largest number of steps that the CPU kernel takes, which has the words for more.
#define MOST_STEPS 0x1p38

// One dimension, in which an output of `out` elements sees windows of the padded and dilated input.
static bool find_padded_axis(const TfLiteStablehloReduceWindowParams* p, int d, int in,
                             LiteClReduceWindowArgs* args, LiteClReason* reason) {
    const int64_t numbers[] = {p->window_dimensions[d], p->window_strides[d], p->window_dilations[d],
                               p->base_dilations[d]};
    const int64_t low = p->padding[2 * d], high = p->padding[2 * d + 1];
    for (int i = 0; i < 4; i++) {
        if (numbers[i] < 1 || numbers[i] > INT16_MAX)
            return lite_cl_refuse(reason, "window, stride or dilation %lld", (long long)numbers[i]);
    }
    const int64_t dilated = in > 0 ? ((int64_t)in - 1) * numbers[3] + 1 : 0;
    const int64_t span = (numbers[0] - 1) * numbers[2] + 1;
    if (low < -INT32_MAX / 4 || low > INT32_MAX / 4 || high < -INT32_MAX / 4 || high > INT32_MAX / 4 ||
        dilated > INT32_MAX / 4 || span > INT32_MAX / 4)
        return lite_cl_refuse(reason, "padding %lld and %lld", (long long)low, (long long)high);
    const int64_t whole = dilated + low + high;
    if (whole <= 0 && (low != 0 || high != 0))
        return lite_cl_refuse(reason, "the padding leaves nothing of dimension %d", d);
    args->in[d] = in;
    args->low[d] = (int)low;
    args->base[d] = (int)numbers[3];
    args->window[d] = (int)numbers[0];
    args->at[d] = (int)numbers[1];
    args->tap[d] = (int)numbers[2];
    args->out[d] = whole < span ? 0 : (int)((whole - span) / numbers[1] + 1);
    return true;
}

static bool find_padded(const LiteClNode* node, LiteClReduceWindowArgs* args, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    if (input->rank < 1 || input->rank > kMostRank || lite_shape_elements(&node->inputs[1]->shape) < 1)
        return lite_cl_refuse(reason, "input of %d dimensions", input->rank);
    int64_t strides[LITE_MAX_RANK], taps = 1;
    double steps = 1.0;
    lite_move_strides(input, strides);
    args->rank = input->rank;
    for (int d = 0; d < input->rank; d++) {
        if (!find_padded_axis(node->params, d, input->dims[d], args, reason)) return false;
        args->strides[d] = (int)strides[d];
        taps *= args->window[d];
        steps *= (double)args->window[d] * (double)args->out[d];
        if (taps > INT32_MAX) return lite_cl_refuse(reason, "the window is too large");
    }
    args->taps = (int)taps;
    return steps <= MOST_STEPS || lite_cl_refuse(reason, "the windows are too large");
}

// What joins elements; -1: nothing that there is.
static int find_function(const LiteClNode* node) {
    if (node->op->body == 0) return (int)((const TfLiteReduceWindowParams*)node->params)->reduce_function;
    switch (node->body) {
    case kTfLiteBuiltinAdd:
    case kTfLiteBuiltinStablehloAdd:
        return TfLiteReduceWindowFunctionAdd;
    case kTfLiteBuiltinMul:
    case kTfLiteBuiltinStablehloMultiply:
        return TfLiteReduceWindowFunctionMul;
    case kTfLiteBuiltinMaximum:
    case kTfLiteBuiltinStablehloMaximum:
        return TfLiteReduceWindowFunctionMax;
    case kTfLiteBuiltinMinimum:
    case kTfLiteBuiltinStablehloMinimum:
        return TfLiteReduceWindowFunctionMin;
    case kTfLiteBuiltinLogicalAnd:
    case kTfLiteBuiltinStablehloAnd:
        return TfLiteReduceWindowFunctionAll;
    case kTfLiteBuiltinLogicalOr:
    case kTfLiteBuiltinStablehloOr:
        return TfLiteReduceWindowFunctionAny;
    default:
        return -1;
    }
}

static bool padded_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClReduceWindowArgs args = {0};
    if (find_function(node) < 0) return lite_cl_refuse(reason, "its function is none that has a kernel");
    if (!find_padded(node, &args, reason)) return false;
    output->rank = args.rank;
    for (int d = 0; d < args.rank; d++) output->dims[d] = args.out[d];
    return true;
}

static TfLiteStatus reduce_lower(LiteClPlan* plan, const LiteClNode* node) {
    static const struct {
        const char* real;
        const char* integer;
    } joins[] = {
        [TfLiteReduceWindowFunctionAdd] = {"a + b", "(T)((U)a + (U)b)"},
        [TfLiteReduceWindowFunctionMul] = {"a * b", "(T)((U)a * (U)b)"},
        [TfLiteReduceWindowFunctionMin] = {"b < a ? b : a", "b < a ? b : a"},
        [TfLiteReduceWindowFunctionMax] = {"b > a ? b : a", "b > a ? b : a"},
        [TfLiteReduceWindowFunctionAll] = {"a != 0 && b != 0", "a != 0 && b != 0"},
        [TfLiteReduceWindowFunctionAny] = {"a != 0 || b != 0", "a != 0 || b != 0"},
    };
    // As in the reference, a sum of booleans is one of bytes.
    const TfLiteType type = node->inputs[0]->type == kTfLiteBool ? kTfLiteInt8 : node->inputs[0]->type;
    const bool padded = node->op->body != 0;
    const int function = find_function(node);
    LiteClReason reason;
    LiteClReduceWindowArgs args = {.count = (int)lite_shape_elements(&node->outputs[0]->shape),
                                   .chunk = lite_cl_tune(plan->device->class)->tile_width};
    (void)(padded ? find_padded(node, &args, &reason)
                  : find_reduction(node, &args, &reason)); // infer has agreed
    LiteClPrelude prelude = {0};
    if (padded) lite_cl_define(&prelude, "PADDED");
    lite_cl_define_type(&prelude, "", type);
    const bool real = type == kTfLiteFloat32;
    lite_cl_define(&prelude, "JOIN(a, b) (%s)", real ? joins[function].real : joins[function].integer);
    const LiteClLaunch launch = {
        .family = "reduce_window",
        .kernel = "reduce_window",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]), lite_cl_plan_tensor(plan, node->inputs[1]),
                    lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_REDUCE_WINDOW = {.params_size = sizeof(TfLiteReduceWindowParams),
                                           .min_inputs = 5,
                                           .max_inputs = 5,
                                           .inputs = "TTP",
                                           .types = LITE_CL_TYPE(Float32) | LITE_CL_INTS,
                                           .check = check_constants,
                                           .infer = reduce_infer,
                                           .lower = reduce_lower};
const LiteClOp lite_cl_op_STABLEHLO_REDUCE_WINDOW = {
    .params_size = sizeof(TfLiteStablehloReduceWindowParams),
    .body = offsetof(TfLiteStablehloReduceWindowParams, body_subgraph_index),
    .min_inputs = 2,
    .max_inputs = 2,
    .types = LITE_CL_TYPE(Float32) | LITE_CL_INTS | LITE_CL_TYPE(Bool),
    .infer = padded_infer,
    .lower = reduce_lower};
