// SPDX-License-Identifier: Apache-2.0
// TFLite_Detection_PostProcess: boxes from encoded ones, the best of them that do not overlap, and what is
// known of these. Prelude: B_…, S_… and A_…: the types of boxes, scores and anchors; DOUBLES: boxes are
// decoded in double precision, as on the CPU; REGULAR: each class by itself, else each box by its best class.
#include "kernels-cl/args/detection.h"
#include "kernels-cl/common/common.cl"

#pragma OPENCL FP_CONTRACT OFF
#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double4 precise4;
#define PRECISE(v) convert_double4(v)
#else
typedef float4 precise4;
#define PRECISE(v) (v)
#endif

// A value as quantized tensors hold it; floats have zero point 0 and scale 1.
#define VALUE_OF(stored, zero, scale) (((float)(stored) - (float)(zero)) * (scale))
#define BOX(i) VALUE_OF(B_LOAD(x, i), a.zero_boxes, a.scale_boxes)
#define ANCHOR(i) VALUE_OF(A_LOAD(anchors, i), a.zero_anchors, a.scale_anchors)

// Item: a box. One that ends before it begins is an error.
KERNEL decode(ITEM const LiteClDetectionArgs a, const __global B_TYPE* restrict x,
              const __global A_TYPE* restrict anchors, __global float* restrict boxes,
              __global int* restrict status) {
    const int i = get_global_id(0);
    if (i >= a.boxes) return;
    const int at = i * a.box_stride, from = i * a.anchor_stride;
    const precise4 code = PRECISE((float4)(BOX(at), BOX(at + 1), BOX(at + 2), BOX(at + 3))) /
                          PRECISE((float4)(a.scale_y, a.scale_x, a.scale_h, a.scale_w));
    const precise4 anchor =
        PRECISE((float4)(ANCHOR(from), ANCHOR(from + 1), ANCHOR(from + 2), ANCHOR(from + 3)));
    const precise4 moved = code * anchor.zwzw + anchor.xyxy, grown = exp(code) * 0.5f * anchor.xyzw;
    const float y = (float)moved.x, x_centre = (float)moved.y;
    const float half_height = (float)(grown.z), half_width = (float)(grown.w);
    const float4 box =
        (float4)(y - half_height, x_centre - half_width, y + half_height, x_centre + half_width);
    if (box.x > box.z || box.y > box.w) atomic_max(status, a.node);
    vstore4(box, i, boxes);
}

inline float score_of(const LiteClDetectionArgs* a, const __global S_TYPE* scores, int box, int class_index) {
    return VALUE_OF(S_LOAD(scores, box * a->score_stride + a->background + class_index), a->zero_scores,
                    a->scale_scores);
}

// The score that a box is chosen by in a run over the boxes, of which there is one, or one for each class.
inline float score_in(const LiteClDetectionArgs* a, const __global S_TYPE* scores, int box, int run) {
    float score = score_of(a, scores, box, run);
#ifndef REGULAR
    for (int c = 1; c < a->classes; c++) score = fmax(score, score_of(a, scores, box, c));
#endif
    return score;
}

// The area of the intersection over that of the union.
inline float overlap(float4 b, float4 c) {
    const float2 size_b = b.hi - b.lo, size_c = c.hi - c.lo, zero = 0.0f;
    const float area_b = size_b.x * size_b.y, area_c = size_c.x * size_c.y;
    if (area_b <= 0.0f || area_c <= 0.0f) return 0.0f;
    const float2 size = fmax(fmin(b.hi, c.hi) - fmax(b.lo, c.lo), zero);
    const float common = size.x * size.y;
    return common / (area_b + area_c - common);
}

// From the best score down, each box that is left is selected and removes those that overlap it. The first of
// equal scores counts as the best. Item: a run. Scores of boxes that are out become NaN.
KERNEL suppress(ITEM const LiteClDetectionArgs a, const __global S_TYPE* restrict scores,
                const __global float* restrict boxes, __global float* restrict left,
                __global int* restrict selected, __global int* restrict counts) {
    const int run = get_global_id(0);
    if (run >= a.runs) return;
    left += run * a.boxes;
    selected += run * a.limit;
    for (int i = 0; i < a.boxes; i++) {
        const float score = score_in(&a, scores, i, run);
        left[i] = score >= a.score_threshold ? score : NAN;
    }
    int count = 0;
    for (; count < a.limit; count++) {
        int best = -1;
        for (int i = 0; i < a.boxes; i++) {
            if (!isnan(left[i]) && (best < 0 || left[i] > left[best])) best = i;
        }
        if (best < 0) break;
        selected[count] = best;
        left[best] = NAN;
        const float4 box = vload4(best, boxes);
        for (int i = 0; i < a.boxes; i++) {
            if (!isnan(left[i]) && overlap(box, vload4(i, boxes)) > a.overlap_threshold) left[i] = NAN;
        }
    }
    counts[run] = count;
}

// A detection's row of the outputs; box -1: zeros.
#define STORE_ROW(at, box, class_index, score)                                                               \
    do {                                                                                                     \
        vstore4((box) < 0 ? (float4)(0.0f) : vload4(max(box, 0), boxes), at, out_boxes);                     \
        out_classes[at] = (box) < 0 ? 0.0f : (float)(class_index);                                           \
        out_scores[at] = (box) < 0 ? 0.0f : (score);                                                         \
    } while (0)

#ifdef REGULAR
// The best of all classes, whose selections are in descending order. One item.
KERNEL collect(ITEM const LiteClDetectionArgs a, const __global S_TYPE* restrict scores,
               const __global float* restrict boxes, const __global int* restrict selected,
               __global int* restrict counts, __global int* restrict next, __global float* restrict out_boxes,
               __global float* restrict out_classes, __global float* restrict out_scores,
               __global float* restrict out_count) {
    if (get_global_id(0) > 0) return;
    for (int c = 0; c < a.classes; c++) next[c] = 0;
    int total = 0;
    for (int n = 0; n < a.room; n++) {
        int best = -1;
        float top = 0.0f;
        for (int c = 0; c < a.classes && n < a.detections; c++) {
            if (next[c] >= counts[c]) continue;
            const float score = score_of(&a, scores, selected[c * a.limit + next[c]], c);
            if (best >= 0 && !(score > top)) continue;
            best = c;
            top = score;
        }
        const int box = best < 0 ? -1 : selected[best * a.limit + next[best]++];
        STORE_ROW(n, box, best, top);
        total += best >= 0;
    }
    out_count[0] = (float)total;
}
#else
// The best classes of each selected box, the first of equals first. Item: a detection.
KERNEL collect(ITEM const LiteClDetectionArgs a, const __global S_TYPE* restrict scores,
               const __global float* restrict boxes, const __global int* restrict selected,
               __global int* restrict counts, __global int* restrict next, __global float* restrict out_boxes,
               __global float* restrict out_classes, __global float* restrict out_scores,
               __global float* restrict out_count) {
    const int n = get_global_id(0);
    if (n >= a.detections) return;
    if (n == 0) out_count[0] = (float)counts[0];
    const int box = n < counts[0] ? selected[n] : -1;
    int last = -1;
    for (int k = 0; k < a.classes_per_box; k++) {
        int best = -1;
        for (int c = 0; c < a.classes && k < a.classes && box >= 0; c++) {
            const float score = score_of(&a, scores, box, c),
                        before = score_of(&a, scores, box, max(last, 0));
            const bool after =
                last < 0 || (c != last && !above(score, before) && (above(before, score) || c > last));
            if (after && (best < 0 || above(score, score_of(&a, scores, box, best)))) best = c;
        }
        STORE_ROW(n * a.classes_per_box + k, best < 0 ? -1 : box, best, score_of(&a, scores, box, best));
        last = best;
    }
}
#endif
