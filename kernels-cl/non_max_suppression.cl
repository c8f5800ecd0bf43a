// SPDX-License-Identifier: Apache-2.0
// NON_MAX_SUPPRESSION_V4 and V5, by one item, as each choice depends on those before: the algorithm of the
// CPU kernel, comparison for comparison, because the order of equal scores is that of its heap.
#include "kernels-cl/args/non_max_suppression.h"
#include "kernels-cl/common/common.cl"

#pragma OPENCL FP_CONTRACT OFF

typedef struct Candidate {
    int box;
    int compared; // with so many of the chosen boxes
    float score;
} Candidate;

inline void heap_lift(__global Candidate* heap, int hole, Candidate item) {
    while (hole > 0) {
        const int parent = (hole - 1) / 2;
        if (!(heap[parent].score < item.score)) break;
        heap[hole] = heap[parent];
        hole = parent;
    }
    heap[hole] = item;
}

// The hole at the top sinks to a leaf, and what was last rises from there. `count` is what is left.
inline Candidate heap_pop(__global Candidate* heap, int count) {
    const Candidate top = heap[0], last = heap[count];
    int hole = 0;
    for (int child = 1; child < count; child = 2 * hole + 1) {
        if (child + 1 < count && !(heap[child + 1].score < heap[child].score)) child++;
        heap[hole] = heap[child];
        hole = child;
    }
    heap_lift(heap, hole, last);
    return top;
}

#define SMALLER(a, b) ((b) < (a) ? (b) : (a))
#define LARGER(a, b) ((a) < (b) ? (b) : (a))

// The area of the intersection over that of the union, of boxes with two opposite corners (y, x) each.
inline float overlap(float4 a, float4 b) {
    const float2 a_low = SMALLER(a.lo, a.hi), a_high = LARGER(a.lo, a.hi);
    const float2 b_low = SMALLER(b.lo, b.hi), b_high = LARGER(b.lo, b.hi);
    const float2 a_size = a_high - a_low, b_size = b_high - b_low;
    const float a_area = a_size.x * a_size.y, b_area = b_size.x * b_size.y;
    if (a_area <= 0.0f || b_area <= 0.0f) return 0.0f;
    const float2 low = LARGER(a_low, b_low), high = SMALLER(a_high, b_high), zero = 0.0f;
    const float2 size = LARGER(high - low, zero);
    const float common = size.x * size.y;
    return common / (a_area + b_area - common);
}

typedef struct Thresholds {
    float overlap;
    float score;
    float decay; // negative for soft suppression, else 0
} Thresholds;

// Compares a candidate with the chosen boxes that it has not been compared with, the last ones first. false:
// it is suppressed.
inline bool survives(const Thresholds* t, Candidate* candidate, const __global float* boxes,
                     const __global int* chosen, int count) {
    const float4 box = vload4(candidate->box, boxes);
    for (int i = count - 1; i >= candidate->compared; i--) {
        const float common = overlap(box, vload4(chosen[i], boxes));
        if (common >= t->overlap) return false;
        if (t->decay < 0.0f) candidate->score *= exp(t->decay * common * common);
        if (candidate->score <= t->score) return false;
    }
    candidate->compared = count;
    return true;
}

// What has been chosen is a candidate again, as in the reference, and suppresses itself but for odd
// thresholds.
inline int choose(const LiteClSuppressionArgs* a, const Thresholds* t, const __global float* boxes,
                  __global Candidate* heap, int waiting, __global int* chosen,
                  __global float* chosen_scores) {
    int count = 0;
    const int limit = min(a->limit, waiting);
    while (count < limit && waiting > 0) {
        Candidate candidate = heap_pop(heap, --waiting);
        const float before = candidate.score;
        if (!survives(t, &candidate, boxes, chosen, count)) continue;
        if (candidate.score == before) {
            if (a->soft != 0) chosen_scores[count] = candidate.score;
            chosen[count++] = candidate.box;
        }
        if (candidate.score > t->score) heap_lift(heap, waiting++, candidate);
    }
    return count;
}

// `sigma` and `chosen_scores` count for soft suppression only.
KERNEL suppress(ITEM const LiteClSuppressionArgs a, const __global float* restrict boxes,
                const __global float* restrict scores, const __global float* restrict overlap_threshold,
                const __global float* restrict score_threshold, const __global float* restrict sigma,
                __global Candidate* restrict heap, __global int* restrict chosen,
                __global float* restrict chosen_scores, __global int* restrict chosen_count,
                __global int* restrict status) {
    if (get_global_id(0) > 0) return;
    const float spread = a.soft != 0 ? sigma[0] : 0.0f;
    if (spread < 0.0f) {
        atomic_max(status, a.node);
        return;
    }
    const Thresholds t = {overlap_threshold[0], score_threshold[0], spread > 0.0f ? -0.5f / spread : 0.0f};
    int waiting = 0;
    for (int i = 0; i < a.boxes; i++) {
        const Candidate candidate = {i, 0, scores[i]};
        if (scores[i] > t.score) heap_lift(heap, waiting++, candidate);
    }
    const int count = choose(&a, &t, boxes, heap, waiting, chosen, chosen_scores);
    chosen_count[0] = count;
    for (int i = count; i < a.limit; i++) {
        chosen[i] = 0;
        if (a.soft != 0) chosen_scores[i] = 0.0f;
    }
}
