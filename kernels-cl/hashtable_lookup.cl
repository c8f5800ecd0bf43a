// SPDX-License-Identifier: Apache-2.0
// HASHTABLE_LOOKUP: rows by key, zeros where there is none. TYPE is an integer of the element's size.
#include "kernels-cl/args/hashtable_lookup.h"
#include "kernels-cl/common/common.cl"

// Binary search as the CPU kernel does it: so it is known what it finds where keys are not in order, too.
inline int find(const __global int* restrict keys, int count, int wanted) {
    int begin = 0, end = count;
    while (begin < end) {
        const int middle = begin + (end - begin) / 2;
        if (wanted == keys[middle]) return middle;
        if (wanted < keys[middle]) {
            end = middle;
        } else {
            begin = middle + 1;
        }
    }
    return -1;
}

// Dimension 0: chunks of a row, at least one; dimension 1: keys that are wanted.
KERNEL lookup(ITEM const LiteClTableRowsArgs a, const __global int* restrict wanted,
              const __global int* restrict keys, const __global TYPE* restrict values,
              __global TYPE* restrict y, __global uchar* restrict found) {
    const int i = get_global_id(1);
    if (i >= a.wanted) return;
    const int at = find(keys, a.keys, wanted[i]);
    if (get_global_id(0) == 0) found[i] = at >= 0;
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.inner);
    for (int k = begin; k < end; k++) y[i * a.inner + k] = at >= 0 ? values[at * a.inner + k] : (TYPE)0;
}
