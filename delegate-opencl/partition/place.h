// SPDX-License-Identifier: Apache-2.0
// Which of the nodes that the device can run it does run: the option `partition`.
#ifndef DELEGATE_OPENCL_PARTITION_PLACE_H_
#define DELEGATE_OPENCL_PARTITION_PLACE_H_

#include "delegate-opencl/partition/shared.h"

// choice->taken[n]: the device can run node n. Leaves nodes to the host that are to run there, and says why.
// Where costs decide it also notes the times.
TfLiteStatus lite_cl_place(LiteClShared* shared, TfLiteContext* context, LiteClGraph* graph,
                           const LiteClChoice* choice, const LiteReporter* reporter);

#endif
