// SPDX-License-Identifier: Apache-2.0
// The functions of OpenCL C that kernels call, for a compiler that is told to leave out its own declarations
// (OWN_DECLARATIONS, see delegate-opencl/device/program.c). PoCL has 18,000 lines of them, which clang reads
// twice for each program: more than most programs take otherwise.
//
// Functions have all types of numbers here that they have in OpenCL C: where one is missing, a call of it
// would convert its arguments for another one. Vectors are not converted, so they are here as kernels need
// them: a program that needs more does not compile, and is built again with the compiler's own.
#ifdef OWN_DECLARATIONS
#define COMPUTES __attribute__((overloadable, const))
#define READS __attribute__((overloadable, pure))
#define CHANGES __attribute__((overloadable))
#define WAITS __attribute__((overloadable, convergent))

// F(type, n) for each type of numbers, or of vectors of n: n may be a macro, or nothing.
#define EACH_SIGNED(F, n) F(char, n) F(short, n) F(int, n) F(long, n)
#define EACH_INTEGER(F, n) EACH_SIGNED(F, n) F(uchar, n) F(ushort, n) F(uint, n) F(ulong, n)
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define EACH_REAL(F, n) F(float, n) F(double, n)
#else
#define EACH_REAL(F, n) F(float, n)
#endif
#define EACH_NUMBER(F, n) EACH_INTEGER(F, n) EACH_REAL(F, n)

#define TAKES_1(name, type) type COMPUTES name(type);
#define TAKES_2(name, type) type COMPUTES name(type, type);
#define TAKES_3(name, type) type COMPUTES name(type, type, type);

size_t COMPUTES get_global_id(uint);
size_t COMPUTES get_global_size(uint);
size_t COMPUTES get_local_id(uint);
size_t COMPUTES get_group_id(uint);
void WAITS barrier(cl_mem_fence_flags);
int CHANGES atomic_max(volatile __global int*, int);
uint CHANGES atomic_add(volatile __global uint*, uint);
uint CHANGES atomic_cmpxchg(volatile __global uint*, uint, uint);

// clang-format off
#define COMPARED(T, n) TAKES_2(min, T##n) TAKES_2(max, T##n) TAKES_3(clamp, T##n)
#define OF_INTEGERS(T, n) TAKES_1(clz, T##n) TAKES_2(add_sat, T##n) TAKES_2(mul_hi, T##n) TAKES_2(rotate, T##n)
#define OF_REALS(T, n)                                                                                       \
    TAKES_1(cos, T##n) TAKES_1(exp, T##n) TAKES_1(floor, T##n) TAKES_1(log, T##n) TAKES_1(round, T##n)       \
    TAKES_1(sin, T##n) TAKES_1(sqrt, T##n) TAKES_1(tanh, T##n) TAKES_2(fmax, T##n)         \
    TAKES_2(fmin, T##n) T##n COMPUTES fmax(T##n, T); T##n COMPUTES fmin(T##n, T); TAKES_3(fma, T##n)
#define OF_REAL(T, n)                                                                                        \
    TAKES_1(acos, T) TAKES_1(acosh, T) TAKES_1(asin, T) TAKES_1(asinh, T) TAKES_1(atan, T) TAKES_1(atanh, T) \
    TAKES_1(cbrt, T) TAKES_1(ceil, T) TAKES_1(cosh, T) TAKES_1(erf, T) TAKES_1(erfc, T) TAKES_1(exp2, T)     \
    TAKES_1(expm1, T) TAKES_1(fabs, T) TAKES_1(log10, T) TAKES_1(log1p, T) TAKES_1(log2, T) TAKES_1(rint, T) \
    TAKES_1(rsqrt, T) TAKES_1(sinh, T) TAKES_1(tan, T) TAKES_1(trunc, T)                                       \
    TAKES_2(atan2, T) TAKES_2(copysign, T) TAKES_2(fmod, T)                \
    TAKES_2(hypot, T) TAKES_2(pow, T) TAKES_3(mix, T)                                                        \
    int COMPUTES isfinite(T); int COMPUTES isinf(T); int COMPUTES isnan(T);                                  \
    void CHANGES vstore_half(T, size_t, __global half*); void CHANGES vstore_half(T, size_t, __local half*); \
    void CHANGES vstore_half(T, size_t, half*);
#define ABSOLUTE(T, n) u##T COMPUTES abs(T); u##T COMPUTES abs(u##T);
#define TO_INT(T, n) int COMPUTES convert_int_sat(T);

// Vectors of VW.
#define CONVERTED(T, n)                                                                                      \
    char##n COMPUTES convert_char##n(T##n); uchar##n COMPUTES convert_uchar##n(T##n);                        \
    short##n COMPUTES convert_short##n(T##n); ushort##n COMPUTES convert_ushort##n(T##n);                    \
    int##n COMPUTES convert_int##n(T##n); uint##n COMPUTES convert_uint##n(T##n);                            \
    long##n COMPUTES convert_long##n(T##n); ulong##n COMPUTES convert_ulong##n(T##n);                        \
    float##n COMPUTES convert_float##n(T##n);
#define TO_DOUBLE(T, n) double##n COMPUTES convert_double##n(T##n);
#define MOVED_IN(T, n, space)                                                                                \
    T##n READS vload##n(size_t, const space T*); void CHANGES vstore##n(T##n, size_t, space T*);
#define MOVED(T, n) MOVED_IN(T, n, __global) MOVED_IN(T, n, __local) MOVED_IN(T, n, __private)
#define HALVES_IN(n, space)                                                                                  \
    float##n READS vload_half##n(size_t, const space half*);                                                 \
    void CHANGES vstore_half##n(float##n, size_t, space half*);
#define MOVED_HALVES(n) HALVES_IN(n, __global) HALVES_IN(n, __local) HALVES_IN(n, __private)
// clang-format on

EACH_NUMBER(COMPARED, )
EACH_NUMBER(TO_INT, )
EACH_INTEGER(OF_INTEGERS, )
EACH_SIGNED(ABSOLUTE, )
EACH_REAL(OF_REALS, )
EACH_REAL(OF_REAL, )
float READS vload_half(size_t, const __global half*);
float READS vload_half(size_t, const __local half*);
float READS vload_half(size_t, const half*);

OF_REALS(float, 2)
COMPARED(float, 2)
EACH_NUMBER(MOVED, 2)
MOVED_HALVES(2)
OF_INTEGERS(uint, 4)
EACH_REAL(OF_REALS, 4)
EACH_NUMBER(MOVED, 4)
MOVED_HALVES(4)
#ifdef cl_khr_fp64
TO_DOUBLE(float, 4)
#endif
#if VW >= 8
MOVED_HALVES(8)
#ifndef LOOSE_VECTORS
EACH_NUMBER(MOVED, 8)
#endif
#endif
#if VW >= 16
MOVED_HALVES(16)
#ifndef LOOSE_VECTORS
EACH_NUMBER(MOVED, 16)
#endif
#endif
#if VW > 1
EACH_NUMBER(CONVERTED, VW)
EACH_NUMBER(COMPARED, VW)
EACH_REAL(OF_REALS, VW)
#ifdef cl_khr_fp64
EACH_NUMBER(TO_DOUBLE, VW)
#endif
#endif
#undef ABSOLUTE
#undef CHANGES
#undef COMPARED
#undef COMPUTES
#undef CONVERTED
#undef EACH_INTEGER
#undef EACH_NUMBER
#undef EACH_REAL
#undef EACH_SIGNED
#undef HALVES_IN
#undef MOVED
#undef MOVED_HALVES
#undef MOVED_IN
#undef OF_INTEGERS
#undef OF_REAL
#undef OF_REALS
#undef READS
#undef TAKES_1
#undef TAKES_2
#undef TAKES_3
#undef TO_DOUBLE
#undef TO_INT
#undef WAITS

// PoCL defines it as nothing, and compiles all that a program includes.
#ifdef inline
#undef inline
#define inline static inline
#endif
#endif
