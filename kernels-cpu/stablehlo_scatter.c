// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_SCATTER copies the input and combines it with windows of updates. A vector of indices gives the
// place of each window; parts of it outside of the input are ignored. Updates are applied in the order of
// their elements, because windows may overlap.
#include <assert.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/index_vectors.h"
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/reducer.h"

static const char op[] = "STABLEHLO_SCATTER";

enum { kInput, kIndices, kUpdates };

static const uint32_t scatter_types = LITE_TYPES_INTEGER | LITE_TYPE(Float16) | LITE_TYPE(Float32) |
                                      LITE_TYPE(Float64) | LITE_TYPE(UInt16) | LITE_TYPE(UInt32) |
                                      LITE_TYPE(UInt64) | LITE_TYPE(Bool);

typedef struct Views {
    LiteView input;
    LiteView indices;
    LiteView updates;
    LiteView output;
} Views;

typedef struct Scatter {
    LiteIndexVectors vectors;
    LiteReducer reduce;
    int rank;       // of the updates
    int inner;      // its dimensions from here on belong to windows alone
    int inner_last; // the dimension of the input that its last one is about, -1: there is none
    int64_t dims[LITE_MAX_RANK];
    int64_t from[LITE_MAX_RANK];
    int about[LITE_MAX_RANK]; // the dimension of the input that a window's dimension is about, -1: a position
    int input_rank;
    int64_t bounds[LITE_MAX_RANK]; // of the input
    int64_t to[LITE_MAX_RANK];
    int64_t element;
    const char* updates;
    char* output;
} Scatter;

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Views* v) {
    LITE_TRY(lite_kernel_input(context, node, op, kInput, &v->input));
    LITE_TRY(lite_kernel_input(context, node, op, kIndices, &v->indices));
    LITE_TRY(lite_kernel_input(context, node, op, kUpdates, &v->updates));
    return lite_kernel_output(context, node, op, 0, &v->output);
}

static TfLiteStatus get_function(TfLiteOpaqueContext* context, int subgraph, TfLiteType type,
                                 LiteReducer* reduce) {
    int code;
    LiteReducerFunction function = kLiteReducerReplace;
    LITE_TRY(lite_reducer_operator(context, op, subgraph, &code));
    switch (code) {
    case -1:
        break;
    case kTfLiteBuiltinStablehloAdd:
        function = kLiteReducerAdd;
        break;
    case kTfLiteBuiltinStablehloMultiply:
        function = kLiteReducerMultiply;
        break;
    case kTfLiteBuiltinStablehloMaximum:
        function = kLiteReducerGreater;
        break;
    case kTfLiteBuiltinStablehloMinimum:
        function = kLiteReducerLess;
        break;
    default:
        return lite_fail(context, "%s: operator %d as the function of subgraph %d is not supported", op, code,
                         subgraph);
    }
    *reduce = lite_reducer_find(function, type);
    return kTfLiteOk;
}

// Which dimensions of the updates are what.
static TfLiteStatus plan_updates(TfLiteOpaqueContext* context, const TfLiteStablehloScatterParams* params,
                                 const LiteShape* updates, uint32_t inserted, Scatter* s) {
    for (int i = 0; i < s->rank; i++) s->about[i] = -1;
    for (int i = 0, dimension = 0; i < params->num_update_window_dims; i++, dimension++) {
        while ((inserted >> dimension & 1u) != 0) dimension++;
        s->about[params->update_window_dims[i]] = dimension;
    }
    s->inner = s->rank;
    while (s->inner > 0 && s->about[s->inner - 1] >= 0) s->inner--;
    s->inner_last = s->inner < s->rank ? s->about[s->rank - 1] : -1;
    for (int i = 0, position = 0; i < s->rank; i++) {
        s->dims[i] = updates->dims[i];
        if (s->about[i] >= 0) continue;
        if (s->dims[i] != s->vectors.dims[position]) {
            return lite_fail(context, "%s: dimension %d of the updates is %d, that of the indices %lld", op,
                             i, updates->dims[i], (long long)s->vectors.dims[position]);
        }
        position++;
    }
    lite_move_strides(updates, s->from);
    return kTfLiteOk;
}

static TfLiteStatus plan(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Views* v, Scatter* s) {
    const TfLiteStablehloScatterParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "%s: no parameters", op);
    const int input_rank = v->input.shape.rank, rank = v->updates.shape.rank;
    const int windows = params->num_update_window_dims, inserted = params->num_inserted_window_dims;
    uint32_t window_bits, inserted_bits;
    *s = (Scatter){.rank = rank, .input_rank = input_rank};
    LITE_TRY(lite_index_vectors(context, op, &v->indices, params->index_vector_dim,
                                params->scatter_dims_to_operand_dims,
                                params->num_scatter_dims_to_operand_dims, input_rank, &s->vectors));
    LITE_TRY(lite_index_dimensions(context, op, "update_window_dims", params->update_window_dims, windows,
                                   rank, &window_bits));
    LITE_TRY(lite_index_dimensions(context, op, "inserted_window_dims", params->inserted_window_dims,
                                   inserted, input_rank, &inserted_bits));
    if (windows + inserted != input_rank || rank != windows + s->vectors.rank) {
        return lite_fail(context,
                         "%s: %d window and %d inserted dimensions for an input of %d, updates of %d and "
                         "indices of %d",
                         op, windows, inserted, input_rank, rank, v->indices.shape.rank);
    }
    LITE_TRY(get_function(context, params->update_computation_subgraph_index, v->input.type, &s->reduce));
    for (int i = 0; i < input_rank; i++) s->bounds[i] = v->input.shape.dims[i];
    lite_move_strides(&v->input.shape, s->to);
    s->element = (int64_t)lite_type_size(v->input.type);
    return plan_updates(context, params, &v->updates.shape, inserted_bits, s);
}

static TfLiteStatus scatter_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Views v;
    Scatter s;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 3, 3, 1));
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(lite_check_types(context, op, "input", &v.input, scatter_types));
    LITE_TRY(lite_check_same_type(context, op, &v.input, &v.updates));
    LITE_TRY(lite_check_same_type(context, op, &v.input, &v.output));
    LITE_TRY(plan(context, node, &v, &s));
    return lite_kernel_resize(context, v.output.tensor, &v.input.shape);
}

// The inner part of a window that begins at `place` of the input; `from` is its place in the updates.
static void fold_inner(const Scatter* s, const int64_t place[LITE_MAX_RANK], int64_t from) {
    int64_t begin[LITE_MAX_RANK] = {0}, end[LITE_MAX_RANK] = {0}, at[LITE_MAX_RANK] = {0}, to = 0;
    uint32_t bounded = 0;
    assert(s->rank <= LITE_MAX_RANK && (s->inner_last < 0 || s->rank > 0));
    for (int i = s->inner; i < s->rank; i++) {
        const int64_t start = place[s->about[i]], room = s->bounds[s->about[i]] - start;
        begin[i] = start < 0 ? -start : 0;
        end[i] = s->dims[i] < room ? s->dims[i] : room;
        if (begin[i] >= end[i]) return;
        at[i] = begin[i];
        bounded |= 1u << s->about[i];
    }
    for (int i = 0; i < s->input_rank; i++) {
        if ((bounded >> i & 1u) == 0 && (place[i] < 0 || place[i] >= s->bounds[i])) return;
        to += place[i] * s->to[i];
    }
    const int last = s->rank - 1;
    for (;;) {
        int64_t source = from, target = to, count = 1, step = 1;
        for (int i = s->inner; i < s->rank; i++) {
            source += at[i] * s->from[i];
            target += at[i] * s->to[s->about[i]];
        }
        if (s->inner_last >= 0) {
            count = end[last] - begin[last];
            step = s->to[s->inner_last];
        }
        if (lite_cancelled()) return;
        s->reduce(s->output + target * s->element, step, s->updates + source * s->element, 1, count);
        int i = last - 1;
        for (; i >= s->inner && ++at[i] == end[i]; i--) at[i] = begin[i];
        if (i < s->inner) return;
    }
}

static void fold_updates(const Scatter* s) {
    int64_t at[LITE_MAX_RANK] = {0};
    for (;;) {
        int64_t coordinates[LITE_MAX_RANK], place[LITE_MAX_RANK], from = 0;
        for (int i = 0, position = 0; i < s->inner; i++) {
            if (s->about[i] < 0) coordinates[position++] = at[i];
        }
        lite_index_read(&s->vectors, coordinates, place);
        for (int i = 0; i < s->inner; i++) {
            from += at[i] * s->from[i];
            if (s->about[i] >= 0) place[s->about[i]] += at[i];
        }
        if (lite_cancelled()) return;
        fold_inner(s, place, from);
        int i = s->inner - 1;
        for (; i >= 0 && ++at[i] == s->dims[i]; i--) at[i] = 0;
        if (i < 0) return;
    }
}

static TfLiteStatus scatter_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Views v;
    Scatter s;
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(plan(context, node, &v, &s));
    if (v.output.count == 0) return kTfLiteOk;
    LiteMove copy = {0};
    lite_move_add(&copy, v.output.count, 1, 1);
    LITE_TRY(lite_move_tensor(context, op, &copy, &v.input, 0, &v.output, 0));
    if (v.updates.count == 0) return kTfLiteOk;
    s.updates = v.updates.data;
    s.output = v.output.data;
    fold_updates(&s);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_STABLEHLO_SCATTER = {.prepare = scatter_prepare, .invoke = scatter_invoke};
