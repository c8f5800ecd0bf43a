// SPDX-License-Identifier: Apache-2.0
// Vectors of TYPE, which has 8 bits.
//   VWRITE(v, p)   to anywhere, in place of what the prelude has
//   load_step(p, count)   a pixel's next four channels
#include "kernels-cl/common/common.cl"

#if defined(QUANTIZED) || defined(BYTE_MAXIMA)
#undef VWRITE
#if VW == 1
#define VWRITE(v, p) VSTORE(v, p)
#else
// A vector of bytes anywhere. PoCL's vstore is a store for each byte.
#ifdef ALIGNED_BYTES // vectors lie at multiples of their size
typedef PASTE(TYPE, VW) loose_bytes;
#else
typedef PASTE(TYPE, VW) loose_bytes __attribute__((aligned(1)));
#endif
#define VWRITE(v, p) (*(__global loose_bytes*)(p) = (v))
#endif
#endif

#if defined(QUANTIZED) && VW >= 4
// A pixel's next channels, of which `count` are left; zeros after them.
inline int load_step(const __global TYPE* p, int count) {
    if (count >= 4) return PASTE(as_, int)(VLOAD_PART(4, p));
    uint bytes = (uchar)p[0];
    if (count > 1) bytes |= (uint)(uchar)p[1] << 8;
    if (count > 2) bytes |= (uint)(uchar)p[2] << 16;
    return (int)bytes;
}
#endif
