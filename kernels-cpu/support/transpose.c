// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/transpose.h"

#include <string.h>

#include "core/base/cpu_path.h"

// Blocks of N x N elements of 16 / N bytes, N to a vector: rows of the source become columns. After log2(N)
// rounds of interleaving the first half of the vectors with the second, each vector is a column, of which the
// first `count` are stored.
#define INTERLEAVE(N, V, W, LOW, HIGH)                                                                       \
    for (int round = 1; round < (N); round *= 2) {                                                           \
        for (int i = 0; i < (N) / 2; i++) {                                                                  \
            (W)[2 * i] = __builtin_shufflevector((V)[i], (V)[i + (N) / 2], LOW);                             \
            (W)[2 * i + 1] = __builtin_shufflevector((V)[i], (V)[i + (N) / 2], HIGH);                        \
        }                                                                                                    \
        for (int i = 0; i < (N); i++) (V)[i] = (W)[i];                                                       \
    }
#define DEFINE_TRANSPOSE(N, TYPE, LOW, HIGH)                                                                 \
    typedef TYPE Vector##N __attribute__((vector_size(16)));                                                 \
    static void transpose_##N(const char* from, int64_t from_step, char* to, int64_t to_step, int count,     \
                              int64_t blocks) {                                                              \
        for (; blocks > 0; blocks--, from += (N)*from_step, to += 16) {                                      \
            Vector##N v[N], w[N];                                                                            \
            for (int i = 0; i < (N); i++) memcpy(&v[i], from + i * from_step, 16);                           \
            INTERLEAVE(N, v, w, LIST LOW, LIST HIGH)                                                         \
            if (count == (N)) {                                                                              \
                for (int i = 0; i < (N); i++) memcpy(to + i * to_step, &v[i], 16);                           \
            } else {                                                                                         \
                for (int i = 0; i < count; i++) memcpy(to + i * to_step, &v[i], 16);                         \
            }                                                                                                \
        }                                                                                                    \
    }
// The list of a macro's argument in parentheses.
#define LIST(...) __VA_ARGS__
#define BYTES_LOW (0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define BYTES_HIGH (8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
DEFINE_TRANSPOSE(16, uint8_t, BYTES_LOW, BYTES_HIGH)
DEFINE_TRANSPOSE(8, uint16_t, (0, 8, 1, 9, 2, 10, 3, 11), (4, 12, 5, 13, 6, 14, 7, 15))
DEFINE_TRANSPOSE(4, uint32_t, (0, 4, 1, 5), (2, 6, 3, 7))
DEFINE_TRANSPOSE(2, uint64_t, (0, 2), (1, 3))

#ifdef __x86_64__
// Two blocks of N x N side by side, in the halves of vectors of 32 bytes.
#define AVX2 __attribute__((target("avx2")))
#define DEFINE_TRANSPOSE_TWO(N, TYPE, LOW, HIGH, JOIN)                                                       \
    typedef TYPE Wide##N __attribute__((vector_size(32)));                                                   \
    AVX2 static inline void transpose_two_##N(const char* from, int64_t from_step, char* to,                 \
                                              int64_t to_step) {                                             \
        Wide##N v[N], w[N];                                                                                  \
        for (int i = 0; i < (N); i++) {                                                                      \
            Vector##N first, second;                                                                         \
            memcpy(&first, from + i * from_step, 16);                                                        \
            memcpy(&second, from + (i + (N)) * from_step, 16);                                               \
            v[i] = __builtin_shufflevector(first, second, LIST JOIN);                                        \
        }                                                                                                    \
        INTERLEAVE(N, v, w, LIST LOW, LIST HIGH)                                                             \
        for (int i = 0; i < (N); i++) memcpy(to + i * to_step, &v[i], 32);                                   \
    }
DEFINE_TRANSPOSE_TWO(16, uint8_t,
                     (0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49, 18, 50, 19, 51,
                      20, 52, 21, 53, 22, 54, 23, 55),
                     (8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56, 25, 57, 26, 58,
                      27, 59, 28, 60, 29, 61, 30, 62, 31, 63),
                     (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                      24, 25, 26, 27, 28, 29, 30, 31))
DEFINE_TRANSPOSE_TWO(4, uint32_t, (0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15),
                     (0, 1, 2, 3, 4, 5, 6, 7))

AVX2 static void transpose_wide_16(const char* from, int64_t from_step, char* to, int64_t to_step, int count,
                                   int64_t blocks) {
    for (; blocks > 1 && count == 16; blocks -= 2, from += 32 * from_step, to += 32) {
        transpose_two_16(from, from_step, to, to_step);
    }
    transpose_16(from, from_step, to, to_step, count, blocks);
}

// Blocks of 8 x 8, always whole ones.
AVX2 static void transpose_wide(const char* from, int64_t from_step, char* to, int64_t to_step, int count,
                                int64_t blocks) {
    (void)count;
    for (; blocks > 0; blocks--, from += 8 * from_step, to += 32) {
        transpose_two_4(from, from_step, to, to_step);
        transpose_two_4(from + 16, from_step, to + 4 * to_step, to_step);
    }
}
// Not where lines are so far apart that two blocks of them do not fit into a cache's places.
#define TRANSPOSE_16(STEP)                                                                                   \
    (lite_cpu_level() >= kLiteCpuAvx2 && (STEP) < LITE_TRANSPOSE_FAR ? transpose_wide_16 : transpose_16)
#else
#define TRANSPOSE_16(STEP) transpose_16
#endif

LiteTranspose lite_transpose(size_t element, int64_t rows, int64_t columns, int64_t from_step) {
    (void)rows, (void)columns, (void)from_step;
    switch (element) {
    case 1:
        return (LiteTranspose){TRANSPOSE_16(from_step), 16};
    case 2:
        return (LiteTranspose){transpose_8, 8};
    case 4:
#ifdef __x86_64__
        if (rows >= 8 && columns >= 8 && lite_cpu_level() >= kLiteCpuAvx2)
            return (LiteTranspose){transpose_wide, 8};
#endif
        return (LiteTranspose){transpose_4, 4};
    case 8:
        return (LiteTranspose){transpose_2, 2};
    default:
        return (LiteTranspose){NULL, 1};
    }
}
