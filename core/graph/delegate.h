// SPDX-License-Identifier: Apache-2.0
// The delegates of one subgraph. The subgraph has a list of those that it should have; the first ones of it
// are applied, each on top of those before.
#ifndef CORE_GRAPH_DELEGATE_H_
#define CORE_GRAPH_DELEGATE_H_

#include "core/graph/types.h"

// Applies the first delegate of the list that is not applied. kTfLiteApplicationError and
// kTfLiteDelegateError are the delegate's fault, other errors are not.
TfLiteStatus lite_delegate_attach(LiteSubgraph* subgraph);
// Applies those delegates of the list that a resize has undone; those that fail leave the list.
TfLiteStatus lite_delegate_reapply(LiteSubgraph* subgraph);
void lite_delegate_undo(LiteSubgraph* subgraph, int keep); // all but the first `keep`; they stay in the list
void lite_delegate_remove(LiteSubgraph* subgraph, int keep); // and leave the list
// When failed_step is a delegate's kernel: removes the delegate and returns true.
bool lite_delegate_drop_failed(LiteSubgraph* subgraph);
// The first applied delegate that cannot follow changes of shape; applied_count when all can.
int lite_delegate_first_static(const LiteSubgraph* subgraph);
bool lite_delegate_has_static(const LiteSubgraph* subgraph); // there is such a delegate
void lite_delegate_destroy(LiteSubgraph* subgraph);

// Copies graph inputs out of delegates' buffers.
TfLiteStatus lite_delegate_keep_inputs(LiteSubgraph* subgraph);
// What variables hold, for an inference that may have to be run again; *saved is NULL where no delegate is.
TfLiteStatus lite_delegate_save_variables(const LiteSubgraph* subgraph, unsigned char** saved);
void lite_delegate_restore_variables(const LiteSubgraph* subgraph,
                                     const unsigned char* saved); // NULL allowed

#endif
