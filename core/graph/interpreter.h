// SPDX-License-Identifier: Apache-2.0
// Interpreters are made and destroyed; what a program may set.
#ifndef CORE_GRAPH_INTERPRETER_H_
#define CORE_GRAPH_INTERPRETER_H_

#include "core/graph/options.h"
#include "core/graph/types.h"

// NULL after a message through the reporter: out of memory, a tensor that cannot exist, a builtin operator
// that nothing implements, a delegate that cannot be applied. Custom operators may stay unresolved:
// lite_subgraph_allocate fails if no delegate has claimed them. Keeps a reference to the model; `options` may
// be NULL.
LiteInterpreter* lite_interpreter_create(LiteModel* model, const LiteInterpreterOptions* options);
// NULL allowed. Ends asynchronous inferences as lite_background_end does.
void lite_interpreter_destroy(LiteInterpreter* interpreter);

// Makes the invoke that is running return kTfLiteCancelled, also within a node. From any thread;
// kTfLiteError when cancellation was not enabled.
TfLiteStatus lite_interpreter_cancel(LiteInterpreter* interpreter);
TfLiteStatus lite_interpreter_enable_cancellation(LiteInterpreter* interpreter, bool enable);
// `is_cancelled` is asked before each node, and within long ones; true ends the invoke with kTfLiteError.
// NULL: nothing is asked.
void lite_interpreter_set_cancellation(LiteInterpreter* interpreter, bool (*is_cancelled)(void* user_data),
                                       void* user_data);

// Resets the variables of all subgraphs.
TfLiteStatus lite_interpreter_reset_variables(LiteInterpreter* interpreter);

void lite_interpreter_set_num_threads(LiteInterpreter* interpreter, int num_threads);
void lite_interpreter_set_profile(LiteInterpreter* interpreter, LiteProfile profile, void* user_data);
// Whether the contents of graph outputs may stay in delegates' buffers at the end of an invoke.
void lite_interpreter_allow_buffer_handle_output(LiteInterpreter* interpreter, bool allow);

#endif
