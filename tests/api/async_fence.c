// SPDX-License-Identifier: Apache-2.0
#include "tests/api/async_fence.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct BackendFence {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool signalled;
};

BackendFence* backend_fence_create(void) {
    BackendFence* fence = calloc(1, sizeof *fence);
    pthread_mutex_init(&fence->lock, NULL);
    pthread_cond_init(&fence->changed, NULL);
    return fence;
}

void backend_fence_signal(BackendFence* fence) {
    pthread_mutex_lock(&fence->lock);
    fence->signalled = true;
    pthread_cond_broadcast(&fence->changed);
    pthread_mutex_unlock(&fence->lock);
}

void backend_fence_wait(BackendFence* fence) {
    pthread_mutex_lock(&fence->lock);
    while (!fence->signalled) pthread_cond_wait(&fence->changed, &fence->lock);
    pthread_mutex_unlock(&fence->lock);
}

void backend_fence_close(BackendFence* fence) {
    pthread_mutex_destroy(&fence->lock);
    pthread_cond_destroy(&fence->changed);
    free(fence);
}
