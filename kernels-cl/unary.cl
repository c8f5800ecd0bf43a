// SPDX-License-Identifier: Apache-2.0
// One formula over all elements. RESULT(x, alpha) comes from core/elementwise.def through the prelude, as
// does the element type. QUARTERS of SIN and COS, which are quick on processors for all but large numbers:
// see own_wave.
#include "kernels-cl/args/elementwise.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/functions.cl"

#define PIECE 256 // elements after which large ones are looked for

KERNEL unary(ITEM const LiteClElementwiseArgs a, const __global TYPE* restrict in,
             __global TYPE* restrict out) {
    const int begin = (int)get_global_id(0) * a.chunk;
    if (begin >= a.count) return;
    const int end = min(begin + a.chunk, a.count);
    const float alpha = a.alpha;
#if defined(QUARTERS) && defined(OWN_FUNCTIONS)
    for (int first = begin; first < end; first += PIECE) {
        const int last = min(first + PIECE, end);
        int others = 0;
        for (int i = first; i < last; i++) {
            const float x = LOAD(in, i);
            others |= !(fabs(x) <= WAVE_LIMIT);
            STORE(out, i, own_wave(x, QUARTERS));
        }
        if (others == 0) continue;
        for (int i = first; i < last; i++) {
            const float x = LOAD(in, i);
            if (!(fabs(x) <= WAVE_LIMIT)) STORE(out, i, RESULT(x, alpha));
        }
    }
#else
    for (int i = begin; i < end; i++) {
        const VALUE x = LOAD(in, i);
        STORE(out, i, RESULT(x, alpha));
    }
#endif
}
