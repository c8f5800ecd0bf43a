// SPDX-License-Identifier: Apache-2.0
// Each element from one of two tensors, by a condition; all broadcast by strides of 0. Prelude: TYPE, an
// integer of the element's size. Item: a chunk of the output.
#include "kernels-cl/args/select.h"
#include "kernels-cl/common/common.cl"

KERNEL select_elements(ITEM const LiteClSelectArgs args, const __global uchar* restrict condition,
                       const __global TYPE* restrict yes, const __global TYPE* restrict no,
                       __global TYPE* restrict y) {
    const LiteClSelectArgs a = args;
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        int at = 0, at_yes = 0, at_no = 0;
        for (int d = a.rank - 1, rest = i; d >= 0; rest /= a.dims[d--]) {
            const int index = rest % a.dims[d];
            at += index * a.condition[d];
            at_yes += index * a.yes[d];
            at_no += index * a.no[d];
        }
        y[i] = condition[at] != 0 ? yes[at_yes] : no[at_no];
    }
}
