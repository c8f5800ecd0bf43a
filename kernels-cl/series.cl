// SPDX-License-Identifier: Apache-2.0
// Steps of a plan one after the other, in one launch. For CPUs, whose threads sleep between launches and wake
// late. One item, which is a work-group: a worker.
//
// The items of a step lie in ranges. A worker takes parts of its own range, then of the others', and goes on
// when all items of the step are done. It only waits for items that other workers have taken, which therefore
// run. So it does not matter how many workers run at the same time, or whether any other does.
//
// Prelude: STRUCTS: types as large as the structs of arguments; FUNCTIONS: declarations of the kernels of the
// steps (common/kernel.cl); CASES: calls of them; OUTSIDE: parameters for buffers of which nobody knows the
// address; OUTSIDE_LIST: these.
#include "kernels-cl/args/series.h"
#include "kernels-cl/common/common.cl"

// What a worker has written is seen by those that see what it writes afterwards.
#if defined(__x86_64__)
#define FENCE() IN_ORDER()
#elif defined(__aarch64__)
#define FENCE() __asm__ volatile("dmb ish" ::: "memory")
#else
#define FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

typedef volatile __global uint counter;

STRUCTS
FUNCTIONS

// Takes up to a quarter of what is left of a range of `count` items. `base`: the counter before this run.
inline uint take(counter* taken, uint base, uint count, uint* first) {
    for (uint at = *taken;;) {
        const uint done = at - base;
        if (done >= count) return 0;
        const uint part = (count - done + 3) / 4, found = atomic_cmpxchg(taken, at, at + part);
        *first = done;
        if (found == at) return part;
        at = found;
    }
}

inline __global void* find_address(ulong address, __global void* const* outside) {
    return address < LITE_CL_SERIES_OUTSIDE ? outside[address] : (__global void*)address;
}

__kernel void series(const LiteClSeriesArgs a, const __global LiteClSeriesStep* restrict steps,
                     const __global int* restrict words, const __global ulong* restrict all_addresses,
                     counter* counters OUTSIDE, __local float* restrict memory) {
    __global void* outside[] = {OUTSIDE_LIST};
    const uint ranges = a.ranges, me = get_group_id(0) % ranges, run = a.run;
    for (int s = 0; s < a.steps; s++) {
        const LiteClSeriesStep step = steps[s];
        const __global int* arguments = words + step.arguments;
        // Once for all items: each call would be as much code again.
        __global void* buffers[LITE_CL_SERIES_BUFFERS];
#pragma unroll 1
        for (int b = 0; b < step.buffers; b++)
            buffers[b] = find_address(all_addresses[step.addresses + b], outside);
        counter* taken = counters + s * (ranges + 1) * LITE_CL_SERIES_LINE;
        counter* done = taken + ranges * LITE_CL_SERIES_LINE;
        const uint items = step.items;
        for (uint r = 0; r < ranges; r++) {
            const uint range = (me + r) % ranges;
            const uint begin = (ulong)items * range / ranges,
                       count = (ulong)items * (range + 1) / ranges - begin;
            uint first, part;
            while ((part = take(taken + range * LITE_CL_SERIES_LINE, run * count, count, &first)) > 0) {
                for (uint i = begin + first; i < begin + first + part; i++) {
                    LiteClItem item;
                    const uint row = i / step.size[0];
                    item.id[0] = i % step.size[0];
                    item.id[1] = row % step.size[1];
                    item.id[2] = row / step.size[1];
                    for (int d = 0; d < 3; d++) item.size[d] = step.size[d];
                    switch (step.kind) { CASES }
                }
                FENCE();
                atomic_add(done, part);
            }
        }
        while (*done - run * items < items) {}
        FENCE();
    }
}
