// SPDX-License-Identifier: Apache-2.0
#include "core/base/xxh64.h"

#include <string.h>

#define PRIME_1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME_3 UINT64_C(0x165667B19E3779F9)
#define PRIME_4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME_5 UINT64_C(0x27D4EB2F165667C5)

enum { kLanes = 4, kStripe = 8 * kLanes };

static uint64_t rotate(uint64_t x, int bits) {
    return x << bits | x >> (64 - bits);
}

// Little-endian, as the specification has it.
static uint64_t read_bytes(const unsigned char* from, int count) {
    uint64_t x = 0;
    for (int i = 0; i < count; i++) x |= (uint64_t)from[i] << (8 * i);
    return x;
}

static uint64_t read_64(const unsigned char* from) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t x;
    memcpy(&x, from, sizeof x);
    return x;
#else
    return read_bytes(from, 8);
#endif
}

static uint64_t round_of(uint64_t sum, uint64_t lane) {
    return rotate(sum + lane * PRIME_2, 31) * PRIME_1;
}

// Of all whole stripes.
static uint64_t hash_stripes(const unsigned char* at, size_t stripes, uint64_t seed) {
    uint64_t sums[kLanes] = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1};
    for (; stripes > 0; stripes--, at += kStripe) {
        for (int i = 0; i < kLanes; i++) sums[i] = round_of(sums[i], read_64(at + 8 * i));
    }
    uint64_t hash = rotate(sums[0], 1) + rotate(sums[1], 7) + rotate(sums[2], 12) + rotate(sums[3], 18);
    for (int i = 0; i < kLanes; i++) hash = (hash ^ round_of(0, sums[i])) * PRIME_1 + PRIME_4;
    return hash;
}

uint64_t lite_xxh64(const void* data, size_t size, uint64_t seed) {
    const unsigned char* at = data;
    const size_t stripes = size / kStripe;
    uint64_t hash = (stripes > 0 ? hash_stripes(at, stripes, seed) : seed + PRIME_5) + size;
    size_t left = size % kStripe;
    at += stripes * kStripe;
    for (; left >= 8; left -= 8, at += 8) {
        hash = rotate(hash ^ round_of(0, read_64(at)), 27) * PRIME_1 + PRIME_4;
    }
    if (left >= 4) {
        hash = rotate(hash ^ read_bytes(at, 4) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        left -= 4;
        at += 4;
    }
    for (; left > 0; left--, at++) hash = rotate(hash ^ *at * PRIME_5, 11) * PRIME_1;
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}
