// SPDX-License-Identifier: Apache-2.0
#include "core/base/sha256.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

enum { kBlock = 64, kRounds = 64, kWords = 8 };

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t kRoots[kRounds] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

typedef struct Hash {
    uint32_t words[kWords];
    unsigned char block[kBlock];
    size_t used; // of the block
    uint64_t bytes;
} Hash;

static uint32_t rotate(uint32_t word, int bits) {
    return word >> bits | word << (32 - bits);
}

static uint32_t read_word(const unsigned char* bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void write_word(uint32_t word, unsigned char* bytes) {
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(word >> (24 - 8 * i));
}

static void add_block_plainly(Hash* hash, const unsigned char* block) {
    uint32_t schedule[kRounds];
    uint32_t w[kWords];
    for (int t = 0; t < 16; t++) schedule[t] = read_word(block + 4 * (size_t)t);
    for (int t = 16; t < kRounds; t++) {
        const uint32_t a = schedule[t - 15];
        const uint32_t b = schedule[t - 2];
        schedule[t] = (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10) + schedule[t - 7] +
                      (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + schedule[t - 16];
    }
    memcpy(w, hash->words, sizeof w);
    // The words move up by one in each round: their numbers do, in their place.
#pragma GCC unroll 8
    for (int t = 0; t < kRounds; t++) {
#define WORD(n) w[((n)-t) & 7]
        const uint32_t sum1 = rotate(WORD(4), 6) ^ rotate(WORD(4), 11) ^ rotate(WORD(4), 25);
        const uint32_t choice = (WORD(4) & WORD(5)) ^ (~WORD(4) & WORD(6));
        const uint32_t first = WORD(7) + sum1 + choice + kRoots[t] + schedule[t];
        const uint32_t sum0 = rotate(WORD(0), 2) ^ rotate(WORD(0), 13) ^ rotate(WORD(0), 22);
        const uint32_t majority = (WORD(0) & WORD(1)) ^ (WORD(0) & WORD(2)) ^ (WORD(1) & WORD(2));
        WORD(3) += first;
        WORD(7) = first + sum0 + majority;
#undef WORD
    }
    for (int i = 0; i < kWords; i++) hash->words[i] += w[i];
}

#ifdef __x86_64__
// Four rounds at a time with the processor's instructions, which want the words as ABEF and CDGH.
__attribute__((target("sha,sse4.1"))) static void add_block_fast(Hash* hash, const unsigned char* block) {
    const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    const __m128i dcba = _mm_loadu_si128((const __m128i*)(const void*)hash->words);
    const __m128i hgfe = _mm_loadu_si128((const __m128i*)(const void*)(hash->words + 4));
    const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1), efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    const __m128i abef0 = _mm_alignr_epi8(cdab, efgh, 8), cdgh0 = _mm_blend_epi16(efgh, cdab, 0xF0);
    __m128i abef = abef0, cdgh = cdgh0, schedule[4];
#pragma GCC unroll 16
    for (int t = 0; t < 16; t++) {
        __m128i* now = &schedule[t % 4];
        if (t < 4) {
            *now = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i*)(const void*)(block + 16 * t)), swap);
        } else {
            const __m128i last = schedule[(t + 3) % 4];
            const __m128i early = _mm_sha256msg1_epu32(*now, schedule[(t + 1) % 4]);
            const __m128i between = _mm_alignr_epi8(last, schedule[(t + 2) % 4], 4);
            *now = _mm_sha256msg2_epu32(_mm_add_epi32(early, between), last);
        }
        const __m128i roots = _mm_loadu_si128((const __m128i*)(const void*)(kRoots + 4 * (size_t)t));
        const __m128i added = _mm_add_epi32(*now, roots);
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0E));
    }
    const __m128i feba = _mm_shuffle_epi32(_mm_add_epi32(abef, abef0), 0x1B);
    const __m128i dchg = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdgh0), 0xB1);
    _mm_storeu_si128((__m128i*)(void*)hash->words, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i*)(void*)(hash->words + 4), _mm_alignr_epi8(dchg, feba, 8));
}

// Without __builtin_cpu_supports, which small programs would need for this alone.
static bool has_instructions(void) {
    enum { kSha = 1 << 29, kSse41 = 1 << 19 };
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kSse41) == 0) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kSha) != 0;
}
#else
static void add_block_fast(Hash* hash, const unsigned char* block) {
    add_block_plainly(hash, block);
}

static bool has_instructions(void) {
    return false;
}
#endif

static atomic_int fast = -1; // not known yet

void lite_sha256_choose(bool allowed) {
    atomic_store(&fast, allowed && has_instructions());
}

static void add_blocks(Hash* hash, const unsigned char* bytes, size_t count) {
    if (atomic_load(&fast) < 0) lite_sha256_choose(true);
    const bool is_fast = atomic_load(&fast) > 0;
    for (size_t i = 0; i < count; i++) {
        if (is_fast) {
            add_block_fast(hash, bytes + i * kBlock);
        } else {
            add_block_plainly(hash, bytes + i * kBlock);
        }
    }
}

static void add(Hash* hash, const unsigned char* bytes, size_t size) {
    hash->bytes += size;
    while (size > 0) {
        const size_t room = kBlock - hash->used;
        const bool is_whole = hash->used == 0 && size >= kBlock;
        const size_t part = is_whole ? size - size % kBlock : size < room ? size : room;
        if (is_whole) {
            add_blocks(hash, bytes, part / kBlock);
        } else {
            memcpy(hash->block + hash->used, bytes, part);
            hash->used += part;
        }
        bytes += part;
        size -= part;
        if (hash->used < kBlock) continue;
        add_blocks(hash, hash->block, 1);
        hash->used = 0;
    }
}

// A bit of 1, zeros, and the number of bits in the last 8 bytes of a block.
static void finish(Hash* hash) {
    static const unsigned char padding[kBlock] = {0x80};
    unsigned char length[8];
    const uint64_t bits = hash->bytes * 8;
    write_word((uint32_t)(bits >> 32), length);
    write_word((uint32_t)bits, length + 4);
    const size_t end = kBlock - sizeof length;
    add(hash, padding, hash->used < end ? end - hash->used : kBlock + end - hash->used);
    add(hash, length, sizeof length);
}

void lite_sha256(const LiteBytes* parts, size_t count, unsigned char digest[LITE_SHA256_BYTES]) {
    Hash hash = {.words = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
                           0x5be0cd19}};
    for (size_t i = 0; i < count; i++) {
        if (parts[i].size > 0) add(&hash, parts[i].data, parts[i].size);
    }
    finish(&hash);
    for (int i = 0; i < kWords; i++) write_word(hash.words[i], digest + 4 * (size_t)i);
}
