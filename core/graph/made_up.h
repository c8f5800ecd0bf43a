// SPDX-License-Identifier: Apache-2.0
// Contents for the inputs of a graph that nobody has given any.
#ifndef CORE_GRAPH_MADE_UP_H_
#define CORE_GRAPH_MADE_UP_H_

#include "core/graph/types.h"

// Fills the inputs of a graph that is allocated, always with the same: floats rise and fall between -1 and 1,
// quantized numbers are in the middle of their range, strings empty, and others 0, which is an index of
// whatever has elements.
TfLiteStatus lite_make_up_inputs(LiteSubgraph* subgraph);

#endif
