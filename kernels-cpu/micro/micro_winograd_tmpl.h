// SPDX-License-Identifier: Apache-2.0
// The part of micro_tmpl.h for Winograd's transforms (micro_table.h). Tiles of 2 have the points 0, 1, -1 and
// infinity; those of 4 have 0, +-sqrt(1/2), +-sqrt(2) and infinity, whose sums lose the least of those that
// were tried (0, +-1, +-2: three times as much).

#define SQRT_2 1.41421356237309505f

// One dimension. Sizes are constants where this is expanded.
INLINE void winograd_input_line(const int tile, const VF* d, VF* v) {
    if (tile == 2) {
        v[0] = d[0] - d[2];
        v[1] = d[2] + d[1];
        v[2] = d[2] - d[1];
        v[3] = d[3] - d[1];
        return;
    }
    const VF even = d[4] - 2.0f * d[2], odd = d[3] - 2.0f * d[1];
    const VF wide_even = d[4] - 0.5f * d[2], wide_odd = d[3] - 0.5f * d[1];
    v[0] = d[4] - 2.5f * d[2] + d[0];
    v[1] = even + (0.5f * SQRT_2) * odd;
    v[2] = even - (0.5f * SQRT_2) * odd;
    v[3] = wide_even + SQRT_2 * wide_odd;
    v[4] = wide_even - SQRT_2 * wide_odd;
    v[5] = d[5] - 2.5f * d[3] + d[1];
}

INLINE void winograd_output_line(const int tile, const VF* m, VF* y) {
    if (tile == 2) {
        y[0] = m[0] + m[1] + m[2];
        y[1] = m[1] - m[2] + m[3];
        return;
    }
    const VF even = m[1] + m[2], odd = m[1] - m[2], wide_even = m[3] + m[4], wide_odd = m[3] - m[4];
    y[0] = m[0] + even + wide_even;
    y[1] = (0.5f * SQRT_2) * odd + SQRT_2 * wide_odd;
    y[2] = 0.5f * even + 2.0f * wide_even;
    y[3] = (0.25f * SQRT_2) * odd + (2.0f * SQRT_2) * wide_odd + m[5];
}

// A vector of channels of an input tile.
INLINE void winograd_input_block(const int tile, int lanes, const LiteWinogradInput* t, const float* in,
                                 float* out) {
    const int size = tile + 2;
    VF half[LITE_WINOGRAD_MAX_SIZE][LITE_WINOGRAD_MAX_SIZE]; // [line][column], columns are done
#pragma GCC unroll 6
    for (int x = 0; x < size; x++) {
        VF d[LITE_WINOGRAD_MAX_SIZE], v[LITE_WINOGRAD_MAX_SIZE];
#pragma GCC unroll 6
        for (int y = 0; y < size; y++)
            d[y] = load_f32(in + (size_t)y * t->line + (size_t)x * t->pixel, lanes);
        winograd_input_line(tile, d, v);
#pragma GCC unroll 6
        for (int y = 0; y < size; y++) half[y][x] = v[y];
    }
#pragma GCC unroll 6
    for (int y = 0; y < size; y++) {
        VF v[LITE_WINOGRAD_MAX_SIZE];
        winograd_input_line(tile, half[y], v);
#pragma GCC unroll 6
        for (int x = 0; x < size; x++) store(out + (size_t)(y * size + x) * t->plane, (VI)v[x], lanes);
    }
}

INLINE void winograd_input_tile(const int tile, const LiteWinogradInput* t) {
    int c = 0;
    for (; c + MICRO_LANES <= t->channels; c += MICRO_LANES) {
        winograd_input_block(tile, MICRO_LANES, t, t->in + c, t->out + c);
    }
    if (c < t->channels) winograd_input_block(tile, t->channels - c, t, t->in + c, t->out + c);
}

static void winograd_input(const LiteWinogradInput* t) {
    if (t->tile == 2) {
        winograd_input_tile(2, t);
    } else {
        winograd_input_tile(4, t);
    }
}

// A vector of channels of an output tile. Returns zeros in lanes whose results are finite, else NaN.
INLINE VF winograd_output_block(const int tile, int lanes, const LiteWinogradOutput* t, const float* in,
                                VF bias, float* out) {
    const int size = tile + 2;
    VF half[4][LITE_WINOGRAD_MAX_SIZE];
#pragma GCC unroll 6
    for (int x = 0; x < size; x++) {
        VF m[LITE_WINOGRAD_MAX_SIZE], y[4];
#pragma GCC unroll 6
        for (int i = 0; i < size; i++) m[i] = load_f32(in + (size_t)(i * size + x) * t->plane, lanes);
        winograd_output_line(tile, m, y);
#pragma GCC unroll 4
        for (int i = 0; i < tile; i++) half[i][x] = y[i];
    }
    const VF low = splat(t->low), high = splat(t->high);
    VF check = {0};
    const bool whole = t->lines == tile && t->columns == tile;
#pragma GCC unroll 4
    for (int i = 0; i < tile; i++) {
        VF y[4];
        winograd_output_line(tile, half[i], y);
#pragma GCC unroll 4
        for (int x = 0; x < tile; x++) {
            const VF sum = y[x] + bias;
            check += sum * 0.0f;
            if (whole || (i < t->lines && x < t->columns)) {
                store(out + (size_t)i * t->line + (size_t)x * t->pixel, (VI)clamp(sum, low, high), lanes);
            }
        }
    }
    return check;
}

INLINE bool winograd_output_tile(const int tile, const LiteWinogradOutput* t) {
    VF check = {0};
    int c = 0;
    for (; c + MICRO_LANES <= t->channels; c += MICRO_LANES) {
        const VF bias = load_f32(t->bias + c, MICRO_LANES);
        check += winograd_output_block(tile, MICRO_LANES, t, t->in + c, bias, t->out + c);
    }
    if (c < t->channels) {
        const VF bias = load_f32(t->bias + c, t->channels - c);
        check += winograd_output_block(tile, t->channels - c, t, t->in + c, bias, t->out + c);
    }
    float sum = 0.0f;
    for (int i = 0; i < MICRO_LANES; i++) sum += check[i];
    return sum == 0.0f; // NaN is not
}

static bool winograd_output(const LiteWinogradOutput* t) {
    return t->tile == 2 ? winograd_output_tile(2, t) : winograd_output_tile(4, t);
}
