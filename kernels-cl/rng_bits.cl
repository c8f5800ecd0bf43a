// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_RNG_BIT_GENERATOR: blocks of words by Philox4x32-10 or Threefry2x32-20 (see common/philox.cl).
#include "kernels-cl/args/rng_bits.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/philox.cl"

// Threefry2x32-20.
inline uint4 threefry(uint2 key, ulong counter) {
    const uint keys[3] = {key.x, key.y, key.x ^ key.y ^ 0x1BD11BDAu};
    const uint rotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
    uint x = as_uint2(counter).x + keys[0], y = as_uint2(counter).y + keys[1];
    for (uint group = 1; group <= 5; group++) {
        for (int i = 0; i < 4; i++) {
            x += y;
            y = rotate(y, rotations[(group - 1) % 2 * 4 + i]) ^ x;
        }
        x += keys[group % 3];
        y += keys[(group + 1) % 3] + group;
    }
    return (uint4)(x, y, 0, 0);
}

// The state is a tensor of `numbers`: the key, the counter's lower half, which counts, and its upper half.
// Prelude: WORDS of a block. Item: a chunk of blocks.
KERNEL rng_bits(ITEM const LiteClRngBitsArgs a, const __global ulong* restrict state,
                __global uint* restrict y) {
    const uint2 key = as_uint2(state[0]);
    const ulong upper = state[a.numbers == 3 ? 2 : 0];
    const int begin = (int)get_global_id(0) * a.chunk,
              end = min(begin + a.chunk, (a.count + WORDS - 1) / WORDS);
    for (int i = begin; i < end; i++) {
        const ulong counter = state[1] + (ulong)i;
        const uint4 block = WORDS == 2 ? threefry(key, counter) : philox(key, words_of(counter, upper));
        const int left = a.count - WORDS * i;
        y[WORDS * i] = block.x;
        if (left > 1) y[WORDS * i + 1] = block.y;
        if (WORDS > 2 && left > 2) y[WORDS * i + 2] = block.z;
        if (WORDS > 2 && left > 3) y[WORDS * i + 3] = block.w;
    }
}

// One item.
KERNEL next_state(ITEM const LiteClRngBitsArgs a, const __global ulong* restrict state,
                  __global ulong* restrict y) {
    if (get_global_id(0) > 0) return;
    for (int i = 0; i < a.numbers; i++) y[i] = state[i] + (i == 1 ? (uint)a.blocks : 0u);
}
