// SPDX-License-Identifier: Apache-2.0
#include "core/base/lock.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_uint forks;

static void count_fork(void) {
    atomic_fetch_add(&forks, 1);
}

__attribute__((constructor)) static void watch_forks(void) {
    (void)pthread_atfork(NULL, NULL, count_fork);
}

unsigned lite_fork_count(void) {
    return atomic_load_explicit(&forks, memory_order_relaxed);
}

// Added to a lock's `forks` while a thread of the child makes its mutex anew.
#define RENEWING 0x80000000U

static void renew(LiteLock* lock) {
    const unsigned now = lite_fork_count();
    unsigned found = atomic_load_explicit(&lock->forks, memory_order_acquire);
    while (found != now) {
        const bool ours =
            found != (now | RENEWING) && atomic_compare_exchange_strong(&lock->forks, &found, now | RENEWING);
        if (ours) {
            (void)pthread_mutex_init(&lock->mutex, NULL);
            atomic_store_explicit(&lock->forks, now, memory_order_release);
            return;
        }
        (void)sched_yield();
        found = atomic_load_explicit(&lock->forks, memory_order_acquire);
    }
}

void lite_lock_init(LiteLock* lock) {
    (void)pthread_mutex_init(&lock->mutex, NULL);
    atomic_init(&lock->forks, lite_fork_count());
}

void lite_lock_destroy(LiteLock* lock) {
    renew(lock);
    (void)pthread_mutex_destroy(&lock->mutex);
}

void lite_lock(LiteLock* lock) {
    renew(lock);
    (void)pthread_mutex_lock(&lock->mutex);
}

void lite_unlock(LiteLock* lock) {
    (void)pthread_mutex_unlock(&lock->mutex);
}
