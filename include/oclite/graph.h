// SPDX-License-Identifier: Apache-2.0
// Graphs that a program builds by itself, tensor by tensor and node by node, instead of loading a model:
//
//     TfLiteInterpreter* interpreter = oclite_interpreter_create_empty(options);
//     int first;
//     oclite_graph_add_tensors(interpreter, 0, 2, &first);
//     const int dims[] = {3};
//     const OcliteNewTensor vector = {.type = kTfLiteFloat32, .name = "x", .dims = dims, .rank = 1};
//     oclite_graph_set_tensor(interpreter, 0, 0, &vector);
//     oclite_graph_set_tensor(interpreter, 0, 1, &vector);
//     const int x = 0, y = 1;
//     oclite_graph_set_inputs(interpreter, 0, &x, 1);
//     oclite_graph_set_outputs(interpreter, 0, &y, 1);
//     const OcliteNewNode neg = {.inputs = &x, .input_count = 1, .outputs = &y, .output_count = 1,
//                                .registration = registration};
//     oclite_graph_add_node(interpreter, 0, &neg, NULL);
//     TfLiteInterpreterAllocateTensors(interpreter);
//
// Afterwards the interpreter is one like any other: it is resized, allocated, invoked, delegated and deleted
// by the functions of the C API. The functions below also change the subgraphs of an interpreter that was
// created from a model. tflite::Interpreter of the C++ headers builds graphs with them.
//
// `subgraph` is an index below oclite_interpreter_subgraph_count; 0 is the graph that a plain inference runs.
// All functions that return a status return kTfLiteError, after a message to the interpreter's error reporter
// that tells what is wrong, and then leave the graph as it was, unless something else is said. They do so for
// an index that does not exist, while the interpreter runs, and, apart from oclite_graph_add_tensors, while a
// delegate is applied to the subgraph. An interpreter of NULL is an error without a message. One thread at a
// time may call them. What changes a graph that was allocated either leaves it ready to be invoked, with its
// nodes prepared again, or, where something else is said, makes it wait for the next allocation.
#ifndef OCLITE_GRAPH_H_
#define OCLITE_GRAPH_H_

#include <stdbool.h>
#include <stddef.h>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_types.h"
#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates an interpreter with one subgraph, without tensors and nodes. `options` may be NULL; operators among
// them have no effect, because nodes bring their own, and delegates neither: they are applied to the graph
// when it is built (TfLiteInterpreterModifyGraphWithDelegate). Returns NULL, after a message, when memory
// runs out.
TFL_CAPI_EXPORT extern TfLiteInterpreter*
oclite_interpreter_create_empty(const TfLiteInterpreterOptions* options);

// Adds `count` empty subgraphs, for operators of control flow, and stores the index of the first one in
// *first unless that is NULL.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_add_subgraphs(TfLiteInterpreter* interpreter,
                                                                     int count, int* first);

// Names a subgraph. The name is copied; NULL stands for "".
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_set_name(TfLiteInterpreter* interpreter, int subgraph,
                                                          const char* name);

// Adds `count` tensors, which have no type, no dimensions and no memory yet, and stores the index of the
// first one in *first unless that is NULL. Tensors may move: pointers to TfLiteTensor that were taken before
// are no longer valid.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_add_tensors(TfLiteInterpreter* interpreter, int subgraph,
                                                             int count, int* first);

// Set the tensors that are inputs, outputs or variables of a subgraph, in the place of those it had. The
// arrays are copied. -1 stands for an absent input or output. An index that does not exist makes the subgraph
// inconsistent, as in TensorFlow Lite: it can neither be allocated nor invoked any more.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_set_inputs(TfLiteInterpreter* interpreter, int subgraph,
                                                            const int* tensors, int count);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_set_outputs(TfLiteInterpreter* interpreter, int subgraph,
                                                             const int* tensors, int count);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_set_variables(TfLiteInterpreter* interpreter, int subgraph,
                                                               const int* tensors, int count);

typedef struct OcliteNewTensor {
    TfLiteType type;
    const char* name; // not copied: must live as long as the interpreter; may be NULL
    const int* dims;  // copied, each 0 or more
    int rank;
    const int* dims_signature; // copied; -1 for dimensions that the strict resize may change
    int signature_rank;        // the same as rank, or 0 for none
    // None, or an affine one, whose parameters and arrays come from malloc (TfLiteFloatArrayCreate and
    // TfLiteIntArrayCreate for the arrays). The functions below own them from the call on, also on failure.
    TfLiteQuantization quantization;
    bool is_variable; // keeps its contents from one inference to the next
} OcliteNewTensor;

// Describes a tensor that the interpreter gives memory to: an input, an output, or one in between. Replaces
// all that was known of it. The subgraph must be allocated again.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_set_tensor(TfLiteInterpreter* interpreter, int subgraph,
                                                            int tensor, const OcliteNewTensor* description);

// Describes a constant: its elements are the first of the `bytes` bytes at `data`, which must stay as they
// are as long as the interpreter lives. Fewer bytes than the elements take are an error, and so are strings
// whose offsets lead outside. If type and dimensions are others than before, the subgraph must be allocated
// again.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_set_constant(TfLiteInterpreter* interpreter, int subgraph,
                                                              int tensor, const OcliteNewTensor* description,
                                                              const void* data, size_t bytes);

typedef struct OcliteNewNode {
    // Indices of tensors, which are copied. -1 stands for an absent input or intermediate.
    const int* inputs;
    int input_count;
    const int* outputs;
    int output_count;
    const int* intermediates;
    int intermediate_count;
    // What the registration's init function receives; NULL: it receives builtin_data, with a length of 0. For
    // a custom operator they are also the node's custom_initial_data, and must live as long as the
    // interpreter.
    const char* init_data;
    size_t init_data_size;
    // The operator's parameters, for example a TfLiteAddParams, from malloc, or NULL. oclite_graph_add_node
    // owns them from the call on, also on failure: free() releases them with the node. An operator of the
    // library whose parameters are absent gets all zeros.
    void* builtin_data;
    // Copied; what it points to must live as long as the interpreter. oclite_operator returns those of the
    // library.
    const TfLiteRegistration* registration;
} OcliteNewNode;

// Adds a node at the end of the execution plan, calls the init function of its registration, and stores the
// node's index in *index unless that is NULL. The subgraph must be allocated again. Errors: an index that
// does not exist, or, with parameters or for an operator of the library, a tensor that is both input and
// output, which make the subgraph inconsistent; an init function that returns TfLiteKernelInitFailed().
//
// Several nodes may write one tensor if all nodes that use it run operators of the program's own. No delegate
// takes nodes of such a subgraph. As in TensorFlow Lite a registration may lack prepare: the outputs then
// keep the dimensions that they have.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_add_node(TfLiteInterpreter* interpreter, int subgraph,
                                                          const OcliteNewNode* node, int* index);

// Sets the nodes that run, in their order. A node may be left out; its outputs then have no contents.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_set_plan(TfLiteInterpreter* interpreter, int subgraph,
                                                          const int* nodes, int count);

// Do for any subgraph what TfLiteInterpreterAllocateTensors and TfLiteInterpreterInvoke do for the main one,
// also from within a node of another subgraph. A subgraph that is in use is an error.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_allocate(TfLiteInterpreter* interpreter, int subgraph);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_invoke(TfLiteInterpreter* interpreter, int subgraph);

// Gives back the memory that tensors share in arenas. Inputs and variables keep theirs. The subgraph must be
// allocated again, which leaves variables as they are. Does nothing to one that is not allocated.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_graph_release_memory(TfLiteInterpreter* interpreter, int subgraph);

// Whether intermediate tensors keep memory of their own, as the option of this name says when an interpreter
// is created (oclite_interpreter_options_set_preserve_all_tensors).
TFL_CAPI_EXPORT extern TfLiteStatus
oclite_interpreter_set_preserve_all_tensors(TfLiteInterpreter* interpreter, bool preserve);

// Whether intermediate tensors whose size is known only in an inference give their memory back as soon as the
// last node has read them. It is less memory for more time. By default they keep it for the next inference.
TFL_CAPI_EXPORT extern TfLiteStatus
oclite_interpreter_set_release_dynamic_tensors(TfLiteInterpreter* interpreter, bool release);

#ifdef __cplusplus
}
#endif

#endif
