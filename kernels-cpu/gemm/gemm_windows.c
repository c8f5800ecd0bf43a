// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_windows.h"

#include <string.h>

// A filter line that is read in one go, at column x of a line of the input: in place or, where it reaches
// into the padding, copied to `copy`.
static const float* point_merged(const LiteConvShape* s, const float* line, int64_t x, float* copy) {
    const int64_t end = x + s->filter_w;
    if (x >= 0 && end <= s->in_w) return line + x * s->in_c;
    const int64_t first = x < 0 ? 0 : x, inside = (end < s->in_w ? end : s->in_w) - first;
    memset(copy, 0, (size_t)s->filter_w * (size_t)s->in_c * sizeof(*copy));
    if (inside > 0) {
        memcpy(copy + (first - x) * s->in_c, line + first * s->in_c,
               (size_t)inside * (size_t)s->in_c * sizeof(*copy));
    }
    return copy;
}

// Pointers for some rows of a tile, whose pixels are neighbours in a line.
typedef struct Neighbours {
    const LiteGemm* gemm;
    const LitePixel* pixel; // the first
    int rows;
    const float* zeros; // what pointers into the padding point to
    float* copies;      // [row][run][run_depth] where filter lines are read in one go
} Neighbours;

// The input pixels at column x and, for further rows, `stride_w` columns apart from each other, `width`
// columns each, are inside the line; if so, their pointers.
static bool point_inside(const Neighbours* n, const float* line, int64_t x, int32_t width, const float** to) {
    const LiteConvShape* s = &n->gemm->shape;
    const int64_t last = x + (int64_t)(n->rows - 1) * s->stride_w;
    if (x < 0 || last + width > s->in_w) return false;
    const float* from = line + x * s->in_c;
    const int64_t step = (int64_t)s->stride_w * s->in_c;
    for (int r = 0; r < n->rows; r++) to[r] = from + r * step;
    return true;
}

// Those of a filter line, the first run's to `to` and others after it; `line` of the input is NULL in the
// padding.
static void point_line(const Neighbours* n, const float* line, const float** to, float* copies) {
    const LiteConvShape* s = &n->gemm->shape;
    int64_t x = n->pixel->x;
    if (n->gemm->runs != n->gemm->taps) {
        const size_t step = (size_t)n->gemm->runs * (size_t)n->gemm->run_depth;
        if (line != NULL && point_inside(n, line, x, s->filter_w, to)) return;
        for (int r = 0; r < n->rows; r++, x += s->stride_w, copies += step) {
            to[r] = line == NULL ? n->zeros : point_merged(s, line, x, copies);
        }
        return;
    }
    for (int32_t fx = 0; fx < s->filter_w; fx++, to += n->gemm->rows, x += s->dilation_w) {
        if (line != NULL && point_inside(n, line, x, 1, to)) continue;
        for (int r = 0; r < n->rows; r++) {
            const int64_t at = x + (int64_t)r * s->stride_w;
            to[r] = line != NULL && at >= 0 && at < s->in_w ? line + at * s->in_c : n->zeros;
        }
    }
}

static void point_neighbours(const Neighbours* n, const float* input, const float** to) {
    const LiteGemm* gemm = n->gemm;
    const LiteConvShape* s = &gemm->shape;
    const size_t step = (size_t)(gemm->runs / s->filter_d / s->filter_h); // runs of a line
    float* copies = n->copies;
    int64_t z = n->pixel->z;
    for (int32_t fz = 0; fz < s->filter_d; fz++, z += s->dilation_d) {
        int64_t y = n->pixel->y;
        for (int32_t fy = 0; fy < s->filter_h; fy++, y += s->dilation_h) {
            const bool is_line = z >= 0 && z < s->in_d && y >= 0 && y < s->in_h;
            const float* line = input + n->pixel->image + (z * s->in_h + y) * s->in_w * s->in_c;
            point_line(n, is_line ? line : NULL, to, copies);
            to += step * (size_t)gemm->rows;
            copies += step * (size_t)gemm->run_depth;
        }
    }
}

// `count` pixels of one line.
static void skip_pixels(const LiteConvShape* s, int count, LitePixel* pixel) {
    pixel->out_x += count - 1;
    pixel->x += (int64_t)(count - 1) * s->stride_w;
    lite_gemm_next_pixel(s, pixel);
}

// Pointers of one tile, [run][micro->rows], from `pixel` on, which becomes that of the next tile.
static void point_tile(const LiteGemm* gemm, const float* input, LitePixel* pixel, int rows, const float** to,
                       float* copies) {
    const LiteConvShape* s = &gemm->shape;
    while (rows > 0) {
        const int32_t left = s->out_w - pixel->out_x;
        const Neighbours n = {gemm, pixel, left < rows ? left : rows, gemm->zeros, copies};
        point_neighbours(&n, input, to);
        to += n.rows;
        if (gemm->runs != gemm->taps) copies += (size_t)n.rows * (size_t)gemm->runs * (size_t)gemm->run_depth;
        rows -= n.rows;
        skip_pixels(s, n.rows, pixel);
    }
}

// Is each row the one after the last in the input?
static bool is_product(const LiteConvShape* s) {
    return s->filter_d == 1 && s->filter_h == 1 && s->filter_w == 1 && s->pad_d == 0 && s->pad_h == 0 &&
           s->pad_w == 0 && s->out_d == s->in_d && s->out_h == s->in_h && s->out_w == s->in_w &&
           (s->in_d == 1 || s->stride_d == 1) && (s->in_h == 1 || s->stride_h == 1) &&
           (s->in_w == 1 || s->stride_w == 1);
}

// How many tiles of so many rows from `pixel` on are in one line of the output, with windows that lie nowhere
// in the padding; at most `most`.
static int count_inside(const LiteGemm* gemm, const LitePixel* pixel, int rows, int most) {
    const LiteConvShape* s = &gemm->shape;
    const int64_t last_x = s->in_w - 1 - (int64_t)(s->filter_w - 1) * s->dilation_w; // where windows begin
    if (pixel->x < 0 || pixel->x > last_x || pixel->y < 0 || pixel->z < 0 ||
        pixel->y + (int64_t)(s->filter_h - 1) * s->dilation_h >= s->in_h ||
        pixel->z + (int64_t)(s->filter_d - 1) * s->dilation_d >= s->in_d) {
        return 0;
    }
    int64_t pixels = (last_x - pixel->x) / s->stride_w + 1;
    if (pixels > s->out_w - pixel->out_x) pixels = s->out_w - pixel->out_x;
    return pixels < (int64_t)most * rows ? (int)(pixels / rows) : most;
}

static void add_series(LiteGemmBlock* block, int first, int count, size_t step) {
    block->series[block->series_count++] = (LiteGemmSeries){first, count, step};
}

static void point_product(LiteGemmBlock* block, const float* input) {
    const int32_t depth = block->gemm->shape.in_c;
    input += block->first_row * depth;
    for (int t = 0; t < block->tiles;) {
        const int rows = lite_gemm_tile_rows(block, t),
                  count = t < block->larger ? block->larger : block->tiles - t;
        const float** to = block->pointers + (size_t)t * (size_t)block->gemm->rows;
        for (int r = 0; r < rows; r++) to[r] = input + (int64_t)r * depth;
        add_series(block, t, count, (size_t)rows * (size_t)depth);
        input += (int64_t)count * rows * depth;
        t += count;
    }
}

void lite_gemm_point(LiteGemmBlock* block, const float* input, int64_t group) {
    const LiteGemm* gemm = block->gemm;
    const LiteConvShape* s = &gemm->shape;
    const size_t step = (size_t)gemm->runs * (size_t)gemm->rows;
    input += group * gemm->depth;
    block->series_count = 0;
    if (block->in_series && is_product(s)) {
        point_product(block, input);
        return;
    }
    const size_t row_copies = gemm->runs == gemm->taps ? 0 : (size_t)gemm->runs * (size_t)gemm->run_depth;
    float* copies = (float*)(void*)(block->pointers + (size_t)block->tiles * step);
    LitePixel pixel = lite_gemm_pixel(s, block->first_row);
    for (int t = 0; t < block->tiles;) {
        const int rows = lite_gemm_tile_rows(block, t);
        const int alike = t < block->larger ? block->larger - t : block->tiles - t;
        const int inside = block->in_series ? count_inside(gemm, &pixel, rows, alike) : 0;
        const int count = inside > 0 ? inside : 1;
        point_tile(gemm, input, &pixel, rows, block->pointers + (size_t)t * step, copies);
        if (count > 1) skip_pixels(s, (count - 1) * rows, &pixel);
        add_series(block, t, count, (size_t)rows * (size_t)s->stride_w * (size_t)s->in_c);
        copies += (size_t)rows * row_copies;
        t += count;
    }
}
