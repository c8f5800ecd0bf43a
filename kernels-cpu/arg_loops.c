// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/arg.h"
#include "kernels-cpu/loops.h"
#include "kernels-cpu/types.h"

enum { kLanes = 32, kBlock = 1024 };

#define GREATER(A, B) ((A) > (B))
#define LESS(A, B) ((A) < (B))

// The value first, in vectors; only the block that has it is searched for its place.
#define DEFINE_SEARCH(NAME, SUFFIX, BETTER)                                                                  \
    static int64_t NAME##_along_##SUFFIX(const void* data, int64_t count) {                                  \
        const stored_##SUFFIX* x = data;                                                                     \
        value_##SUFFIX best = load_##SUFFIX(x[0]);                                                           \
        int64_t block = 0;                                                                                   \
        for (int64_t first = 0; first < count; first += kBlock) {                                            \
            const int64_t end = first + kBlock < count ? first + kBlock : count;                             \
            value_##SUFFIX lanes[kLanes], all = best;                                                        \
            for (int i = 0; i < kLanes; i++) lanes[i] = best;                                                \
            int64_t at = first;                                                                              \
            for (; at + kLanes <= end; at += kLanes) {                                                       \
                for (int i = 0; i < kLanes; i++) {                                                           \
                    const value_##SUFFIX value = load_##SUFFIX(x[at + i]);                                   \
                    lanes[i] = BETTER(value, lanes[i]) ? value : lanes[i];                                   \
                }                                                                                            \
            }                                                                                                \
            for (int i = 0; i < kLanes; i++) all = BETTER(lanes[i], all) ? lanes[i] : all;                   \
            for (; at < end; at++) {                                                                         \
                const value_##SUFFIX value = load_##SUFFIX(x[at]);                                           \
                all = BETTER(value, all) ? value : all;                                                      \
            }                                                                                                \
            if (BETTER(all, best)) {                                                                         \
                best = all;                                                                                  \
                block = first;                                                                               \
            }                                                                                                \
        }                                                                                                    \
        for (int64_t i = block; i < count; i++) {                                                            \
            if (load_##SUFFIX(x[i]) == best) return i;                                                       \
        }                                                                                                    \
        return 0;                                                                                            \
    }                                                                                                        \
    static void NAME##_across_##SUFFIX(const void* data, int64_t count, int64_t stride, int64_t columns,     \
                                       int32_t* found) {                                                     \
        const stored_##SUFFIX* x = data;                                                                     \
        value_##SUFFIX best[kLiteArgColumns];                                                                \
        for (int64_t c = 0; c < columns; c++) best[c] = load_##SUFFIX(x[c]), found[c] = 0;                   \
        for (int32_t i = 1; i < count; i++) {                                                                \
            x += stride;                                                                                     \
            for (int64_t c = 0; c < columns; c++) {                                                          \
                const value_##SUFFIX value = load_##SUFFIX(x[c]);                                            \
                const bool better = BETTER(value, best[c]);                                                  \
                best[c] = better ? value : best[c];                                                          \
                found[c] = better ? i : found[c];                                                            \
            }                                                                                                \
        }                                                                                                    \
    }
#define DEFINE_BOTH(SUFFIX)                                                                                  \
    DEFINE_SEARCH(greatest, SUFFIX, GREATER)                                                                 \
    DEFINE_SEARCH(least, SUFFIX, LESS)

DEFINE_BOTH(f32)
DEFINE_BOTH(i8)
DEFINE_BOTH(u8)
DEFINE_BOTH(i32)
DEFINE_BOTH(b8)

LITE_EXPORT_LOOPS(bool, lite_arg_loops, (TfLiteType type, bool maximum, LiteArgLoops* loops),
                  (type, maximum, loops)) {
#define CASE(SUFFIX)                                                                                         \
    case type_##SUFFIX:                                                                                      \
        *loops = maximum ? (LiteArgLoops){greatest_along_##SUFFIX, greatest_across_##SUFFIX}                 \
                         : (LiteArgLoops){least_along_##SUFFIX, least_across_##SUFFIX};                      \
        return true;
    switch ((int)type) {
        CASE(f32)
        CASE(i8)
        CASE(u8)
        CASE(i32)
        CASE(b8)
    default:
        return false;
    }
}
