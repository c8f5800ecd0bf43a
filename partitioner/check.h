// SPDX-License-Identifier: Apache-2.0
// Whether the arguments of oclite/partition.h make sense; a failure's message says which does not.
#ifndef PARTITIONER_CHECK_H_
#define PARTITIONER_CHECK_H_

#include "oclite/partition.h"

// Copies what the caller's version of the struct has to *problem and checks it. *problem still refers to the
// caller's arrays.
OclitePartitionStatus lite_partition_check(const OclitePartitionProblem* given,
                                           OclitePartitionProblem* problem);

#endif
