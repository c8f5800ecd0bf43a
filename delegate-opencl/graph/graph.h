// SPDX-License-Identifier: Apache-2.0
// The delegate's own copy of the host's graph, or of a part of it. Hosts let delegates look at nodes only
// while the graph is being delegated, and they move nodes; so everything is copied.
#ifndef DELEGATE_OPENCL_GRAPH_GRAPH_H_
#define DELEGATE_OPENCL_GRAPH_GRAPH_H_

#include "core/base/memory.h"
#include "core/base/shape.h"
#include "core/base/shared.h"
#include "core/base/status.h"
#include "tensorflow/lite/c/c_api_opaque.h"

// Blockwise quantization: the elements of a row form blocks, and each block has a scale in another tensor.
typedef struct LiteClBlocks {
    int size;           // elements; 0: there is none
    const void* scales; // constants of FLOAT16, NULL when they are none
    size_t scale_count;
} LiteClBlocks;

// What the host will know of the contents, and what it has to know, see fold.h.
typedef struct LiteClForesight {
    bool readable; // contents that are not known yet can be read when the graph runs
    bool folded;   // the contents are floats that partitions make a constant of, see lite_cl_fold_weights
    bool asked;    // the contents are a parameter, or a parameter follows from them: they have to be known
} LiteClForesight;

typedef struct LiteClTensor {
    int index; // in the host's graph
    TfLiteType type;
    LiteShape shape;
    int producer;    // the node of the graph that computes it, -1: none
    int last_reader; // the last node that reads it, -1: none
    bool late;       // the shape is known only when the graph runs
    bool variable;   // keeps its contents from one run to the next
    bool kept; // a node reads and writes it, see LiteClOp; the host's copy changes when the run has succeeded
    const char* odd;                // why no kernel can use it; NULL when one can
    const void* data;               // contents when they are known on the host (constants, fold.h), else NULL
    size_t bytes;                   // of these
    const TfLiteSparsity* sparsity; // of a sparse constant, NULL when there is none; see lite_cl_fold_sparse
    float scale;                    // of a quantization with one scale, 0 when there is none
    int32_t zero_point;
    const TfLiteAffineQuantization* affine; // the full quantization as it was read, NULL when there is none
    LiteClBlocks blocks;
    LiteClForesight foresight;
    void* contents;           // room for known contents that are no constants; NULL before there are any
    LiteSharedBlock* weights; // floats of a constant of FLOAT16, see lite_cl_fold_weights; NULL before that
    int storage;              // where it lives on the device, see plan.h
    struct LiteClTensor* float16; // its view as FLOAT16, see precision.h; NULL without one
    bool as_float16;              // this is such a view: its type is FLOAT16, its `data` are FLOAT32
    bool wide;                    // never stored as float16, see precision.h
} LiteClTensor;

enum {
    LITE_CL_BODY_EMPTY = -1, // a subgraph without operators
    LITE_CL_BODY_OTHER = -2  // several operators, or a subgraph that the host does not show
};

// How float32 tensors are stored on the device.
typedef enum LiteClPrecision {
    kLiteClFloat32,
    kLiteClFloat16,
    kLiteClAuto, // either, as measurements say, see budget.h
} LiteClPrecision;

typedef struct LiteClNode {
    int index;                 // in the host's graph
    int code;                  // of the builtin operator
    const char* name;          // "CONV_2D", or the custom operator's name
    const struct LiteClOp* op; // NULL when OpenCL has none
    const char* refusal;       // why `op` is NULL
    bool unresolved;           // a custom operator for which the host has no kernel
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
    LiteClPrecision precision;  // what the options say of its float32 tensors
    bool wants_float16;         // plans should store them as float16; with kLiteClAuto: as measured
    bool has_float16;           // the plan that was built last does
    struct LiteClNode* float16; // its view with float32 tensors as FLOAT16, see precision.h; NULL without one
    bool as_float16;            // this is such a view
    const void* params;   // copy of the first op->params_size bytes of the builtin parameters; NULL: absent
    TfLiteType bias_type; // as the parameters declare it, see LiteClOp; kTfLiteNoType where they do not
} LiteClNode;

typedef struct LiteClGraph {
    LiteArena arena;     // owns all below
    LiteShared* widened; // where floats of constants are kept for all graphs; NULL: each has its own
    int number;          // as OcliteOpenclNode has it
    int tensor_count;
    LiteClTensor* tensors; // those that the nodes touch
    int* slots;            // a hash table of them: 1 + the position in `tensors`, or 0
    size_t slot_count;     // a power of two, or 0
    int node_count;
    LiteClNode* nodes;
    // Where times have decided which nodes are taken: under which key they are kept (NULL: they were
    // estimated), what each node takes on the device, and a partition beside its nodes, in nanoseconds.
    const char* times_key;
    const int64_t* device_times;
    int64_t partition_time;
    bool overlaps; // the host may go on while a partition works
} LiteClGraph;

// Makes room for so many tensors in a graph that has none. false: out of memory.
bool lite_cl_graph_begin(LiteClGraph* graph, size_t tensor_count);

// The tensor with that index in the host's graph, a new one unless the graph has it already.
LiteClTensor* lite_cl_graph_enter(LiteClGraph* graph, int index);

// Accepts a zeroed graph.
void lite_cl_graph_free(LiteClGraph* graph);

// Reads the tensor's type and shape again.
void lite_cl_tensor_update(LiteClTensor* tensor, const TfLiteOpaqueContext* context);

// The tensor with that index in the host's graph, NULL when no node touches it.
LiteClTensor* lite_cl_graph_tensor(const LiteClGraph* graph, int index);

// Bytes of a tensor with its present shape.
size_t lite_cl_tensor_bytes(const LiteClTensor* tensor);

#endif
