// SPDX-License-Identifier: Apache-2.0
// Lists of nodes in options, held against the model.
#ifndef DELEGATE_OPENCL_PARTITION_LISTS_H_
#define DELEGATE_OPENCL_PARTITION_LISTS_H_

#include "delegate-opencl/partition/shared.h"

// Reports an entry of a list that is no node of the model: a number that is too large, a name that neither
// the model nor the format has. `graph` is the first one of the delegate's first model; later ones are not
// asked, because a delegate may serve several models. Nor is one whose other graphs the host does not show.
TfLiteStatus lite_cl_lists_check(LiteClShared* shared, TfLiteContext* context, const LiteClGraph* graph,
                                 const LiteReporter* reporter);

#endif
