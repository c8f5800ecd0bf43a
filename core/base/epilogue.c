// SPDX-License-Identifier: Apache-2.0
#include "core/base/epilogue.h"

#include <string.h>

#include "core/base/parallel.h"

enum {
    kChunk = 512, // elements that are worked on at a time: all buffers together fit into a first-level cache
    kBuffers = 5,
};

typedef struct Scratch {
    float results[kBuffers][kChunk];
    float operands[LITE_MAX_OPERANDS][kChunk];
    float head[kChunk];
} Scratch;

// A part of a block that is no larger than a chunk.
typedef struct Chunk {
    int64_t row;
    int64_t column;
    int64_t columns;
    int64_t count;      // elements
    bool is_contiguous; // in the result
    int64_t first;      // element of the result
} Chunk;

bool lite_epilogue_broadcast(const LiteShape* result, const LiteShape* shape, LiteEpilogueOperand* operand) {
    // From the innermost dimension on, in turns: elements that the tensor has, and that it repeats.
    enum { RUNS = 4 };
    int64_t runs[RUNS] = {1, 1, 1, 1};
    int run = 0;
    for (int i = 0; i < result->rank; i++) {
        const int32_t dim = result->dims[result->rank - 1 - i];
        const int32_t own = i < shape->rank ? shape->dims[shape->rank - 1 - i] : 1;
        if (dim == 1) continue;
        if (own != dim && own != 1) return false;
        const bool repeats = own == 1;
        if (repeats != (run % 2 == 1)) run++;
        if (run == RUNS) return false;
        runs[run] *= dim;
    }
    const int64_t outer = runs[0] * runs[1];
    if (outer > INT32_MAX || runs[2] > INT32_MAX) return false;
    operand->inner = (int32_t)runs[0];
    operand->outer = (int32_t)outer;
    operand->count = (int32_t)runs[2];
    return true;
}

// The last step that reads what this one, or the head, gives, also by way of views.
static int last_reader(const LiteEpilogue* epilogue, int step) {
    bool reads[LITE_EPILOGUE_STEPS] = {false};
    int last = step;
    for (int s = step + 1; s < epilogue->step_count; s++) {
        for (int k = 0; k < epilogue->steps[s].operand_count; k++) {
            const int source = epilogue->steps[s].operands[k].source;
            if (source != step && (source < 0 || !reads[source])) continue;
            reads[s] = epilogue->steps[s].is_view;
            last = s;
        }
    }
    // What is still seen at the end.
    return epilogue->step_count > 0 && reads[epilogue->step_count - 1] ? epilogue->step_count : last;
}

bool lite_epilogue_plan(LiteEpilogue* epilogue) {
    int free_from[kBuffers] = {0}; // the step that may write it
    if (epilogue->products != NULL) free_from[0] = last_reader(epilogue, kLiteEpilogueHead) + 1;
    for (int s = 0; s < epilogue->step_count; s++) {
        if (epilogue->steps[s].per_row || epilogue->steps[s].is_view) continue;
        int buffer = 0;
        while (buffer < kBuffers && free_from[buffer] > s) buffer++;
        if (buffer == kBuffers) return false;
        epilogue->steps[s].buffer = buffer;
        free_from[buffer] = last_reader(epilogue, s) + 1; // a step's result is none of its operands
    }
    return true;
}

// Whether the step before `s`, which nothing else reads, is a factor of this one, and its operand the other.
static bool is_times(const LiteEpilogue* e, int s) {
    const LiteEpilogueStep *step = &e->steps[s], *before = step - 1;
    if (!step->is_product || before->times == NULL || before->kept >= 0 || last_reader(e, s - 1) != s)
        return false;
    const LiteEpilogueOperand *x = &before->operands[0], *factor = &step->operands[0], *other = factor + 1;
    if (factor->source != s - 1) other = factor++;
    return factor->source == s - 1 && other->source == x->source && other->tensor == x->tensor;
}

// The operand that is no result; NULL: there is none.
static const LiteEpilogueOperand* find_other(const LiteEpilogueStep* step) {
    for (int k = 0; k < step->operand_count; k++) {
        if (step->operands[k].source == kLiteEpilogueTensor) return &step->operands[k];
    }
    return NULL;
}

// Can the last step do all the work, over what the head has computed?
static bool is_over(const LiteEpilogue* e) {
    const LiteEpilogueStep* step = &e->steps[e->step_count - 1];
    if (!e->has_head || e->by_rows || e->products != NULL || step->over == NULL || step->kept >= 0)
        return false;
    for (const LiteEpilogueStep* s = e->steps; s < step; s++) {
        if (!s->is_merged) return false;
    }
    int heads = 0;
    for (int k = 0; k < step->operand_count; k++) heads += step->operands[k].source == kLiteEpilogueHead;
    const LiteEpilogueOperand* other = find_other(step);
    if (other == NULL) return heads == 1 && step->operand_count == 1;
    return heads == 1 && step->operand_count == 2 && other->inner == e->rows * e->channels;
}

static void merge_times(LiteEpilogue* e) {
    for (int s = 1; s < e->step_count; s++) {
        LiteEpilogueStep *step = &e->steps[s], *before = step - 1;
        if (e->by_rows || e->products != NULL || before->is_merged || !is_times(e, s)) continue;
        step->function = before->times;
        step->over = before->times_over;
        step->params = before->params;
        step->is_product = false;
        step->operand_count = 1;
        step->operands[0] = before->operands[0];
        before->is_merged = true;
    }
}

void lite_epilogue_merge(LiteEpilogue* e) {
    merge_times(e);
    if (is_over(e)) e->over = e->steps[e->step_count - 1].over;
}

static void run_over(const LiteEpilogue* e, int64_t row, int64_t rows, int64_t column, int64_t columns) {
    const LiteEpilogueStep* step = &e->steps[e->step_count - 1];
    const LiteEpilogueOperand* other = find_other(step);
    const int64_t at = row * e->channels + column;
    const LiteBlock block = {.out = e->out + at,
                             .other = other == NULL ? NULL : other->data + at,
                             .step = e->channels,
                             .rows = rows,
                             .columns = columns,
                             .params = step->params};
    e->over(&block);
}

bool lite_epilogue_is_anywhere(const LiteEpilogue* e) {
    return e->over != NULL && find_other(&e->steps[e->step_count - 1]) == NULL;
}

void lite_epilogue_run_anywhere(const LiteEpilogue* e, float* out, int64_t rows, int64_t columns) {
    const LiteBlock block = {.out = out,
                             .step = columns,
                             .rows = rows,
                             .columns = columns,
                             .params = e->steps[e->step_count - 1].params};
    e->over(&block);
}

// How many elements of the result from `p` on meet neighbours, or with `inner` 1 one and the same.
static int64_t run_length(const LiteEpilogueOperand* o, int64_t p) {
    return o->inner > 1 ? o->inner - p % o->inner : o->outer - p % o->outer;
}

// What elements [first, first + count) of the result meet.
static void gather(const LiteEpilogueOperand* o, int64_t first, int64_t count, float* to) {
    for (int64_t p = first, end = first + count; p < end;) {
        const float* from = lite_epilogue_meet(o, p);
        const int64_t length = run_length(o, p), run = length < end - p ? length : end - p;
        if (o->inner > 1) {
            memcpy(to, from, (size_t)run * sizeof *to);
        } else {
            const float value = *from;
            for (int64_t i = 0; i < run; i++) to[i] = value;
        }
        to += run;
        p += run;
    }
}

// Points the row's input number `k` to what the chunk meets.
static void find_tensor(const LiteEpilogue* e, const LiteEpilogueOperand* o, const Chunk* c, int k,
                        Scratch* scratch, LiteRow* row) {
    const bool is_one = o->inner == 1 && o->count == 1;
    if (is_one || (c->is_contiguous && c->count <= run_length(o, c->first))) {
        row->step[k] = o->inner > 1;
        row->in[k] = is_one ? o->data : lite_epilogue_meet(o, c->first);
        return;
    }
    float* to = scratch->operands[k];
    row->step[k] = 1;
    row->in[k] = to;
    if (c->is_contiguous) {
        gather(o, c->first, c->count, to);
        return;
    }
    for (int64_t r = 0; r * c->columns < c->count; r++) {
        gather(o, (c->row + r) * e->channels + c->column, c->columns, to + r * c->columns);
    }
}

static bool reads_head(const LiteEpilogueStep* step) {
    for (int k = 0; k < step->operand_count; k++) {
        if (step->operands[k].source == kLiteEpilogueHead) return true;
    }
    return false;
}

// What the head has computed, in one piece.
static const float* find_head(const LiteEpilogue* e, const Chunk* c, Scratch* scratch) {
    if (c->is_contiguous) return e->out + c->first;
    for (int64_t r = 0; r * c->columns < c->count; r++) {
        memcpy(scratch->head + r * c->columns, e->out + (c->row + r) * e->channels + c->column,
               (size_t)c->columns * sizeof(float));
    }
    return scratch->head;
}

// To a tensor of the result's shape.
static void store(const LiteEpilogue* e, const Chunk* c, const float* from, float* to) {
    if (c->is_contiguous) {
        memcpy(to + c->first, from, (size_t)c->count * sizeof(float));
        return;
    }
    for (int64_t r = 0; r * c->columns < c->count; r++) {
        memcpy(to + (c->row + r) * e->channels + c->column, from + r * c->columns,
               (size_t)c->columns * sizeof(float));
    }
}

static void run_chunk(const LiteEpilogue* e, const Chunk* c, Scratch* scratch) {
    const float* head = NULL;
    for (int s = 0; s < e->step_count; s++) {
        const LiteEpilogueStep* step = &e->steps[s];
        if (step->is_merged) continue;
        const bool is_last = s + 1 == e->step_count;
        // No loop writes what it reads.
        const bool is_direct = is_last && c->is_contiguous && !reads_head(step);
        LiteRow row = {.count = c->count, .params = step->params};
        row.out = is_direct ? e->out + c->first : scratch->results[step->buffer];
        for (int k = 0; k < step->operand_count; k++) {
            const LiteEpilogueOperand* o = &step->operands[k];
            row.step[k] = 1;
            if (o->source >= 0) {
                row.in[k] = scratch->results[e->steps[o->source].buffer];
            } else if (o->source == kLiteEpilogueHead) {
                if (head == NULL) head = find_head(e, c, scratch);
                row.in[k] = head;
            } else {
                find_tensor(e, o, c, k, scratch, &row);
            }
        }
        step->function(&row);
        if (step->kept >= 0) store(e, c, row.out, step->out);
        if (is_last && !is_direct) store(e, c, row.out, e->out);
    }
}

static void run_range(const LiteEpilogue* e, int64_t begin, int64_t end, Scratch* scratch) {
    for (int64_t first = begin; first < end; first += kChunk) {
        const Chunk chunk = {
            .first = first, .count = end - first < kChunk ? end - first : kChunk, .is_contiguous = true};
        run_chunk(e, &chunk, scratch);
    }
}

void lite_epilogue_run(const LiteEpilogue* e, int64_t row, int64_t rows, int64_t column, int64_t columns) {
    if (e->over != NULL) {
        run_over(e, row, rows, column, columns);
        return;
    }
    Scratch scratch;
    if (columns == e->channels) {
        run_range(e, row * columns, (row + rows) * columns, &scratch);
        return;
    }
    if (columns >= kChunk / 2) {
        for (int64_t r = row; r < row + rows; r++) {
            const int64_t first = r * e->channels + column;
            run_range(e, first, first + columns, &scratch);
        }
        return;
    }
    const int64_t most = kChunk / columns;
    for (int64_t r = 0; r < rows; r += most) {
        const int64_t some = rows - r < most ? rows - r : most;
        const Chunk chunk = {.row = row + r, .column = column, .columns = columns, .count = some * columns};
        run_chunk(e, &chunk, &scratch);
    }
}

static void run_part(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    Scratch scratch;
    run_range(argument, begin, end, &scratch);
}

void lite_epilogue_run_all(const LiteEpilogue* epilogue, int threads) {
    int64_t cost = 1; // of an element, and of going on to the next
    for (int s = 0; s < epilogue->step_count; s++) cost += epilogue->steps[s].cost;
    // A thread is worth waking for about 20 microseconds of work.
    lite_parallel_for(threads, epilogue->rows * epilogue->channels, 1 + 20000 / cost, run_part,
                      (void*)(uintptr_t)epilogue);
}
