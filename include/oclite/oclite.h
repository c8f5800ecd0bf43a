// SPDX-License-Identifier: Apache-2.0
// What only oclite has, beside the TensorFlow Lite API: its version, threads for kernels, the library's
// operators, and a look into models and interpreters: nodes, plan, profile, memory. The C++ headers of
// TensorFlow Lite that come with oclite are written with this and the C API.
#ifndef OCLITE_OCLITE_H_
#define OCLITE_OCLITE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_types.h"
#include "tensorflow/lite/c/common.h"

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

// ---- For programs: limits ----

// How many bytes the tensors of an interpreter made with these options may take: arenas, inputs, variables,
// outputs whose size only an inference tells; not the constants in the model, and not a delegate's memory. A
// model whose tensors need more fails to allocate or to invoke, with a message that names the tensor. No
// single piece of memory that a kernel takes for itself is larger either. 0, the default, stands for all the
// memory that the machine or the container has, SIZE_MAX for no limit.
//
// (Time is limited by TfLiteInterpreterCancel: from another thread, or from the profile function below.)
TFL_CAPI_EXPORT extern void oclite_interpreter_options_set_memory_limit(TfLiteInterpreterOptions* options,
                                                                        size_t bytes);

// The library's operators, one registration for each version of each: builtin ones, then custom ones, which
// have a custom_name. They live as long as the library. A program may call their functions from an operator
// of its own, with the context and node that this one was given, or copy a registration and replace some.
TFL_CAPI_EXPORT extern int oclite_operator_count(void);
// NULL when there is none of that number.
TFL_CAPI_EXPORT extern const TfLiteRegistration* oclite_operator(int index);
// The format's name of a TfLiteBuiltinOperator, "CONV_2D", whether or not the library has it; NULL for codes
// that the format does not have.
TFL_CAPI_EXPORT extern const char* oclite_operator_name(int builtin_code);

// ---- For programs: which code computes on the CPU ----
// Kernels exist for several instruction sets; "auto" stands for what is fastest on this machine. The others
// are for comparisons: "reference" (plain C), "vec128", "avx2", "avxvnni", "avx512", "avx512vnni",
// "avx512amx" and "onednn" (that library wherever it can compute a node).

// The paths that this machine and this build of the library have; NULL when there is none of that number.
TFL_CAPI_EXPORT extern const char* oclite_available_cpu_path(int index);
// Chooses one for all interpreters of the process: before they are created. kTfLiteError, and nothing
// changes, for a path that is not available.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_set_cpu_path(const char* name);
// The chosen path, at first "auto".
TFL_CAPI_EXPORT extern const char* oclite_cpu_path(void);

// ---- For programs: what a model holds ----

// The bytes of the file, which live as long as the model. NULL for NULL; `size` may be NULL.
TFL_CAPI_EXPORT extern const void* oclite_model_data(const TfLiteModel* model, size_t* size);

// What the file says about itself, "MLIR Converted." for example; "" when it says nothing. Lives as long as
// the model.
TFL_CAPI_EXPORT extern const char* oclite_model_description(const TfLiteModel* model);

// Buffers with names that were stored with the model. kTfLiteError when there is none of that number.
TFL_CAPI_EXPORT extern int oclite_model_metadata_count(const TfLiteModel* model);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_model_metadata(const TfLiteModel* model, int index,
                                                          const char** name, const void** data, size_t* size);

// ---- For programs: what an interpreter does ----

// With `true`, tensors between operators do not share memory: all of them can be read after an inference.
TFL_CAPI_EXPORT extern void
oclite_interpreter_options_set_preserve_all_tensors(TfLiteInterpreterOptions* options, bool preserve);

// `is_cancelled` is asked before each node; when it returns true the inference stops with kTfLiteError. NULL
// ends it.
TFL_CAPI_EXPORT extern void oclite_interpreter_set_cancellation(TfLiteInterpreter* interpreter,
                                                                bool (*is_cancelled)(void* user_data),
                                                                void* user_data);

// For any subgraph: gives the tensor, which is an input of it, another shape, as
// TfLiteInterpreterResizeInputTensor does;
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_resize_input(TfLiteInterpreter* interpreter,
                                                                    int subgraph, int tensor, const int* dims,
                                                                    int rank);
// and lets a tensor live in the program's memory, as TfLiteInterpreterSetCustomAllocationForTensor does.
TFL_CAPI_EXPORT extern TfLiteStatus
oclite_interpreter_set_custom_allocation(TfLiteInterpreter* interpreter, int subgraph, int tensor,
                                         const TfLiteCustomAllocation* allocation, int64_t flags);

// ---- For programs: inferences in the background ----
// For every interpreter, whatever its operators and delegates are. (Graphs that one delegate has taken as a
// whole have tensorflow/lite/async, too: several in flight, with buffers for each.)

// TfLiteInterpreterInvoke on a thread of the interpreter's own, which the first call starts and the deletion
// of the interpreter ends; returns at once. So the CPU's share of one interpreter overlaps the device's of
// another. Inferences of an interpreter run one after the other, in the order of the calls.
//
// `callback`, which may be NULL, is called on that thread at the end of each inference, with what
// TfLiteInterpreterInvoke would have returned, exactly once. Until it returns the next inference does not
// begin: it is the place to take outputs and to write the next inputs. It may call whatever may be called
// between inferences, oclite_invoke_async among it, but oclite_invoke_wait. Messages are reported on that
// thread, too.
//
// From the first call until oclite_invoke_wait, or the callback of the last one, has returned the tensors
// belong to the interpreter, and calls from other threads that would invoke, allocate, resize or change it
// otherwise fail with a message, and do nothing. TfLiteInterpreterCancel may be called, and so may this
// function. TfLiteInterpreterDelete waits for the inference that is running; those behind it are told
// kTfLiteCancelled. Called from a callback it takes effect when that has returned.
//
// kTfLiteError: no thread, no memory, or the interpreter is NULL or being deleted; the callback is not
// called.
TFL_CAPI_EXPORT extern TfLiteStatus
oclite_invoke_async(TfLiteInterpreter* interpreter, void (*callback)(void* user_data, TfLiteStatus status),
                    void* user_data);

// Waits until there are no more such inferences and their callbacks have returned; any thread may. The status
// of the first one that has failed since the last wait, else kTfLiteOk. kTfLiteError in a callback, at once.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_invoke_wait(TfLiteInterpreter* interpreter);

// ---- For programs: what an interpreter consists of ----
// Subgraph 0 is the one that TfLiteInterpreterInvoke runs. An interpreter of NULL, or a number that does not
// exist, gives 0, NULL or kTfLiteError.

// Subgraphs of the model: the main one, bodies and conditions of control flow, further signatures.
TFL_CAPI_EXPORT extern int oclite_interpreter_subgraph_count(const TfLiteInterpreter* interpreter);

// "" for a subgraph without a name.
TFL_CAPI_EXPORT extern const char* oclite_interpreter_subgraph_name(const TfLiteInterpreter* interpreter,
                                                                    int subgraph);

// What the operators of a subgraph see of the interpreter. Its functions for delegates fail outside of them.
TFL_CAPI_EXPORT extern TfLiteContext* oclite_interpreter_context(const TfLiteInterpreter* interpreter,
                                                                 int subgraph);

// The tensors that are a subgraph's inputs or outputs, -1 for absent ones. They belong to the interpreter.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_inputs(const TfLiteInterpreter* interpreter,
                                                              int subgraph, const int** tensors, int* count);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_outputs(const TfLiteInterpreter* interpreter,
                                                               int subgraph, const int** tensors, int* count);

// The subgraph that a signature runs; -1 when there is no such signature.
TFL_CAPI_EXPORT extern int oclite_interpreter_signature_subgraph(const TfLiteInterpreter* interpreter,
                                                                 int signature);

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
    const TfLiteNode* node;
    const TfLiteRegistration* registration;
} OcliteNode;

// The pointers hold until a delegate is applied or the interpreter deleted.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_node(const TfLiteInterpreter* interpreter,
                                                            int subgraph, int node, OcliteNode* result);

// The nodes that run, in that order. Valid as above.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_plan(const TfLiteInterpreter* interpreter,
                                                            int subgraph, const int** nodes, int* count);

// Bytes of memory for tensors, of all subgraphs: arenas, inputs, variables; constants not included.
TFL_CAPI_EXPORT extern size_t oclite_interpreter_memory(const TfLiteInterpreter* interpreter);

// Where a tensor's memory is.
typedef enum OcliteMemory {
    kOcliteMemoryNone = 0,    // nowhere: not allocated yet, not needed, or only within a delegate
    kOcliteMemoryModel = 1,   // a constant in the model's file
    kOcliteMemoryArena = 2,   // in an arena, shared with tensors of other steps
    kOcliteMemoryOwn = 3,     // a buffer of its own: inputs of the graph, variables
    kOcliteMemoryDynamic = 4, // sized by an inference: strings, outputs whose shape depends on contents
    kOcliteMemoryProgram = 5, // the program's (oclite_interpreter_set_custom_allocation)
} OcliteMemory;

// Steps are positions in the plan (oclite_interpreter_plan). Tensors in the same arena whose steps do not
// overlap may have the same bytes of it.
typedef struct OcliteTensorMemory {
    OcliteMemory memory;
    size_t bytes;
    int arena;      // of the subgraph, from 0 on; -1 for other kinds of memory
    size_t offset;  // in the arena
    int first_step; // that writes it; -1: no node does
    int last_step;  // that uses it, the number of steps for outputs of the graph; -1: none
} OcliteTensorMemory;

// Holds until the subgraph is allocated or invoked again. A subgraph has several arenas where shapes depend
// on what its nodes compute: one for each part of the plan that has to run before the next one is known.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_tensor_memory(const TfLiteInterpreter* interpreter,
                                                                     int subgraph, int tensor,
                                                                     OcliteTensorMemory* result);

// Bytes of an arena; 0 when there is none of that number.
TFL_CAPI_EXPORT extern size_t oclite_interpreter_arena_bytes(const TfLiteInterpreter* interpreter,
                                                             int subgraph, int arena);

// `profile` is called after each node that was run, a delegate's among them, on the thread that runs it, with
// a monotonic time in nanoseconds. NULL ends it.
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
