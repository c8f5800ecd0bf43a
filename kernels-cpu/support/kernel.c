// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/kernel.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/base/host.h"
#include "kernels-cpu/support/selected.h"

static void report_to_context(void* user_data, const char* format, va_list args) {
    char message[200];
    vsnprintf(message, sizeof message, format, args);
    (void)lite_fail((TfLiteOpaqueContext*)user_data, "%s", message);
}

LiteReporter lite_kernel_reporter(TfLiteOpaqueContext* context) {
    return (LiteReporter){report_to_context, context};
}

// The opaque types are the public structs. They are read as such where the opaque API has no accessor, and
// where its calls, one for each field, would take as long as a small node does.
static const TfLiteTensor* struct_of(const TfLiteOpaqueTensor* tensor) {
    return (const TfLiteTensor*)(const void*)tensor;
}

static const TfLiteNode* node_struct(const TfLiteOpaqueNode* node) {
    return (const TfLiteNode*)(const void*)node;
}

// The tensor that a node lists at `index`; NULL when there is none.
static TfLiteOpaqueTensor* listed_tensor(TfLiteOpaqueContext* context, const TfLiteIntArray* list,
                                         int index) {
    const TfLiteContext* graph = (const TfLiteContext*)(const void*)context;
    if (list == NULL || index < 0 || index >= list->size) return NULL;
    const int tensor = list->data[index];
    if (tensor < 0 || (size_t)tensor >= graph->tensors_size) return NULL;
    return (TfLiteOpaqueTensor*)&graph->tensors[tensor];
}

static TfLiteStatus fail_rank(TfLiteOpaqueContext* context, const char* op, const char* what, int index,
                              int rank) {
    return lite_fail(context, "%s: %s %d has %d dimensions, at most %d are supported", op, what, index, rank,
                     LITE_MAX_RANK);
}

static const TfLiteAffineQuantization* affine_of(const TfLiteTensor* tensor) {
    return tensor->quantization.type == kTfLiteAffineQuantization ? tensor->quantization.params : NULL;
}

// `what` and `index` name the tensor in messages: "input", 2.
static TfLiteStatus view_tensor(TfLiteOpaqueContext* context, const char* op, const char* what, int index,
                                TfLiteOpaqueTensor* tensor, LiteView* view) {
    if (tensor == NULL) {
        memset(view, 0, sizeof(*view));
        return lite_fail(context, "%s: %s %d is absent: Tensor at index %d was optional but was expected", op,
                         what, index, index);
    }
    const TfLiteTensor* from = struct_of(tensor);
    const int rank = from->dims == NULL ? 0 : from->dims->size;
    if (rank > LITE_MAX_RANK) return fail_rank(context, op, what, index, rank);
    view->tensor = tensor;
    view->type = from->type;
    view->shape.rank = rank;
    // One by one: to clear the whole of it takes as long as the rest.
    for (int i = 0; i < LITE_MAX_RANK; i++) view->shape.dims[i] = 0;
    for (int i = 0; i < rank; i++) view->shape.dims[i] = from->dims->data[i];
    if (!lite_shape_count(view->shape.dims, rank, &view->count)) {
        return lite_fail(context, "%s: %s %d has dimensions whose product is not a size", op, what, index);
    }
    // Kernels compute addresses in empty tensors too, and C has none for NULL.
    static _Alignas(64) char nothing[64];
    view->data = from->data.data;
    if (view->data == NULL && view->count == 0) view->data = nothing;
    view->bytes = from->bytes;
    view->folded = from->allocation_type == kTfLitePersistentRo;
    view->constant = from->allocation_type == kTfLiteMmapRo || view->folded;
    view->dynamic = from->allocation_type == kTfLiteDynamic;
    view->variable = from->is_variable;
    view->scale = from->params.scale;
    view->zero_point = from->params.zero_point;
    view->affine = affine_of(from);
    return kTfLiteOk;
}

LiteShared* lite_kernel_shared(TfLiteOpaqueContext* context, const LiteView* view) {
    if (!view->constant || view->folded || view->data == NULL) return NULL;
    return lite_host(context)->shared(context, view->tensor);
}

const TfLiteSparsity* lite_kernel_sparsity(const LiteView* view) {
    return struct_of(view->tensor)->sparsity;
}

// Loops for other types are not there.
static TfLiteStatus check_selected(TfLiteOpaqueContext* context, const char* op, const char* what, int index,
                                   const LiteView* view) {
    if (LITE_HAS_TYPE(view->type)) return kTfLiteOk;
    return lite_fail(context, "%s: %s %d is %s; this library was built for selected types, without it", op,
                     what, index, TfLiteTypeGetName(view->type));
}

TfLiteStatus lite_kernel_sparse_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                      int index, LiteView* view) {
    // Inputs are read-only by agreement: `data` of the view of an input is never written.
    TfLiteOpaqueTensor* tensor = listed_tensor(context, node_struct(node)->inputs, index);
    LITE_TRY(view_tensor(context, op, "input", index, tensor, view));
    return check_selected(context, op, "input", index, view);
}

TfLiteStatus lite_kernel_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               int index, LiteView* view) {
    LITE_TRY(lite_kernel_sparse_input(context, node, op, index, view));
    if (lite_kernel_sparsity(view) == NULL) return kTfLiteOk;
    return lite_fail(context, "%s: input %d is sparse, %zu bytes for %lld elements", op, index, view->bytes,
                     (long long)view->count);
}

TfLiteStatus lite_kernel_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                int index, LiteView* view) {
    TfLiteOpaqueTensor* tensor = listed_tensor(context, node_struct(node)->outputs, index);
    LITE_TRY(view_tensor(context, op, "output", index, tensor, view));
    LITE_TRY(check_selected(context, op, "output", index, view));
    // Outputs that a kernel has made constant itself are written again.
    if (struct_of(tensor)->allocation_type == kTfLiteMmapRo) {
        return lite_fail(context, "%s: output %d is a constant of the model", op, index);
    }
    return kTfLiteOk;
}

const void* lite_kernel_input_data(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, int index) {
    const TfLiteOpaqueTensor* tensor = listed_tensor(context, node_struct(node)->inputs, index);
    return tensor == NULL ? NULL : struct_of(tensor)->data.data;
}

void* lite_kernel_output_data(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, int index) {
    const TfLiteOpaqueTensor* tensor = listed_tensor(context, node_struct(node)->outputs, index);
    return tensor == NULL ? NULL : struct_of(tensor)->data.data;
}

const TfLiteAffineQuantization* lite_kernel_input_affine(TfLiteOpaqueContext* context,
                                                         const TfLiteOpaqueNode* node, int index) {
    const TfLiteOpaqueTensor* tensor = listed_tensor(context, node_struct(node)->inputs, index);
    return tensor == NULL ? NULL : affine_of(struct_of(tensor));
}

void* lite_kernel_temporary_data(const TfLiteOpaqueContext* context, int index) {
    const TfLiteContext* graph = (const TfLiteContext*)(const void*)context;
    return index < 0 || (size_t)index >= graph->tensors_size ? NULL : graph->tensors[index].data.data;
}

TfLiteStatus lite_kernel_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               LiteView* inputs, int count, LiteView* output) {
    for (int k = 0; k < count; k++) LITE_TRY(lite_kernel_input(context, node, op, k, &inputs[k]));
    return lite_kernel_output(context, node, op, 0, output);
}

bool lite_kernel_has_input(const TfLiteOpaqueNode* node, int index) {
    const TfLiteIntArray* inputs = node_struct(node)->inputs;
    return inputs != NULL && index >= 0 && index < inputs->size && inputs->data[index] >= 0;
}

int lite_kernel_num_intermediates(const TfLiteOpaqueNode* node) {
    const TfLiteIntArray* intermediates = node_struct(node)->intermediates;
    return intermediates == NULL ? 0 : intermediates->size;
}

TfLiteStatus lite_kernel_intermediate(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                      int index, LiteView* view) {
    TfLiteOpaqueTensor* tensor = listed_tensor(context, node_struct(node)->intermediates, index);
    return view_tensor(context, op, "intermediate", index, tensor, view);
}

TfLiteStatus lite_kernel_check_counts(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                      int min_inputs, int max_inputs, int outputs) {
    const int got_inputs = TfLiteOpaqueNodeNumberOfInputs(node);
    const int got_outputs = TfLiteOpaqueNodeNumberOfOutputs(node);
    if (got_inputs < min_inputs || got_inputs > max_inputs) {
        if (min_inputs < max_inputs) {
            return lite_fail(context, "%s: has %d inputs, expected %d to %d", op, got_inputs, min_inputs,
                             max_inputs);
        }
        return lite_fail(context, "%s: has %d inputs, expected %d: NumInputs(node) != %d (%d != %d)", op,
                         got_inputs, min_inputs, min_inputs, got_inputs, min_inputs);
    }
    if (got_outputs != outputs) {
        return lite_fail(context, "%s: has %d outputs, expected %d: NumOutputs(node) != %d (%d != %d)", op,
                         got_outputs, outputs, outputs, got_outputs, outputs);
    }
    return kTfLiteOk;
}

TfLiteStatus lite_kernel_resize(TfLiteOpaqueContext* context, TfLiteOpaqueTensor* tensor,
                                const LiteShape* shape) {
    TfLiteIntArray* dims = TfLiteIntArrayCreate(shape->rank);
    if (dims == NULL) return lite_fail(context, "out of memory");
    for (int i = 0; i < shape->rank; i++) dims->data[i] = shape->dims[i];
    return TfLiteOpaqueContextResizeTensor(context, tensor, dims); // takes `dims`
}

void lite_kernel_set_dynamic(TfLiteOpaqueTensor* tensor) {
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(tensor);
}

TfLiteStatus lite_kernel_temporary(TfLiteOpaqueContext* context, int* index, TfLiteType type,
                                   const LiteShape* shape, bool persistent) {
    if (*index < 0) {
        TfLiteOpaqueTensorBuilder* builder = TfLiteOpaqueTensorBuilderCreate();
        if (builder == NULL) return lite_fail(context, "out of memory");
        TfLiteOpaqueTensorBuilderSetType(builder, type);
        TfLiteOpaqueTensorBuilderSetAllocationType(builder,
                                                   persistent ? kTfLiteArenaRwPersistent : kTfLiteArenaRw);
        const TfLiteStatus status = TfLiteOpaqueContextAddTensor(context, builder, index);
        TfLiteOpaqueTensorBuilderDelete(builder);
        LITE_TRY(status);
    }
    TfLiteOpaqueTensor* tensor = TfLiteOpaqueContextGetOpaqueTensor(context, *index);
    if (tensor == NULL) return lite_fail(context, "temporary tensor %d does not exist", *index);
    return lite_kernel_resize(context, tensor, shape);
}

TfLiteStatus lite_kernel_set_temporaries(TfLiteOpaqueNode* node, const int* temporaries, int count) {
    enum { kMost = 8 };
    int list[kMost];
    int listed = 0;
    assert(count <= kMost);
    for (int i = 0; i < count; i++) {
        if (temporaries[i] >= 0) list[listed++] = temporaries[i];
    }
    const int* before;
    int number = 0;
    LITE_TRY(TfLiteOpaqueNodeTemporaries(node, &before, &number));
    if (listed == 0 && number == 0) return kTfLiteOk;
    return TfLiteOpaqueNodeSetTemporaries(node, list, listed);
}

TfLiteStatus lite_kernel_temporary_view(TfLiteOpaqueContext* context, const char* op, int index,
                                        LiteView* view) {
    TfLiteOpaqueTensor* tensor = index < 0 ? NULL : TfLiteOpaqueContextGetOpaqueTensor(context, index);
    return view_tensor(context, op, "temporary", index, tensor, view);
}

int lite_kernel_num_threads(const TfLiteOpaqueContext* context) {
    // The opaque types are the public structs; the opaque API itself does not tell the number of threads.
    const int threads = ((const TfLiteContext*)(const void*)context)->recommended_num_threads;
    return threads < 1 ? 1 : threads;
}
