// SPDX-License-Identifier: Apache-2.0
// SCATTER_ND adds updates to a tensor of zeros, each at the place that its coordinates name.
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/size.h"
#include "kernels-cpu/support/types.h"

// to[i] = to[i] + from[i], as integers wrap around.
#define DEFINE_ADD(SUFFIX, SUM_TYPE)                                                                         \
    static void add_##SUFFIX(void* to, const void* from, int64_t count) {                                    \
        stored_##SUFFIX* x = to;                                                                             \
        const stored_##SUFFIX* y = from;                                                                     \
        for (int64_t i = 0; i < count; i++) x[i] = (value_##SUFFIX)((SUM_TYPE)x[i] + (SUM_TYPE)y[i]);        \
    }

DEFINE_ADD(f32, float)
DEFINE_ADD(i8, uint32_t)
DEFINE_ADD(u8, uint32_t)
DEFINE_ADD(i32, uint32_t)
DEFINE_ADD(i64, uint64_t)
DEFINE_ADD(b8, uint32_t)

typedef void (*Add)(void* to, const void* from, int64_t count);

static Add find_add(TfLiteType type) {
#define CASE(SUFFIX)                                                                                         \
    case type_##SUFFIX:                                                                                      \
        return add_##SUFFIX;
    switch ((int)type) {
        CASE(f32)
        CASE(i8)
        CASE(u8)
        CASE(i32)
        CASE(i64)
        CASE(b8)
    default:
        return NULL;
    }
}

static TfLiteStatus scatter_nd_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView indices, updates, dims;
    int64_t lengths[LITE_MAX_RANK];
    int rank;
    LITE_TRY(lite_kernel_input(context, node, "SCATTER_ND", 0, &indices));
    LITE_TRY(lite_kernel_input(context, node, "SCATTER_ND", 1, &updates));
    LITE_TRY(lite_kernel_input(context, node, "SCATTER_ND", 2, &dims));
    LITE_TRY(lite_ints_read(context, "SCATTER_ND", "shape", &dims, LITE_MAX_RANK, lengths, &rank));
    for (int i = 0; i < rank; i++) LITE_TRY(lite_size_append(context, "SCATTER_ND", shape, lengths[i]));
    // Updates are shaped as the indices without their last dimension, then as what the coordinates leave.
    const int outer = indices.shape.rank - 1;
    const int32_t depth = indices.shape.dims[outer];
    if (depth > rank || updates.shape.rank != outer + rank - depth) {
        return lite_fail(context, "SCATTER_ND: %d coordinates, updates of %d dimensions, output of %d", depth,
                         updates.shape.rank, rank);
    }
    for (int i = 0; i < updates.shape.rank; i++) {
        const int32_t expected = i < outer ? indices.shape.dims[i] : shape->dims[depth + i - outer];
        if (updates.shape.dims[i] != expected) {
            return lite_fail(context, "SCATTER_ND: dimension %d of the updates is %d, expected %d", i,
                             updates.shape.dims[i], expected);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus scatter_nd_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView indices, updates, dims, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "SCATTER_ND", 3, 3, 1));
    LITE_TRY(lite_kernel_input(context, node, "SCATTER_ND", 0, &indices));
    LITE_TRY(lite_kernel_input(context, node, "SCATTER_ND", 1, &updates));
    LITE_TRY(lite_kernel_input(context, node, "SCATTER_ND", 2, &dims));
    LITE_TRY(lite_kernel_output(context, node, "SCATTER_ND", 0, &output));
    LITE_TRY(lite_check_types(context, "SCATTER_ND", "indices", &indices, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_types(context, "SCATTER_ND", "shape", &dims, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_same_type(context, "SCATTER_ND", &updates, &output));
    if (find_add(updates.type) == NULL) {
        return lite_fail(context, "SCATTER_ND: updates of type %s are not supported",
                         TfLiteTypeGetName(updates.type));
    }
    if (indices.shape.rank < 1 || updates.shape.rank < 1 || dims.shape.rank != 1) {
        return lite_fail(context, "SCATTER_ND: indices, updates and shape of %d, %d and %d dimensions",
                         indices.shape.rank, updates.shape.rank, dims.shape.rank);
    }
    return lite_size_output(context, node, "SCATTER_ND", 1u << 2, scatter_nd_rule);
}

static TfLiteStatus scatter_nd_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView indices, updates, output;
    LITE_TRY(lite_kernel_input(context, node, "SCATTER_ND", 0, &indices));
    LITE_TRY(lite_kernel_input(context, node, "SCATTER_ND", 1, &updates));
    LITE_TRY(lite_size_output_view(context, node, "SCATTER_ND", scatter_nd_rule, &output));
    if (output.bytes > 0) memset(output.data, 0, output.bytes);
    const int32_t depth = indices.shape.dims[indices.shape.rank - 1];
    int64_t rows = 1, length = 1;
    for (int i = 0; i + 1 < indices.shape.rank; i++) rows *= indices.shape.dims[i];
    for (int i = depth; i < output.shape.rank; i++) length *= output.shape.dims[i];
    const Add add = find_add(updates.type);
    const int64_t size = (int64_t)lite_type_size(updates.type);
    for (int64_t row = 0; row < rows && !lite_cancelled_at(row * length); row++) {
        int64_t at = 0;
        for (int32_t d = 0; d < depth; d++) {
            const int64_t index = lite_ints_at(&indices, row * depth + d);
            if (index < 0 || index >= output.shape.dims[d]) {
                return lite_fail(context,
                                 "SCATTER_ND: index %lld is outside dimension %d of %d elements: scatter_nd "
                                 "index out of bounds",
                                 (long long)index, d, output.shape.dims[d]);
            }
            at = at * output.shape.dims[d] + index;
        }
        if (length == 0) continue;
        add((char*)output.data + at * length * size, (const char*)updates.data + row * length * size, length);
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_SCATTER_ND = {.prepare = scatter_nd_prepare, .invoke = scatter_nd_invoke};
