// SPDX-License-Identifier: Apache-2.0
// What account.h keeps in what all partitions share.
#ifndef DELEGATE_OPENCL_PARTITION_ACCOUNT_STATE_H_
#define DELEGATE_OPENCL_PARTITION_ACCOUNT_STATE_H_

#include <stdbool.h>

#include "core/base/lock.h"

struct LiteClAccountKernel;

typedef struct LiteClAccount {
    unsigned forks; // of the process that has made it: in its children nothing is told
    LiteLock lock;  // guards what follows
    bool verbose;
    int file;                            // -1: none
    bool is_regular;                     // it can be written anew; other files are written once, at the end
    struct LiteClAccountKernel* kernels; // launches of partitions that have ended or been built anew
    int kernel_count;
} LiteClAccount;

#endif
