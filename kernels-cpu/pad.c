// SPDX-License-Identifier: Apache-2.0
// PAD, PADV2 (a constant around the input) and MIRROR_PAD (the input reflected at its borders).
#include <assert.h>
#include <string.h>

#include "kernels-cpu/support/move.h"
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

#define MAX_PAD_RANK 5 // as in the reference

static const uint32_t pad_types = LITE_TYPES_INTEGER | LITE_TYPES_HALF | LITE_TYPE(Float32) | LITE_TYPE(Bool);

typedef struct Paddings {
    int64_t before[LITE_MAX_RANK];
    int64_t after[LITE_MAX_RANK];
} Paddings;

static const uint32_t mirror_paddings = LITE_TYPE(Int32) | LITE_TYPE(Int64);
static const uint32_t constant_paddings =
    LITE_TYPE(Int8) | LITE_TYPE(Int16) | LITE_TYPE(Int32) | LITE_TYPE(Int64) | LITE_TYPE(Bool);

static TfLiteStatus read_paddings(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                  uint32_t types, int rank, Paddings* paddings) {
    LiteView view;
    LITE_TRY(lite_kernel_input(context, node, op, 1, &view));
    if (view.shape.rank != 2 || view.shape.dims[0] != rank || view.shape.dims[1] != 2) {
        return lite_fail(context,
                         "%s: paddings of an input of %d dimensions must be %d x 2: "
                         "SizeOfDimension(op_context.paddings, 0) != op_context.dims (%d != %d)",
                         op, rank, rank, view.shape.dims[0], rank);
    }
    LITE_TRY(lite_check_types(context, op, "paddings", &view, types));
    if (view.count > 0 && view.data == NULL) return lite_fail(context, "%s: paddings has no data", op);
    for (int i = 0; i < rank; i++) {
        paddings->before[i] = lite_ints_at(&view, 2 * i);
        paddings->after[i] = lite_ints_at(&view, 2 * i + 1);
        if (paddings->before[i] < 0 || paddings->after[i] < 0 || paddings->before[i] > INT32_MAX ||
            paddings->after[i] > INT32_MAX) {
            return lite_fail(context, "%s: dimension %d is padded by %lld and %lld: %s", op, i,
                             (long long)paddings->before[i], (long long)paddings->after[i],
                             strcmp(op, "MIRROR_PAD") == 0 ? "MirrorPad paddings must be non-negative."
                                                           : "Pad value has to be greater than equal to 0.");
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus padded_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                 uint32_t types, LiteShape* shape) {
    LiteView input;
    Paddings paddings;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(read_paddings(context, node, op, types, input.shape.rank, &paddings));
    for (int i = 0; i < input.shape.rank; i++) {
        LITE_TRY(lite_size_append(context, op, shape,
                                  input.shape.dims[i] + paddings.before[i] + paddings.after[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus pad_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    return padded_shape(context, node, "PAD", constant_paddings, shape);
}

static TfLiteStatus pad_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output, value;
    LITE_TRY(lite_kernel_check_counts(context, node, "PAD", 2, 3, 1));
    // Before there is a view of it, which is an error of its own for still more dimensions.
    const int rank = TfLiteOpaqueTensorNumDims(TfLiteOpaqueNodeGetInput(context, node, 0));
    if (rank > MAX_PAD_RANK) {
        return lite_fail(context,
                         "PAD: the input has %d dimensions, at most %d can be padded: dims <= "
                         "reference_ops::PadKernelMaxDimensionCount() was not true.",
                         rank, MAX_PAD_RANK);
    }
    LITE_TRY(lite_kernel_input(context, node, "PAD", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "PAD", 0, &output));
    LITE_TRY(lite_check_types(context, "PAD", "input", &input, pad_types));
    LITE_TRY(lite_check_same_type(context, "PAD", &input, &output));
    if (lite_kernel_has_input(node, 2)) {
        LITE_TRY(lite_kernel_input(context, node, "PAD", 2, &value));
        LITE_TRY(lite_check_same_elements(context, "PAD", &value, &output));
        if (value.count != 1) {
            return lite_fail(context, "PAD: the padding value has %lld elements", (long long)value.count);
        }
    }
    return lite_size_output(context, node, "PAD", 1u << 1, pad_rule);
}

// The element around the input: the given one, or what stands for zero.
static TfLiteStatus padding_element(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                    const LiteView* output, char element[16]) {
    memset(element, 0, 16);
    if (lite_kernel_has_input(node, 2)) {
        LiteView value;
        LITE_TRY(lite_kernel_input(context, node, "PAD", 2, &value));
        if (value.count != 1 || value.data == NULL || value.type != output->type) {
            return lite_fail(context, "PAD: the padding value is %lld elements of type %s, expected 1 of %s",
                             (long long)value.count, TfLiteTypeGetName(value.type),
                             TfLiteTypeGetName(output->type));
        }
        memcpy(element, value.data, lite_type_size(value.type));
        return kTfLiteOk;
    }
    const int32_t zero = output->zero_point;
    switch (output->type) {
    case kTfLiteUInt8:
    case kTfLiteInt8:
        element[0] = (char)zero;
        break;
    case kTfLiteInt16:
        memcpy(element, &(int16_t){(int16_t)zero}, sizeof(int16_t));
        break;
    default:
        break;
    }
    return kTfLiteOk;
}

// Fills what the input leaves of the output: in each dimension what is before and after it, within the part
// that the dimensions before leave.
static void fill_borders(const LiteView* output, const Paddings* paddings, const char* element, int threads) {
    const LiteShape* shape = &output->shape;
    const size_t size = lite_type_size(output->type);
    int64_t to[LITE_MAX_RANK], first = 0;
    lite_move_strides(shape, to);
    for (int axis = 0; axis < shape->rank; axis++) {
        LiteMove before = {0};
        for (int i = 0; i < shape->rank; i++) {
            const int64_t taken = i < axis ? paddings->before[i] + paddings->after[i] : 0;
            if (i != axis) lite_move_add(&before, shape->dims[i] - taken, 0, to[i]);
        }
        LiteMove after = before;
        lite_move_add(&before, paddings->before[axis], 0, to[axis]);
        lite_move_add(&after, paddings->after[axis], 0, to[axis]);
        const int64_t end = first + (shape->dims[axis] - paddings->after[axis]) * to[axis];
        char* data = output->data;
        lite_move_run(&before, element, data + (size_t)first * size, size, threads);
        lite_move_run(&after, element, data + (size_t)end * size, size, threads);
        first += paddings->before[axis] * to[axis];
    }
}

static TfLiteStatus pad_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    Paddings paddings;
    char element[16];
    LITE_TRY(lite_kernel_input(context, node, "PAD", 0, &input));
    LITE_TRY(lite_size_output_view(context, node, "PAD", pad_rule, &output));
    LITE_TRY(read_paddings(context, node, "PAD", constant_paddings, input.shape.rank, &paddings));
    LITE_TRY(padding_element(context, node, &output, element));
    if (output.count == 0) return kTfLiteOk;
    LiteMove copy = {0};
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK], offset = 0;
    lite_move_strides(&input.shape, from);
    lite_move_strides(&output.shape, to);
    for (int i = 0; i < input.shape.rank; i++) {
        if (input.shape.dims[i] + paddings.before[i] + paddings.after[i] != output.shape.dims[i]) {
            return lite_fail(context, "PAD: the paddings have changed");
        }
        lite_move_add(&copy, input.shape.dims[i], from[i], to[i]);
        offset += paddings.before[i] * to[i];
    }
    fill_borders(&output, &paddings, element, lite_kernel_num_threads(context));
    return lite_move_tensor(context, "PAD", &copy, &input, 0, &output, offset);
}

// Is what surrounds the input what stands for zero?
static bool is_zero(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const LiteView* output) {
    if (output->type == kTfLiteInt16 && output->zero_point != 0) return false; // products have none
    if (!lite_kernel_has_input(node, 2)) return true;
    LiteView value;
    if (lite_kernel_input(context, node, "PAD", 2, &value) != kTfLiteOk) return false;
    if (!value.constant || value.data == NULL || value.count != 1 || value.type != output->type) return false;
    char element[16], zero[16] = {0};
    if (padding_element(context, node, output, element) != kTfLiteOk) return false;
    if (output->type == kTfLiteInt8 || output->type == kTfLiteUInt8) zero[0] = (char)output->zero_point;
    return memcmp(element, zero, sizeof zero) == 0;
}

// Lines and columns are surrounded, by numbers that prepare knows.
static bool pad_find_border(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteBorder* border) {
    LiteView output, paddings;
    Paddings p;
    if (lite_kernel_output(context, node, "PAD", 0, &output) != kTfLiteOk || output.shape.rank != 4 ||
        lite_kernel_input(context, node, "PAD", 1, &paddings) != kTfLiteOk || !paddings.constant ||
        read_paddings(context, node, "PAD", constant_paddings, 4, &p) != kTfLiteOk) {
        return false;
    }
    if (p.before[0] != 0 || p.after[0] != 0 || p.before[3] != 0 || p.after[3] != 0) return false;
    if (!is_zero(context, node, &output)) return false;
    *border = (LiteBorder){(int32_t)p.before[1], (int32_t)p.before[2]};
    return true;
}

static const LiteLines pad_lines = {.find_border = pad_find_border};

const LiteKernel lite_kernel_PAD = {.prepare = pad_prepare, .invoke = pad_invoke, .lines = &pad_lines};
const LiteKernel lite_kernel_PADV2 = {.prepare = pad_prepare, .invoke = pad_invoke, .lines = &pad_lines};

// How far from the border a reflection starts: REFLECT leaves the border itself out.
static TfLiteStatus mirror_offset(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int* offset) {
    const TfLiteMirrorPaddingParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "MIRROR_PAD: no parameters");
    if (params->mode != kTfLiteMirrorPaddingReflect && params->mode != kTfLiteMirrorPaddingSymmetric) {
        return lite_fail(context, "MIRROR_PAD: mode %d is unknown", (int)params->mode);
    }
    *offset = params->mode == kTfLiteMirrorPaddingReflect ? 1 : 0;
    return kTfLiteOk;
}

static TfLiteStatus mirror_pad_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input;
    Paddings paddings;
    int offset;
    LITE_TRY(mirror_offset(context, node, &offset));
    LITE_TRY(lite_kernel_input(context, node, "MIRROR_PAD", 0, &input));
    LITE_TRY(read_paddings(context, node, "MIRROR_PAD", mirror_paddings, input.shape.rank, &paddings));
    for (int i = 0; i < input.shape.rank; i++) {
        const int64_t most = input.shape.dims[i] > offset ? input.shape.dims[i] - offset : 0;
        if (paddings.before[i] > most || paddings.after[i] > most) {
            return lite_fail(context,
                             "MIRROR_PAD: dimension %d of %d elements cannot be padded by %lld and %lld: "
                             "MirrorPad paddings "
                             "must be no greater than the input dimension size minus the mode offset.",
                             i, input.shape.dims[i], (long long)paddings.before[i],
                             (long long)paddings.after[i]);
        }
    }
    return padded_shape(context, node, "MIRROR_PAD", mirror_paddings, shape);
}

static TfLiteStatus mirror_pad_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    int offset;
    LITE_TRY(lite_kernel_check_counts(context, node, "MIRROR_PAD", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "MIRROR_PAD", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "MIRROR_PAD", 0, &output));
    LITE_TRY(
        lite_check_types(context, "MIRROR_PAD", "input", &input, LITE_TYPES_FIXED & ~LITE_TYPE(Complex128)));
    LITE_TRY(lite_check_same_elements(context, "MIRROR_PAD", &input, &output));
    LITE_TRY(mirror_offset(context, node, &offset));
    return lite_size_output(context, node, "MIRROR_PAD", 1u << 1, mirror_pad_rule);
}

// Copies the input into the middle, then reflects one dimension after the other: the parts of a dimension
// that are done already, padding included, are the source of the next one.
static TfLiteStatus mirror_pad_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    Paddings paddings;
    int mirror;
    LITE_TRY(mirror_offset(context, node, &mirror));
    LITE_TRY(lite_kernel_input(context, node, "MIRROR_PAD", 0, &input));
    LITE_TRY(lite_size_output_view(context, node, "MIRROR_PAD", mirror_pad_rule, &output));
    LITE_TRY(read_paddings(context, node, "MIRROR_PAD", mirror_paddings, input.shape.rank, &paddings));
    const int rank = input.shape.rank;
    assert(rank >= 0);
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK], offset = 0;
    LiteMove copy = {0};
    lite_move_strides(&input.shape, from);
    lite_move_strides(&output.shape, to);
    for (int i = 0; i < rank; i++) {
        lite_move_add(&copy, input.shape.dims[i], from[i], to[i]);
        offset += paddings.before[i] * to[i];
    }
    LITE_TRY(lite_move_tensor(context, "MIRROR_PAD", &copy, &input, 0, &output, offset));
    for (int axis = rank - 1; axis >= 0; axis--) {
        // Dimensions after the axis are complete, those before it lack their padding.
        const int64_t begin = paddings.before[axis], end = begin + input.shape.dims[axis];
        int64_t base = 0;
        LiteMove before = {0}, after = {0};
        for (int i = 0; i < rank; i++) {
            if (i == axis) {
                lite_move_add(&before, paddings.before[i], to[i], -to[i]);
                lite_move_add(&after, paddings.after[i], -to[i], to[i]);
                continue;
            }
            const int64_t length = i < axis ? input.shape.dims[i] : output.shape.dims[i];
            if (i < axis) base += paddings.before[i] * to[i];
            lite_move_add(&before, length, to[i], to[i]);
            lite_move_add(&after, length, to[i], to[i]);
        }
        LITE_TRY(lite_move_tensor(context, "MIRROR_PAD", &before, &output, base + (begin + mirror) * to[axis],
                                  &output, base + (begin - 1) * to[axis]));
        LITE_TRY(lite_move_tensor(context, "MIRROR_PAD", &after, &output,
                                  base + (end - 1 - mirror) * to[axis], &output, base + end * to[axis]));
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_MIRROR_PAD = {.prepare = mirror_pad_prepare, .invoke = mirror_pad_invoke};
