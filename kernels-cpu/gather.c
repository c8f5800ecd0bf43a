// SPDX-License-Identifier: Apache-2.0
// GATHER takes entries of one axis by their indices. GATHER_ND takes slices by their coordinates.
#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/support/packed.h"
#include "kernels-cpu/support/size.h"
#include "kernels-cpu/support/strings.h"

enum {
    kGrainBytes = 64 * 1024,
    kFewNumbers = 512, // of blocks, that need no memory but the stack's
};

static const uint32_t gather_types =
    LITE_TYPES_INTEGER | LITE_TYPES_HALF | LITE_TYPE(Float32) | LITE_TYPE(Bool) | LITE_TYPE(String);
static const uint32_t index_types = LITE_TYPE(Int16) | LITE_TYPE(Int32) | LITE_TYPE(Int64);

// Blocks of the input by number: output block i is input block numbers[i].
typedef struct Blocks {
    const int64_t* numbers;
    const char* from;
    char* to;
    size_t size;
} Blocks;

// The size of a block is a constant in each copy of the loop, which makes memcpy a load and a store.
#define COPY_BLOCKS(SIZE)                                                                                    \
    for (int64_t i = begin; i < end; i++) {                                                                  \
        memcpy(b->to + i * (int64_t)(SIZE), b->from + b->numbers[i] * (int64_t)(SIZE), SIZE);                \
    }                                                                                                        \
    break;

static void copy_blocks(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Blocks* b = argument;
    switch (b->size) {
    case 1:
        COPY_BLOCKS(1)
    case 2:
        COPY_BLOCKS(2)
    case 4:
        COPY_BLOCKS(4)
    case 8:
        COPY_BLOCKS(8)
    case 16:
        COPY_BLOCKS(16)
    case 32:
        COPY_BLOCKS(32)
    case 64:
        COPY_BLOCKS(64)
    default:
        COPY_BLOCKS(b->size)
    }
}

// Elements within bytes, one by one.
static void copy_packed(const LiteView* input, LiteView* output, const int64_t* numbers, int64_t length) {
    for (int64_t i = 0; i < output->count; i++) {
        const int64_t from = numbers[i / length] * length + i % length;
        lite_packed_set(output->data, output->type, i, lite_packed_get(input->data, input->type, from));
    }
}

// Copies `count` blocks of `length` elements each.
static TfLiteStatus gather_blocks(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                                  LiteView* output, const int64_t* numbers, int64_t count, int64_t length) {
    if (lite_is_packed(input->type)) {
        copy_packed(input, output, numbers, length);
        return kTfLiteOk;
    }
    if (input->type != kTfLiteString) {
        const size_t size = (size_t)length * lite_type_size(input->type);
        Blocks blocks = {.numbers = numbers, .from = input->data, .to = output->data, .size = size};
        if (count == 0 || size == 0) return kTfLiteOk;
        const int64_t grain = size >= kGrainBytes ? 1 : kGrainBytes / (int64_t)size;
        lite_parallel_for(lite_kernel_num_threads(context), count, grain, copy_blocks, &blocks);
        return kTfLiteOk;
    }
    LITE_TRY(lite_strings_check(context, op, input));
    LiteArena arena = {0};
    int32_t* which = lite_arena_alloc(&arena, (size_t)output->count, sizeof(int32_t));
    TfLiteStatus status = kTfLiteOk;
    if (which == NULL) {
        status = lite_fail(context, "%s: out of memory", op);
        goto done;
    }
    for (int64_t i = 0; i < output->count; i++) {
        which[i] = (int32_t)(numbers[i / length] * length + i % length);
    }
    status = lite_strings_select(context, op, input, which, output);
done:
    lite_arena_free(&arena);
    return status;
}

static int64_t product(const LiteShape* shape, int begin, int end) {
    int64_t count = 1;
    for (int i = begin; i < end; i++) count *= shape->dims[i];
    return count;
}

static TfLiteStatus gather_axes(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int* axis,
                                int* batch_dims) {
    LiteView input, positions;
    const TfLiteGatherParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "GATHER: no parameters");
    LITE_TRY(lite_kernel_input(context, node, "GATHER", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "GATHER", 1, &positions));
    LITE_TRY(lite_ints_axis(context, "GATHER", params->axis, input.shape.rank, axis));
    const int64_t batch =
        params->batch_dims < 0 ? (int64_t)params->batch_dims + positions.shape.rank : params->batch_dims;
    if (batch < 0 || batch > *axis || batch > positions.shape.rank) {
        return lite_fail(context,
                         "GATHER: %d batch dimensions before axis %d, with positions of %d dimensions",
                         params->batch_dims, *axis, positions.shape.rank);
    }
    *batch_dims = (int)batch;
    for (int i = 0; i < *batch_dims; i++) {
        if (input.shape.dims[i] != positions.shape.dims[i]) {
            return lite_fail(context, "GATHER: batch dimension %d is %d and %d", i, input.shape.dims[i],
                             positions.shape.dims[i]);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus gather_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input, positions;
    int axis, batch_dims;
    LITE_TRY(gather_axes(context, node, &axis, &batch_dims));
    LITE_TRY(lite_kernel_input(context, node, "GATHER", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "GATHER", 1, &positions));
    for (int i = 0; i < axis; i++) LITE_TRY(lite_size_append(context, "GATHER", shape, input.shape.dims[i]));
    for (int i = batch_dims; i < positions.shape.rank; i++) {
        LITE_TRY(lite_size_append(context, "GATHER", shape, positions.shape.dims[i]));
    }
    for (int i = axis + 1; i < input.shape.rank; i++) {
        LITE_TRY(lite_size_append(context, "GATHER", shape, input.shape.dims[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus check_positions(TfLiteOpaqueContext* context, const int64_t* positions, int64_t count,
                                    int64_t entries) {
    bool outside = false;
    for (int64_t i = 0; i < count; i++) outside |= (uint64_t)positions[i] >= (uint64_t)entries;
    for (int64_t i = 0; i < count && outside; i++) {
        if (positions[i] >= 0 && positions[i] < entries) continue;
        return lite_fail(context, "GATHER: position %lld is outside [0, %lld): gather index out of bounds",
                         (long long)positions[i], (long long)entries);
    }
    return kTfLiteOk;
}

static TfLiteStatus gather_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, positions, output;
    int axis, batch_dims;
    LITE_TRY(gather_axes(context, node, &axis, &batch_dims));
    LITE_TRY(lite_kernel_input(context, node, "GATHER", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "GATHER", 1, &positions));
    LITE_TRY(lite_size_output_view(context, node, "GATHER", gather_rule, &output));
    const int64_t batches = product(&input.shape, 0, batch_dims);
    const int64_t outer = product(&input.shape, batch_dims, axis);
    const int64_t inner = product(&input.shape, axis + 1, input.shape.rank);
    const int64_t per_batch = product(&positions.shape, batch_dims, positions.shape.rank);
    const int64_t rows = batches * outer, count = rows * per_batch;
    // The positions, and the numbers of blocks when there is more than one row of them.
    int64_t few[kFewNumbers], *numbers = few;
    LiteArena arena = {0};
    const size_t needed = (size_t)positions.count + (rows == 1 ? 0 : (size_t)count);
    if (needed > kFewNumbers) numbers = lite_arena_alloc(&arena, needed, sizeof(int64_t));
    if (numbers == NULL) return lite_fail(context, "GATHER: out of memory");
    lite_ints_widen(&positions, numbers);
    TfLiteStatus status = check_positions(context, numbers, positions.count, input.shape.dims[axis]);
    if (status == kTfLiteOk && rows != 1) {
        int64_t* blocks = numbers + positions.count;
        for (int64_t row = 0; row < rows; row++) {
            const int64_t *from = numbers + row / outer * per_batch, first = row * input.shape.dims[axis];
            for (int64_t i = 0; i < per_batch; i++) blocks[row * per_batch + i] = first + from[i];
        }
        numbers = blocks;
    }
    if (status == kTfLiteOk)
        status = gather_blocks(context, "GATHER", &input, &output, numbers, count, inner);
    lite_arena_free(&arena);
    return status;
}

static TfLiteStatus gather_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, positions, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "GATHER", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "GATHER", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "GATHER", 1, &positions));
    LITE_TRY(lite_kernel_output(context, node, "GATHER", 0, &output));
    LITE_TRY(lite_check_types(context, "GATHER", "input", &input, gather_types | LITE_TYPE(Int4)));
    LITE_TRY(lite_check_types(context, "GATHER", "positions", &positions, index_types));
    LITE_TRY(lite_check_same_type(context, "GATHER", &input, &output));
    if (input.type == kTfLiteString && input.shape.rank != 1) {
        return lite_fail(context, "GATHER: strings of %d dimensions, expected 1", input.shape.rank);
    }
    return lite_size_output(context, node, "GATHER", 0, gather_rule);
}

const LiteKernel lite_kernel_GATHER = {
    .prepare = gather_prepare, .invoke = gather_invoke, .fold = kLiteFoldConstants};

static TfLiteStatus gather_nd_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input, indices;
    LITE_TRY(lite_kernel_input(context, node, "GATHER_ND", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "GATHER_ND", 1, &indices));
    const int depth = indices.shape.dims[indices.shape.rank - 1];
    for (int i = 0; i + 1 < indices.shape.rank; i++) {
        LITE_TRY(lite_size_append(context, "GATHER_ND", shape, indices.shape.dims[i]));
    }
    for (int i = depth; i < input.shape.rank; i++) {
        LITE_TRY(lite_size_append(context, "GATHER_ND", shape, input.shape.dims[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus gather_nd_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, indices, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "GATHER_ND", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "GATHER_ND", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "GATHER_ND", 1, &indices));
    LITE_TRY(lite_kernel_output(context, node, "GATHER_ND", 0, &output));
    LITE_TRY(lite_check_types(context, "GATHER_ND", "input", &input, gather_types));
    LITE_TRY(lite_check_types(context, "GATHER_ND", "indices", &indices, index_types));
    LITE_TRY(lite_check_same_type(context, "GATHER_ND", &input, &output));
    if (input.shape.rank < 1 || indices.shape.rank < 1) {
        return lite_fail(
            context, "GATHER_ND: the input has %d dimensions, the indices %d: %s must be at least a vector.",
            input.shape.rank, indices.shape.rank, input.shape.rank < 1 ? "Params" : "Indices");
    }
    const int depth = indices.shape.dims[indices.shape.rank - 1];
    if (depth > input.shape.rank) {
        return lite_fail(
            context,
            "GATHER_ND: %d coordinates for %d dimensions: Index innermost dimension length must be "
            "in [0, params rank].",
            depth, input.shape.rank);
    }
    return lite_size_output(context, node, "GATHER_ND", 0, gather_nd_rule);
}

// The number of the slice at the coordinates `row` of the indices.
static TfLiteStatus slice_number(TfLiteOpaqueContext* context, const LiteShape* shape,
                                 const LiteView* indices, int64_t row, int depth, int64_t* number) {
    *number = 0;
    for (int d = 0; d < depth; d++) {
        const int64_t index = lite_ints_at(indices, row * depth + d);
        if (index < 0 || index >= shape->dims[d]) {
            return lite_fail(
                context,
                "GATHER_ND: index %lld is outside dimension %d of %d elements: gather_nd index out "
                "of bounds",
                (long long)index, d, shape->dims[d]);
        }
        *number = *number * shape->dims[d] + index;
    }
    return kTfLiteOk;
}

static TfLiteStatus gather_nd_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, indices, output;
    LITE_TRY(lite_kernel_input(context, node, "GATHER_ND", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "GATHER_ND", 1, &indices));
    LITE_TRY(lite_size_output_view(context, node, "GATHER_ND", gather_nd_rule, &output));
    const int depth = indices.shape.dims[indices.shape.rank - 1];
    const int64_t rows = product(&indices.shape, 0, indices.shape.rank - 1);
    const int64_t length = product(&input.shape, depth, input.shape.rank);
    // The reference finds the whole input where constants have no coordinates, and nothing else.
    if (depth == 0 && rows > 0 && !indices.constant) {
        return lite_fail(context, "GATHER_ND: the indices have no coordinates");
    }
    if (input.count == 0 && indices.count > 0) {
        return lite_fail(context, "GATHER_ND: %lld indices into an input without elements",
                         (long long)indices.count);
    }
    LiteArena arena = {0};
    TfLiteStatus status = kTfLiteOk;
    int64_t* numbers = lite_arena_alloc(&arena, (size_t)rows, sizeof(int64_t));
    if (numbers == NULL) {
        status = lite_fail(context, "GATHER_ND: out of memory");
        goto done;
    }
    for (int64_t i = 0; i < rows && status == kTfLiteOk; i++) {
        status = slice_number(context, &input.shape, &indices, i, depth, &numbers[i]);
    }
    if (status == kTfLiteOk) {
        status = gather_blocks(context, "GATHER_ND", &input, &output, numbers, rows, length);
    }
done:
    lite_arena_free(&arena);
    return status;
}

const LiteKernel lite_kernel_GATHER_ND = {.prepare = gather_nd_prepare, .invoke = gather_nd_invoke};
