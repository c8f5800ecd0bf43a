// SPDX-License-Identifier: Apache-2.0
// One inference, with the program's fallback to the CPU.
#ifndef CORE_GRAPH_INVOKE_H_
#define CORE_GRAPH_INVOKE_H_

#include "core/graph/types.h"

// Runs the plan. The status is kTfLiteOk, kTfLiteCancelled after lite_interpreter_cancel, or kTfLiteError,
// whatever a kernel gave.
//
// A delegate kernel that gives kTfLiteDelegateError is undone, with a message. The inference is run again on
// the CPU from its start, with the contents that the variables had then. With the option delegate_fallback
// any failure in the presence of delegates removes them all, and the inference is run again; when that
// succeeds, the status is kTfLiteDelegateError.
TfLiteStatus lite_subgraph_invoke(LiteSubgraph* subgraph);

#endif
