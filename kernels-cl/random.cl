// SPDX-License-Identifier: Apache-2.0
// What is drawn from the generator Philox4x32-10. Its state is a key and a counter of 128 bits, in three
// numbers of 64; blocks are those of the counter plus their number. Prelude: each kernel is there for what
// FOR_… names.
#include "kernels-cl/args/random.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/philox.cl"

#pragma OPENCL FP_CONTRACT OFF

inline uint4 block_at(const __global ulong* restrict state, ulong index) {
    const ulong low = state[1] + index, high = state[2] + (low < index ? 1 : 0);
    return philox(as_uint2(state[0]), words_of(low, high));
}

// After all else that reads the state. One item.
KERNEL go_on(ITEM const LiteClRandomArgs a, __global ulong* restrict state) {
    if (get_global_id(0) > 0) return;
    const ulong blocks = (ulong)(uint)a.skip_high << 32 | (uint)a.skip_low;
    state[1] += blocks;
    if (state[1] < blocks) state[2]++;
}

// In [0, 1): the lowest 23 bits are the mantissa of a number in [1, 2).
inline float4 to_unit(uint4 words) {
    return as_float4(0x3F800000u | (words & 0x7FFFFFu)) - 1.0f;
}

#ifdef FOR_UNIFORM
#define DRAW(words) to_unit(words)
#endif

#ifdef FOR_NORMAL
// The Box-Muller transform of two pairs. The angle is rounded once, as by the product in double precision:
// the circle is 6.2831855f less 1.7484556e-7f.
inline float4 normal(uint4 words) {
    const float4 unit = to_unit(words);
    const float2 turn = unit.yw, rounded = turn * 6.2831855f;
    const float2 angle = rounded + (fma(turn, (float2)(6.2831855f), -rounded) - turn * 1.7484556e-7f);
    const float2 radius = sqrt(-2.0f * log(max(unit.xz, (float2)(1.0e-7f))));
    const float2 first = sin(angle) * radius, second = cos(angle) * radius;
    return (float4)(first.x, second.x, first.y, second.y);
}
#define DRAW(words) normal(words)
#endif

#ifdef DRAW
// Item: a chunk of blocks, four numbers each.
KERNEL fill(ITEM const LiteClRandomArgs a, const __global ulong* restrict state, __global float* restrict y) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, (a.count + 3) / 4);
    for (int i = begin; i < end; i++) {
        const float4 values = DRAW(block_at(state, (ulong)i));
        const int left = a.count - 4 * i;
        y[4 * i] = values.x;
        if (left > 1) y[4 * i + 1] = values.y;
        if (left > 2) y[4 * i + 2] = values.z;
        if (left > 3) y[4 * i + 3] = values.w;
    }
}
#endif

#ifdef FOR_MULTINOMIAL
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Sums of exp(logit - highest), which are in proportion to the probabilities of the classes up to each.
// Logits that are not finite have none. Item: a row.
KERNEL odds(ITEM const LiteClRandomArgs a, const __global float* restrict logits,
            __global double* restrict sums) {
    const int row = get_global_id(0);
    if (row * a.samples >= a.count) return;
    float highest = -FLT_MAX;
    double sum = 0.0;
    for (int i = 0; i < a.classes; i++) {
        const float logit = logits[row * a.classes + i];
        if (isfinite(logit)) highest = fmax(highest, logit);
    }
    for (int i = 0; i < a.classes; i++) {
        const float logit = logits[row * a.classes + i];
        if (isfinite(logit)) sum += exp((double)logit - (double)highest);
        sums[row * a.classes + i] = sum;
    }
}

// The first class whose sum is above a random number; the number of classes when there is none. Item: a chunk
// of blocks, which are two numbers each.
KERNEL choose(ITEM const LiteClRandomArgs a, const __global ulong* restrict state,
              const __global double* restrict sums, __global TYPE* restrict y) {
    const int begin = (int)get_global_id(0) * a.chunk * 2, end = min(begin + a.chunk * 2, a.count);
    for (int i = begin; i < end; i++) {
        const uint4 words = block_at(state, (ulong)i / 2);
        const uint2 pair = i % 2 == 0 ? words.xy : words.zw;
        const double unit = as_double(0x3FFUL << 52 | (ulong)(pair.x & 0xFFFFFu) << 32 | pair.y) - 1.0;
        const __global double* row = sums + i / a.samples * a.classes;
        const double value = unit * row[a.classes - 1];
        int first = 0;
        for (int count = a.classes; count > 0;) {
            const int middle = count / 2;
            const bool above = value < row[first + middle];
            first = above ? first : first + middle + 1;
            count = above ? middle : count - middle - 1;
        }
        y[i] = first;
    }
}
#endif
