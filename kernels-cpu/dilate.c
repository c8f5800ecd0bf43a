// SPDX-License-Identifier: Apache-2.0
// DILATE puts copies of a padding value between neighbouring elements.
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

enum { kInput, kDilations, kPadding };

static TfLiteStatus read_dilations(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int rank,
                                   int64_t values[LITE_MAX_RANK]) {
    LiteView dilations;
    int count;
    LITE_TRY(lite_kernel_input(context, node, "DILATE", kDilations, &dilations));
    if (dilations.shape.rank != 1) {
        return lite_fail(context, "DILATE: the dilations have %d dimensions, expected 1",
                         dilations.shape.rank);
    }
    LITE_TRY(lite_ints_read(context, "DILATE", "dilations", &dilations, LITE_MAX_RANK, values, &count));
    if (count != rank)
        return lite_fail(context, "DILATE: %d dilations for an input of %d dimensions", count, rank);
    for (int i = 0; i < rank; i++) {
        if (values[i] < 1) {
            return lite_fail(context, "DILATE: dilation %d is %lld, expected at least 1", i,
                             (long long)values[i]);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus dilate_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input;
    int64_t dilations[LITE_MAX_RANK];
    LITE_TRY(lite_kernel_input(context, node, "DILATE", kInput, &input));
    LITE_TRY(read_dilations(context, node, input.shape.rank, dilations));
    for (int i = 0; i < input.shape.rank; i++) {
        // Negative for an empty dimension, which nothing can be put between.
        const int64_t length = (input.shape.dims[i] - INT64_C(1)) * dilations[i] + 1;
        LITE_TRY(lite_size_append(context, "DILATE", shape, length));
    }
    return kTfLiteOk;
}

static TfLiteStatus dilate_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, dilations, padding, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "DILATE", 3, 3, 1));
    LITE_TRY(lite_kernel_input(context, node, "DILATE", kInput, &input));
    LITE_TRY(lite_kernel_input(context, node, "DILATE", kDilations, &dilations));
    LITE_TRY(lite_kernel_input(context, node, "DILATE", kPadding, &padding));
    LITE_TRY(lite_kernel_output(context, node, "DILATE", 0, &output));
    LITE_TRY(lite_check_types(context, "DILATE", "input", &input, LITE_TYPES_FIXED));
    LITE_TRY(lite_check_types(context, "DILATE", "dilations", &dilations, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_same_type(context, "DILATE", &input, &padding));
    LITE_TRY(lite_check_same_type(context, "DILATE", &input, &output));
    if (input.shape.rank < 1) return lite_fail(context, "DILATE: the input is a scalar");
    if (padding.count < 1) return lite_fail(context, "DILATE: the padding value is empty");
    return lite_size_output(context, node, "DILATE", 1u << kDilations, dilate_rule);
}

static TfLiteStatus dilate_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, padding, output;
    int64_t dilations[LITE_MAX_RANK], from[LITE_MAX_RANK], to[LITE_MAX_RANK];
    LITE_TRY(lite_size_output_view(context, node, "DILATE", dilate_rule, &output));
    LITE_TRY(lite_kernel_input(context, node, "DILATE", kInput, &input));
    LITE_TRY(lite_kernel_input(context, node, "DILATE", kPadding, &padding));
    LITE_TRY(read_dilations(context, node, input.shape.rank, dilations));
    if (output.count == 0) return kTfLiteOk;
    LiteMove fill = {0}, scatter = {0};
    if (output.count != input.count) {
        lite_move_add(&fill, output.count, 0, 1);
        LITE_TRY(lite_move_tensor(context, "DILATE", &fill, &padding, 0, &output, 0));
    }
    lite_move_strides(&input.shape, from);
    lite_move_strides(&output.shape, to);
    for (int i = 0; i < input.shape.rank; i++) {
        lite_move_add(&scatter, input.shape.dims[i], from[i], to[i] * dilations[i]);
    }
    return lite_move_tensor(context, "DILATE", &scatter, &input, 0, &output, 0);
}

const LiteKernel lite_kernel_DILATE = {.prepare = dilate_prepare, .invoke = dilate_invoke};
