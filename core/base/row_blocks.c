// SPDX-License-Identifier: Apache-2.0
#include "core/base/row_blocks.h"

#include "core/base/parallel.h"

enum {
    kScratch = 12 * 1024, // elements of all buffers together, of which few steps need more than two
    kBlock = 2048,        // elements of a block, unless a row has more
    kRows = 64,           // of a block at most
    kShort = 32,          // rows under this length are computed together, from copies of what they meet
};

typedef struct Block {
    const LiteEpilogue* epilogue;
    int64_t first; // row
    int64_t rows;
    const float* results[LITE_EPILOGUE_STEPS]; // of the steps until now
    float values[LITE_EPILOGUE_STEPS][kRows];  // of steps with one element for each row
    _Alignas(64) float buffers[kScratch];
    float copies[LITE_MAX_OPERANDS][kRows * kShort]; // of what short rows meet
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

// Where the rows of a block meet an operand.
typedef struct Input {
    const float* first;
    int64_t stride; // from one row to the next; -1: not the same everywhere
    bool differs;   // within a row; else one element is for all of it
    bool is_whole;  // for the block as for a row
} Input;

static Input find_input(const Block* b, const LiteEpilogueStep* step, const LiteEpilogueOperand* o) {
    const LiteEpilogue* e = b->epilogue;
    const int64_t width = width_of(e, step);
    Input in = {.first = o->data, .differs = o->inner > 1, .stride = -1};
    if (o->source >= 0) {
        in.first = b->results[o->source];
        in.stride = width_of(e, &e->steps[o->source]);
        in.differs = in.stride == width;
    } else if (o->count == 1 && o->inner == e->rows * width) {
        in.stride = width;
    } else if (o->count == 1 && (o->inner == 1 || o->inner == width)) {
        in.stride = 0;
    } else if (o->count == e->rows && o->outer == width) {
        in.stride = 1;
    }
    if (o->source < 0 && in.stride > 0) in.first += b->first * in.stride;
    in.is_whole = in.stride == (in.differs ? width : 0);
    return in;
}

static const float* find_row(const Block* b, const Input* in, const LiteEpilogueOperand* o, int64_t width,
                             int64_t row) {
    return in->stride >= 0 ? in->first + row * in->stride : lite_epilogue_meet(o, (b->first + row) * width);
}

static const float* copy_rows(Block* b, const Input* in, const LiteEpilogueStep* step, int k) {
    const int64_t width = width_of(b->epilogue, step);
    float* to = b->copies[k];
    for (int64_t r = 0; r < b->rows; r++, to += width) {
        const float* from = find_row(b, in, &step->operands[k], width, r);
        const float value = *from;
        for (int64_t i = 0; i < width; i++) to[i] = in->differs ? from[i] : value;
    }
    return b->copies[k];
}

// Runs the function once for the block where what rows meet allows it, or is copied to that end, else for
// each row.
static void run_elementwise(Block* b, const LiteEpilogueStep* step, float* out) {
    const int64_t width = width_of(b->epilogue, step);
    Input in[LITE_MAX_OPERANDS];
    bool once = true;
    for (int k = 0; k < step->operand_count; k++) {
        in[k] = find_input(b, step, &step->operands[k]);
        once = once && (in[k].is_whole || width < kShort);
    }
    const int64_t calls = once ? 1 : b->rows;
    LiteRow row = {.out = out, .count = once ? b->rows * width : width, .params = step->params};
    for (int k = 0; k < step->operand_count; k++) {
        const bool is_copied = once && !in[k].is_whole;
        row.step[k] = is_copied || in[k].differs;
        if (is_copied) in[k] = (Input){.first = copy_rows(b, &in[k], step, k)};
    }
    for (int64_t r = 0; r < calls; r++, row.out = out + r * width) {
        for (int k = 0; k < step->operand_count; k++)
            row.in[k] = find_row(b, &in[k], &step->operands[k], width, r);
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
