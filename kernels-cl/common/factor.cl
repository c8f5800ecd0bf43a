// SPDX-License-Identifier: Apache-2.0
// Factors of double precision for sums, in programs whose prelude defines DOUBLE_FACTORS; with FACTOR_BITS
// for devices that have only the numbers' bits, and integers to compute with.
#ifdef FACTOR_BITS
typedef ulong factor; // finite and not negative

// (high * 2^64 + low) / 2^count to nearest even, count < 64.
inline ulong shift_to_even(ulong high, ulong low, int count) {
    if (count == 0) return low;
    const ulong kept = high << (64 - count) | low >> count, rest = low << (64 - count);
    const ulong half_unit = 1UL << 63;
    return kept + (rest > half_unit || (rest == half_unit && (kept & 1) != 0) ? 1 : 0);
}

// round(sum * f) as double precision has it, which rounds sum and product to 53 bits before; what is beyond
// 2^53 becomes that. The sign is asked for as a bit: Mesa's NIR may compare an int that became a long wrongly
// with a constant.
inline long scale_by(long sum, factor f) {
    const ulong sign = 0 - ((ulong)sum >> 63);
    const ulong distance = ((ulong)sum ^ sign) - sign;
    const int exponent = (int)(f >> 52);
    if (distance == 0 || exponent == 0) return 0; // below 2^-1022 nothing is left of any sum
    const int excess = max(11 - (int)clz(distance), 0);
    const ulong magnitude = shift_to_even(0, distance, excess);
    const ulong mantissa = (f & ((1UL << 52) - 1)) | 1UL << 52;
    const ulong high = mul_hi(magnitude, mantissa), low = magnitude * mantissa;
    const int length = high != 0 ? 128 - (int)clz(high) : 64 - (int)clz(low);
    const ulong product = shift_to_even(high, low, length - 53);
    const int right = 1075 - exponent - excess - (length - 53); // down to integers
    if (right > 54) return 0;
    const ulong rounded = right < 1 ? 1UL << 53 : (product + (1UL << (right - 1))) >> right;
    return (long)((rounded ^ sign) - sign);
}
#elif defined(DOUBLE_FACTORS)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double factor;
#endif
