// SPDX-License-Identifier: Apache-2.0
// What account.h keeps in what all partitions share.
#ifndef DELEGATE_OPENCL_PARTITION_ACCOUNT_STATE_H_
#define DELEGATE_OPENCL_PARTITION_ACCOUNT_STATE_H_

#include <pthread.h>
#include <stdbool.h>

struct LiteClAccountKernel;

typedef struct LiteClAccount {
    pthread_mutex_t mutex; // guards what follows
    bool verbose;
    int file;                            // -1: none
    bool is_regular;                     // it can be written anew; other files are written once, at the end
    struct LiteClAccountKernel* kernels; // launches of partitions that have ended or been built anew
    int kernel_count;
} LiteClAccount;

#endif
