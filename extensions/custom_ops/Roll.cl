// SPDX-License-Identifier: Apache-2.0
// clang-format off
/* oclite
   operator: Roll
   input:    x float32|int32|int64|int8|int16|uint8|bool
   input:    shift int32|int64
   input:    axis int32|int64
   output:   y like x
   require:  x.rank >= 1 && shift.rank <= 1 && axis.rank <= 1 && shift.elements == axis.elements
   kernel:   roll(x, shift, axis, y, status, int shift.elements, int x.rank, int x.dims[0], int x.rank > 1 ? x.dims[1] : 1, int x.rank > 2 ? x.dims[2] : 1, int x.rank > 3 ? x.dims[3] : 1, int x.rank > 4 ? x.dims[4] : 1, int x.rank > 5 ? x.dims[5] : 1, int x.rank > 6 ? x.dims[6] : 1, int x.rank > 7 ? x.dims[7] : 1)
   work:     x.elements
*/
// clang-format on

// Item: an element of y.
__kernel void roll(__global const TYPE_x* x, __global const TYPE_shift* shift, __global const TYPE_axis* axis,
                   __global TYPE_x* y, __global int* status, int node, int count, int rank, int d0, int d1,
                   int d2, int d3, int d4, int d5, int d6, int d7) {
    const int dims[8] = {d0, d1, d2, d3, d4, d5, d6, d7};
    long rest = get_global_id(0), from = 0, stride = 1;
    for (int i = 0; i < count; i++) {
        if (axis[i] < -rank || axis[i] >= rank) atomic_max(status, node);
    }
    for (int d = rank - 1; d >= 0; d--) {
        long place = rest % dims[d];
        for (int i = 0; i < count; i++) {
            if (axis[i] != d && axis[i] != d - rank) continue;
            place = (place - (long)shift[i] % dims[d] + dims[d]) % dims[d];
        }
        from += place * stride;
        stride *= dims[d];
        rest /= dims[d];
    }
    y[get_global_id(0)] = x[from];
}
