// SPDX-License-Identifier: Apache-2.0
// Makes the plan of a partition from its nodes.
#ifndef DELEGATE_OPENCL_PARTITION_BUILD_H_
#define DELEGATE_OPENCL_PARTITION_BUILD_H_

#include "delegate-opencl/partition/partition.h"

// For the shapes that were inferred last, and the precisions that the nodes have now; `exact`: as if all of
// them were float32.
TfLiteStatus lite_cl_partition_build(LiteClPartition* partition, bool exact, const LiteReporter* reporter);

#endif
