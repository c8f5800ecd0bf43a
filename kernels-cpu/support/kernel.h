// SPDX-License-Identifier: Apache-2.0
// The tools of every CPU kernel. A kernel is a TfLiteOperator on the opaque API, as a user's is: it knows
// tensors and parameters, never the model, graph or interpreter.
//
// A family file (kernels-cpu/<family>.c) has, for each operator, static init/free/prepare/invoke functions
// and one
//
//     const LiteKernel lite_kernel_ADD = {.prepare = add_prepare, .invoke = add_invoke};
//
// Prepare checks everything that does not depend on tensor contents and sizes the outputs; invoke checks only
// contents that are used as indices or sizes. State lives in what init returns (op data); scratch memory in
// temporaries.
#ifndef KERNELS_CPU_SUPPORT_KERNEL_H_
#define KERNELS_CPU_SUPPORT_KERNEL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/lines.h"
#include "core/base/memory.h"
#include "core/base/operator.h"
#include "core/base/shape.h"
#include "core/base/shared.h"
#include "core/base/status.h"
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tensorflow/lite/c/c_api_opaque.h"

// A reporter that reports to the context, for functions that know no context.
LiteReporter lite_kernel_reporter(TfLiteOpaqueContext* context);

typedef struct LiteKernel {
    void* (*init)(TfLiteOpaqueContext* context, const char* buffer, size_t length);
    void (*free)(TfLiteOpaqueContext* context, void* data);
    TfLiteStatus (*prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    TfLiteStatus (*invoke)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    const LiteLines* lines; // methods by which it works hand in hand with another; NULL: none
    LiteFold fold;          // which outputs the graph computes in prepare, by invoke
} LiteKernel;

// One tensor as a kernel sees it: a snapshot, valid until shapes change. In prepare what `data` points to
// counts only when the tensor is constant: else it is NULL, or what an inference before left. scale and
// zero_point are those of a per-tensor quantization (0 when there is none); `affine` is the full
// quantization, NULL when there is none.
typedef struct LiteView {
    TfLiteOpaqueTensor* tensor;
    void* data;
    size_t bytes;
    int64_t count; // elements
    TfLiteType type;
    LiteShape shape;
    float scale;
    int32_t zero_point;
    const TfLiteAffineQuantization* affine;
    bool constant; // contents known in prepare and until the next one
    bool folded;   // and computed: the next prepare may find others at the same place
    bool dynamic;  // size known only in invoke
    bool variable; // keeps its contents from one invoke to the next
} LiteView;

// The operator's name for messages ("CONV_2D") is the `op` argument of what follows.

// Input or output `index` of the node. An error says when it is absent (optional), has more than
// LITE_MAX_RANK dimensions, is sparse or, for an output, is a constant of the model. In invoke the graph has
// made sure that non-empty tensors have data (dynamic outputs: once they are resized).
TfLiteStatus lite_kernel_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               int index, LiteView* view);
TfLiteStatus lite_kernel_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                int index, LiteView* view);

// Where an input or output is, for an invocation that needs nothing else of a tensor that prepare has looked
// at. NULL: it is absent.
const void* lite_kernel_input_data(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, int index);
void* lite_kernel_output_data(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, int index);
// Where the temporary with that number is.
void* lite_kernel_temporary_data(const TfLiteOpaqueContext* context, int index);
// How an input is quantized; NULL: it is not.
const TfLiteAffineQuantization* lite_kernel_input_affine(TfLiteOpaqueContext* context,
                                                         const TfLiteOpaqueNode* node, int index);

// As lite_kernel_input, for an input that may be sparse. Then the view's bytes are those of the stored
// elements (kernels-cpu/support/sparse.h expands them).
TfLiteStatus lite_kernel_sparse_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                      int index, LiteView* view);

// Is the view a constant that prepare has to pack? `packed` is the data of the one that was packed last.
static inline bool lite_kernel_is_unpacked(const LiteView* view, const void* packed) {
    return view->constant && view->data != NULL && (view->folded || view->data != packed);
}

// Where interpreters of one model share what kernels compute from its constants; NULL when the view, which is
// a fresh one, is no such constant.
LiteShared* lite_kernel_shared(TfLiteOpaqueContext* context, const LiteView* view);

// The sparsity of a tensor; NULL when it is dense.
const TfLiteSparsity* lite_kernel_sparsity(const LiteView* view);

// Inputs 0 to count - 1 and output 0 of a node, in invoke.
TfLiteStatus lite_kernel_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               LiteView* inputs, int count, LiteView* output);

// Is input `index` there? false when the node has fewer inputs or marks it absent (-1).
bool lite_kernel_has_input(const TfLiteOpaqueNode* node, int index);

// Tensors of the node that exist for their quantization only (the inner values of an LSTM).
int lite_kernel_num_intermediates(const TfLiteOpaqueNode* node);
TfLiteStatus lite_kernel_intermediate(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                      int index, LiteView* view);

// The node has between min and max inputs and exactly `outputs` outputs, or an error.
TfLiteStatus lite_kernel_check_counts(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                      int min_inputs, int max_inputs, int outputs);

// Gives an output its shape (prepare; in invoke for dynamic outputs, after which the view must be fetched
// again).
TfLiteStatus lite_kernel_resize(TfLiteOpaqueContext* context, TfLiteOpaqueTensor* tensor,
                                const LiteShape* shape);

// Marks an output whose shape depends on tensor contents: it is sized in invoke by lite_kernel_resize.
void lite_kernel_set_dynamic(TfLiteOpaqueTensor* tensor);

// Temporaries: `*index` starts at -1 in op data and keeps the tensor's number over further prepares. The
// arena gives memory for one invoke; `persistent` memory lasts until the next prepare. Adding a temporary
// invalidates views and tensor pointers: fetch views afterwards. Ends by lite_kernel_set_temporaries in
// the caller.
TfLiteStatus lite_kernel_temporary(TfLiteOpaqueContext* context, int* index, TfLiteType type,
                                   const LiteShape* shape, bool persistent);
// Sets the node's list of temporaries, at most 8, without those that there are not (-1).
TfLiteStatus lite_kernel_set_temporaries(TfLiteOpaqueNode* node, const int* temporaries, int count);
TfLiteStatus lite_kernel_temporary_view(TfLiteOpaqueContext* context, const char* op, int index,
                                        LiteView* view);

// Threads this interpreter may use, at least 1.
int lite_kernel_num_threads(const TfLiteOpaqueContext* context);

#endif
