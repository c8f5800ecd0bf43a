// SPDX-License-Identifier: Apache-2.0
// The delegate's own picture of (a part of) the host's graph. Hosts allow looking at nodes only while the
// graph is being delegated, and move them; so everything is copied.
#ifndef DELEGATE_OPENCL_GRAPH_H_
#define DELEGATE_OPENCL_GRAPH_H_

#include "core/base/memory.h"
#include "core/base/shape.h"
#include "core/base/status.h"
#include "tensorflow/lite/c/c_api_opaque.h"

struct LiteClCustoms; // custom/custom.h

// Blockwise quantization: the elements of a row in blocks, each with a scale in another tensor.
typedef struct LiteClBlocks {
    int size;           // elements; 0: there is none
    const void* scales; // constants of FLOAT16, NULL when they are none
    size_t scale_count;
} LiteClBlocks;

typedef struct LiteClTensor {
    int index; // in the host's graph
    TfLiteType type;
    LiteShape shape;
    const char* odd;                // why no kernel can use it; NULL when one can
    const void* data;               // contents when they are known on the host (constants, fold.h), else NULL
    size_t bytes;                   // of these
    const TfLiteSparsity* sparsity; // of a sparse constant, NULL when there is none; see lite_cl_fold_sparse
    float scale;                    // of a per-tensor quantization, 0 when there is none
    int32_t zero_point;
    const TfLiteAffineQuantization* affine; // the full quantization, NULL when there is none
    LiteClBlocks blocks;
    int storage;      // where it lives on the device, see plan.h
    int half_storage; // the other one, see precision.h
    bool halved;      // float32 in the host's graph, now seen as float16
    bool wide;        // never stored as float16, see precision.h
    bool wanted;      // a node of the host may take sizes from it, see delegate.c
    bool readable;    // contents that are not known yet can be known when the graph runs, see fold.h
    bool folded;      // floats of a constant, which partitions will have as one: see lite_cl_fold_weights
    bool asked;       // ... and have to be: they are a parameter, or one follows from them
    bool late;        // the shape is known only when the graph runs
    void* contents;   // room for known contents that are no constants, NULL before there are any
    float* weights;   // contents made of a constant once, see lite_cl_fold_weights; NULL: not so far
    bool variable;    // keeps its contents from one run to the next
    bool kept;        // a node reads and writes it, see LiteClOp; on the host only when the run has succeeded
} LiteClTensor;

enum {
    LITE_CL_BODY_EMPTY = -1, // a subgraph without operators
    LITE_CL_BODY_OTHER = -2  // one of several, or that the host does not show
};

typedef struct LiteClNode {
    int index;                 // in the host's graph
    const char* name;          // "CONV_2D", or the custom operator's name
    const struct LiteClOp* op; // NULL when OpenCL has none
    const char* refusal;       // why `op` is NULL
    int input_count;
    int output_count;
    int intermediate_count;
    LiteClTensor** inputs; // NULL: absent
    LiteClTensor** outputs;
    LiteClTensor** intermediates; // tensors that only say how inner values are quantized
    LiteShape* shapes;            // of the outputs, as the operator finds them
    const void* custom_options;   // copy of a custom operator's; NULL: none
    size_t custom_size;
    int body; // code of the one operator in the subgraph that the node applies, if op->body says it does
    bool automatic;       // whether it is narrow is found by measuring, see budget.h
    bool narrow;          // should store its float32 tensors as float16, see precision.h
    bool narrowed;        // ... and does so in the plan that was built last
    bool halves;          // its float32 tensors are now seen as float16
    const void* params;   // copy of the first op->params_size bytes of the builtin parameters; NULL: absent
    TfLiteType bias_type; // that the parameters declare, where they can: see LiteClOp; else kTfLiteNoType
} LiteClNode;

typedef struct LiteClGraph {
    LiteArena arena; // owns all below
    int number;      // as OcliteOpenclNode has it
    int tensor_count;
    LiteClTensor* tensors; // those that the nodes touch
    int node_count;
    LiteClNode* nodes;
} LiteClGraph;

// Reads the nodes with the given indices. Only while the host delegates. *graph is zeroed before; free it in
// any case. `customs` are looked at before the operators of the delegate.
TfLiteStatus lite_cl_graph_read(LiteClGraph* graph, TfLiteContext* context, const TfLiteIntArray* nodes,
                                const struct LiteClCustoms* customs, const LiteReporter* reporter);
void lite_cl_graph_free(LiteClGraph* graph);

// Reads the tensor's type and shape again.
void lite_cl_tensor_update(LiteClTensor* tensor, const TfLiteOpaqueContext* context);

// The tensor with that index in the host's graph, NULL when no node touches it.
LiteClTensor* lite_cl_graph_tensor(const LiteClGraph* graph, int index);

#endif
