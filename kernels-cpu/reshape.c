// SPDX-License-Identifier: Apache-2.0
// RESHAPE, SQUEEZE, EXPAND_DIMS and BITCAST: the bytes stay, the shape changes.
#include <string.h>

#include "core/base/epilogue.h"
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/selected.h"
#include "kernels-cpu/support/size.h"

// Invoke of all of them.
static TfLiteStatus copy_bytes(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               LiteShapeRule rule) {
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_size_output_view(context, node, op, rule, &output));
    if (output.type == kTfLiteString) {
        if (TfLiteTensorRealloc(input.bytes, (TfLiteTensor*)(void*)output.tensor) != kTfLiteOk) {
            return lite_fail(context, "%s: out of memory for %zu bytes of strings", op, input.bytes);
        }
        LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    }
    if (output.bytes != input.bytes) {
        return lite_fail(context, "%s: the input has %zu bytes, the output %zu", op, input.bytes,
                         output.bytes);
    }
    if (input.bytes > 0 && (input.data == NULL || output.data == NULL)) {
        return lite_fail(context, "%s: a tensor has no data", op);
    }
    if (input.bytes > 0 && input.data != output.data) memcpy(output.data, input.data, input.bytes);
    return kTfLiteOk;
}

// The output is the input, whatever its shape.
static bool find_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    LiteView input, output;
    if (lite_kernel_input(context, node, "RESHAPE", 0, &input) != kTfLiteOk ||
        lite_kernel_output(context, node, "RESHAPE", 0, &output) != kTfLiteOk || output.dynamic ||
        output.type == kTfLiteString || input.bytes != output.bytes) {
        return false;
    }
    lite_move_add_place(context, places, &output, &input, 0);
    return true;
}

// The same where others run it with what is before and after.
static bool describe_view(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteEpilogueStep* step) {
    (void)context, (void)node;
    step->is_view = true;
    step->operand_count = 1;
    return true;
}

static const LiteLines view_lines = {.describe = LITE_HAS_TYPE(kTfLiteFloat32) ? describe_view : NULL,
                                     .find_places = find_places};

// Multiplies the dimensions that are not 0 and notes those that are.
static bool multiply_nonzero(int64_t length, int64_t* product, bool* has_zero) {
    if (length < 0 || length > INT32_MAX) return false;
    if (length == 0) *has_zero = true;
    return length == 0 || !__builtin_mul_overflow(*product, length, product);
}

// Replaces the one -1 of the wanted shape and checks the number of elements. Of an empty input the -1 takes
// what the dimensions that are not 0 leave, as in the reference.
static TfLiteStatus resolve_reshape(TfLiteOpaqueContext* context, const int64_t* wanted, int rank,
                                    const LiteView* input, LiteShape* shape) {
    int stretched = -1;
    int64_t known = 1, given = 1;
    bool empty = false, input_empty = false;
    for (int i = 0; i < input->shape.rank; i++) {
        multiply_nonzero(input->shape.dims[i], &given, &input_empty);
    }
    for (int i = 0; i < rank; i++) {
        if (wanted[i] == -1 && stretched < 0) {
            stretched = i;
        } else if (!multiply_nonzero(wanted[i], &known, &empty)) {
            if (wanted[i] != -1)
                return lite_fail(context, "RESHAPE: dimension %d is %lld%s", i, (long long)wanted[i],
                                 wanted[i] < 0 ? ": output shape contains negative dimension" : "");
            return lite_fail(context, "RESHAPE: dimensions %d and %d are -1: stretch_dim != -1 (%d != -1)",
                             stretched, i, stretched);
        }
    }
    const int64_t rest = stretched < 0 ? 1 : empty ? given / known : input->count / known;
    const int64_t elements = empty ? 0 : known * rest;
    if (elements != input->count) {
        return lite_fail(context,
                         "RESHAPE: the input has %lld elements, the shape %lld: num_input_elements != "
                         "num_output_elements (%lld != %lld)",
                         (long long)input->count, (long long)elements, (long long)input->count,
                         (long long)elements);
    }
    for (int i = 0; i < rank; i++) {
        LITE_TRY(lite_size_append(context, "RESHAPE", shape, i == stretched ? rest : wanted[i]));
    }
    return kTfLiteOk;
}

// The second input gives the shape when it is a vector of INT32, else the parameters do.
static bool has_shape_vector(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    if (!lite_kernel_has_input(node, 1)) return false;
    const TfLiteOpaqueTensor* tensor = TfLiteOpaqueNodeGetInput(context, node, 1);
    return TfLiteOpaqueTensorType(tensor) == kTfLiteInt32 && TfLiteOpaqueTensorNumDims(tensor) == 1;
}

static TfLiteStatus reshape_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input;
    int64_t wanted[LITE_MAX_RANK];
    int rank = 0;
    LITE_TRY(lite_kernel_input(context, node, "RESHAPE", 0, &input));
    if (has_shape_vector(context, node)) {
        LiteView vector;
        LITE_TRY(lite_kernel_input(context, node, "RESHAPE", 1, &vector));
        LITE_TRY(lite_ints_read(context, "RESHAPE", "shape", &vector, LITE_MAX_RANK, wanted, &rank));
    } else {
        const TfLiteReshapeParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
        if (params == NULL) return lite_fail(context, "RESHAPE: neither a shape input nor parameters");
        rank = params->num_dimensions;
        if (rank < 0 || rank > LITE_MAX_RANK) return lite_fail(context, "RESHAPE: %d dimensions", rank);
        // Old models say [0] for a scalar.
        if (rank == 1 && params->shape[0] == 0) rank = 0;
        for (int i = 0; i < rank; i++) wanted[i] = params->shape[i];
    }
    return resolve_reshape(context, wanted, rank, &input, shape);
}

static TfLiteStatus reshape_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return copy_bytes(context, node, "RESHAPE", reshape_rule);
}

static TfLiteStatus reshape_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "RESHAPE", 1, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "RESHAPE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "RESHAPE", 0, &output));
    LITE_TRY(lite_check_same_type(context, "RESHAPE", &input, &output));
    return lite_size_output(context, node, "RESHAPE", has_shape_vector(context, node) ? 1u << 1 : 0,
                            reshape_rule);
}

const LiteKernel lite_kernel_RESHAPE = {
    .prepare = reshape_prepare, .invoke = reshape_invoke, .lines = &view_lines, .fold = kLiteFoldConstants};

static TfLiteStatus squeeze_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input;
    LITE_TRY(lite_kernel_input(context, node, "SQUEEZE", 0, &input));
    const TfLiteSqueezeParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    const int named = params == NULL ? 0 : params->num_squeeze_dims;
    bool squeezed[LITE_MAX_RANK] = {false};
    for (int i = 0; i < named && i < 8; i++) {
        int axis;
        LITE_TRY(lite_ints_axis(context, "SQUEEZE", params->squeeze_dims[i], input.shape.rank, &axis));
        if (input.shape.dims[axis] != 1) {
            return lite_fail(context, "SQUEEZE: dimension %d is %d, not 1", axis, input.shape.dims[axis]);
        }
        squeezed[axis] = true;
    }
    for (int i = 0; i < input.shape.rank; i++) {
        const bool drop = named > 0 ? squeezed[i] : input.shape.dims[i] == 1;
        if (!drop) LITE_TRY(lite_size_append(context, "SQUEEZE", shape, input.shape.dims[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus squeeze_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return copy_bytes(context, node, "SQUEEZE", squeeze_rule);
}

static TfLiteStatus squeeze_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "SQUEEZE", 1, 1, 1));
    LITE_TRY(lite_kernel_input(context, node, "SQUEEZE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "SQUEEZE", 0, &output));
    LITE_TRY(lite_check_same_type(context, "SQUEEZE", &input, &output));
    return lite_size_output(context, node, "SQUEEZE", 0, squeeze_rule);
}

const LiteKernel lite_kernel_SQUEEZE = {
    .prepare = squeeze_prepare, .invoke = squeeze_invoke, .lines = &view_lines, .fold = kLiteFoldSizes};

static TfLiteStatus expand_dims_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input, axis_view;
    int64_t wanted;
    int axis;
    LITE_TRY(lite_kernel_input(context, node, "EXPAND_DIMS", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "EXPAND_DIMS", 1, &axis_view));
    LITE_TRY(lite_ints_read_one(context, "EXPAND_DIMS", "axis", &axis_view, &wanted));
    LITE_TRY(lite_ints_axis(context, "EXPAND_DIMS", wanted, input.shape.rank + 1, &axis));
    for (int i = 0; i <= input.shape.rank; i++) {
        const int32_t length = i == axis ? 1 : input.shape.dims[i < axis ? i : i - 1];
        LITE_TRY(lite_size_append(context, "EXPAND_DIMS", shape, length));
    }
    return kTfLiteOk;
}

static TfLiteStatus expand_dims_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return copy_bytes(context, node, "EXPAND_DIMS", expand_dims_rule);
}

static TfLiteStatus expand_dims_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "EXPAND_DIMS", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "EXPAND_DIMS", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "EXPAND_DIMS", 0, &output));
    LITE_TRY(lite_check_same_type(context, "EXPAND_DIMS", &input, &output));
    LITE_TRY(lite_check_same_quantization(context, "EXPAND_DIMS", &input, &output));
    return lite_size_output(context, node, "EXPAND_DIMS", 1u << 1, expand_dims_rule);
}

const LiteKernel lite_kernel_EXPAND_DIMS = {.prepare = expand_dims_prepare,
                                            .invoke = expand_dims_invoke,
                                            .lines = &view_lines,
                                            .fold = kLiteFoldSizes};

// A wider output element takes the place of the last dimension, a narrower one adds a last dimension.
static TfLiteStatus bitcast_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, "BITCAST", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "BITCAST", 0, &output));
    const int64_t from = (int64_t)lite_type_size(input.type), to = (int64_t)lite_type_size(output.type);
    if (from == 0 || to == 0) {
        return lite_fail(context, "BITCAST: from %s to %s is not supported", TfLiteTypeGetName(input.type),
                         TfLiteTypeGetName(output.type));
    }
    *shape = input.shape;
    if (from > to) return lite_size_append(context, "BITCAST", shape, from / to);
    if (from == to) return kTfLiteOk;
    if (shape->rank == 0 || shape->dims[shape->rank - 1] != to / from) {
        return lite_fail(context, "BITCAST: from %s to %s the last dimension must be %lld",
                         TfLiteTypeGetName(input.type), TfLiteTypeGetName(output.type),
                         (long long)(to / from));
    }
    shape->rank--;
    return kTfLiteOk;
}

static TfLiteStatus bitcast_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_TRY(lite_kernel_check_counts(context, node, "BITCAST", 1, 1, 1));
    return lite_size_output(context, node, "BITCAST", 0, bitcast_rule);
}

static TfLiteStatus bitcast_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return copy_bytes(context, node, "BITCAST", bitcast_rule);
}

static const LiteLines bitcast_lines = {.find_places = find_places};
const LiteKernel lite_kernel_BITCAST = {
    .prepare = bitcast_prepare, .invoke = bitcast_invoke, .lines = &bitcast_lines};
