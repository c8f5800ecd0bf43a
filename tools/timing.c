// SPDX-License-Identifier: Apache-2.0
#include "tools/timing.h"

#include <stdlib.h>
#include <time.h>

enum { kRepetitions = 5 };
static const long kMostRounds = 1000000000;
static const double kCall = 0.02; // seconds of a call
static const double kTotal = 0.5; // of all calls

double tool_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static ToolStatus time_call(ToolRounds run, void* data, long rounds, double* seconds) {
    const double start = tool_now();
    const ToolStatus status = run(data, rounds);
    *seconds = tool_now() - start;
    return status;
}

static int compare(const void* left, const void* right) {
    const double a = *(const double*)left;
    const double b = *(const double*)right;
    return (a > b) - (a < b);
}

ToolStatus tool_rate(ToolRounds run, void* data, double* rate) {
    long rounds = 1;
    double times[kRepetitions];
    *rate = 0;
    ToolStatus status = time_call(run, data, rounds, &times[0]); // compiles, wakes up, makes caches warm
    if (status == kToolOk) status = time_call(run, data, rounds, &times[0]);
    while (status == kToolOk && times[0] < kCall / 2) {
        if (rounds >= kMostRounds / 8) return kToolOk;
        const double missing = times[0] > 0 ? kCall / times[0] : 8;
        rounds = missing < 8 ? (long)(missing * (double)rounds) + 1 : rounds * 8;
        status = time_call(run, data, rounds, &times[0]);
    }
    int count = 1;
    for (double total = times[0]; status == kToolOk && count < kRepetitions && total < kTotal; ++count) {
        status = time_call(run, data, rounds, &times[count]);
        total += times[count];
    }
    if (status != kToolOk) return status;
    qsort(times, (size_t)count, sizeof(times[0]), compare);
    if (times[count / 2] > 0) *rate = (double)rounds / times[count / 2];
    return kToolOk;
}
