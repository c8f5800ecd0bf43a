// SPDX-License-Identifier: Apache-2.0
#include "tools/common/timing.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { kRepetitions = 5, kLeastRepetitions = 3, kReadings = 101 };
static const long kMaxRounds = 1000000000;
static const double kCall = 0.02; // seconds of a call
static const double kShare = 20;  // as long as this many calls without rounds
static const double kTotal = 0.5; // of all calls, unless there are too few of them

uint64_t tool_now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

double tool_now_us(void) {
    return tool_now() * 1e6;
}

double tool_now(void) {
    return (double)tool_now_ns() * 1e-9;
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

double tool_clock_cost(void) {
    double costs[kReadings];
    for (int i = 0; i < kReadings; i++) {
        const double start = tool_now();
        costs[i] = tool_now() - start;
    }
    qsort(costs, kReadings, sizeof(costs[0]), compare);
    return costs[kReadings / 2];
}

typedef struct Least {
    double seconds; // of a call with all rounds
    double idle;    // of a call without any: what starting threads or waiting for a device takes
} Least;

// Finds the least times of a call that has taken least->seconds and of more calls. The machine makes a call
// longer than its work, never shorter.
static ToolStatus time_calls(ToolRounds run, void* data, long rounds, Least* least) {
    double total = least->seconds;
    ToolStatus status = time_call(run, data, 0, &least->idle);
    for (int count = 1; count < kRepetitions && (count < kLeastRepetitions || total < kTotal); count++) {
        double next = 0;
        double idle = 0;
        if (status == kToolOk) status = time_call(run, data, rounds, &next);
        if (status == kToolOk) status = time_call(run, data, 0, &idle);
        if (status != kToolOk) break;
        total += next;
        if (next < least->seconds) least->seconds = next;
        if (idle < least->idle) least->idle = idle;
    }
    return status;
}

// Returns whether a call took long enough, and because of its rounds.
static bool is_long(const Least* least) {
    return least->seconds >= kCall / 4 &&
           (least->seconds >= kShare * least->idle || least->seconds >= kTotal);
}

// Returns a larger number of rounds, if possible one with which a call takes about kCall; 0 when rounds take
// no time.
static long more_rounds(long rounds, double seconds) {
    if (rounds >= kMaxRounds / 8) return 0;
    const double missing = seconds > 0 ? kCall / seconds : 8;
    return missing > 1 && missing < 8 ? (long)(missing * (double)rounds) + 1 : rounds * 8;
}

// A call may seem long because the machine did something else meanwhile: the least of several is short then,
// or one without rounds is as long, and the search goes on.
ToolStatus tool_rate(ToolRounds run, void* data, double* rate) {
    Least least = {0};
    *rate = 0;
    ToolStatus status = time_call(run, data, 1, &least.seconds); // compiles, wakes up, makes caches warm
    for (long rounds = 1; status == kToolOk && rounds > 0;) {
        status = time_call(run, data, rounds, &least.seconds);
        if (status == kToolOk && least.seconds >= kCall / 2) {
            status = time_calls(run, data, rounds, &least);
            if (status == kToolOk && is_long(&least)) {
                *rate = (double)rounds / least.seconds;
                break;
            }
        }
        rounds = more_rounds(rounds, least.seconds);
    }
    return status;
}
