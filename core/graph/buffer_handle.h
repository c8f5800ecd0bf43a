// SPDX-License-Identifier: Apache-2.0
// Tensors whose contents are in a delegate's memory.
#ifndef CORE_GRAPH_BUFFER_HANDLE_H_
#define CORE_GRAPH_BUFFER_HANDLE_H_

#include "core/graph/types.h"

// Copies a tensor's contents from its delegate's buffer, where that is newer.
TfLiteStatus lite_subgraph_make_readable(LiteSubgraph* subgraph, int tensor);
TfLiteStatus lite_subgraph_set_buffer_handle(LiteSubgraph* subgraph, int tensor, TfLiteBufferHandle handle,
                                             TfLiteDelegate* delegate);
// kTfLiteError, without a message, when the delegate has no function for it.
TfLiteStatus lite_delegate_free_handle(LiteSubgraph* subgraph, TfLiteTensor* tensor);
// Tensors of a delegate that is gone become ordinary ones.
void lite_delegate_release_tensors(LiteSubgraph* subgraph, const TfLiteDelegate* delegate);

#endif
