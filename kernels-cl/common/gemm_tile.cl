// SPDX-License-Identifier: Apache-2.0
// Tiles of products in registers: the tile of conv.cl (see there) where MR is defined, that of depthwise
// convolutions (depthwise_conv.cl) where KERNEL_H is.
#include "kernels-cl/common/bytes.cl"
#include "kernels-cl/common/float_scales.cl"
#include "kernels-cl/common/float_sums.cl"
#include "kernels-cl/common/nvidia_dots.cl"

#ifndef PART // of halves
#define PART VSTORE_PART
#endif
#ifndef QUANTIZED
#ifdef MR
typedef vector tile_row[NV];
#define TILE_ROWS MR
#else
typedef vector tile_row[TILE_W];
#define TILE_ROWS TILE_H
#endif
#define TILE_COLUMNS (int)(sizeof(tile_row) / sizeof(vector))
#define TILE_VECTORS (TILE_ROWS * TILE_COLUMNS)

// Rows and columns have indices of their own: beyond the end of a row some compilers see nothing.
INLINE void limit_tile(tile_row tile[TILE_ROWS], float low, float high) {
#pragma unroll
    for (int i = 0; i < TILE_ROWS; i++) {
#pragma unroll
        for (int j = 0; j < TILE_COLUMNS; j++) tile[i][j] = clamp_vector(tile[i][j], low, high);
    }
}

#ifdef STEPS
#define OPTION(i) after.options[i]
// Compilers make vectors of 8 of the loop over a part. Processors wait where a vector of 16 is read that has
// just been stored as two of 8, so the halves lie apart.
#if VW == 16
#define PARTS 2
typedef float8 part;
#define KEEP(k, v) each[k] = v.lo, each[TILE_VECTORS + k] = v.hi
#define KEPT(k) (vector)(each[k], each[TILE_VECTORS + k])
#else
#define PARTS 1
typedef vector part;
#define KEEP(k, v) each[k] = v
#define KEPT(k) each[k]
#endif
// What nodes behind make of the results of a tile, which have their limits already: the STEPS and the RESULT
// of the prelude, of which compilers make vectors. Through memory and not unrolled: this may be much code.
INLINE void compute_after(tile_row tile[TILE_ROWS], const LiteClAfter after) {
    part each[PARTS * TILE_VECTORS];
#pragma unroll
    for (int i = 0; i < TILE_ROWS; i++) {
#pragma unroll
        for (int j = 0; j < TILE_COLUMNS; j++) KEEP(i * TILE_COLUMNS + j, tile[i][j]);
    }
#pragma unroll 1
    for (int k = 0; k < PARTS * TILE_VECTORS; k++) {
        float* one = (float*)&each[k];
        for (int e = 0; e < VW / PARTS; e++) {
            const float v = one[e];
            STEPS
            one[e] = RESULT;
        }
    }
#pragma unroll
    for (int i = 0; i < TILE_ROWS; i++) {
#pragma unroll
        for (int j = 0; j < TILE_COLUMNS; j++) tile[i][j] = KEPT(i * TILE_COLUMNS + j);
    }
}
#else
// The same without steps; HARD_SWISH as core/elementwise.def has it.
INLINE void compute_after(tile_row tile[TILE_ROWS], const LiteClAfter after) {
    if (!after.hard_swish && after.factor == 1.0f) return;
#pragma unroll
    for (int i = 0; i < TILE_ROWS; i++) {
#pragma unroll
        for (int j = 0; j < TILE_COLUMNS; j++) {
            const vector v = tile[i][j];
            tile[i][j] = after.hard_swish ? v * (clamp_vector(v + 3.0f, 0.0f, 6.0f) * (1.0f / 6.0f))
                                          : v * after.factor;
        }
    }
}
#endif
#endif

#ifdef MR
#define NR (NV * VW)

// What rows of the left matrix are made of.
#ifndef LEFT
#define LEFT const __global TYPE
#endif

#ifdef QUANTIZED
#define STEP 4 // input channels
typedef int word;
typedef int weight;
typedef integers accumulator;
typedef PASTE(TYPE, VW) stored;

// Sums in the output's scale, rounded once, see factor.cl.
#ifdef FACTOR_BITS
inline integers scale_once(integers sums, const __global factor* factors, int zero_point, int low, int high) {
    union {
        integers all;
        int each[VW];
    } v = {.all = sums};
    for (int i = 0; i < VW; i++)
        v.each[i] = (int)clamp(scale_by(v.each[i], factors[i]) + zero_point, (long)low, (long)high);
    return v.all;
}
#elif defined(DOUBLE_FACTORS)
typedef PASTE(double, VW) doubles;

inline integers scale_once(integers sums, const __global factor* factors, int zero_point, int low, int high) {
    const doubles scaled = round(CONVERT(double, sums) * VLOAD(factors)) + (doubles)zero_point;
    return CONVERT(int, clamp(scaled, (doubles)low, (doubles)high));
}
#endif

#ifdef DOTS
// A word of weights is a column's four, as they are. With BYTE_DOTS, a function of the device, pixels are
// too; else they become bytes without a sign, 128 more, which the bias makes good.
#define STEP_WORDS PANEL
#ifdef BYTE_DOTS
#define PIXELS(word) (word)
#else
#define PIXELS(word) ((word) ^ (int)0x80808080)
#endif
inline integers add_dots(integers acc, integers x, integers w) {
#ifdef NVIDIA_DOTS
    acc = nvidia_dots(acc, x, w);
#elif defined(BYTE_DOTS)
    const uint4 p = as_uint4(x), q = as_uint4(w);
    acc += (integers)(dot_4x8packed_ss_int(p.s0, q.s0), dot_4x8packed_ss_int(p.s1, q.s1),
                      dot_4x8packed_ss_int(p.s2, q.s2), dot_4x8packed_ss_int(p.s3, q.s3));
#elif defined(__AVX512BW__)
    // The compiler may not know that the processor has it, see has_dots in delegate-opencl/device/device.c.
    __asm__("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(x), "v"(w));
#else
#pragma unroll
    for (int b = 0; b < 32; b += 8) acc += (x >> b & 255) * (w << (24 - b) >> 24);
#endif
    return acc;
}

INLINE void add_products(accumulator acc[MR][NV], const __global TYPE* const row[MR], int c, int count,
                         const __global int* w) {
    integers v[NV];
#pragma unroll
    for (int j = 0; j < NV; j++) PREFETCH(w + AHEAD * PANEL + j * VW);
#pragma unroll
    for (int j = 0; j < NV; j++) v[j] = VLOAD(w + j * VW);
#pragma unroll
    for (int i = 0; i < MR; i++) {
        const integers bytes = PIXELS(load_step(row[i] + c, count));
#pragma unroll
        for (int j = 0; j < NV; j++) acc[i][j] = add_dots(acc[i][j], bytes, v[j]);
        IN_ORDER();
    }
}
#else
// Widened to 16 bits, channels are multiplied in pairs by weights of 16 bits: a word of weights is a column's
// for channels 0 and 2, or for 1 and 3, which is how shifts take words of bytes apart.
#define STEP_WORDS (2 * PANEL)
#if VW == 16
typedef HALF halves __attribute__((ext_vector_type(32))); // OpenCL C has no vectors of this length
#define AS_HALVES(v) __builtin_astype(v, halves)
#define AS_INTEGERS(v) __builtin_astype(v, integers)
#elif VW == 8
typedef PASTE(HALF, 16) halves;
#define AS_HALVES(v) PASTE(PASTE(as_, HALF), 16)(v)
#define AS_INTEGERS(v) as_int8(v)
#else
typedef PASTE(HALF, 8) halves;
#define AS_HALVES(v) PASTE(PASTE(as_, HALF), 8)(v)
#define AS_INTEGERS(v) as_int4(v)
#endif

// The sum of a word's two products. Compilers do not find the instruction that there is for this.
#if VW == 16 && defined(__AVX512BW__)
typedef short signed_halves __attribute__((vector_size(64)));
#define SUM_OF_PRODUCTS __builtin_ia32_pmaddwd512
#elif VW == 8 && defined(__AVX2__)
typedef short signed_halves __attribute__((vector_size(32)));
#define SUM_OF_PRODUCTS __builtin_ia32_pmaddwd256
#elif VW == 4 && defined(__SSE2__)
typedef short signed_halves __attribute__((vector_size(16)));
#define SUM_OF_PRODUCTS __builtin_ia32_pmaddwd128
#endif
inline integers multiply_pairs(halves x, integers w) {
#ifdef SUM_OF_PRODUCTS
    return __builtin_astype(
        SUM_OF_PRODUCTS(__builtin_astype(x, signed_halves), __builtin_astype(w, signed_halves)), integers);
#else
    const integers v = AS_INTEGERS(x);
    return (v << 16 >> 16) * (w << 16 >> 16) + (v >> 16) * (w >> 16);
#endif
}

INLINE void add_products(accumulator acc[MR][NV], const __global TYPE* const row[MR], int c, int count,
                         const __global int* w) {
    integers even[NV], odd[NV];
#pragma unroll
    for (int j = 0; j < NV; j++) {
        even[j] = VLOAD(w + j * VW);
        odd[j] = VLOAD(w + PANEL + j * VW);
    }
#pragma unroll
    for (int i = 0; i < MR; i++) {
        const halves bytes = AS_HALVES((integers)load_step(row[i] + c, count));
#pragma unroll
        for (int j = 0; j < NV; j++)
            acc[i][j] += multiply_pairs(bytes << 8 >> 8, even[j]) + multiply_pairs(bytes >> 8, odd[j]);
        IN_ORDER();
    }
}
#endif
#else
#define STEP 1
#define STEP_WORDS PANEL
typedef float word;
typedef TYPE weight;
typedef vector accumulator;
typedef vector stored;

INLINE void add_products(accumulator acc[MR][NV], LEFT* const row[MR], int c, int count,
                         const __global weight* w) {
    vector v[NV];
#pragma unroll
    for (int j = 0; j < NV; j++) PREFETCH(w + AHEAD * PANEL + j * VW);
#pragma unroll
    for (int j = 0; j < NV; j++) v[j] = VREAD(w + j * VW);
#pragma unroll
    for (int i = 0; i < MR; i++) {
        const float x = LOAD(row[i], c);
        // Not mad(): that is left uncontracted on some CPUs and costs 40 %.
#pragma unroll
        for (int j = 0; j < NV; j++) acc[i][j] += x * v[j];
        IN_ORDER();
    }
}
#endif

// The first channels of add_run, for one row on processors: as many as can be divided into parts. Returns how
// many.
#if MR == 1 && !defined(QUANTIZED) && (defined(__x86_64__) || defined(__aarch64__))
INLINE int add_parts(accumulator acc[MR][NV], LEFT* const row[MR], int run, const __global weight* w) {
    const int part = run / PARTS_OF_DEPTH;
    accumulator sums[PARTS_OF_DEPTH - 1][MR][NV] = {{{0}}};
    for (int c = 0; c < part; c++) {
        add_products(acc, row, c, 1, w + c * PANEL);
#pragma unroll
        for (int p = 1; p < PARTS_OF_DEPTH; p++)
            add_products(sums[p - 1], row, c + p * part, 1, w + (c + p * part) * PANEL);
    }
#pragma unroll
    for (int p = 1; p < PARTS_OF_DEPTH; p++) {
#pragma unroll
        for (int j = 0; j < NV; j++) acc[0][j] += sums[p - 1][0][j];
    }
    return PARTS_OF_DEPTH * part;
}
#else
#define add_parts(acc, row, run, w) 0
#endif

// Adds the products of runs of memory, one for each of the tile's rows, and the weights from w on. Returns
// where those behind begin.
INLINE const __global weight* add_run(accumulator acc[MR][NV], LEFT* const row[MR], int run,
                                      const __global weight* w) {
#ifdef FLOAT_STEPS
    return add_float_run(acc, row, run, w);
#else
    int c = add_parts(acc, row, run, w);
    w += c * PANEL;
    for (; c + STEP <= run; c += STEP, w += STEP_WORDS) add_products(acc, row, c, STEP, w);
    if (c < run) { // not of floats
        add_products(acc, row, c, run - c, w);
        w += STEP_WORDS;
    }
    return w;
#endif
}

#ifndef POINTWISE
// Adds the products of the tile's rows: windows of images that begin at image[i] of x and, in the image, at
// pixel (top[i], left[i]), and the weights from w on.
INLINE void add_windows(accumulator acc[MR][NV], const LiteClConvArgs* a, const int image[MR],
                        const int top[MR], const int left[MR], const __global TYPE* x,
                        const __global TYPE* zeros, const __global weight* w) {
    const int in_h = a->in_h, in_w = a->in_w, in_c = a->in_c;
    // Where no window of the tile leaves its image row, the taps of a kernel row are one run of memory.
    bool whole = a->dilation_w == 1 && a->group_in == in_c && in_c % STEP == 0;
#pragma unroll
    for (int i = 0; i < MR; i++) whole = whole && left[i] >= 0 && left[i] + a->kernel_w <= in_w;
    const int steps = whole ? 1 : a->kernel_w;
    const int run = whole ? a->kernel_w * in_c : a->group_in;
    for (int ky = 0; ky < a->kernel_h; ky++) {
        for (int kx = 0; kx < steps; kx++) {
            // Taps in the padding read zeros, of which there are kernel_w * group_in: the inner loop has no
            // branches.
            const __global TYPE* row[MR];
#pragma unroll
            for (int i = 0; i < MR; i++) {
                const int iy = top[i] + ky * a->dilation_h, ix = left[i] + kx * a->dilation_w;
                const bool inside = (uint)iy < (uint)in_h && (uint)ix < (uint)in_w;
                row[i] = inside ? x + image[i] + (iy * in_w + ix) * in_c : zeros;
            }
            w = add_run(acc, row, run, w);
        }
    }
}
#endif

// The first `count` elements of v; nothing when count < 1.
inline void store_first(stored v, int count, __global TYPE* p) {
    if (count >= VW) {
        VWRITE(v, p);
        return;
    }
#if VW >= 16
    if (count >= 8) {
        PART(8, v.lo, p);
        p += 8;
        count -= 8;
        v.lo = v.hi;
    }
#endif
#if VW >= 8
    if (count >= 4) {
        PART(4, v.s0123, p);
        p += 4;
        count -= 4;
        v.s0123 = v.s4567;
    }
#endif
    if (count >= 1) STORE(p, 0, v.s0);
    if (count >= 2) STORE(p, 1, v.s1);
    if (count >= 3) STORE(p, 2, v.s2);
}

#ifndef QUANTIZED
// The first `count` elements at p, or no more than zeros.
inline vector load_first(int count, const __global TYPE* p) {
    if (count >= VW) return VREAD(p);
    float each[VW] = {0};
#pragma unroll 1
    for (int i = 0; i < count; i++) {
        each[i] = LOAD(p, i);
        IN_ORDER(); // nor in vectors
    }
    return VLOAD(each);
}
#endif
#endif

#ifdef KERNEL_H
// What a tile of TILE_H x TILE_W outputs sees of its input.
#define SPAN_H (KERNEL_H * DILATION - DILATION + 1)
#define SPAN_W (KERNEL_W * DILATION - DILATION + 1)
#define IN_H ((TILE_H - 1) * STRIDE + SPAN_H)
#define IN_W ((TILE_W - 1) * STRIDE + SPAN_W)

// Adds the products of the tile's input pixel (i, j) to the outputs that have it under a tap.
inline void add_pixel(vector acc[TILE_H][TILE_W], const vector k[KERNEL_H][KERNEL_W], vector pixel, int i,
                      int j) {
#pragma unroll
    for (int p = 0; p < TILE_H; p++) {
#pragma unroll
        for (int q = 0; q < TILE_W; q++) {
            const int ky = i - p * STRIDE, kx = j - q * STRIDE;
            if (ky >= 0 && kx >= 0 && ky < SPAN_H && kx < SPAN_W && ky % DILATION == 0 && kx % DILATION == 0)
                acc[p][q] += pixel * k[ky / DILATION][kx / DILATION];
        }
    }
    IN_ORDER();
}
#endif
