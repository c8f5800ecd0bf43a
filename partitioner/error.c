// SPDX-License-Identifier: Apache-2.0
// The message of the last call that failed, for each thread.
#include "partitioner/error.h"

#include <stdio.h>

static _Thread_local char last_error[256];

void lite_partition_begin(void) {
    last_error[0] = '\0';
}

OclitePartitionStatus lite_partition_fail(OclitePartitionStatus status, const char* format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(last_error, sizeof last_error, format, args);
    va_end(args);
    return status;
}

OclitePartitionStatus lite_partition_out_of_memory(void) {
    return lite_partition_fail(kOclitePartitionNoMemory, "out of memory");
}

const char* oclite_partition_last_error(void) {
    return last_error;
}
