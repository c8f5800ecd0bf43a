// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/quantized/byte_map.h"

#include <math.h>
#include <string.h>

#include "core/semantics/quant.h"

enum {
    kNumbers = 256,
    kCheapExceptions = 2, // which one line may have where two would have less
    kMostShift = 13,
    kNearby = 4,   // multipliers on either side of the estimated one
    kOverlap = 16, // of the limits of a line's start: more would be too many exceptions
};

// The numbers [begin, end) of one line. Results that are the lowest or highest of all may be beyond it.
typedef struct Piece {
    const int* results; // of the number -128 first
    int begin;
    int end;
    int low;
    int high;
    double slope;
    double origin; // where the line is at 0
} Piece;

static int saturated(int x) {
    return lite_clamp_i32(x, INT16_MIN, INT16_MAX);
}

static int scaled(int number, int multiplier) {
    return (number * 256 * multiplier + (1 << 14)) >> 15;
}

static int on_line(const LiteByteLines* lines, int number) {
    const int k = number < lines->corner ? 0 : 1;
    const int sum = saturated(scaled(number, lines->multiplier[k]) + lines->start[k]);
    return lite_clamp_i32(saturated((sum >> lines->shift) + lines->offset), lines->low, lines->high);
}

// The line that is nearest to the results between the limits; false where they are not near it.
static bool estimate(Piece* p) {
    double count = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int n = p->begin; n < p->end; n++) {
        const int result = p->results[n + 128];
        if (result == p->low || result == p->high) continue;
        count += 1;
        x += n;
        y += result;
        xx += (double)n * n;
        xy += (double)n * result;
    }
    p->slope = 0;
    p->origin = count > 0 ? y / count : p->begin < p->end ? p->results[p->begin + 128] : 0;
    if (count < 2) return true;
    p->slope = (count * xy - x * y) / (count * xx - x * x);
    p->origin = (y - p->slope * x) / count;
    for (int n = p->begin; n < p->end; n++) {
        const double line = p->origin + p->slope * n;
        const double limited = fmin(fmax(line, p->low), p->high);
        if (fabs(limited - p->results[n + 128]) > 1) return false;
    }
    return true;
}

// How many results are not on line k.
static int count_others(const Piece* p, const LiteByteLines* lines) {
    int others = 0;
    for (int n = p->begin; n < p->end; n++) others += on_line(lines, n) != p->results[n + 128];
    return others;
}

// The start of line k with the fewest exceptions, for the multiplier that it has.
static int find_start(const Piece* p, LiteByteLines* lines, int k) {
    int least = INT16_MIN, most = INT16_MAX; // that no result is against
    for (int n = p->begin; n < p->end; n++) {
        const int result = p->results[n + 128], rest = scaled(n, lines->multiplier[k]);
        const int first = ((result - lines->offset) * (1 << lines->shift)) - rest;
        if (result != p->low && first > least) least = first;
        if (result != p->high && first + (1 << lines->shift) - 1 < most)
            most = first + (1 << lines->shift) - 1;
    }
    if (least <= most) {
        lines->start[k] = (int16_t)((least + most) >> 1);
        return count_others(p, lines);
    }
    int fewest = kNumbers, best = 0;
    for (int start = most; start <= least && least - most <= kOverlap; start++) {
        lines->start[k] = (int16_t)saturated(start);
        const int others = count_others(p, lines);
        if (others >= fewest) continue;
        fewest = others;
        best = lines->start[k];
    }
    lines->start[k] = (int16_t)best;
    return fewest;
}

static int find_line(const Piece* p, LiteByteLines* lines, int k) {
    const int middle = (int)lrint(ldexp(p->slope, 7 + lines->shift));
    LiteByteLines best = *lines;
    int fewest = kNumbers;
    for (int i = 0; i <= 2 * kNearby && fewest > 0; i++) {
        const int multiplier = middle + (i % 2 == 0 ? i / 2 : -(i + 1) / 2);
        if (multiplier < -INT16_MAX || multiplier > INT16_MAX) continue;
        lines->multiplier[k] = (int16_t)multiplier;
        const int others = find_start(p, lines, k);
        if (others >= fewest) continue;
        fewest = others;
        best = *lines;
    }
    *lines = best;
    return fewest;
}

// As many fractional bits as there is room for.
static bool choose_shift(const Piece pieces[2], LiteByteLines* lines) {
    lines->offset = (int16_t)lite_clamp_i32((int)lrint(fmin(fmax(pieces[1].origin, -1e4), 1e4)), -512, 512);
    for (lines->shift = kMostShift; lines->shift >= 0; lines->shift--) {
        bool fits = true;
        for (int k = 0; k < 2; k++) {
            const Piece* p = &pieces[k];
            if (p->begin == p->end) continue;
            fits = fits && fabs(ldexp(p->slope, 7 + lines->shift)) < INT16_MAX - kNearby &&
                   ldexp(fabs(p->origin - lines->offset) + 1, lines->shift) < INT16_MAX;
        }
        if (fits) return true;
    }
    return false;
}

static bool add_exceptions(const int* results, LiteByteLines* lines) {
    for (int n = -128; n < 128; n++) {
        if (on_line(lines, n) == results[n + 128]) continue;
        if (lines->exceptions == kLiteByteExceptions) return false;
        lines->at[lines->exceptions] = (int8_t)n;
        lines->value[lines->exceptions++] = (int8_t)results[n + 128];
    }
    return true;
}

// Lines with at most so many exceptions, of the results whose flips and limits are known.
static bool find_lines(const int* results, int corner, int most_exceptions, LiteByteLines* lines) {
    const int low = lines->low, high = lines->high;
    Piece pieces[2] = {{results, -128, corner, low, high, 0, 0}, {results, corner, 128, low, high, 0, 0}};
    lines->corner = (int8_t)corner;
    lines->exceptions = 0;
    if (!estimate(&pieces[0]) || !estimate(&pieces[1]) || !choose_shift(pieces, lines)) return false;
    int others = 0;
    for (int k = 0; k < 2 && others <= most_exceptions; k++) {
        if (pieces[k].begin < pieces[k].end) others += find_line(&pieces[k], lines, k);
    }
    return others <= most_exceptions && add_exceptions(results, lines);
}

void lite_byte_map_find_lines(LiteByteMap* map, bool signed_in, bool signed_out, int32_t corner) {
    LiteByteLines* lines = &map->lines;
    lines->found = false;
    if (!LITE_LOOPS_AVX2) return; // nobody asks for them
    *lines = (LiteByteLines){.in_flip = signed_in ? 0 : -128, .out_flip = signed_out ? 0 : -128};
    int results[kNumbers], low = INT8_MAX, high = INT8_MIN;
    for (int n = -128; n < 128; n++) {
        const int result = (int8_t)(map->table[(uint8_t)(n ^ lines->in_flip)] ^ (uint8_t)lines->out_flip);
        results[n + 128] = result;
        low = result < low ? result : low;
        high = result > high ? result : high;
    }
    lines->low = (int8_t)low;
    lines->high = (int8_t)high;
    const int middle = lite_clamp_i32(signed_in ? corner : lite_clamp_i32(corner, 0, 255) - 128, -128, 127);
    lines->found = find_lines(results, -128, kCheapExceptions, lines) ||
                   find_lines(results, middle, kLiteByteExceptions, lines);
}
