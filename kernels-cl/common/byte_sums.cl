// SPDX-License-Identifier: Apache-2.0
// ADD and SUB of bytes for binary.cl.
#include "kernels-cl/args/binary.h"
#include "kernels-cl/common/bytes.cl"
#include "kernels-cl/common/float_scales.cl"

#ifdef SUMS_OF_BYTES
// Not 0: a result that lies next to another number, and has to be computed as it is defined.
inline integers sum_vector(const LiteClSumForm s, const LiteClBinaryArgs* p, const __global TYPE* left,
                           const __global TYPE* right, __global TYPE* out) {
    const integers v =
        CONVERT(int, VLOAD(left)) * s.scale_a + CONVERT(int, VLOAD(right)) * s.scale_b + s.start;
    VWRITE(CONVERT(TYPE, clamp(v >> s.bits, (integers)p->int_low, (integers)p->int_high)), out);
    return (v & ((1 << s.bits) - s.margin)) == 0;
}
#endif
