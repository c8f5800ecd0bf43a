// SPDX-License-Identifier: Apache-2.0
#include "core/base/row_blocks.h"

#include <string.h>

#include "core/base/parallel.h"

enum {
    kScratch = 12 * 1024, // elements of all buffers together, of which few steps need more than two
    kBlock = 1024,        // elements of a block, unless a row has more
    kRows = 64,           // of a block at most
    kShort = 64,          // rows under this length are computed together, from copies of what they meet
};

typedef struct Block {
    const LiteEpilogue* epilogue;
    int64_t first; // row
    int64_t rows;
    const float* results[LITE_EPILOGUE_STEPS]; // of the steps until now
    float buffers[kScratch];
    float values[LITE_EPILOGUE_STEPS][kRows]; // of steps with one element for each row
    float copies[LITE_MAX_OPERANDS][kBlock];
} Block;

static int64_t rows_of_block(const LiteEpilogue* e) {
    const int64_t rows = kBlock / e->channels;
    return rows < 1 ? 1 : rows < kRows ? rows : kRows;
}

bool lite_row_blocks_plan(LiteEpilogue* e) {
    if (!lite_epilogue_plan(e)) return false;
    const int64_t block = rows_of_block(e) * e->channels;
    for (int s = 0; s < e->step_count; s++) {
        if (block * (e->steps[s].buffer + 1) > kScratch) return false;
    }
    return true;
}

static int64_t width_of(const LiteEpilogue* e, const LiteEpilogueStep* step) {
    return step->per_row ? 1 : e->channels;
}

// Where the step's result of the block goes: at once to the tensor, if it has one.
static float* find_place(Block* b, int s) {
    const LiteEpilogue* e = b->epilogue;
    const LiteEpilogueStep* step = &e->steps[s];
    const int64_t first = b->first * width_of(e, step);
    if (s + 1 == e->step_count) return e->out + first;
    if (step->kept >= 0) return step->out + first;
    return step->per_row ? b->values[s] : b->buffers + step->buffer * rows_of_block(e) * e->channels;
}

// What row `row` of the block meets: neighbours, or one element.
static const float* meet_row(const Block* b, const LiteEpilogueStep* step, const LiteEpilogueOperand* o,
                             int64_t row) {
    const LiteEpilogue* e = b->epilogue;
    if (o->source >= 0) return b->results[o->source] + row * width_of(e, &e->steps[o->source]);
    return lite_epilogue_meet(o, (b->first + row) * width_of(e, step));
}

static bool meets_neighbours(const LiteEpilogue* e, const LiteEpilogueStep* step,
                             const LiteEpilogueOperand* o) {
    return o->source >= 0 ? e->steps[o->source].per_row == step->per_row : o->inner > 1;
}

// Whether all rows of the step meet neighbours, or all one and the same element.
static bool is_whole(const LiteEpilogue* e, const LiteEpilogueStep* step, const LiteEpilogueOperand* o) {
    if (o->source >= 0) return meets_neighbours(e, step, o);
    return o->count == 1 && (o->inner == 1 || o->inner == e->rows * width_of(e, step));
}

static const float* copy_rows(Block* b, const LiteEpilogueStep* step, int k) {
    const LiteEpilogueOperand* o = &step->operands[k];
    const int64_t width = width_of(b->epilogue, step);
    const bool differs = meets_neighbours(b->epilogue, step, o);
    float* to = b->copies[k];
    for (int64_t r = 0; r < b->rows; r++, to += width) {
        const float* from = meet_row(b, step, o, r);
        const float value = *from;
        if (differs) memcpy(to, from, (size_t)width * sizeof *to);
        for (int64_t i = 0; i < width && !differs; i++) to[i] = value;
    }
    return b->copies[k];
}

// Runs the function once for the block where what rows meet allows it, or is copied to that end, else for
// each row.
static void run_elementwise(Block* b, const LiteEpilogueStep* step, float* out) {
    const LiteEpilogue* e = b->epilogue;
    const int64_t width = width_of(e, step);
    bool whole[LITE_MAX_OPERANDS], once = true;
    for (int k = 0; k < step->operand_count; k++) {
        whole[k] = is_whole(e, step, &step->operands[k]);
        once = once && (whole[k] || width < kShort);
    }
    const int64_t calls = once ? 1 : b->rows;
    LiteRow row = {.count = once ? b->rows * width : width, .params = step->params};
    for (int64_t r = 0; r < calls; r++) {
        for (int k = 0; k < step->operand_count; k++) {
            const bool is_copied = once && !whole[k];
            row.step[k] = is_copied || meets_neighbours(e, step, &step->operands[k]);
            row.in[k] = is_copied ? copy_rows(b, step, k) : meet_row(b, step, &step->operands[k], r);
        }
        row.out = out + r * width;
        step->function(&row);
    }
}

static void run_block(Block* b) {
    const LiteEpilogue* e = b->epilogue;
    for (int s = 0; s < e->step_count; s++) {
        const LiteEpilogueStep* step = &e->steps[s];
        float* out = find_place(b, s);
        if (step->reduce == NULL) {
            run_elementwise(b, step, out);
        } else {
            const LiteEpilogueOperand* o = &step->operands[0];
            const float* rows = o->source >= 0 ? b->results[o->source] : o->data + b->first * e->channels;
            step->reduce(rows, b->rows, e->channels, out);
        }
        b->results[s] = out;
    }
}

static void run_rows(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    Block block; // what is not computed is not read
    block.epilogue = argument;
    const int64_t most = rows_of_block(block.epilogue);
    for (int64_t row = begin; row < end; row += most) {
        block.first = row;
        block.rows = end - row < most ? end - row : most;
        run_block(&block);
    }
}

void lite_row_blocks_run(const LiteEpilogue* epilogue, int threads) {
    int64_t cost = 1; // of an element, and of going on to the next
    for (int s = 0; s < epilogue->step_count; s++) cost += epilogue->steps[s].cost;
    // A thread is worth waking for about 20 microseconds of work.
    lite_parallel_for(threads, epilogue->rows, 1 + 20000 / (cost * epilogue->channels), run_rows,
                      (void*)(uintptr_t)epilogue);
}
