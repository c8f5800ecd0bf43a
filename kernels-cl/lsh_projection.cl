// SPDX-License-Identifier: Apache-2.0
// LSH_PROJECTION: each bit is the sign of the weighted sum of hashes of a seed with each item of the input.
// The hash is FarmHash's Fingerprint64 , as in kernels-cpu/support/fingerprint.c, of the seed's four bytes
// and the item's.
#include "kernels-cl/args/lsh_projection.h"
#include "kernels-cl/common/common.cl"

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define K0 0xc3a5c85c97cb3127UL
#define K1 0xb492b66fbe98f273UL
#define K2 0x9ae16a3b2f90404fUL

typedef struct Key {
    uint seed;
    const __global uchar* item;
} Key;

inline ulong byte_at(const Key* key, int i) {
    return i < 4 ? key->seed >> 8 * i & 0xff : key->item[i - 4];
}

inline ulong fetch32(const Key* key, int i) {
    return byte_at(key, i) | byte_at(key, i + 1) << 8 | byte_at(key, i + 2) << 16 | byte_at(key, i + 3) << 24;
}

inline ulong fetch64(const Key* key, int i) {
    return fetch32(key, i) | fetch32(key, i + 4) << 32;
}

// Rotations are to the right.
inline ulong turn(ulong x, int bits) {
    return x >> bits | x << (64 - bits);
}

inline ulong shift_mix(ulong x) {
    return x ^ x >> 47;
}

inline ulong mix(ulong u, ulong v, ulong factor) {
    const ulong a = shift_mix((u ^ v) * factor);
    return shift_mix((v ^ a) * factor) * factor;
}

inline ulong hash_4_to_16(const Key* key, int length) {
    const ulong factor = K2 + (ulong)length * 2;
    if (length < 8) return mix((ulong)length + (fetch32(key, 0) << 3), fetch32(key, length - 4), factor);
    const ulong a = fetch64(key, 0) + K2, b = fetch64(key, length - 8);
    return mix(turn(b, 37) * factor + a, (turn(a, 25) + b) * factor, factor);
}

inline ulong hash_17_to_32(const Key* key, int length) {
    const ulong factor = K2 + (ulong)length * 2;
    const ulong a = fetch64(key, 0) * K1, b = fetch64(key, 8);
    const ulong c = fetch64(key, length - 8) * factor, d = fetch64(key, length - 16) * K2;
    return mix(turn(a + b, 43) + turn(c, 30) + d, a + turn(b + K2, 18) + c, factor);
}

inline ulong hash_33_to_64(const Key* key, int length) {
    const ulong factor = K2 + (ulong)length * 2;
    const ulong a = fetch64(key, 0) * K2, b = fetch64(key, 8);
    const ulong c = fetch64(key, length - 8) * factor, d = fetch64(key, length - 16) * K2;
    const ulong y = turn(a + b, 43) + turn(c, 30) + d, z = mix(y, a + turn(b + K2, 18) + c, factor);
    const ulong e = fetch64(key, 16) * factor, f = fetch64(key, 24);
    const ulong g = (y + fetch64(key, length - 32)) * factor, h = (z + fetch64(key, length - 24)) * factor;
    return mix(turn(e + f, 43) + turn(g, 30) + h, e + turn(f + a, 18) + g, factor);
}

inline ulong2 hash_32(const Key* key, int i, ulong a, ulong b) {
    const ulong z = fetch64(key, i + 24);
    a += fetch64(key, i);
    b = turn(b + a + z, 21);
    const ulong c = a;
    a += fetch64(key, i + 8) + fetch64(key, i + 16);
    return (ulong2)(a + z, b + turn(a, 44) + c);
}

// The state of the hash of long data, and one round of it over 64 bytes.
typedef struct State {
    ulong x, y, z;
    ulong2 v, w;
} State;

inline void advance(State* t, const Key* key, int i, ulong factor, ulong scale) {
    t->x = turn(t->x + t->y + t->v.x + fetch64(key, i + 8), 37) * factor;
    t->y = turn(t->y + t->v.y + fetch64(key, i + 48), 42) * factor;
    t->x ^= t->w.y * scale;
    t->y += t->v.x * scale + fetch64(key, i + 40);
    t->z = turn(t->z + t->w.x, 33) * factor;
    t->v = hash_32(key, i, t->v.y * factor, t->x + t->w.x);
    t->w = hash_32(key, i + 32, t->z + t->w.y, t->y + fetch64(key, i + 16));
    const ulong x = t->x;
    t->x = t->z;
    t->z = x;
}

inline ulong hash_long(const Key* key, int length) {
    const ulong y = 81 * K1 + 113;
    State t = {81 * K2 + fetch64(key, 0), y, shift_mix(y * K2 + 113) * K2, (ulong2)(0), (ulong2)(0)};
    const int rest = (length - 1) % 64; // the last round takes the last 64 bytes
    for (int i = 0; i < length - 1 - rest; i += 64) advance(&t, key, i, K1, 1);
    const ulong factor = K1 + ((t.z & 0xff) << 1);
    t.w.x += (ulong)rest;
    t.v.x += t.w.x;
    t.w.x += t.v.x;
    advance(&t, key, length - 64, factor, 9);
    return mix(mix(t.v.x, t.w.x, factor) + shift_mix(t.y) * K0 + t.z, mix(t.v.y, t.w.y, factor) + t.x,
               factor);
}

inline ulong fingerprint(const Key* key, int length) {
    if (length <= 16) return hash_4_to_16(key, length);
    if (length <= 32) return hash_17_to_32(key, length);
    return length <= 64 ? hash_33_to_64(key, length) : hash_long(key, length);
}

// Item: an output.
KERNEL project(ITEM const LiteClLshArgs a, const __global uint* restrict seeds,
               const __global uchar* restrict x, const __global float* restrict weights,
               __global uint* restrict y) {
    const int output = get_global_id(0);
    if (output >= a.count) return;
    uint signature = 0;
    for (int b = 0; b < a.bits; b++) {
        double score = 0.0;
        for (int i = 0; i < a.items; i++) {
            const Key key = {seeds[output * a.bits + b], x + i * a.item_bytes};
            const double hash = (double)(long)fingerprint(&key, 4 + a.item_bytes);
            score += a.weighted != 0 ? (double)weights[i] * hash : hash;
        }
        signature = signature << 1 | (score > 0.0 ? 1u : 0u);
    }
    y[output] = signature + (uint)output * (uint)a.range;
}
