// SPDX-License-Identifier: Apache-2.0
// Elements moved to or from places that a tensor of indices names. Indices outside set the status and move
// nothing.
//
// Prelude: TYPE, an integer of the element's size; I_TYPE and I_LOAD of the indices.

// Slices of one axis by number. Dimension 0: chunks of a slice; dimension 1: slices, some to an item.
__kernel void gather(const LiteClGatherArgs a, const __global TYPE* restrict x,
                     const __global I_TYPE* restrict indices, __global TYPE* restrict y,
                     __global int* restrict status) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.inner);
    const int first = (int)get_global_id(1) * a.item_slices, last = min(first + a.item_slices, a.slices);
    for (int slice = first; slice < last; slice++) {
        const int row = slice / a.per_batch;
        const long index = I_LOAD(indices, row / a.outer * a.per_batch + slice % a.per_batch);
        if (index < 0 || index >= a.entries) {
            atomic_max(status, a.node);
            continue;
        }
        const int from = (row * a.entries + (int)index) * a.inner, to = slice * a.inner;
        for (int i = begin; i < end; i++) y[to + i] = x[from + i];
    }
}

// The number of the slice at coordinates `row` of the indices, -1 when one of them is outside.
inline int slice_number(const LiteClCoordinatesArgs* a, const __global I_TYPE* restrict indices, int row) {
    int number = 0;
    for (int d = 0; d < a->depth; d++) {
        const long index = I_LOAD(indices, row * a->depth + d);
        if (index < 0 || index >= a->dims[d]) return -1;
        number = number * a->dims[d] + (int)index;
    }
    return number;
}

// Slices by coordinates. Dimensions as in gather.
__kernel void gather_nd(const LiteClCoordinatesArgs a, const __global TYPE* restrict x,
                        const __global I_TYPE* restrict indices, __global TYPE* restrict y,
                        __global int* restrict status) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.inner);
    const int row = get_global_id(1);
    if (row >= a.rows) return;
    const int number = slice_number(&a, indices, row);
    if (number < 0) {
        atomic_max(status, a.node);
        return;
    }
    for (int i = begin; i < end; i++) y[row * a.inner + i] = x[number * a.inner + i];
}

// The opposite: updates at coordinates, one row after the other, as the last one counts. Dimension 0: chunks.
__kernel void scatter_rows(const LiteClCoordinatesArgs a, const __global TYPE* restrict x,
                           const __global I_TYPE* restrict indices, __global TYPE* restrict y,
                           __global int* restrict status) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.inner);
    for (int row = 0; row < a.rows && begin < end; row++) {
        const int number = slice_number(&a, indices, row);
        if (number < 0) {
            atomic_max(status, a.node);
            continue;
        }
        for (int i = begin; i < end; i++) y[number * a.inner + i] = x[row * a.row_step + i];
    }
}

// `on` where the index along `depth` is the one named, else `off`. Item: a chunk of the output.
__kernel void one_hot(const LiteClOneHotArgs a, const __global I_TYPE* restrict indices,
                      const __global TYPE* restrict on, const __global TYPE* restrict off,
                      __global TYPE* restrict y) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        const int inner = i % a.inner, position = i / a.inner % a.depth, outer = i / a.inner / a.depth;
        y[i] = I_LOAD(indices, outer * a.inner + inner) == position ? on[0] : off[0];
    }
}

// The first elements of each sequence in reverse order. Item: a chunk of the output.
__kernel void reverse_sequence(const LiteClReverseSequenceArgs a, const __global TYPE* restrict x,
                               const __global I_TYPE* restrict lengths, __global TYPE* restrict y,
                               __global int* restrict status) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        const long length = I_LOAD(lengths, i / a.batch_stride % a.batch);
        const int place = i / a.stride % a.length;
        if (length < 0 || length > a.length) atomic_max(status, a.node);
        y[i] = x[place < length && length <= a.length ? i + ((int)length - 1 - 2 * place) * a.stride : i];
    }
}

// An update at a place that is moved inside. Item: a chunk of the update.
__kernel void update_slice(const LiteClUpdateSliceArgs a, const __global TYPE* restrict update,
                           const __global I_TYPE* restrict start, __global TYPE* restrict y) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    int offset = 0;
    for (int d = 0; d < a.rank; d++) {
        const long wanted = I_LOAD(start, d);
        offset += (int)clamp(wanted, 0L, (long)a.most[d]) * a.strides[d];
    }
    for (int i = begin; i < end; i++) {
        int to = offset;
        for (int d = a.rank - 1, rest = i; d >= 0; rest /= a.dims[d--]) to += rest % a.dims[d] * a.strides[d];
        y[to] = update[i];
    }
}

// STABLEHLO_GATHER. Item: a chunk of the output.
__kernel void gather_windows(const LiteClWindowsArgs a, const __global TYPE* restrict x,
                             const __global I_TYPE* restrict indices, __global TYPE* restrict y) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        int at = 0, from = 0;
        for (int d = a.rank - 1, rest = i; d >= 0; rest /= a.dims[d--]) {
            at += rest % a.dims[d] * a.in_indices[d];
            from += rest % a.dims[d] * a.in_input[d];
        }
        for (int n = 0; n < a.length; n++) {
            const long start = I_LOAD(indices, at + n * a.step);
            from += (int)clamp(start, 0L, (long)a.most[n]) * a.strides[n];
        }
        y[i] = x[from];
    }
}

#ifdef JOIN
// Rows joined with what is at their places, in order. Here TYPE … is the type of the elements. Dimension 0:
// chunks. Places under 0 of a single coordinate are left out where `skips` is set.
__kernel void combine_rows(const LiteClCoordinatesArgs a, const __global TYPE* restrict x,
                           const __global I_TYPE* restrict indices, __global TYPE* restrict y,
                           __global int* restrict status) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.inner);
    for (int row = 0; row < a.rows && begin < end; row++) {
        if (a.skips != 0 && I_LOAD(indices, row) < 0) continue;
        const int number = slice_number(&a, indices, row);
        if (number < 0) {
            atomic_max(status, a.node);
            continue;
        }
        for (int i = begin; i < end; i++) {
            const VALUE held = LOAD(y, number * a.inner + i), added = LOAD(x, row * a.inner + i);
            STORE(y, number * a.inner + i, JOIN(held, added));
        }
    }
}
#endif
