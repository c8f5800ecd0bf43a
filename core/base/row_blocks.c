// SPDX-License-Identifier: Apache-2.0
#include "core/base/row_blocks.h"

#include <string.h>

#include "core/base/parallel.h"

enum {
    kScratch = 12 * 1024,      // elements of all buffers together, of which few steps need more than two
    kBlock = 2048,             // elements of a block, unless a row has more
    kRows = 64,                // of a block at most
    kShort = 32,               // rows under this length are computed together, from copies of what they meet
    kProductBlock = 24 * 1024, // elements of a block between products: two of them stay in the second cache
    kProductThreads = 64,      // at most
    kFewScores = 8 * 1024,     // elements between products that are not worth another thread
};

typedef struct Block {
    const LiteEpilogue* epilogue;
    int64_t first; // row
    int64_t rows;
    float* buffers;                                  // each of a whole block
    const float* head;                               // what the source has computed
    const float* results[LITE_EPILOGUE_STEPS];       // of the steps until now
    float values[LITE_EPILOGUE_STEPS][kRows];        // of steps with one element for each row
    float copies[LITE_MAX_OPERANDS][kRows * kShort]; // of what short rows meet
} Block;

// Elements of a buffer, in whole cache lines.
static int64_t size_buffer(const LiteEpilogue* e) {
    return (e->block * e->channels + 15) / 16 * 16;
}

static int count_buffers(const LiteEpilogue* e) {
    int count = 1;
    for (int s = 0; s < e->step_count; s++) {
        if (e->steps[s].buffer >= count) count = e->steps[s].buffer + 1;
    }
    return count;
}

bool lite_row_blocks_plan(LiteEpilogue* e) {
    if (!lite_epilogue_plan(e)) return false;
    const int64_t rows = kBlock / e->channels;
    e->block = rows < 1 ? 1 : rows < kRows ? rows : kRows;
    return size_buffer(e) * count_buffers(e) <= kScratch;
}

static int64_t width_of(const LiteEpilogue* e, const LiteEpilogueStep* step) {
    return step->per_row ? 1 : e->channels;
}

// Where the step's result of the block goes: at once to the tensor, if it has one.
static float* find_place(Block* b, int s) {
    const LiteEpilogue* e = b->epilogue;
    const LiteEpilogueStep* step = &e->steps[s];
    const int64_t first = b->first * width_of(e, step);
    if (s + 1 == e->step_count && e->products == NULL) return e->out + first;
    if (step->kept >= 0) return step->out + first;
    return step->per_row ? b->values[s] : b->buffers + step->buffer * size_buffer(e);
}

// What a step, or the source, has computed.
static const float* find_result(const Block* b, int source) {
    return source >= 0 ? b->results[source] : b->head;
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
    if (o->source != kLiteEpilogueTensor) {
        in.first = find_result(b, o->source);
        in.stride = o->source >= 0 ? width_of(e, &e->steps[o->source]) : e->channels;
        in.differs = in.stride == width;
    } else if (o->count == 1 && o->inner == e->rows * width) {
        in.stride = width;
    } else if (o->count == 1 && (o->inner == 1 || o->inner == width)) {
        in.stride = 0;
    } else if (o->count == e->rows && o->outer == width) {
        in.stride = 1;
    }
    if (o->source == kLiteEpilogueTensor && in.stride > 0) in.first += b->first * in.stride;
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

static const float* run_step(Block* b, int s) {
    const LiteEpilogue* e = b->epilogue;
    const LiteEpilogueStep* step = &e->steps[s];
    const LiteEpilogueOperand* o = &step->operands[0];
    float* out = find_place(b, s);
    if (step->function != NULL) {
        run_elementwise(b, step, out);
        return out;
    }
    const float* rows =
        o->source == kLiteEpilogueTensor ? o->data + b->first * e->channels : find_result(b, o->source);
    if (step->is_view && step->kept < 0) return rows;
    if (step->is_view) {
        memcpy(out, rows, (size_t)(b->rows * e->channels) * sizeof *out);
    } else if (step->map != NULL) {
        step->map(step->params, rows, b->rows, e->channels, out);
    } else {
        step->reduce(rows, b->rows, e->channels, out);
    }
    return out;
}

// Returns what the last step gives.
static const float* run_block(Block* b) {
    const float* last = b->head;
    for (int s = 0; s < b->epilogue->step_count; s++) b->results[s] = last = run_step(b, s);
    return last;
}

static void run_rows(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    _Alignas(64) float buffers[kScratch];
    Block block; // what is not computed is not read
    block.epilogue = argument;
    block.buffers = buffers;
    block.head = NULL;
    const int64_t most = block.epilogue->block;
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

// Rows of the pairs of both products.
static int64_t rows_of_pairs(const LiteEpilogue* e) {
    return e->products->source.rows < e->products->sink.rows ? e->products->source.rows
                                                             : e->products->sink.rows;
}

static int64_t count_blocks(const LiteEpilogue* e) {
    return (rows_of_pairs(e) + e->block - 1) / e->block;
}

static size_t size_products(const LiteEpilogue* e) {
    return e->products->source.scratch > e->products->sink.scratch ? e->products->source.scratch
                                                                   : e->products->sink.scratch;
}

bool lite_row_products_plan(LiteEpilogue* e) {
    const int64_t rows = rows_of_pairs(e), tile = e->products->source.tile;
    if (rows < 1 || e->products->source.rows % rows != 0 || e->products->sink.rows % rows != 0 ||
        !lite_epilogue_plan(e))
        return false;
    int64_t block = kProductBlock / e->channels;
    block = block < kRows ? block / tile * tile : kRows / tile * tile;
    if (block < tile) block = tile;
    e->block = block < rows ? block : rows;
    const int64_t blocks = e->rows / rows * count_blocks(e);
    e->threads = blocks < kProductThreads ? (int)blocks : kProductThreads;
    const int64_t elements = size_buffer(e) * count_buffers(e);
    return e->block <= kRows && elements < INT32_MAX / 2 / kProductThreads / (int64_t)sizeof(float);
}

size_t lite_row_products_memory(const LiteEpilogue* e) {
    const size_t buffers = (size_t)size_buffer(e) * (size_t)count_buffers(e) * sizeof(float);
    return buffers + size_products(e);
}

// Blocks number [begin, end) of all pairs.
static void run_products(void* argument, int64_t begin, int64_t end, int thread) {
    const LiteEpilogue* e = argument;
    const int64_t rows = rows_of_pairs(e), blocks = count_blocks(e);
    char* scratch = e->memory + (size_t)thread * lite_row_products_memory(e);
    float* head = (float*)(void*)(scratch + size_products(e));
    Block block; // what is not computed is not read
    block.epilogue = e;
    block.buffers = head;
    block.head = head;
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = i % blocks * e->block;
        block.first = i / blocks * rows + first;
        block.rows = rows - first < e->block ? rows - first : e->block;
        e->products->source.multiply(e->products->source.node, NULL, block.first, block.rows, scratch, head);
        const float* last = run_block(&block);
        e->products->sink.multiply(e->products->sink.node, last, block.first, block.rows, scratch,
                                   e->out + block.first * e->products->sink.columns);
    }
}

TfLiteStatus lite_row_products_run(TfLiteOpaqueContext* context, const LiteEpilogue* e, int threads) {
    TfLiteStatus status = e->products->source.begin(context, e->products->source.node);
    if (status == kTfLiteOk) status = e->products->sink.begin(context, e->products->sink.node);
    if (status != kTfLiteOk) return status;
    if (threads > e->threads) threads = e->threads;
    if (e->rows * e->channels < kFewScores) threads = 1;
    lite_parallel_share(threads, e->rows / rows_of_pairs(e) * count_blocks(e), run_products,
                        (void*)(uintptr_t)e);
    return kTfLiteOk;
}
