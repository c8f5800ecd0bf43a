// SPDX-License-Identifier: Apache-2.0
// The counter-based generator Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"):
// each block of words is a function of a key and a counter of 128 bits.

inline uint4 philox(uint2 key, uint4 words) {
    for (int round = 0; round < 10; round++) {
        const ulong a = 0xD2511F53UL * words.x, b = 0xCD9E8D57UL * words.z;
        words =
            (uint4)((uint)(b >> 32) ^ words.y ^ key.x, (uint)b, (uint)(a >> 32) ^ words.w ^ key.y, (uint)a);
        key += (uint2)(0x9E3779B9u, 0xBB67AE85u); // the golden ratio, the square root of 3
    }
    return words;
}

// The words of two numbers, the lower half of each first.
inline uint4 words_of(ulong x, ulong y) {
    return (uint4)((uint)x, (uint)(x >> 32), (uint)y, (uint)(y >> 32));
}
