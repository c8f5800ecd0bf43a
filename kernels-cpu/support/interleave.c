// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/interleave.h"

#include "core/base/cpu_path.h"

// One vector of them at least: less is as quick in any way.
enum { kFewest = 16 };

// From elements side by side to rows (split), and from columns to elements side by side (merge). ATTRIBUTES
// are of functions, whose names end in SET.
#define DEFINE_INTERLEAVE(BITS, SET, ATTRIBUTES)                                                             \
    ATTRIBUTES static void split_##BITS##_##SET(const LiteTranspose* t) {                                    \
        const int64_t count = t->columns; /* nothing that is written here */                                 \
        const Loose##BITS* in = (const Loose##BITS*)t->from;                                                 \
        Loose##BITS* restrict a = (Loose##BITS*)t->to;                                                       \
        Loose##BITS* restrict b = (Loose##BITS*)(t->to + t->to_step);                                        \
        if (t->rows == 2) {                                                                                  \
            for (int64_t i = 0; i < count; i++) a[i] = in[2 * i], b[i] = in[2 * i + 1];                      \
            return;                                                                                          \
        }                                                                                                    \
        Loose##BITS* restrict c = (Loose##BITS*)(t->to + 2 * t->to_step);                                    \
        if (t->rows == 3) {                                                                                  \
            for (int64_t i = 0; i < count; i++) {                                                            \
                a[i] = in[3 * i], b[i] = in[3 * i + 1], c[i] = in[3 * i + 2];                                \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        Loose##BITS* restrict d = (Loose##BITS*)(t->to + 3 * t->to_step);                                    \
        for (int64_t i = 0; i < count; i++) {                                                                \
            a[i] = in[4 * i], b[i] = in[4 * i + 1], c[i] = in[4 * i + 2], d[i] = in[4 * i + 3];              \
        }                                                                                                    \
    }                                                                                                        \
    ATTRIBUTES static void merge_##BITS##_##SET(const LiteTranspose* t) {                                    \
        const int64_t count = t->rows;                                                                       \
        const Loose##BITS* a = (const Loose##BITS*)t->from;                                                  \
        const Loose##BITS* b = (const Loose##BITS*)(t->from + t->from_step);                                 \
        Loose##BITS* restrict out = (Loose##BITS*)t->to;                                                     \
        if (t->columns == 2) {                                                                               \
            for (int64_t i = 0; i < count; i++) out[2 * i] = a[i], out[2 * i + 1] = b[i];                    \
            return;                                                                                          \
        }                                                                                                    \
        const Loose##BITS* c = (const Loose##BITS*)(t->from + 2 * t->from_step);                             \
        if (t->columns == 3) {                                                                               \
            for (int64_t i = 0; i < count; i++) {                                                            \
                out[3 * i] = a[i], out[3 * i + 1] = b[i], out[3 * i + 2] = c[i];                             \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        const Loose##BITS* d = (const Loose##BITS*)(t->from + 3 * t->from_step);                             \
        for (int64_t i = 0; i < count; i++) {                                                                \
            out[4 * i] = a[i], out[4 * i + 1] = b[i], out[4 * i + 2] = c[i], out[4 * i + 3] = d[i];          \
        }                                                                                                    \
    }

#ifdef __x86_64__
#define DEFINE_LOOPS(BITS)                                                                                   \
    typedef uint##BITS##_t Loose##BITS __attribute__((aligned(1), may_alias));                               \
    DEFINE_INTERLEAVE(BITS, plain, )                                                                         \
    DEFINE_INTERLEAVE(BITS, wide, __attribute__((target("avx2"))))
#define CHOOSE(NAME) (lite_cpu_level() >= kLiteCpuAvx2 ? NAME##_wide : NAME##_plain)
// Threes need shuffles of any order, which not all of these processors have.
#define HAS_THREES (lite_cpu_level() >= kLiteCpuAvx2)
#else
#define DEFINE_LOOPS(BITS)                                                                                   \
    typedef uint##BITS##_t Loose##BITS __attribute__((aligned(1), may_alias));                               \
    DEFINE_INTERLEAVE(BITS, plain, )
#define CHOOSE(NAME) NAME##_plain
#define HAS_THREES true
#endif
DEFINE_LOOPS(8)
DEFINE_LOOPS(16)
DEFINE_LOOPS(32)
DEFINE_LOOPS(64)

static bool is_few(int64_t side) {
    return side == 2 || side == 4 || (side == 3 && HAS_THREES);
}

bool lite_interleave(const LiteTranspose* t, size_t element) {
    const int64_t size = (int64_t)element;
    const bool splits = is_few(t->rows) && t->from_step == t->rows * size && t->columns >= kFewest;
    const bool merges = is_few(t->columns) && t->to_step == t->columns * size && t->rows >= kFewest;
    if (!splits && !merges) return false;
    switch (element) {
    case 1:
        (splits ? CHOOSE(split_8) : CHOOSE(merge_8))(t);
        return true;
    case 2:
        (splits ? CHOOSE(split_16) : CHOOSE(merge_16))(t);
        return true;
    case 4:
        (splits ? CHOOSE(split_32) : CHOOSE(merge_32))(t);
        return true;
    case 8:
        (splits ? CHOOSE(split_64) : CHOOSE(merge_64))(t);
        return true;
    default:
        return false;
    }
}
