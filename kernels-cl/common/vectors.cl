// SPDX-License-Identifier: Apache-2.0
// On processors vectors may lie at any multiple of their elements' size: what common.cl has as VLOAD, VSTORE,
// VLOAD_PART and VSTORE_PART, by a type that says so, for which compilers have one instruction. PoCL's
// vload16 is eight loads and seven shuffles, and its vstore of bytes a store for each: most of the code of a
// kernel, for which its compiler takes most of the time. Not in builds of selected operators, which are small
// for it.
#ifndef VW
#define VW 1
#endif
#if VW > 1 && defined(PROCESSOR)
#define LOOSE_VECTORS
#ifdef HALVES
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

#define LOOSE(T, n)                                                                                          \
    typedef T##n loose_##T##n __attribute__((aligned(sizeof(T))));                                           \
    LOOSE_IN(T, n, __global)
#define LOOSE_IN(T, n, space)                                                                                \
    static inline __attribute__((always_inline, overloadable, unused)) T##n load##n(const space T* p) {      \
        return *(const space loose_##T##n*)p;                                                                \
    }                                                                                                        \
    static inline __attribute__((always_inline, overloadable, unused)) void store##n(T##n v, space T* p) {   \
        *(space loose_##T##n*)p = v;                                                                         \
    }
#define LOOSE_EVERYWHERE(T, n) LOOSE(T, n) LOOSE_IN(T, n, __local) LOOSE_IN(T, n, __private)
#define LOOSE_PARTS(n) LOOSE(float, n) LOOSE(char, n) LOOSE(uchar, n)
// clang-format off
#define LOOSE_WHOLE(n)                                                                                       \
    LOOSE_EVERYWHERE(float, n) LOOSE_EVERYWHERE(char, n) LOOSE_EVERYWHERE(uchar, n)                          \
    LOOSE_EVERYWHERE(short, n) LOOSE_EVERYWHERE(ushort, n) LOOSE_EVERYWHERE(int, n)                          \
    LOOSE_EVERYWHERE(uint, n) LOOSE(long, n) LOOSE(ulong, n) LOOSE_HALVES(n) LOOSE_DOUBLES(n)
// clang-format on
#ifdef HALVES
#define LOOSE_HALVES(n) LOOSE_EVERYWHERE(half, n)
#else
#define LOOSE_HALVES(n)
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define LOOSE_DOUBLES(n) LOOSE(double, n)
#else
#define LOOSE_DOUBLES(n)
#endif
#if VW > 4
LOOSE_PARTS(4)
#endif
#if VW > 8
LOOSE_PARTS(8)
#endif
#if VW == 2
LOOSE_WHOLE(2)
#elif VW == 4
LOOSE_WHOLE(4)
#elif VW == 8
LOOSE_WHOLE(8)
#else
LOOSE_WHOLE(16)
#endif
#define VLOAD(p) PASTE(load, VW)(p)
#define VSTORE(v, p) PASTE(store, VW)((v), (p))
#define VLOAD_PART(n, p) load##n(p)
#define VSTORE_PART(n, v, p) store##n((v), (p))
#endif
