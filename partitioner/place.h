// SPDX-License-Identifier: Apache-2.0
// oclite_partition with less work, for tests of many graphs.
#ifndef PARTITIONER_PLACE_H_
#define PARTITIONER_PLACE_H_

#include "oclite/partition.h"

// What oclite_partition lets a search do (LiteSearch.work): about a second, for graphs of many branches.
enum { kLitePlaceWork = 300000000 };

OclitePartitionStatus lite_place(const OclitePartitionProblem* problem, OclitePartitionMode mode,
                                 int64_t work, int32_t* partition_of, OclitePartitionResult* result);

#endif
