// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/fingerprint.h"

static const uint64_t k0 = UINT64_C(0xc3a5c85c97cb3127);
static const uint64_t k1 = UINT64_C(0xb492b66fbe98f273);
static const uint64_t k2 = UINT64_C(0x9ae16a3b2f90404f);

// Little-endian on every machine.
static uint64_t fetch32(const uint8_t* s) {
    return (uint32_t)s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 | (uint32_t)s[3] << 24;
}

static uint64_t fetch64(const uint8_t* s) {
    return fetch32(s) | fetch32(s + 4) << 32;
}

static uint64_t rotate(uint64_t x, int bits) {
    return x >> bits | x << (64 - bits);
}

static uint64_t shift_mix(uint64_t x) {
    return x ^ x >> 47;
}

static uint64_t mix(uint64_t u, uint64_t v, uint64_t factor) {
    const uint64_t a = shift_mix((u ^ v) * factor);
    return shift_mix((v ^ a) * factor) * factor;
}

static uint64_t hash_0_to_16(const uint8_t* s, size_t length) {
    const uint64_t factor = k2 + length * 2;
    if (length >= 8) {
        const uint64_t a = fetch64(s) + k2;
        const uint64_t b = fetch64(s + length - 8);
        const uint64_t c = rotate(b, 37) * factor + a;
        const uint64_t d = (rotate(a, 25) + b) * factor;
        return mix(c, d, factor);
    }
    if (length >= 4) return mix(length + (fetch32(s) << 3), fetch32(s + length - 4), factor);
    if (length == 0) return k2;
    const uint32_t y = s[0] + ((uint32_t)s[length / 2] << 8);
    const uint32_t z = (uint32_t)length + ((uint32_t)s[length - 1] << 2);
    return shift_mix(y * k2 ^ z * k0) * k2;
}

static uint64_t hash_17_to_32(const uint8_t* s, size_t length) {
    const uint64_t factor = k2 + length * 2;
    const uint64_t a = fetch64(s) * k1;
    const uint64_t b = fetch64(s + 8);
    const uint64_t c = fetch64(s + length - 8) * factor;
    const uint64_t d = fetch64(s + length - 16) * k2;
    return mix(rotate(a + b, 43) + rotate(c, 30) + d, a + rotate(b + k2, 18) + c, factor);
}

static uint64_t hash_33_to_64(const uint8_t* s, size_t length) {
    const uint64_t factor = k2 + length * 2;
    const uint64_t a = fetch64(s) * k2;
    const uint64_t b = fetch64(s + 8);
    const uint64_t c = fetch64(s + length - 8) * factor;
    const uint64_t d = fetch64(s + length - 16) * k2;
    const uint64_t y = rotate(a + b, 43) + rotate(c, 30) + d;
    const uint64_t z = mix(y, a + rotate(b + k2, 18) + c, factor);
    const uint64_t e = fetch64(s + 16) * factor;
    const uint64_t f = fetch64(s + 24);
    const uint64_t g = (y + fetch64(s + length - 32)) * factor;
    const uint64_t h = (z + fetch64(s + length - 24)) * factor;
    return mix(rotate(e + f, 43) + rotate(g, 30) + h, e + rotate(f + a, 18) + g, factor);
}

typedef struct Pair {
    uint64_t first;
    uint64_t second;
} Pair;

static Pair hash_32(const uint8_t* s, uint64_t a, uint64_t b) {
    const uint64_t w = fetch64(s);
    const uint64_t x = fetch64(s + 8);
    const uint64_t y = fetch64(s + 16);
    const uint64_t z = fetch64(s + 24);
    a += w;
    b = rotate(b + a + z, 21);
    const uint64_t c = a;
    a += x + y;
    b += rotate(a, 44);
    return (Pair){a + z, b + c};
}

// State of the hash of long data, and one round of it over 64 bytes.
typedef struct State {
    uint64_t x;
    uint64_t y;
    uint64_t z;
    Pair v;
    Pair w;
} State;

static void advance(State* t, const uint8_t* s, uint64_t factor, uint64_t scale) {
    t->x = rotate(t->x + t->y + t->v.first + fetch64(s + 8), 37) * factor;
    t->y = rotate(t->y + t->v.second + fetch64(s + 48), 42) * factor;
    t->x ^= t->w.second * scale;
    t->y += t->v.first * scale + fetch64(s + 40);
    t->z = rotate(t->z + t->w.first, 33) * factor;
    t->v = hash_32(s, t->v.second * factor, t->x + t->w.first);
    t->w = hash_32(s + 32, t->z + t->w.second, t->y + fetch64(s + 16));
    const uint64_t x = t->x;
    t->x = t->z;
    t->z = x;
}

uint64_t lite_fingerprint64(const void* data, size_t length) {
    const uint8_t* s = data;
    if (length <= 16) return hash_0_to_16(s, length);
    if (length <= 32) return hash_17_to_32(s, length);
    if (length <= 64) return hash_33_to_64(s, length);
    const uint64_t seed = 81;
    const uint64_t y = seed * k1 + 113;
    State t = {.x = seed * k2 + fetch64(s), .y = y, .z = shift_mix(y * k2 + 113) * k2};
    const size_t rest = (length - 1) % 64; // the last round takes the last 64 bytes
    const uint8_t* const end = s + (length - 1 - rest);
    for (; s != end; s += 64) advance(&t, s, k1, 1);
    const uint64_t factor = k1 + ((t.z & 0xff) << 1);
    t.w.first += rest;
    t.v.first += t.w.first;
    t.w.first += t.v.first;
    advance(&t, (const uint8_t*)data + length - 64, factor, 9);
    return mix(mix(t.v.first, t.w.first, factor) + shift_mix(t.y) * k0 + t.z,
               mix(t.v.second, t.w.second, factor) + t.x, factor);
}
