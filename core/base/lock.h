// SPDX-License-Identifier: Apache-2.0
// Locks that a forked child finds open. Of a process's threads only the one that calls fork lives on in the
// child: a mutex that another one held would stay locked for ever.
#ifndef CORE_BASE_LOCK_H_
#define CORE_BASE_LOCK_H_

#include <pthread.h>
#include <stdatomic.h>

// How many forks lie between this process and the one that loaded the library. Objects that live in threads,
// or in a driver, note it: they are gone when it is another one.
unsigned lite_fork_count(void);

typedef struct LiteLock {
    pthread_mutex_t mutex;
    atomic_uint forks; // lite_fork_count of the process that may use `mutex` as it is
} LiteLock;

// Of static locks.
#define LITE_LOCK_INITIALIZER                                                                                \
    { PTHREAD_MUTEX_INITIALIZER, 0 }

void lite_lock_init(LiteLock* lock);
// Only while nobody has it.
void lite_lock_destroy(LiteLock* lock);

// Not recursive. What was taken before a fork must not be given back in the child.
void lite_lock(LiteLock* lock);
void lite_unlock(LiteLock* lock);

#endif
