// SPDX-License-Identifier: Apache-2.0
// An interpreter: the subgraphs of one model with everything that changes while it runs. Not thread-safe,
// except for lite_interpreter_cancel; several interpreters may share a model.
//
// What belongs to one graph (tensors, allocation, invoking) is in core/graph/subgraph.h; subgraph 0 is the
// one that a plain inference runs, a signature runs the subgraph it names.
#ifndef CORE_GRAPH_INTERPRETER_H_
#define CORE_GRAPH_INTERPRETER_H_

#include "core/graph/subgraph.h"
#include "core/model/model.h"
#include "tensorflow/lite/profiling/telemetry/c/profiler.h"

// A user's operator. Of the registration the functions count, not the names and versions: an operator is
// found by what is written here.
typedef struct LiteOperatorEntry {
    TfLiteBuiltinOperator builtin_code; // kTfLiteBuiltinCustom: found by custom_name
    const char* custom_name;
    int first_version; // versions served, inclusive
    int last_version;
    TfLiteRegistration registration; // registration_external is set for a TfLiteOperator
} LiteOperatorEntry;

// Finds an operator: fills *registration (zeroed beforehand) as above and returns true. custom_name is NULL
// for builtin operators.
typedef bool (*LiteResolve)(void* user_data, TfLiteBuiltinOperator builtin_code, const char* custom_name,
                            int version, TfLiteRegistration* registration);

// A node has been invoked. Times are lite_clock_ns.
typedef void (*LiteProfile)(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns);

// Zero-initialised options are the defaults. Everything they point to is used during creation only, except
// delegates and TfLiteOperators with their user data, which must outlive the interpreter.
typedef struct LiteInterpreterOptions {
    int num_threads;       // < 1: one
    LiteReporter reporter; // messages of the interpreter, for its whole life
    // Where an operator comes from, in this order: operators, resolve, the library.
    const LiteOperatorEntry* operators;
    int operator_count;
    LiteResolve resolve;
    void* resolve_data;
    bool selected_operators_only; // do not look into the library
    TfLiteDelegate* const* delegates;
    int delegate_count;
    // Without it no interpreter is made when a delegate cannot be applied, and an inference fails with it.
    bool delegate_fallback;
    bool enable_cancellation;
    bool preserve_all_tensors;                // no two tensors share memory
    size_t memory_limit;                      // bytes for tensors; 0: as many as the machine has
    TfLiteTelemetryProfilerStruct* telemetry; // NULL: none; must outlive the interpreter
} LiteInterpreterOptions;

typedef struct LiteInterpreter LiteInterpreter;

// NULL after a message through the reporter: out of memory, a tensor that cannot exist, a builtin operator
// that nothing implements, a delegate that cannot be applied. Custom operators may stay unresolved
// (lite_subgraph_allocate complains if no delegate claimed them). Keeps a reference to the model; `options`
// may be NULL.
LiteInterpreter* lite_interpreter_create(LiteModel* model, const LiteInterpreterOptions* options);
// NULL allowed. See lite_interpreter_invoke_async.
void lite_interpreter_destroy(LiteInterpreter* interpreter);

// Inferences of subgraph 0 on a thread of the interpreter's own, in the order of these calls. `invoked`, if
// not NULL, is called on it at the end of each, and may ask for further ones; meanwhile calls of other
// threads that would change anything fail. What has not begun when the interpreter is destroyed is told
// kTfLiteCancelled.
typedef void (*LiteInvoked)(void* user_data, TfLiteStatus status);
TfLiteStatus lite_interpreter_invoke_async(LiteInterpreter* interpreter, LiteInvoked invoked,
                                           void* user_data);
// Waits for all of them. The first failure since the last wait, else kTfLiteOk.
TfLiteStatus lite_interpreter_wait(LiteInterpreter* interpreter);

const LiteModel* lite_interpreter_model(const LiteInterpreter* interpreter);
const LiteReporter* lite_interpreter_reporter(const LiteInterpreter* interpreter);
int lite_interpreter_subgraph_count(const LiteInterpreter* interpreter);
// NULL when there is no such subgraph.
LiteSubgraph* lite_interpreter_subgraph(const LiteInterpreter* interpreter, int index);

// Applies a delegate to all subgraphs. It must outlive the interpreter. On failure, with a message:
// kTfLiteDelegateError, the delegate has failed: all delegates are removed, as in the reference, and what
// could
//   run can still run.
// kTfLiteApplicationError, the delegate and this graph, or delegates applied before, do not go together.
// Others, the graph cannot be prepared: the plan is as before.
TfLiteStatus lite_interpreter_apply_delegate(LiteInterpreter* interpreter, TfLiteDelegate* delegate);

// Makes the invoke that is running return kTfLiteCancelled before its next node. From any thread;
// kTfLiteError when cancellation was not enabled.
TfLiteStatus lite_interpreter_cancel(LiteInterpreter* interpreter);
TfLiteStatus lite_interpreter_enable_cancellation(LiteInterpreter* interpreter, bool enable);
// Asked before each node; true ends the invoke with kTfLiteError. NULL: nothing is asked.
void lite_interpreter_set_cancellation(LiteInterpreter* interpreter, bool (*is_cancelled)(void* user_data),
                                       void* user_data);

// Those of all subgraphs.
TfLiteStatus lite_interpreter_reset_variables(LiteInterpreter* interpreter);

void lite_interpreter_set_num_threads(LiteInterpreter* interpreter, int num_threads);
void lite_interpreter_set_profile(LiteInterpreter* interpreter, LiteProfile profile, void* user_data);
// Delegate buffers of graph outputs are not copied to the tensors at the end of an invoke.
void lite_interpreter_allow_buffer_handle_output(LiteInterpreter* interpreter, bool allow);

// Signatures: those of the model. `key` NULL: the first one of subgraph 0, or for a model without any the
// placeholder whose names are those of subgraph 0's input and output tensors. NULL, with a message, when
// there is none.
const LiteModelSignature* lite_interpreter_signature(LiteInterpreter* interpreter, const char* key);
// Index of the tensor called `name`; -1 when there is none.
int lite_signature_input(const LiteModelSignature* signature, const char* name);
int lite_signature_output(const LiteModelSignature* signature, const char* name);

#endif
