// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/memory.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Does not use getrusage, whose peak begins with that of the parent process.
double bench_peak_resident(void) {
    char line[128];
    double bytes = 0;
    FILE* file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        static const char key[] = "VmHWM:";
        if (strncmp(line, key, sizeof(key) - 1) == 0) bytes = strtod(line + sizeof(key) - 1, NULL) * 1024;
    }
    if (file != NULL) fclose(file);
    return bytes;
}

double bench_resident(double* shared) {
    unsigned long all = 0;
    unsigned long resident = 0;
    unsigned long of_files = 0;
    FILE* file = fopen("/proc/self/statm", "re");
    if (file == NULL) return 0;
    const int read =
        fscanf(file, "%lu %lu %lu", &all, &resident, &of_files); // NOLINT(cert-err34-c): Linux's own
    fclose(file);
    const double page = (double)sysconf(_SC_PAGESIZE);
    if (shared != NULL) *shared = read == 3 ? (double)of_files * page : 0;
    return read == 3 ? (double)resident * page : 0;
}

struct BenchMonitor {
    pthread_t thread;
    pthread_mutex_t mutex; // guards is_ended
    pthread_cond_t ended;
    bool is_ended;
    int milliseconds;
    double most;
};

static void* watch(void* data) {
    BenchMonitor* monitor = data;
    pthread_mutex_lock(&monitor->mutex);
    while (!monitor->is_ended) {
        const double now = bench_resident(NULL);
        if (now > monitor->most) monitor->most = now;
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += monitor->milliseconds / 1000;
        until.tv_nsec += (long)(monitor->milliseconds % 1000) * 1000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&monitor->ended, &monitor->mutex, &until);
    }
    pthread_mutex_unlock(&monitor->mutex);
    return NULL;
}

BenchMonitor* bench_monitor_start(int milliseconds) {
    BenchMonitor* monitor = calloc(1, sizeof(*monitor));
    if (monitor == NULL) return NULL;
    monitor->milliseconds = milliseconds;
    pthread_mutex_init(&monitor->mutex, NULL);
    pthread_cond_init(&monitor->ended, NULL);
    if (pthread_create(&monitor->thread, NULL, watch, monitor) == 0) return monitor;
    pthread_cond_destroy(&monitor->ended);
    pthread_mutex_destroy(&monitor->mutex);
    free(monitor);
    return NULL;
}

double bench_monitor_stop(BenchMonitor* monitor) {
    if (monitor == NULL) return 0;
    pthread_mutex_lock(&monitor->mutex);
    monitor->is_ended = true;
    pthread_cond_signal(&monitor->ended);
    pthread_mutex_unlock(&monitor->mutex);
    pthread_join(monitor->thread, NULL);
    const double now = bench_resident(NULL);
    const double most = now > monitor->most ? now : monitor->most;
    pthread_cond_destroy(&monitor->ended);
    pthread_mutex_destroy(&monitor->mutex);
    free(monitor);
    return most;
}
