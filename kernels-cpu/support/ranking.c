// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/ranking.h"

#include <math.h>
#include <stddef.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/types.h"

enum { kScan = 64 }; // elements that are compared together

#define GREATER_NUMBER(A, B) ((A) > (B))
// Less than NaN is nothing.
#define GREATER_REAL(A, B) ((A) > (B) || (isnan(B) && !isnan(A)))

// Chooses from a heap whose top is the worst of the elements kept.
#define DEFINE_SELECT(SUFFIX, GREATER)                                                                       \
    /* Is a better than b? */                                                                                \
    static inline bool better_##SUFFIX(const stored_##SUFFIX* x, int32_t a, int32_t b) {                     \
        return GREATER(x[a], x[b]) || (!GREATER(x[b], x[a]) && a < b);                                       \
    }                                                                                                        \
    /* Lets heap[at] sink. */                                                                                \
    static void sift_down_##SUFFIX(const stored_##SUFFIX* x, int32_t* heap, int32_t count, int32_t at) {     \
        for (;;) {                                                                                           \
            int32_t worst = at;                                                                              \
            for (int32_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {                \
                if (better_##SUFFIX(x, heap[worst], heap[child])) worst = child;                             \
            }                                                                                                \
            if (worst == at) return;                                                                         \
            const int32_t held = heap[at];                                                                   \
            heap[at] = heap[worst];                                                                          \
            heap[worst] = held;                                                                              \
            at = worst;                                                                                      \
        }                                                                                                    \
    }                                                                                                        \
    /* Elements after those that are kept have to be larger than the worst of them. */                       \
    static void scan_##SUFFIX(const stored_##SUFFIX* x, int32_t count, int32_t k, int32_t* chosen) {         \
        for (int32_t i = k; i < count && !lite_cancelled_at(i - k);) {                                       \
            const int32_t end = count - i < kScan ? count : i + kScan;                                       \
            stored_##SUFFIX worst = x[chosen[0]];                                                            \
            int any = end - i < kScan;                                                                       \
            if (!any) {                                                                                      \
                for (int32_t n = 0; n < kScan; n++) any |= GREATER(x[i + n], worst);                         \
            }                                                                                                \
            if (!any) i = end;                                                                               \
            for (; i < end; i++) {                                                                           \
                if (!GREATER(x[i], worst)) continue;                                                         \
                chosen[0] = i;                                                                               \
                sift_down_##SUFFIX(x, chosen, k, 0);                                                         \
                worst = x[chosen[0]];                                                                        \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void select_##SUFFIX(const void* row, int32_t count, int32_t k, int32_t* chosen) {                \
        const stored_##SUFFIX* x = row;                                                                      \
        for (int32_t i = 0; i < k; i++) chosen[i] = i;                                                       \
        for (int32_t i = k / 2; i >= 0 && !lite_cancelled_at(i); i--) sift_down_##SUFFIX(x, chosen, k, i);   \
        scan_##SUFFIX(x, count, k, chosen);                                                                  \
        for (int32_t last = k - 1; last > 0 && !lite_cancelled_at(last); last--) {                           \
            const int32_t held = chosen[0];                                                                  \
            chosen[0] = chosen[last];                                                                        \
            chosen[last] = held;                                                                             \
            sift_down_##SUFFIX(x, chosen, last, 0);                                                          \
        }                                                                                                    \
    }

DEFINE_SELECT(f32, GREATER_REAL)
DEFINE_SELECT(i8, GREATER_NUMBER)
DEFINE_SELECT(u8, GREATER_NUMBER)
DEFINE_SELECT(i16, GREATER_NUMBER)
DEFINE_SELECT(i32, GREATER_NUMBER)
DEFINE_SELECT(i64, GREATER_NUMBER)

typedef void (*Select)(const void* row, int32_t count, int32_t k, int32_t* chosen);

static Select find_select(TfLiteType type) {
#define CASE(SUFFIX)                                                                                         \
    case type_##SUFFIX:                                                                                      \
        return select_##SUFFIX;
    switch ((int)type) {
        CASE(f32)
        CASE(i8)
        CASE(u8)
        CASE(i16)
        CASE(i32)
        CASE(i64)
    default:
        return NULL;
    }
}

void lite_ranking_select(const void* row, TfLiteType type, int32_t count, int32_t k, int32_t* chosen) {
    if (k > 0) find_select(type)(row, count, k, chosen);
}

bool lite_ranking_supports(TfLiteType type) {
    return find_select(type) != NULL;
}
