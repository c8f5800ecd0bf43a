// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_SCATTER: updates in the order of their elements, as windows may overlap. Item: a chunk of the
// free dimensions' elements, for all windows; such elements meet in no element of the output. Prelude: TYPE
// …, I_TYPE and I_LOAD of the indices, JOIN(a, b). What lies outside is left out.
#include "kernels-cl/args/stablehlo_scatter.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/indices.cl"

// Where the update at serial place `number` begins in the updates and in the output; false: outside.
inline bool find_place(const LiteClScatterArgs* a, const __global I_TYPE* restrict indices, int number,
                       int* from, int* to) {
    long place[LITE_CL_RANK] = {0};
    int at = 0, moved[LITE_CL_RANK] = {0};
    *from = 0;
    for (int d = a->rank - 1; d >= 0; number /= a->dims[d--]) {
        const int coordinate = number % a->dims[d];
        *from += coordinate * a->from[d];
        at += coordinate * a->in_indices[d];
        if (a->about[d] >= 0) moved[a->about[d]] = coordinate;
    }
    for (int n = 0; n < a->length; n++) {
        const long index = I_LOAD(indices, at + n * a->step);
        place[a->map[n]] = clamp(index, (long)INT_MIN, (long)INT_MAX);
    }
    *to = 0;
    for (int d = 0; d < a->out_rank; d++) {
        const long coordinate = place[d] + moved[d];
        if (is_outside(coordinate, a->bounds[d])) return false;
        *to += (int)coordinate * a->to[d];
    }
    return true;
}

KERNEL scatter(ITEM const LiteClScatterArgs args, const __global I_TYPE* restrict indices,
               const __global TYPE* restrict updates, __global TYPE* restrict y) {
    const LiteClScatterArgs a = args;
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.free_count);
    for (int number = 0; number < a.count && begin < end; number++) {
        int from, to;
        if (!find_place(&a, indices, number, &from, &to)) continue;
        for (int i = begin; i < end; i++) {
            int source = from, target = to;
            bool inside = true;
            for (int d = a.free_rank - 1, rest = i; d >= 0; rest /= a.free_dims[d--]) {
                const int coordinate = rest % a.free_dims[d];
                source += coordinate * a.free_from[d];
                target += coordinate * a.to[a.free_about[d]];
                inside = inside && coordinate < a.bounds[a.free_about[d]];
            }
            if (!inside) continue;
            const VALUE held = LOAD(y, target), update = LOAD(updates, source);
            STORE(y, target, JOIN(held, update));
        }
    }
}
