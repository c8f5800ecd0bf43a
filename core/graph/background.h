// SPDX-License-Identifier: Apache-2.0
// Inferences of subgraph 0 that run on a thread of the interpreter's own, one after the other. While one runs
// or waits, calls of other threads that would change anything fail (lite_interpreter_check_idle).
#ifndef CORE_GRAPH_BACKGROUND_H_
#define CORE_GRAPH_BACKGROUND_H_

#include "core/graph/types.h"

// Called on that thread at the end of an inference. It may ask for further ones.
typedef void (*LiteInvoked)(void* user_data, TfLiteStatus status);

// Asks for an inference; they run in the order of these calls. `invoked` may be NULL.
TfLiteStatus lite_interpreter_invoke_async(LiteInterpreter* interpreter, LiteInvoked invoked,
                                           void* user_data);
// Waits for all of them. The first failure since the last wait, else kTfLiteOk.
TfLiteStatus lite_interpreter_wait(LiteInterpreter* interpreter);
// The interpreter is to be destroyed. Cancels the inferences that have not begun (`invoked` gets
// kTfLiteCancelled), waits for the one that has, and returns true. When the calling thread is the one that
// runs them, returns false instead, and that thread calls `destroy_interpreter` at its end.
bool lite_background_end(LiteInterpreter* interpreter,
                         void (*destroy_interpreter)(LiteInterpreter* interpreter));

#endif
