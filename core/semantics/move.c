// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/move.h"

#include <assert.h>

void lite_move_add(LiteMove* move, int64_t length, int64_t from, int64_t to) {
    assert(move->rank < LITE_MOVE_RANK);
    move->dims[move->rank] = length;
    move->from[move->rank] = from;
    move->to[move->rank] = to;
    move->rank++;
}

bool lite_move_is_run(const LiteMove* move, int64_t* count) {
    *count = 1;
    for (int i = move->rank - 1; i >= 0; i--) {
        if (move->dims[i] == 1) continue;
        if (move->from[i] != *count || move->to[i] != *count) return false;
        *count *= move->dims[i];
    }
    return true;
}

void lite_move_strides(const LiteShape* shape, int64_t strides[LITE_MAX_RANK]) {
    int64_t stride = 1;
    for (int i = shape->rank - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= shape->dims[i];
    }
}

void lite_move_block(const LiteBlocking* b, const LiteShape* wide, const LiteShape* deep, int64_t position,
                     bool to_batch, LiteMove* move, int64_t* from, int64_t* to) {
    int64_t w[LITE_MAX_RANK] = {0}, d[LITE_MAX_RANK] = {0};
    lite_move_strides(wide, w);
    lite_move_strides(deep, d);
    *move = (LiteMove){0};
    int64_t rest = position, blocks = b->blocks, in_wide = 0, in_deep = position * wide->dims[0] * d[0];
    lite_move_add(move, wide->dims[0], to_batch ? w[0] : d[0], to_batch ? d[0] : w[0]);
    for (int i = 0; i < b->space; i++) {
        // Pixel p of the deep side is p * block + at - before of the wide one: those inside are copied.
        blocks /= b->block[i];
        const int64_t at = rest / blocks, skipped = b->before[i] - at;
        rest %= blocks;
        const int64_t first = skipped > 0 ? (skipped + b->block[i] - 1) / b->block[i] : 0;
        const int64_t past = (wide->dims[i + 1] + skipped + b->block[i] - 1) / b->block[i];
        const int64_t end = past < deep->dims[i + 1] ? past : deep->dims[i + 1];
        const int64_t steps[2] = {w[i + 1] * b->block[i], d[i + 1]};
        lite_move_add(move, end > first ? end - first : 0, steps[!to_batch], steps[to_batch]);
        in_wide += (first * b->block[i] - skipped) * w[i + 1];
        in_deep += first * d[i + 1];
    }
    lite_move_add(move, wide->dims[wide->rank - 1], 1, 1);
    *from = to_batch ? in_wide : in_deep;
    *to = to_batch ? in_deep : in_wide;
}

bool lite_move_blocks(const LiteBlocking* b, const LiteShape* wide, const LiteShape* deep, bool to_batch,
                      LiteMove* move) {
    int64_t w[LITE_MAX_RANK] = {0}, d[LITE_MAX_RANK] = {0}, blocks = b->blocks;
    lite_move_strides(wide, w);
    lite_move_strides(deep, d);
    *move = (LiteMove){0};
    lite_move_add(move, wide->dims[0], to_batch ? w[0] : d[0], to_batch ? d[0] : w[0]);
    for (int i = 0; i < b->space; i++) {
        if (b->before[i] != 0 || b->after[i] != 0) return false;
        blocks /= b->block[i];
        const int64_t pixels[2] = {w[i + 1] * b->block[i], d[i + 1]};
        const int64_t positions[2] = {w[i + 1], blocks * wide->dims[0] * d[0]};
        lite_move_add(move, deep->dims[i + 1], pixels[!to_batch], pixels[to_batch]);
        lite_move_add(move, b->block[i], positions[!to_batch], positions[to_batch]);
    }
    lite_move_add(move, wide->dims[wide->rank - 1], 1, 1);
    return true;
}
