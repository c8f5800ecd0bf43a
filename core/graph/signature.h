// SPDX-License-Identifier: Apache-2.0
// Signatures of the model, by key, and their tensors, by name.
#ifndef CORE_GRAPH_SIGNATURE_H_
#define CORE_GRAPH_SIGNATURE_H_

#include "core/graph/types.h"

// The signature called `key`. NULL stands for the first one of subgraph 0; in a model without signatures, for
// a placeholder whose names are those of subgraph 0's input and output tensors. NULL, with a message, when
// there is none.
const LiteModelSignature* lite_interpreter_signature(LiteInterpreter* interpreter, const char* key);
// Index of the tensor called `name`; -1 when there is none.
int lite_signature_input(const LiteModelSignature* signature, const char* name);
int lite_signature_output(const LiteModelSignature* signature, const char* name);

#endif
