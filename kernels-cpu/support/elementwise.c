// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/elementwise.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/parallel.h"
#include "core/semantics/quant.h"

enum {
    kShortRow = 256,         // rows under this length are worth joining
    kSpreadBytes = 128,      // of those that would be filled with one element: under so many bytes
    kJoinBytes = 8192,       // of each input, in joined rows
    kTaskNanoseconds = 4000, // of work that are worth waking a thread
};

// How an input goes on from one row to the next, where several are joined.
typedef enum Joint {
    kOneElement, // the same one everywhere
    kContiguous,
    kRepeated, // the same row again: read from copies
    kSpread,   // one element for all of a row: read from rows filled with it
} Joint;

// The merged loop nest; dimension 0 is the innermost.
typedef struct LoopNest {
    int rank;
    int64_t dims[LITE_MAX_RANK];
    int64_t strides[LITE_MAX_OPERANDS][LITE_MAX_RANK]; // in elements, 0 where the input is broadcast
    size_t in_size[LITE_MAX_OPERANDS];
    size_t out_size;
    int input_count;
    LiteRow base;
    LiteRowFunction function;
    Joint joints[LITE_MAX_OPERANDS];
    int64_t joined; // rows that can be one, at least 1
    bool walks;     // rows that follow each other are computed one by one
} LoopNest;

// Adds the next outer dimension, or makes the last one longer when all inputs continue in it.
static void add_dimension(LoopNest* nest, int64_t dim, const int64_t strides[LITE_MAX_OPERANDS]) {
    if (dim == 1) return;
    const int last = nest->rank - 1;
    bool continues = last >= 0;
    for (int k = 0; k < nest->input_count && continues; k++) {
        continues = strides[k] == nest->strides[k][last] * nest->dims[last];
    }
    if (continues) {
        nest->dims[last] *= dim;
        return;
    }
    nest->dims[nest->rank] = dim;
    for (int k = 0; k < nest->input_count; k++) nest->strides[k][nest->rank] = strides[k];
    nest->rank++;
}

static bool build_nest(LoopNest* nest, const LiteShape* output, const LiteView* inputs) {
    assert(nest->input_count <= LITE_MAX_OPERANDS);
    int64_t size[LITE_MAX_OPERANDS] = {1, 1, 1}; // elements within the dimensions seen so far
    for (int i = 0; i < output->rank; i++) {
        const int64_t dim = output->dims[output->rank - 1 - i];
        int64_t strides[LITE_MAX_OPERANDS] = {0, 0, 0};
        bool matched = dim == 1;
        for (int k = 0; k < nest->input_count; k++) {
            const LiteShape* shape = &inputs[k].shape;
            const int64_t own = i < shape->rank ? shape->dims[shape->rank - 1 - i] : 1;
            if (own != dim && own != 1) return false;
            matched = matched || own == dim;
            if (own != 1) strides[k] = size[k];
            size[k] *= own;
        }
        if (!matched) return false;
        add_dimension(nest, dim, strides);
    }
    if (nest->rank == 0) {
        nest->dims[0] = 1;
        nest->rank = 1;
    }
    return true;
}

// Short rows cost more to begin than to compute: as many as fit are made one.
static void plan_joining(LoopNest* nest) {
    nest->joined = 1;
    if (nest->rank < 2 || nest->dims[0] >= kShortRow) return;
    size_t largest = 1;
    bool spreads = false;
    for (int k = 0; k < nest->input_count; k++) {
        const int64_t inner = nest->strides[k][0], outer = nest->strides[k][1];
        const bool contiguous = inner != 0 && outer == inner * nest->dims[0];
        if (inner != 0 && outer != 0 && !contiguous) return;
        if (inner == 0) {
            nest->joints[k] = outer == 0 ? kOneElement : kSpread;
        } else {
            nest->joints[k] = contiguous ? kContiguous : kRepeated;
        }
        if (nest->joints[k] == kSpread && nest->in_size[k] > sizeof(uint64_t)) return;
        spreads = spreads || nest->joints[k] == kSpread;
        if (nest->in_size[k] > largest) largest = nest->in_size[k];
    }
    nest->walks = spreads && nest->dims[0] * (int64_t)nest->out_size >= kSpreadBytes;
    nest->joined = nest->walks ? nest->dims[1] : kJoinBytes / (nest->dims[0] * (int64_t)largest);
    if (nest->joined > nest->dims[1]) nest->joined = nest->dims[1];
}

#define SPREAD(TYPE)                                                                                         \
    for (int64_t r = 0; r < rows; r++) {                                                                     \
        const TYPE value = ((const TYPE*)from)[r * stride];                                                  \
        for (int64_t i = 0; i < length; i++) ((TYPE*)to)[r * length + i] = value;                            \
    }                                                                                                        \
    break;

static void spread(const void* from, int64_t stride, size_t size, int64_t rows, int64_t length, void* to) {
    switch (size) {
    case 1:
        SPREAD(uint8_t)
    case 2:
        SPREAD(uint16_t)
    case 4:
        SPREAD(uint32_t)
    default:
        SPREAD(uint64_t)
    }
}

// What run_range reads joined rows of broadcast inputs from.
typedef struct Joined {
    const void* copied[LITE_MAX_OPERANDS]; // the row that a buffer has copies of
    _Alignas(64) char buffers[LITE_MAX_OPERANDS][kJoinBytes];
} Joined;

// Joins `rows` rows from those that `row` begins with.
static void join_rows(const LoopNest* nest, int64_t rows, Joined* joined, LiteRow* row) {
    const int64_t length = nest->dims[0];
    row->count = length * rows;
    for (int k = 0; k < nest->input_count; k++) {
        const size_t bytes = (size_t)length * nest->in_size[k];
        char* buffer = joined->buffers[k];
        row->step[k] = nest->joints[k] != kOneElement;
        if (nest->joints[k] == kSpread) {
            spread(row->in[k], nest->strides[k][1], nest->in_size[k], rows, length, buffer);
            row->in[k] = buffer;
        } else if (nest->joints[k] == kRepeated) {
            for (int64_t r = 0; r < nest->joined && joined->copied[k] != row->in[k]; r++) {
                memcpy(buffer + (size_t)r * bytes, row->in[k], bytes);
            }
            joined->copied[k] = row->in[k];
            row->in[k] = buffer;
        }
    }
}

// Computes a row and goes on to the next one of dimension 1.
static void next_row(const LoopNest* nest, LiteRow* row) {
    nest->function(row);
    for (int k = 0; k < nest->input_count; k++) {
        row->in[k] = (const char*)row->in[k] + nest->strides[k][1] * (int64_t)nest->in_size[k];
    }
    row->out = (char*)row->out + row->count * (int64_t)nest->out_size;
}

static void run_range(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const LoopNest* nest = argument;
    assert(nest->rank > 0);
    int64_t at[LITE_MAX_RANK] = {0};
    int64_t rest = begin;
    for (int i = 0; i < nest->rank; i++) {
        at[i] = rest % nest->dims[i];
        rest /= nest->dims[i];
    }
    Joined joined;
    for (int k = 0; k < LITE_MAX_OPERANDS; k++) joined.copied[k] = NULL;
    while (begin < end) {
        LiteRow row = nest->base;
        for (int k = 0; k < nest->input_count; k++) {
            int64_t offset = 0;
            for (int i = 0; i < nest->rank; i++) offset += at[i] * nest->strides[k][i];
            row.in[k] = (const char*)nest->base.in[k] + (size_t)offset * nest->in_size[k];
        }
        row.out = (char*)nest->base.out + (size_t)begin * nest->out_size;
        row.count = nest->dims[0] - at[0];
        if (row.count > end - begin) row.count = end - begin;
        int64_t rows = 1;
        if (nest->joined > 1 && at[0] == 0 && row.count == nest->dims[0]) {
            rows = (end - begin) / nest->dims[0];
            if (rows > nest->joined) rows = nest->joined;
            if (rows > nest->dims[1] - at[1]) rows = nest->dims[1] - at[1];
            if (rows > 1 && !nest->walks) join_rows(nest, rows, &joined, &row);
        }
        for (int64_t r = 1; nest->walks && r < rows; r++) next_row(nest, &row);
        nest->function(&row);
        begin += nest->walks ? row.count * rows : row.count;
        at[0] = 0;
        if (nest->rank > 1) at[1] += rows;
        for (int i = 1; i < nest->rank && at[i] == nest->dims[i]; i++) {
            at[i] = 0;
            if (i + 1 < nest->rank) at[i + 1]++;
        }
    }
}

// A row that is not worth another thread, as most of a small graph's are: nothing has to be planned for it.
static bool run_one_row(LiteRowFunction function, const void* params, int cost, const LiteView* output,
                        const LiteView* inputs, int input_count) {
    if (output->data == NULL || output->count > kTaskNanoseconds / cost) return false;
    LiteRow row = {.out = output->data, .count = output->count, .params = params};
    for (int k = 0; k < input_count; k++) {
        const bool is_whole = lite_shape_equal(&inputs[k].shape, &output->shape);
        if (inputs[k].data == NULL || (!is_whole && inputs[k].count != 1)) return false;
        row.in[k] = inputs[k].data;
        row.step[k] = is_whole && output->count != 1;
    }
    function(&row);
    return true;
}

TfLiteStatus lite_elementwise_run(TfLiteOpaqueContext* context, const char* op, LiteRowFunction function,
                                  const void* params, int cost, const LiteView* output,
                                  const LiteView* inputs, int input_count) {
    if (output->count == 0) return kTfLiteOk;
    if (run_one_row(function, params, cost, output, inputs, input_count)) return kTfLiteOk;
    LoopNest nest = {.input_count = input_count, .function = function};
    nest.base.params = params;
    nest.base.out = output->data;
    nest.out_size = lite_type_size(output->type);
    bool valid = output->data != NULL && build_nest(&nest, &output->shape, inputs);
    for (int k = 0; k < input_count; k++) {
        nest.base.in[k] = inputs[k].data;
        nest.base.step[k] = nest.strides[k][0] != 0;
        nest.in_size[k] = lite_type_size(inputs[k].type);
        valid = valid && inputs[k].data != NULL;
    }
    if (!valid) return lite_fail(context, "%s: shapes or buffers changed since prepare", op);
    plan_joining(&nest);
    lite_parallel_for(lite_kernel_num_threads(context), output->count, 1 + kTaskNanoseconds / cost, run_range,
                      &nest);
    return kTfLiteOk;
}

TfLiteStatus lite_elementwise_prepare_unary(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                            const char* op, LiteView* input, LiteView* output) {
    LITE_TRY(lite_kernel_check_counts(context, node, op, 1, 1, 1));
    LITE_TRY(lite_kernel_views(context, node, op, input, 1, output));
    LITE_TRY(lite_check_type(context, op, "output", output, input->type));
    return lite_kernel_resize(context, output->tensor, &input->shape);
}

TfLiteStatus lite_elementwise_check_pair(TfLiteOpaqueContext* context, const char* op,
                                         const LiteView inputs[2]) {
    if (inputs[1].type == inputs[0].type) return kTfLiteOk;
    const char *first = TfLiteTypeGetName(inputs[0].type), *second = TfLiteTypeGetName(inputs[1].type);
    return lite_fail(context, "%s: input 1 has type %s, expected %s: input1->type != input2->type (%s != %s)",
                     op, second, first, first, second);
}

TfLiteStatus lite_elementwise_prepare_binary(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                             const char* op, LiteView inputs[2], LiteView* output) {
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 2, 1));
    LITE_TRY(lite_kernel_views(context, node, op, inputs, 2, output));
    LITE_TRY(lite_elementwise_check_pair(context, op, inputs));
    return lite_elementwise_prepare_mixed(context, node, op, inputs, output);
}

// Without the spaces: programs look for the reference's words.
static LiteShapeText dense_text(const LiteShape* shape) {
    LiteShapeText text = lite_shape_text(shape);
    char* to = text.text;
    for (const char* from = to; *from != '\0'; from++) {
        if (*from != ' ') *to++ = *from;
    }
    *to = '\0';
    return text;
}

TfLiteStatus lite_elementwise_fail_broadcast(TfLiteOpaqueContext* context, const char* op,
                                             const LiteView* inputs, int count) {
    const LiteShapeText first = dense_text(&inputs[0].shape), second = dense_text(&inputs[1].shape);
    if (count == 2) {
        return lite_fail(context, "%s: Given shapes, %s and %s, are not broadcastable.", op, first.text,
                         second.text);
    }
    return lite_fail(context, "%s: Given shapes, %s, %s and %s, are not broadcastable.", op, first.text,
                     second.text, dense_text(&inputs[2].shape).text);
}

TfLiteStatus lite_elementwise_prepare_mixed(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                            const char* op, LiteView inputs[2], LiteView* output) {
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 2, 1));
    LITE_TRY(lite_kernel_views(context, node, op, inputs, 2, output));
    LiteShape shape;
    if (!lite_shape_broadcast(&inputs[0].shape, &inputs[1].shape, &shape)) {
        return lite_elementwise_fail_broadcast(context, op, inputs, 2);
    }
    LITE_TRY(
        lite_kernel_resize(context, output->tensor, &shape)); // fails where the number of elements overflows
    output->shape = shape;
    output->count = lite_shape_elements(&shape);
    return kTfLiteOk;
}
