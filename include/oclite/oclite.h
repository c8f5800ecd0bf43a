// SPDX-License-Identifier: Apache-2.0
// What only oclite has, beside the TensorFlow Lite API: its version, threads for kernels, and a look into an
// interpreter: nodes, plan, profile, memory.
#ifndef OCLITE_OCLITE_H_
#define OCLITE_OCLITE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Version of these headers; oclite_version() is that of the library.
#define OCLITE_VERSION_MAJOR 0
#define OCLITE_VERSION_MINOR 1
#define OCLITE_VERSION_PATCH 0
#define OCLITE_VERSION_STRING "0.1.0"

// "major.minor.patch". (TfLiteVersion() gives the version of the TensorFlow Lite API that is implemented.)
TFL_CAPI_EXPORT extern const char* oclite_version(void);

// ---- For operators ----

// Threads that an operator may use in its invoke function, at least 1: what the program has set for this
// interpreter.
TFL_CAPI_EXPORT extern int oclite_context_num_threads(const TfLiteOpaqueContext* context);

// ---- For programs: what an interpreter consists of ----
// Subgraph 0 is the one that TfLiteInterpreterInvoke runs. An interpreter of NULL, or a number that does not
// exist, gives 0, NULL or kTfLiteError.

// Subgraphs of the model: the main one, bodies and conditions of control flow, further signatures.
TFL_CAPI_EXPORT extern int oclite_interpreter_subgraph_count(const TfLiteInterpreter* interpreter);

// "" for a subgraph without a name.
TFL_CAPI_EXPORT extern const char* oclite_interpreter_subgraph_name(const TfLiteInterpreter* interpreter,
                                                                    int subgraph);

// Tensors of a subgraph: those of the model, then those that operators and delegates have added.
TFL_CAPI_EXPORT extern int oclite_interpreter_tensor_count(const TfLiteInterpreter* interpreter,
                                                           int subgraph);

// Owned by the interpreter. Before the model's first allocation, and after a kernel has run for tensors that
// are not outputs, the shape may be read but the data not.
TFL_CAPI_EXPORT extern const TfLiteTensor* oclite_interpreter_tensor(const TfLiteInterpreter* interpreter,
                                                                     int subgraph, int tensor);

// Nodes of the model, then the nodes by which delegates have replaced some of them.
TFL_CAPI_EXPORT extern int oclite_interpreter_node_count(const TfLiteInterpreter* interpreter, int subgraph);

typedef struct OcliteNode {
    const char* op;      // "CONV_2D", the name of a custom operator, or that of a delegate's kernel
    int builtin_code;    // TfLiteBuiltinOperator; kTfLiteBuiltinDelegate for delegates' nodes
    int version;         // 0 for delegates' nodes
    bool is_delegate;    // a node that a delegate has put in the place of others
    bool in_plan;        // it runs, by itself
    bool resolved;       // false: a custom operator that nobody has registered
    int delegate_node;   // the delegate's node that runs this one; -1 for none
    int replaced_count;  // of a delegate's node: how many nodes it runs,
    const int* replaced; // and which
    int input_count;     // tensors, -1 for absent ones
    const int* inputs;
    int output_count;
    const int* outputs;
} OcliteNode;

// The pointers hold until a delegate is applied or the interpreter deleted.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_node(const TfLiteInterpreter* interpreter,
                                                            int subgraph, int node, OcliteNode* result);

// The nodes that run, in that order. Valid as above.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_plan(const TfLiteInterpreter* interpreter,
                                                            int subgraph, const int** nodes, int* count);

// Bytes of memory for tensors, of all subgraphs: arenas, inputs, variables; constants not included.
TFL_CAPI_EXPORT extern size_t oclite_interpreter_memory(const TfLiteInterpreter* interpreter);

// `profile` is called after each node that was run, on the thread that runs it, with a monotonic time in
// nanoseconds. NULL ends it.
TFL_CAPI_EXPORT extern void oclite_interpreter_set_profile(TfLiteInterpreter* interpreter,
                                                           void (*profile)(void* user_data, int subgraph,
                                                                           int node, uint64_t begin_ns,
                                                                           uint64_t end_ns),
                                                           void* user_data);

// Threads from the next inference on; less than 1 counts as 1.
TFL_CAPI_EXPORT extern void oclite_interpreter_set_num_threads(TfLiteInterpreter* interpreter,
                                                               int num_threads);

#ifdef __cplusplus
}
#endif

#endif
