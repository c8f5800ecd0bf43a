// SPDX-License-Identifier: Apache-2.0
// REVERSE_SEQUENCE. Prelude: TYPE, an integer of the element's size; I_TYPE and I_LOAD of the lengths.
#include "kernels-cl/args/reverse_sequence.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/indices.cl"

// The first elements of each sequence in reverse order. Item: a chunk of the output.
KERNEL reverse_sequence(ITEM const LiteClReverseSequenceArgs a, const __global TYPE* restrict x,
                        const __global I_TYPE* restrict lengths, __global TYPE* restrict y,
                        __global int* restrict status) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        const long length = I_LOAD(lengths, i / a.batch_stride % a.batch);
        const int place = i / a.stride % a.length;
        if (is_outside(length, a.length + 1L)) atomic_max(status, a.node);
        y[i] = x[place < length && length <= a.length ? i + ((int)length - 1 - 2 * place) * a.stride : i];
    }
}
