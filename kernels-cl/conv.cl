// SPDX-License-Identifier: Apache-2.0
// Convolution as an implicit matrix product, NHWC; also fully connected layers and matrix products.
//
//   rows = output pixels      columns = output channels of one group
//   one item: a tile of MR rows x NV vectors, accumulated in registers over all taps and input channels
//   weights: panels of PANEL columns, so that consecutive steps of the inner loop read consecutive memory
//
// Prelude: VW, MR, NV, PANEL (a multiple of VW * NV), ROWS_DIM (grid dimension of the rows, 0 or 1; columns
// take the other one, dimension 2 is the group); TYPE …, VREAD, VWRITE and PART; QUANTIZED: bytes, with HALF:
// short, or ushort when they have no sign, and perhaps DOUBLE_FACTORS, see LiteClProduct.
#define NR (NV * VW)

#ifdef QUANTIZED
// A step takes four input channels. Widened to 16 bits they are multiplied in pairs by weights of 16 bits: a
// word of weights is a column's for channels 0 and 2, or for 1 and 3, which is how shifts take words of bytes
// apart.
#define STEP 4
#define STEP_WORDS (2 * PANEL)
typedef int word;
typedef int weight;
#define VWRITE(v, p) VSTORE(v, p)
#define PART(n) vstore##n
typedef integers accumulator;
typedef PASTE(TYPE, VW) stored;

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

#ifdef DOUBLE_FACTORS
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef PASTE(double, VW) doubles;

inline integers scale_once(integers sum, doubles factor, int zero_point, int low, int high) {
    const doubles scaled = round(CONVERT(double, sum) * factor) + (doubles)zero_point;
    return CONVERT(int, clamp(scaled, (doubles)low, (doubles)high));
}
#endif

inline int load_step(const __global TYPE* p) {
    return PASTE(as_, int)(vload4(0, p));
}

// What is left of a pixel's channels, less than a step.
inline int load_rest(const __global TYPE* p, int count) {
    uint bytes = (uchar)p[0];
    if (count > 1) bytes |= (uint)(uchar)p[1] << 8;
    if (count > 2) bytes |= (uint)(uchar)p[2] << 16;
    return (int)bytes;
}

inline void add_products(accumulator acc[MR][NV], const int x[MR], const __global int* w) {
    integers even[NV], odd[NV];
#pragma unroll
    for (int j = 0; j < NV; j++) {
        even[j] = VLOAD(w + j * VW);
        odd[j] = VLOAD(w + PANEL + j * VW);
    }
#pragma unroll
    for (int i = 0; i < MR; i++) {
        const halves bytes = AS_HALVES((integers)x[i]);
#pragma unroll
        for (int j = 0; j < NV; j++)
            acc[i][j] += multiply_pairs(bytes << 8 >> 8, even[j]) + multiply_pairs(bytes >> 8, odd[j]);
    }
}
#else
#define STEP 1
#define STEP_WORDS PANEL
typedef float word;
typedef TYPE weight;
typedef vector accumulator;
typedef vector stored;

inline float load_step(const __global TYPE* p) {
    return LOAD(p, 0);
}

inline void add_products(accumulator acc[MR][NV], const float x[MR], const __global weight* w) {
    vector v[NV];
#pragma unroll
    for (int j = 0; j < NV; j++) v[j] = VREAD(w + j * VW);
#pragma unroll
    for (int i = 0; i < MR; i++) {
        // Not mad(): that is left uncontracted on some CPUs and costs 40 %.
#pragma unroll
        for (int j = 0; j < NV; j++) acc[i][j] += x[i] * v[j];
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
        PART(8)(v.lo, 0, p);
        p += 8;
        count -= 8;
        v.lo = v.hi;
    }
#endif
#if VW >= 8
    if (count >= 4) {
        PART(4)(v.s0123, 0, p);
        p += 4;
        count -= 4;
        v.s0123 = v.s4567;
    }
#endif
    if (count >= 1) STORE(p, 0, v.s0);
    if (count >= 2) STORE(p, 1, v.s1);
    if (count >= 3) STORE(p, 2, v.s2);
}

__kernel void conv(const LiteClConvArgs a, const __global TYPE* restrict x,
                   const __global weight* restrict weights, const __global word* restrict bias,
                   const __global TYPE* restrict zeros,
#ifdef DOUBLE_FACTORS
                   const __global double* restrict factors,
#elif defined(QUANTIZED)
                   const __global int* restrict multipliers, const __global int* restrict shifts,
#endif
                   __global TYPE* restrict y) {
    const int m0 = (int)get_global_id(ROWS_DIM) * MR;
    const int n0 = (int)get_global_id(1 - ROWS_DIM) * NR;
    const int group = get_global_id(2);
    if (m0 >= a.pixels || n0 >= a.group_out) return;
    const int panel = group * ((a.group_out + PANEL - 1) / PANEL) + n0 / PANEL,
              column = panel * PANEL + n0 % PANEL;
    const int tap_steps = (a.group_in + STEP - 1) / STEP;
    const __global weight* w =
        weights + (size_t)panel * (a.kernel_h * a.kernel_w * tap_steps) * STEP_WORDS + n0 % PANEL;
    x += group * a.group_in;

    const int in_h = a.in_h, in_w = a.in_w, in_c = a.in_c;
    // Where each row's window begins. Rows past the end go on counting: computed, not stored.
    int image[MR], top[MR], left[MR];
    int oy = m0 / a.out_w, ox = m0 - oy * a.out_w;
    int n = oy / a.out_h;
    oy -= n * a.out_h;
    // Where no window of the tile leaves its image row, the taps of a kernel row are one run of memory.
    bool whole = a.dilation_w == 1 && a.group_in == in_c && in_c % STEP == 0;
#pragma unroll
    for (int i = 0; i < MR; i++) {
        image[i] = min(n, a.images - 1) * in_h * in_w * in_c;
        top[i] = oy * a.stride_h - a.pad_top;
        left[i] = ox * a.stride_w - a.pad_left;
        whole = whole && left[i] >= 0 && left[i] + a.kernel_w <= in_w;
        if (++ox == a.out_w) {
            ox = 0;
            if (++oy == a.out_h) {
                oy = 0;
                n++;
            }
        }
    }
    const int steps = whole ? 1 : a.kernel_w;
    const int run = whole ? a.kernel_w * in_c : a.group_in;

    accumulator acc[MR][NV];
#pragma unroll
    for (int j = 0; j < NV; j++) {
        const accumulator b = VLOAD(bias + column + j * VW);
#pragma unroll
        for (int i = 0; i < MR; i++) acc[i][j] = b;
    }

    for (int ky = 0; ky < a.kernel_h; ky++) {
        for (int kx = 0; kx < steps; kx++) {
            // Taps in the padding read zeros, of which there are kernel_w * group_in: the inner loop has no
            // branches.
            const __global TYPE* row[MR];
#pragma unroll
            for (int i = 0; i < MR; i++) {
                const int iy = top[i] + ky * a.dilation_h, ix = left[i] + kx * a.dilation_w;
                const bool inside = (uint)iy < (uint)in_h && (uint)ix < (uint)in_w;
                row[i] = inside ? x + image[i] + (iy * in_w + ix) * in_c : zeros;
            }
            int c = 0;
            word step[MR];
            for (; c + STEP <= run; c += STEP, w += STEP_WORDS) {
#pragma unroll
                for (int i = 0; i < MR; i++) step[i] = load_step(row[i] + c);
                add_products(acc, step, w);
            }
#ifdef QUANTIZED
            if (c < run) {
#pragma unroll
                for (int i = 0; i < MR; i++) step[i] = load_rest(row[i] + c, run - c);
                add_products(acc, step, w);
                w += STEP_WORDS;
            }
#endif
        }
    }

    y += group * a.group_out + n0;
#ifdef QUANTIZED
    // Through memory and not unrolled: this is much code, and compilers take long for it.
    accumulator sums[MR][NV];
#pragma unroll
    for (int i = 0; i < MR; i++) {
#pragma unroll
        for (int j = 0; j < NV; j++) sums[i][j] = acc[i][j];
    }
#pragma unroll 1
    for (int j = 0; j < NV; j++) {
#ifdef DOUBLE_FACTORS
        const doubles factor = VLOAD(factors + column + j * VW);
#define OUTPUT(sum) scale_once(sum, factor, a.zero, a.int_low, a.int_high)
#else
        const integers value = VLOAD(multipliers + column + j * VW), shift = VLOAD(shifts + column + j * VW);
#define OUTPUT(sum) requantize(sum, value, shift, a.zero, a.int_low, a.int_high)
#endif
#pragma unroll 1
        for (int i = 0; i < MR && m0 + i < a.pixels; i++) {
            const integers out = OUTPUT(sums[i][j]);
            store_first(CONVERT(TYPE, out), a.group_out - n0 - j * VW, y + (m0 + i) * a.out_c + j * VW);
        }
    }
#else
#pragma unroll
    for (int i = 0; i < MR; i++) {
        if (m0 + i < a.pixels) {
            __global TYPE* out = y + (m0 + i) * a.out_c;
#pragma unroll
            for (int j = 0; j < NV; j++) {
                store_first(clamp_vector(acc[i][j], a.low, a.high), a.group_out - n0 - j * VW, out + j * VW);
            }
        }
    }
#endif
}
