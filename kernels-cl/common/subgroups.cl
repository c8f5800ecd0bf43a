// SPDX-License-Identifier: Apache-2.0
// Values of all items of a work-group joined: by the functions of subgroups, whatever their size, and then
// across the subgroups of the group in local memory; or in local memory alone, with JOINS_LOCALLY. All items
// of the group have to call, and get the same result.
#include "kernels-cl/common/local_joins.cl"

#ifdef GROUP
#define ADDED(a, b) ((a) + (b))
#ifndef JOINS_LOCALLY
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

#define JOINER(name, reduce, join)                                                                           \
    inline float name(float v, __local float* each) {                                                        \
        v = reduce(v);                                                                                       \
        const uint count = get_num_sub_groups();                                                             \
        if (count == 1) return v;                                                                            \
        if (get_sub_group_local_id() == 0) each[get_sub_group_id()] = v;                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        v = each[0];                                                                                         \
        for (uint i = 1; i < count; i++) v = join(v, each[i]);                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        return v;                                                                                            \
    }
#endif
JOINER(sum_across, sub_group_reduce_add, ADDED)
JOINER(most_across, sub_group_reduce_max, fmax)
JOINER(least_across, sub_group_reduce_min, fmin)
#endif
