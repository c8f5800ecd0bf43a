// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_GATHER copies windows of the input. A vector of indices gives the place of each window. Windows
// that would reach over the border are moved back inside.
#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/support/index_vectors.h"
#include "kernels-cpu/support/move.h"

static const char op[] = "STABLEHLO_GATHER";

enum { kInput, kIndices };
enum { kGrainBytes = 64 * 1024 }; // less work than this is not worth another thread

static const uint32_t gather_types = LITE_TYPES_FIXED & ~LITE_TYPE(Complex128);

// What the parameters say of the dimensions.
typedef struct Dimensions {
    uint32_t offsets;   // dimensions of the output that a window has
    uint32_t collapsed; // dimensions of the input that the output has not
    LiteShape output;
} Dimensions;

static TfLiteStatus check_slices(TfLiteOpaqueContext* context, const TfLiteStablehloGatherParams* params,
                                 const LiteShape* input, uint32_t collapsed) {
    if (params->num_slice_sizes != input->rank) {
        return lite_fail(context, "%s: %d slice sizes for an input of %d dimensions", op,
                         params->num_slice_sizes, input->rank);
    }
    for (int i = 0; i < input->rank; i++) {
        const int64_t size = params->slice_sizes[i], least = collapsed >> i & 1u;
        if (size < least || size > input->dims[i]) {
            return lite_fail(context, "%s: a slice of %lld elements from dimension %d of %d", op,
                             (long long)size, i, input->dims[i]);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus get_dimensions(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                   const LiteShape* input, const LiteIndexVectors* vectors, Dimensions* d) {
    const TfLiteStablehloGatherParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    const int rank = vectors->rank + params->num_offset_dims;
    LITE_TRY(lite_index_dimensions(context, op, "offset_dims", params->offset_dims, params->num_offset_dims,
                                   rank, &d->offsets));
    LITE_TRY(lite_index_dimensions(context, op, "collapsed_slice_dims", params->collapsed_slice_dims,
                                   params->num_collapsed_slice_dims, input->rank, &d->collapsed));
    if (params->num_offset_dims + params->num_collapsed_slice_dims != input->rank) {
        return lite_fail(context, "%s: %d offset and %d collapsed dimensions for an input of %d", op,
                         params->num_offset_dims, params->num_collapsed_slice_dims, input->rank);
    }
    LITE_TRY(check_slices(context, params, input, d->collapsed));
    d->output = (LiteShape){0};
    for (int i = 0, batch = 0, from = 0; i < rank; i++) {
        if ((d->offsets >> i & 1u) == 0) {
            LITE_TRY(lite_size_append(context, op, &d->output, vectors->dims[batch++]));
            continue;
        }
        while ((d->collapsed >> from & 1u) != 0) from++;
        LITE_TRY(lite_size_append(context, op, &d->output, params->slice_sizes[from++]));
    }
    return kTfLiteOk;
}

static TfLiteStatus get_vectors(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const LiteView* indices,
                                int input_rank, LiteIndexVectors* vectors) {
    const TfLiteStablehloGatherParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "%s: no parameters", op);
    return lite_index_vectors(context, op, indices, params->index_vector_dim, params->start_index_map,
                              params->num_start_index_map, input_rank, vectors);
}

static TfLiteStatus gather_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, indices, output;
    LiteIndexVectors vectors;
    Dimensions dimensions;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, op, kInput, &input));
    LITE_TRY(lite_kernel_input(context, node, op, kIndices, &indices));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(lite_check_types(context, op, "input", &input, gather_types));
    LITE_TRY(lite_check_same_type(context, op, &input, &output));
    LITE_TRY(get_vectors(context, node, &indices, input.shape.rank, &vectors));
    LITE_TRY(get_dimensions(context, node, &input.shape, &vectors, &dimensions));
    return lite_kernel_resize(context, output.tensor, &dimensions.output);
}

typedef struct Gather {
    LiteIndexVectors vectors;
    int rank; // of the input
    int64_t from[LITE_MAX_RANK];
    int64_t most[LITE_MAX_RANK]; // the last start at which a window is inside
    int64_t to[LITE_MAX_RANK];   // strides of the output's batch dimensions
    LiteMove window;
    int64_t run; // elements of a window that is one piece in both arrays, else 0
    size_t element;
    const char* input;
    char* output;
    int threads; // for one window
} Gather;

static void gather_windows(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Gather* g = argument;
    for (int64_t number = begin; number < end; number++) {
        int64_t coordinates[LITE_MAX_RANK], start[LITE_MAX_RANK], from = 0, to = 0;
        lite_index_coordinates(&g->vectors, number, coordinates);
        lite_index_read(&g->vectors, coordinates, start);
        for (int i = 0; i < g->vectors.rank; i++) to += coordinates[i] * g->to[i];
        for (int i = 0; i < g->rank; i++) {
            from += (start[i] < 0 ? 0 : start[i] > g->most[i] ? g->most[i] : start[i]) * g->from[i];
        }
        const char* source = g->input + (size_t)from * g->element;
        char* target = g->output + (size_t)to * g->element;
        if (g->run > 0) {
            memcpy(target, source, (size_t)g->run * g->element);
        } else {
            lite_move_run(&g->window, source, target, g->element, g->threads);
        }
    }
}

// Elements of the window when they follow each other in both arrays, else 0.
static int64_t run_of(const LiteMove* window) {
    int64_t run = 1;
    for (int i = window->rank - 1; i >= 0; i--) {
        if (window->dims[i] == 1) continue;
        if (window->from[i] != run || window->to[i] != run) return 0;
        run *= window->dims[i];
    }
    return run;
}

static TfLiteStatus gather_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteStablehloGatherParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, indices, output;
    Dimensions dimensions;
    LITE_TRY(lite_kernel_input(context, node, op, kInput, &input));
    LITE_TRY(lite_kernel_input(context, node, op, kIndices, &indices));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    Gather g = {.rank = input.shape.rank, .input = input.data, .output = output.data};
    LITE_TRY(get_vectors(context, node, &indices, g.rank, &g.vectors));
    LITE_TRY(get_dimensions(context, node, &input.shape, &g.vectors, &dimensions));
    if (output.count == 0) return kTfLiteOk;
    int64_t to[LITE_MAX_RANK];
    lite_move_strides(&input.shape, g.from);
    lite_move_strides(&output.shape, to);
    int64_t size = 1; // of a window
    for (int i = 0, batch = 0, from = 0; i < output.shape.rank; i++) {
        if ((dimensions.offsets >> i & 1u) == 0) {
            g.to[batch++] = to[i];
            continue;
        }
        while ((dimensions.collapsed >> from & 1u) != 0) from++;
        lite_move_add(&g.window, output.shape.dims[i], g.from[from++], to[i]);
        size *= output.shape.dims[i];
    }
    for (int i = 0; i < g.rank; i++) g.most[i] = input.shape.dims[i] - params->slice_sizes[i];
    g.element = lite_type_size(input.type);
    const int threads = lite_kernel_num_threads(context);
    const int64_t windows = output.count / size, bytes = size * (int64_t)g.element;
    g.threads = windows == 1 ? threads : 1;
    g.run = windows == 1 ? 0 : run_of(&g.window);
    const int64_t grain = bytes >= kGrainBytes ? 1 : kGrainBytes / bytes;
    lite_parallel_for(threads, windows, grain, gather_windows, &g);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_STABLEHLO_GATHER = {.prepare = gather_prepare, .invoke = gather_invoke};
