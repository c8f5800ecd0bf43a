// SPDX-License-Identifier: Apache-2.0
// What oclite adds to the TensorFlow Lite API: its version, the number of threads for kernels, limits, the
// library's operators, inferences in the background, and a view of models and interpreters (nodes, plan,
// profile, memory). The C++ headers of TensorFlow Lite that come with oclite use only this header and the C
// API.
#ifndef OCLITE_OCLITE_H_
#define OCLITE_OCLITE_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_types.h"
#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// The version of these headers. oclite_version() returns the version of the library.
#define OCLITE_VERSION_MAJOR 0
#define OCLITE_VERSION_MINOR 1
#define OCLITE_VERSION_PATCH 0
#define OCLITE_VERSION_STRING "0.1.0"

// Returns the library's version as "major.minor.patch". (TfLiteVersion() returns the version of the
// TensorFlow Lite API that the library implements.)
TFL_CAPI_EXPORT extern const char* oclite_version(void);

// Returns why the calling thread's last TfLiteExternalDelegateCreate returned NULL: the dynamic loader's
// words, or what the library reported; "" when it did not, or the library did not say. Never returns NULL.
// The text is valid until the thread's next such call.
TFL_CAPI_EXPORT extern const char* oclite_external_delegate_error(void);

// Returns why the calling thread's last TfLiteTensorCopyFromBuffer or TfLiteTensorCopyToBuffer failed, with
// the tensor's name and both numbers of bytes; "" when it did not. Never returns NULL. The text is valid
// until the thread's next such call.
TFL_CAPI_EXPORT extern const char* oclite_tensor_copy_error(void);

// ---- For operators ----

// Returns how many threads an operator may use in its invoke function: the number that the program has set
// for this interpreter, at least 1.
TFL_CAPI_EXPORT extern int oclite_context_num_threads(const TfLiteOpaqueContext* context);

// Returns true when the inference is to end (TfLiteInterpreterCancel, or the program's cancellation
// function). An operator that computes for long asks in its invoke function between parts of its work, a
// millisecond apart or less; the call takes some nanoseconds. Once the answer was true, the inference fails
// as a cancelled one, whatever the operator returns, so the operator may leave its outputs as they are. Any
// of the operator's threads may ask. Always false in other runtimes, and where cancellation is not enabled.
TFL_CAPI_EXPORT extern bool oclite_context_is_cancelled(const TfLiteOpaqueContext* context);

// ---- For programs: limits ----

// Limits the memory, in bytes, that the tensors of an interpreter with these options may take. The limit
// covers arenas, inputs, variables and outputs whose size is known only after an inference. It does not cover
// the constants in the model or a delegate's memory. When the tensors of a model need more, allocation or
// invocation fails with a message that names the tensor. A single block that a kernel allocates for itself
// cannot exceed the limit either. 0, the default, means all the memory of the machine or the container;
// SIZE_MAX means no limit.
//
// (To limit the time, call TfLiteInterpreterCancel from another thread or from the profile function below.)
TFL_CAPI_EXPORT extern void oclite_interpreter_options_set_memory_limit(TfLiteInterpreterOptions* options,
                                                                        size_t bytes);

// ---- For programs: packed weights ----
// On the CPU, constant weights of products (CONV_2D, CONV_3D, FULLY_CONNECTED, BATCH_MATMUL, TRANSPOSE_CONV,
// LSTMs, RNNs and SVDF) are packed in another order when an interpreter is allocated, once for all
// interpreters of a model.

// Selects in what precision interpreters with these options keep packed weights of FLOAT32: "float32", the
// default; "bfloat16", which rounds each weight by at most 2^-8 of it; "float16", which does by 2^-11 of it,
// or by 2^-25 where that is more. (Convolutions by Winograd's way round what weights become there, so that
// results lose up to 5 times as much as by rounded weights; in tiles of 4 x 4 bfloat16 is not used.)
// Inputs, sums and results remain FLOAT32. Halves take half the memory, and
// products with few rows (FULLY_CONNECTED with a batch of 1, LSTMs) are faster where memory limits them.
// Weights stay FLOAT32 where halves cannot stand for them (one would become infinite, or of float16 the
// largest of them is below 2^-14), where the CPU path has no instructions that widen halves (float16 with
// "vec128"), in what oneDNN computes, and where they are no constants of the model, or sparse; how many bytes
// are halves oclite_interpreter_packed_weights tells. Returns kTfLiteError, and reports to the error reporter
// of the options, when there is no such precision.
TFL_CAPI_EXPORT extern TfLiteStatus
oclite_interpreter_options_set_precision(TfLiteInterpreterOptions* options, const char* name);
// Returns the precisions by index; NULL when `index` is out of range.
TFL_CAPI_EXPORT extern const char* oclite_precision_name(int index);

// Keeps packed weights in files of a folder, from which the next process that runs a model with the same
// weights maps them, so that it starts sooner, and processes that run at the same time share the memory. The
// folder is made where there is none; it has to belong to the user or to root, and others must not be able to
// write to it. Files are found by what they are made from, the weights' bytes among them, and what is read is
// held against a hash; so a model that has changed, or a file that is damaged, costs time and never results.
// Where the folder or a file cannot be used, or the disk is full, weights are packed as ever, and the error
// reporter gets a message about a folder. When files take more than `bytes`, those that have not been used
// for the longest time are removed; 0 means a gigabyte. NULL, the default, means no files. The text is
// copied. The first folder that an interpreter of a model names counts for all of the model's. A file of the
// folder must not be shortened by hand while a process has it: on Linux that ends the process (SIGBUS). To
// remove files is harmless at any time.
TFL_CAPI_EXPORT extern void oclite_interpreter_options_set_weight_cache(TfLiteInterpreterOptions* options,
                                                                        const char* folder, size_t bytes);

// Bytes of packed weights that all interpreters of a model share.
typedef struct OclitePackedWeights {
    size_t bytes;          // in all
    size_t bfloat16_bytes; // of these in bfloat16,
    size_t float16_bytes;  // and in float16
    size_t mapped_bytes;   // of these in files of the cache, shared with other processes
} OclitePackedWeights;
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_packed_weights(const TfLiteInterpreter* interpreter,
                                                                      OclitePackedWeights* result);

// The library's operators: one registration for each version of each operator, first the builtin operators,
// then the custom ones, which have a custom_name. The registrations live as long as the library. A program
// may call their functions from an operator of its own, with the context and the node that its operator
// received, or copy a registration and replace some of its functions.
TFL_CAPI_EXPORT extern int oclite_operator_count(void);
// Returns NULL when `index` is out of range.
TFL_CAPI_EXPORT extern const TfLiteRegistration* oclite_operator(int index);
// Returns the name that the format gives to a TfLiteBuiltinOperator, for example "CONV_2D", whether or not
// the library implements it. Returns NULL for codes that the format does not define.
TFL_CAPI_EXPORT extern const char* oclite_operator_name(int builtin_code);

// ---- For programs: which code computes on the CPU ----
// The library has kernels for several instruction sets. "auto" selects the fastest ones for this machine. The
// other paths serve comparisons: "reference" (plain C), "vec128", "avx2", "avxvnni", "avx512", "avx512vnni",
// "avx512amx" and "onednn" (the oneDNN library for every node that it can compute).

// Returns the paths that this machine and this build of the library support, by index; NULL when `index` is
// out of range.
TFL_CAPI_EXPORT extern const char* oclite_available_cpu_path(int index);
// Selects a path for all interpreters of the process. Call it before they are created. Returns kTfLiteError,
// and changes nothing, when the path is not available.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_set_cpu_path(const char* name);
// Returns the selected path; "auto" when none has been selected.
TFL_CAPI_EXPORT extern const char* oclite_cpu_path(void);

// Convolutions by filters of 3 x 3 without strides can be computed with fewer multiplications (Winograd), in
// tiles of 2 x 2 or 4 x 4 outputs. That takes up to four times the memory for the packed weights, and results
// of FLOAT32 differ from those of the direct way within a few roundings of the largest values near them
// (docs/CONFORMANCE.md). Those of INT8 and UINT8 are the same; they have tiles of 2 x 2 only, on processors
// without products of bytes. "auto" does it where it is estimated to be faster, "off" nowhere, "2x2" and
// "4x4" wherever it is possible, for comparisons. The paths "reference" and "onednn" never do it.

// Selects that for all interpreters of the process. Call it before they are created. Returns kTfLiteError,
// and changes nothing, when there is no such choice.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_set_winograd(const char* name);
// Returns the selected one; "auto" when none has been selected.
TFL_CAPI_EXPORT extern const char* oclite_winograd(void);

// ---- For programs: what a model holds ----

// Creates a model from the root table of a FlatBuffer: the address that the official FlatBuffers library
// calls tflite::Model*, with or without a file identifier or a size in front of the buffer. All that is
// reached from there is verified, as in a file. But nothing tells where the buffer begins and ends: that its
// offsets lead to its own bytes the caller answers for, so do not call it with bytes from elsewhere that
// nobody has verified. (TfLiteModelCreate is for those.) The bytes must stay as they are until the model and
// its interpreters are deleted. Models beyond 2 GiB, with contents outside of the FlatBuffer, are an error.
// Messages go to `reporter` unless it is NULL. Returns NULL on failure; deleted by TfLiteModelDelete.
TFL_CAPI_EXPORT extern TfLiteModel*
oclite_model_create_from_root(const void* root_table,
                              void (*reporter)(void* user_data, const char* format, va_list args),
                              void* user_data);

// Returns the address of the model's root table, a tflite::Model*, which lives as long as the model; NULL for
// NULL.
TFL_CAPI_EXPORT extern const void* oclite_model_root(const TfLiteModel* model);

// Returns the bytes of the file, which live as long as the model, and stores their number in *size unless
// `size` is NULL. Returns NULL for NULL. Of a model from a root table they are the parts of the FlatBuffer
// that the library knows of, without what a file begins with.
TFL_CAPI_EXPORT extern const void* oclite_model_data(const TfLiteModel* model, size_t* size);

// Returns the description in the file, for example "MLIR Converted."; "" when the file has none. It lives as
// long as the model.
TFL_CAPI_EXPORT extern const char* oclite_model_description(const TfLiteModel* model);

// The model's metadata: buffers with names. Returns kTfLiteError when `index` is out of range.
TFL_CAPI_EXPORT extern int oclite_model_metadata_count(const TfLiteModel* model);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_model_metadata(const TfLiteModel* model, int index,
                                                          const char** name, const void** data, size_t* size);

// ---- For programs: what an interpreter does ----

// With `true`, intermediate tensors do not share memory, so that the program can read all of them after an
// inference.
TFL_CAPI_EXPORT extern void
oclite_interpreter_options_set_preserve_all_tensors(TfLiteInterpreterOptions* options, bool preserve);

// The interpreter calls `is_cancelled` on the thread that runs the inference: before each node, and within a
// node that computes for long about once in a millisecond. When it returns true, the inference stops with
// kTfLiteError. NULL removes the function.
TFL_CAPI_EXPORT extern void oclite_interpreter_set_cancellation(TfLiteInterpreter* interpreter,
                                                                bool (*is_cancelled)(void* user_data),
                                                                void* user_data);

// Changes the shape of an input of any subgraph, as TfLiteInterpreterResizeInputTensor does for the main one.
// `tensor` is the index of a tensor in the subgraph: an input, or, as in TensorFlow Lite, any other that is
// no constant; what nodes compute gets its shape from them again.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_resize_input(TfLiteInterpreter* interpreter,
                                                                    int subgraph, int tensor, const int* dims,
                                                                    int rank);
// Places a tensor of any subgraph in the program's memory, as TfLiteInterpreterSetCustomAllocationForTensor
// does for the main one.
TFL_CAPI_EXPORT extern TfLiteStatus
oclite_interpreter_set_custom_allocation(TfLiteInterpreter* interpreter, int subgraph, int tensor,
                                         const TfLiteCustomAllocation* allocation, int64_t flags);

// ---- For programs: inferences in the background ----
// These functions work for every interpreter, with any operators and delegates. (A graph that one delegate
// has taken as a whole can also be executed through tensorflow/lite/async: several executions in flight, each
// with buffers of its own.)

// Runs TfLiteInterpreterInvoke on a background thread and returns at once. Each interpreter has one such
// thread: the first call starts it, the deletion of the interpreter ends it. So the CPU's part of one
// interpreter overlaps the device's part of another. The inferences of one interpreter run one after the
// other, in the order of the calls.
//
// The background thread calls `callback`, unless it is NULL, exactly once at the end of each inference, with
// the status that TfLiteInterpreterInvoke would have returned. The next inference does not begin until the
// callback returns, so the callback is the place to read outputs and to write the next inputs. It may call
// every function that may be called between inferences, also oclite_invoke_async, but not oclite_invoke_wait.
// The error reporter is called on that thread, too.
//
// The tensors belong to the interpreter from the first call until oclite_invoke_wait, or the callback of the
// last inference, has returned. Until then calls from other threads that invoke, allocate, resize or change
// the interpreter fail with a message and do nothing. TfLiteInterpreterCancel and oclite_invoke_async remain
// allowed. TfLiteInterpreterDelete waits for the inference that is running; the callbacks of those that have
// not begun receive kTfLiteCancelled. When a callback calls TfLiteInterpreterDelete, the deletion takes
// effect after the callback has returned.
//
// Returns kTfLiteError when no thread can be started, memory runs out, or the interpreter is NULL or being
// deleted. The callback is then not called.
TFL_CAPI_EXPORT extern TfLiteStatus
oclite_invoke_async(TfLiteInterpreter* interpreter, void (*callback)(void* user_data, TfLiteStatus status),
                    void* user_data);

// Waits until all background inferences are done and their callbacks have returned. Any thread may wait.
// Returns the status of the first inference that has failed since the last wait, or kTfLiteOk. In a callback
// it returns kTfLiteError at once.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_invoke_wait(TfLiteInterpreter* interpreter);

// ---- For programs: what an interpreter consists of ----
// TfLiteInterpreterInvoke runs subgraph 0. For an interpreter of NULL, and for an index that is out of range,
// the functions return 0, NULL or kTfLiteError.

// Returns the number of subgraphs of the model: the main one, the bodies and conditions of control flow, and
// further signatures.
TFL_CAPI_EXPORT extern int oclite_interpreter_subgraph_count(const TfLiteInterpreter* interpreter);

// Returns "" for a subgraph without a name.
TFL_CAPI_EXPORT extern const char* oclite_interpreter_subgraph_name(const TfLiteInterpreter* interpreter,
                                                                    int subgraph);

// Returns the context that the operators of a subgraph receive. Its functions for delegates fail outside of a
// delegate's calls.
TFL_CAPI_EXPORT extern TfLiteContext* oclite_interpreter_context(const TfLiteInterpreter* interpreter,
                                                                 int subgraph);

// Stores the indices of the tensors that are inputs or outputs of a subgraph; -1 stands for an absent one.
// The arrays belong to the interpreter.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_inputs(const TfLiteInterpreter* interpreter,
                                                              int subgraph, const int** tensors, int* count);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_outputs(const TfLiteInterpreter* interpreter,
                                                               int subgraph, const int** tensors, int* count);

// Returns the subgraph that a signature runs; -1 when `signature` is out of range.
TFL_CAPI_EXPORT extern int oclite_interpreter_signature_subgraph(const TfLiteInterpreter* interpreter,
                                                                 int signature);

// Returns the number of tensors of a subgraph: first those of the model, then those that operators and
// delegates have added.
TFL_CAPI_EXPORT extern int oclite_interpreter_tensor_count(const TfLiteInterpreter* interpreter,
                                                           int subgraph);

// Returns a tensor, which belongs to the interpreter. Its shape may always be read. Its data may not be read
// before the first allocation, nor, unless the tensor is an output, after a kernel has run.
TFL_CAPI_EXPORT extern const TfLiteTensor* oclite_interpreter_tensor(const TfLiteInterpreter* interpreter,
                                                                     int subgraph, int tensor);

// Returns the number of nodes: first those of the model, then those by which delegates have replaced some of
// them.
TFL_CAPI_EXPORT extern int oclite_interpreter_node_count(const TfLiteInterpreter* interpreter, int subgraph);

typedef struct OcliteNode {
    const char* op;      // "CONV_2D", the name of a custom operator, or that of a delegate's kernel
    int builtin_code;    // TfLiteBuiltinOperator; kTfLiteBuiltinDelegate for delegates' nodes
    int version;         // 0 for delegates' nodes
    bool is_delegate;    // a node by which a delegate has replaced others
    bool in_plan;        // it is in the execution plan
    bool resolved;       // false for a custom operator that nobody has registered
    int delegate_node;   // the delegate's node that runs this one; -1 for none
    int replaced_count;  // of a delegate's node: the number of nodes that it runs
    const int* replaced; // their indices
    int input_count;     // indices of tensors, -1 for absent ones
    const int* inputs;
    int output_count;
    const int* outputs;
    const TfLiteNode* node;
    const TfLiteRegistration* registration;
} OcliteNode;

// Stores the description of a node. Its pointers are valid until a delegate is applied or the interpreter is
// deleted.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_node(const TfLiteInterpreter* interpreter,
                                                            int subgraph, int node, OcliteNode* result);

// Stores the execution plan: the indices of the nodes that run, in their order. The array is valid as long as
// the pointers of oclite_interpreter_node.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_plan(const TfLiteInterpreter* interpreter,
                                                            int subgraph, const int** nodes, int* count);

// Returns the bytes of memory that the tensors of all subgraphs take: arenas, inputs, variables, and what was
// computed from constants, but not the constants of the model.
TFL_CAPI_EXPORT extern size_t oclite_interpreter_memory(const TfLiteInterpreter* interpreter);

// Where a tensor's memory is.
typedef enum OcliteMemory {
    kOcliteMemoryNone = 0,    // none: not allocated yet, not needed, or only inside a delegate
    kOcliteMemoryModel = 1,   // a constant in the model's file
    kOcliteMemoryArena = 2,   // in an arena, shared with tensors of other steps
    kOcliteMemoryOwn = 3,     // in a buffer of its own: inputs of the graph, variables, results of constants
    kOcliteMemoryDynamic = 4, // allocated in an inference: strings, outputs whose shape depends on contents
    kOcliteMemoryProgram = 5, // in the program's memory (oclite_interpreter_set_custom_allocation)
} OcliteMemory;

// Steps are positions in the execution plan (oclite_interpreter_plan). Tensors of one arena whose steps do
// not overlap may share bytes of it.
typedef struct OcliteTensorMemory {
    OcliteMemory memory;
    size_t bytes;
    int arena;      // index of the subgraph's arena; -1 for other kinds of memory
    size_t offset;  // in the arena, in bytes
    int first_step; // that writes the tensor; -1 when no node does
    int last_step;  // that uses the tensor; the number of steps for outputs of the graph; -1: none
} OcliteTensorMemory;

// Stores where a tensor's memory is. The answer is valid until the subgraph is allocated or invoked again. A
// subgraph has several arenas when shapes depend on what its nodes compute: one for each part of the plan
// that has to run before the shapes of the next part are known.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_interpreter_tensor_memory(const TfLiteInterpreter* interpreter,
                                                                     int subgraph, int tensor,
                                                                     OcliteTensorMemory* result);

// Returns the size of an arena in bytes; 0 when `arena` is out of range.
TFL_CAPI_EXPORT extern size_t oclite_interpreter_arena_bytes(const TfLiteInterpreter* interpreter,
                                                             int subgraph, int arena);

// The interpreter calls `profile` after each node that it has run, also after a delegate's, on the thread
// that runs the node. Begin and end are monotonic times in nanoseconds. NULL removes the function.
TFL_CAPI_EXPORT extern void oclite_interpreter_set_profile(TfLiteInterpreter* interpreter,
                                                           void (*profile)(void* user_data, int subgraph,
                                                                           int node, uint64_t begin_ns,
                                                                           uint64_t end_ns),
                                                           void* user_data);

// Sets the number of threads from the next inference on. A number below 1 counts as 1.
TFL_CAPI_EXPORT extern void oclite_interpreter_set_num_threads(TfLiteInterpreter* interpreter,
                                                               int num_threads);

#ifdef __cplusplus
}
#endif

#endif
