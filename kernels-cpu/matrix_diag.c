// SPDX-License-Identifier: Apache-2.0
// MATRIX_DIAG makes matrices of zeros with vectors as diagonals. MATRIX_SET_DIAG replaces the diagonals of
// matrices.
#include <string.h>

#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

// Copies the vectors of `diagonals` onto the diagonals of the matrices of `output`.
static TfLiteStatus write_diagonals(TfLiteOpaqueContext* context, const char* op, const LiteView* diagonals,
                                    LiteView* output) {
    const int64_t length = diagonals->shape.dims[diagonals->shape.rank - 1];
    const int64_t rows = output->shape.dims[output->shape.rank - 2];
    const int64_t columns = output->shape.dims[output->shape.rank - 1];
    LiteMove copy = {0};
    if (output->count == 0) return kTfLiteOk;
    lite_move_add(&copy, output->count / (rows * columns), length, rows * columns);
    lite_move_add(&copy, length, 1, columns + 1);
    return lite_move_tensor(context, op, &copy, diagonals, 0, output, 0);
}

static TfLiteStatus matrix_diag_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "MATRIX_DIAG", 1, 1, 1));
    LITE_TRY(lite_kernel_input(context, node, "MATRIX_DIAG", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "MATRIX_DIAG", 0, &output));
    LITE_TRY(lite_check_types(context, "MATRIX_DIAG", "input", &input, LITE_TYPES_FIXED));
    LITE_TRY(lite_check_same_type(context, "MATRIX_DIAG", &input, &output));
    if (input.shape.rank < 1) return lite_fail(context, "MATRIX_DIAG: the input is a scalar");
    LiteShape shape = input.shape;
    LITE_TRY(lite_size_append(context, "MATRIX_DIAG", &shape, shape.dims[shape.rank - 1]));
    return lite_kernel_resize(context, output.tensor, &shape);
}

static TfLiteStatus matrix_diag_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, "MATRIX_DIAG", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "MATRIX_DIAG", 0, &output));
    if (output.bytes > 0) memset(output.data, 0, output.bytes);
    return write_diagonals(context, "MATRIX_DIAG", &input, &output);
}

const LiteKernel lite_kernel_MATRIX_DIAG = {.prepare = matrix_diag_prepare, .invoke = matrix_diag_invoke};

static TfLiteStatus matrix_set_diag_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, diagonal, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "MATRIX_SET_DIAG", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "MATRIX_SET_DIAG", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "MATRIX_SET_DIAG", 1, &diagonal));
    LITE_TRY(lite_kernel_output(context, node, "MATRIX_SET_DIAG", 0, &output));
    LITE_TRY(lite_check_types(context, "MATRIX_SET_DIAG", "input", &input, LITE_TYPES_FIXED));
    LITE_TRY(lite_check_same_type(context, "MATRIX_SET_DIAG", &input, &diagonal));
    LITE_TRY(lite_check_same_type(context, "MATRIX_SET_DIAG", &input, &output));
    const int rank = input.shape.rank;
    if (rank < 2) return lite_fail(context, "MATRIX_SET_DIAG: input has %d dimensions", rank);
    LiteShape expected = input.shape;
    expected.rank--;
    if (input.shape.dims[rank - 1] < expected.dims[rank - 2])
        expected.dims[rank - 2] = input.shape.dims[rank - 1];
    if (!lite_shape_equal(&expected, &diagonal.shape)) {
        return lite_fail(context, "MATRIX_SET_DIAG: diagonals of shape %s, expected %s",
                         lite_shape_text(&diagonal.shape).text, lite_shape_text(&expected).text);
    }
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

static TfLiteStatus matrix_set_diag_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, diagonal, output;
    LITE_TRY(lite_kernel_input(context, node, "MATRIX_SET_DIAG", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "MATRIX_SET_DIAG", 1, &diagonal));
    LITE_TRY(lite_kernel_output(context, node, "MATRIX_SET_DIAG", 0, &output));
    if (output.bytes > 0) memcpy(output.data, input.data, output.bytes);
    return write_diagonals(context, "MATRIX_SET_DIAG", &diagonal, &output);
}

const LiteKernel lite_kernel_MATRIX_SET_DIAG = {.prepare = matrix_set_diag_prepare,
                                                .invoke = matrix_set_diag_invoke};
