// SPDX-License-Identifier: Apache-2.0
// The counter-based generator Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"):
// each block of four words is a function of a key and a counter alone.
#ifndef KERNELS_CPU_SUPPORT_PHILOX_H_
#define KERNELS_CPU_SUPPORT_PHILOX_H_

#include <stdint.h>

enum { LITE_PHILOX_WORDS = 4 };

// Turns `words`, which hold the counter, the lowest word first, into the block of that counter.
static inline void lite_philox_block(const uint32_t key[2], uint32_t words[LITE_PHILOX_WORDS]) {
    uint32_t key0 = key[0], key1 = key[1];
    for (int round = 0; round < 10; round++) {
        const uint64_t a = UINT64_C(0xD2511F53) * words[0];
        const uint64_t b = UINT64_C(0xCD9E8D57) * words[2];
        words[0] = (uint32_t)(b >> 32) ^ words[1] ^ key0;
        words[1] = (uint32_t)b;
        words[2] = (uint32_t)(a >> 32) ^ words[3] ^ key1;
        words[3] = (uint32_t)a;
        key0 += UINT32_C(0x9E3779B9); // the golden ratio
        key1 += UINT32_C(0xBB67AE85); // the square root of 3
    }
}

// A sequence of blocks: the counter is `high` above `low`, and `low` counts.
typedef struct LitePhilox {
    uint32_t key[2];
    uint64_t low;
    uint64_t high;
} LitePhilox;

static inline LitePhilox lite_philox_seed(uint64_t seed, uint64_t seed2) {
    return (LitePhilox){{(uint32_t)seed, (uint32_t)(seed >> 32)}, 0, seed2};
}

// Block `index` from the present one on, which stays where it is.
static inline void lite_philox_at(const LitePhilox* philox, uint64_t index,
                                  uint32_t words[LITE_PHILOX_WORDS]) {
    const uint64_t low = philox->low + index;
    const uint64_t high = philox->high + (low < index ? 1 : 0);
    words[0] = (uint32_t)low;
    words[1] = (uint32_t)(low >> 32);
    words[2] = (uint32_t)high;
    words[3] = (uint32_t)(high >> 32);
    lite_philox_block(philox->key, words);
}

static inline void lite_philox_skip(LitePhilox* philox, uint64_t blocks) {
    philox->low += blocks;
    if (philox->low < blocks) philox->high++;
}

#endif
