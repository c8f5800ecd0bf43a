// SPDX-License-Identifier: Apache-2.0
// What the items of a work-group have, joined in local memory; see subgroups.cl. Not in builds of selected
// operators.
#ifdef GROUP
#ifdef JOINS_LOCALLY
#define JOINER(name, reduce, join)                                                                           \
    inline float name(float v, __local float* each) {                                                        \
        const uint item = get_local_id(0);                                                                   \
        each[item] = v;                                                                                      \
        for (uint step = GROUP / 2; step > 0; step /= 2) {                                                   \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
            if (item < step) each[item] = join(each[item], each[item + step]);                               \
        }                                                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        v = each[0];                                                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        return v;                                                                                            \
    }
#endif

// Integers of all items joined, in local memory; each item gets the result.
#define JOIN_ALL(v, join)                                                                                    \
    {                                                                                                        \
        const int item = get_local_id(0);                                                                    \
        each[item] = v;                                                                                      \
        for (int step = GROUP / 2; step > 0; step /= 2) {                                                    \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
            if (item < step) each[item] = join(each[item], each[item + step]);                               \
        }                                                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        v = each[0];                                                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
    }
#endif
