// SPDX-License-Identifier: Apache-2.0
// How long a partition takes.
#ifndef DELEGATE_OPENCL_PARTITION_TIMING_H_
#define DELEGATE_OPENCL_PARTITION_TIMING_H_

#include "delegate-opencl/partition/partition.h"

// Lowers *ns to the time of the shortest of some inferences of the plan as it is, after one that does not
// count, as drivers may compile in it.
TfLiteStatus lite_cl_time_inferences(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                     uint64_t* ns, const LiteReporter* reporter);

#endif
