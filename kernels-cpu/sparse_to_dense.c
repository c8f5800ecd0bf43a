// SPDX-License-Identifier: Apache-2.0
// SPARSE_TO_DENSE puts values at given coordinates and a default everywhere else.
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

enum { kIndices, kShape, kValues, kDefault };

static TfLiteStatus dense_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView dims;
    int64_t lengths[LITE_MAX_RANK];
    int rank;
    LITE_TRY(lite_kernel_input(context, node, "SPARSE_TO_DENSE", kShape, &dims));
    LITE_TRY(lite_ints_read(context, "SPARSE_TO_DENSE", "shape", &dims, LITE_MAX_RANK, lengths, &rank));
    for (int i = 0; i < rank; i++) LITE_TRY(lite_size_append(context, "SPARSE_TO_DENSE", shape, lengths[i]));
    return kTfLiteOk;
}

#define MAX_COORDINATES 4 // as in the reference

// A scalar or vector of indices names places of a vector, a matrix has one row of coordinates for each value.
static TfLiteStatus dense_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    static const char op[] = "SPARSE_TO_DENSE";
    LiteView indices, dims, values, standard, output;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 4, 4, 1));
    LITE_TRY(lite_kernel_input(context, node, op, kIndices, &indices));
    LITE_TRY(lite_kernel_input(context, node, op, kShape, &dims));
    LITE_TRY(lite_kernel_input(context, node, op, kValues, &values));
    LITE_TRY(lite_kernel_input(context, node, op, kDefault, &standard));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(lite_check_types(context, op, "indices", &indices, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    LITE_TRY(lite_check_types(context, op, "shape", &dims, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    LITE_TRY(lite_check_types(context, op, "values", &values,
                              LITE_TYPE(Float32) | LITE_TYPE(Int8) | LITE_TYPE(UInt8) | LITE_TYPE(Int32) |
                                  LITE_TYPE(Int64)));
    LITE_TRY(lite_check_same_type(context, op, &values, &standard));
    LITE_TRY(lite_check_same_type(context, op, &values, &output));
    if (indices.shape.rank > 2 || dims.shape.rank != 1 || values.shape.rank > 1 || standard.count != 1) {
        return lite_fail(context, "%s: indices of %d dimensions, shape of %d, values of %d, %lld defaults",
                         op, indices.shape.rank, dims.shape.rank, values.shape.rank,
                         (long long)standard.count);
    }
    const int64_t rows = indices.shape.rank == 0 ? 1 : indices.shape.dims[0];
    const int64_t depth = indices.shape.rank == 2 ? indices.shape.dims[1] : 1;
    if (depth != dims.count || (values.shape.rank == 1 && values.count != rows)) {
        return lite_fail(context, "%s: %lld indices of %lld coordinates for %lld values in %lld dimensions",
                         op, (long long)rows, (long long)depth, (long long)values.count,
                         (long long)dims.count);
    }
    if (depth > MAX_COORDINATES) {
        return lite_fail(context, "%s: an output of %lld dimensions, at most %d are supported", op,
                         (long long)depth, MAX_COORDINATES);
    }
    return lite_size_output(context, node, op, 1u << kShape, dense_rule);
}

static TfLiteStatus dense_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    static const char op[] = "SPARSE_TO_DENSE";
    LiteView indices, values, standard, output;
    LITE_TRY(lite_size_output_view(context, node, op, dense_rule, &output));
    LITE_TRY(lite_kernel_input(context, node, op, kIndices, &indices));
    LITE_TRY(lite_kernel_input(context, node, op, kValues, &values));
    LITE_TRY(lite_kernel_input(context, node, op, kDefault, &standard));
    LiteMove fill = {0};
    lite_move_add(&fill, output.count, 0, 1);
    LITE_TRY(lite_move_tensor(context, op, &fill, &standard, 0, &output, 0));
    const int depth = output.shape.rank;
    const size_t size = lite_type_size(output.type);
    const int64_t rows = indices.shape.rank == 0 ? 1 : indices.shape.dims[0];
    for (int64_t row = 0; row < rows && !lite_cancelled_at(row); row++) {
        int64_t at = 0;
        for (int d = 0; d < depth; d++) {
            const int64_t index = lite_ints_at(&indices, row * depth + d);
            if (index < 0 || index >= output.shape.dims[d]) {
                return lite_fail(context, "%s: index %lld is outside dimension %d of %d elements", op,
                                 (long long)index, d, output.shape.dims[d]);
            }
            at = at * output.shape.dims[d] + index;
        }
        const size_t value = values.shape.rank == 0 ? 0 : (size_t)row;
        memcpy((char*)output.data + (size_t)at * size, (const char*)values.data + value * size, size);
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_SPARSE_TO_DENSE = {.prepare = dense_prepare, .invoke = dense_invoke};
