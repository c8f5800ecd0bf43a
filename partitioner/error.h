// SPDX-License-Identifier: Apache-2.0
// The message of the last call that failed, for each thread: oclite_partition_last_error.
#ifndef PARTITIONER_ERROR_H_
#define PARTITIONER_ERROR_H_

#include "core/base/status.h"
#include "oclite/partition.h"

// To be the first call in every public function that can fail: clears the message.
void lite_partition_begin(void);

// Keeps the message, one sentence without a full stop, and returns `status`.
OclitePartitionStatus lite_partition_fail(OclitePartitionStatus status, const char* format, ...)
    LITE_PRINTF(2, 3);
OclitePartitionStatus lite_partition_out_of_memory(void);

// Returns from the calling function when `expression` is not kOclitePartitionOk.
#define PARTITION_TRY(expression)                                                                            \
    do {                                                                                                     \
        const OclitePartitionStatus partition_status_ = (expression);                                        \
        if (partition_status_ != kOclitePartitionOk) return partition_status_;                               \
    } while (0)

#endif
