// SPDX-License-Identifier: Apache-2.0
// Arithmetic on fixed-point numbers that few kernels need, for programs whose prelude defines QUANTIZED.

#ifdef QUANTIZED
// The functions of core/semantics/fixedpoint.h, bit for bit. A value with n integer bits is held as
// value * 2^(31 - n).
inline int saturate(long x) {
    return x < INT_MIN ? INT_MIN : x > INT_MAX ? INT_MAX : (int)x;
}

inline int saturate_16(long x) {
    return x < SHRT_MIN ? SHRT_MIN : x > SHRT_MAX ? SHRT_MAX : (int)x;
}

// x * 2^exponent: rounded to nearest for negative exponents, saturated for positive ones.
inline int scale_pot(int x, int exponent) {
    if (exponent < -31) return 0;
    if (exponent <= 0) return rounding_shift_right(x, -exponent);
    return saturate((long)x * (1L << min(exponent, 31)));
}

// x / 2^exponent as the reference rounds it in a type of `bits` bits.
inline int reference_shift_right(int x, int exponent, int bits) {
    if (exponent < bits) return scale_pot(x, -exponent);
    return (x >> (exponent & 31)) + (x >= 0 ? 1 : 0);
}

// 1 / (1 + x) for x in [0, 1), no integer bits in either.
inline int one_over_one_plus(int x) {
    const int half_denominator = (int)(((long)x + INT_MAX + 1) / 2);
    int y = 1515870810 + doubling_high_mul(half_denominator, -1010580540);
    for (int i = 0; i < 3; i++) {
        const int error = (1 << 29) - doubling_high_mul(half_denominator, y);
        y += saturate((long)doubling_high_mul(y, error) * 4);
    }
    return saturate((long)y * 2);
}

// 1 / x for x > 0 = result * 2^-(31 + shift).
inline int reciprocal(int x, int* shift) {
    const int zeros = clz(x);
    *shift = 31 - zeros;
    return one_over_one_plus((int)(((uint)x << zeros) - (1u << 31)));
}

// 1 / sqrt(x) as a multiplier.
inline LiteClMultiplier inverse_sqrt(int x) {
    LiteClMultiplier m = {INT_MAX, 0};
    if (x <= 1) return m;
    int shift = 11;
    for (; x >= 1 << 29; x /= 4) shift++;
    const int pairs = (clz(x) - 1) / 2 - 1;
    shift -= pairs;
    const int half_x = rounding_shift_right((int)((uint)x << 2 * pairs) >> 1, 1);
    int y = 1 << 28;
    for (int i = 0; i < 5; i++) {
        const int cube = doubling_high_mul(doubling_high_mul(y, y), y);
        const int y3 = saturate((long)cube * 64);
        y = saturate((long)(doubling_high_mul((1 << 28) + (1 << 27), y) - doubling_high_mul(half_x, y3)) * 8);
    }
    y = doubling_high_mul(y, 1518500250);
    if (shift < 0) {
        y = (int)((uint)y << -shift);
        shift = 0;
    }
    m.value = y;
    m.shift = -shift;
    return m;
}

// x * m for the sums of int16: one rounding, the multiplier reduced to 16 bits.
inline int multiply_long(long x, LiteClMultiplier m) {
    const int reduced = m.value < 0x7FFF0000 ? (m.value + (1 << 15)) >> 16 : 0x7FFF;
    const ulong product = (ulong)x * (ulong)(long)reduced;
    const int shift = 15 - m.shift;
    if (shift <= 0) return (int)(product << -shift);
    return (int)((long)(product + (1UL << (shift - 1))) >> shift);
}

// A function of int16 between two of 513 samples.
inline int sample(const __global short* table, int x) {
    const int index = 256 + (x >> 7);
    const int slope = (short)(table[index + 1] - table[index]);
    return (short)(table[index] + ((slope * (x & 0x7F) + 64) >> 7));
}
#endif
