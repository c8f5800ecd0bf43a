// SPDX-License-Identifier: Apache-2.0
// Elementwise nodes that run as one, on some hundred elements at a time, so that what is between them stays
// in a cache: alone, or on each part of what another node (the head) has just computed. core/graph/fuse.c
// finds them. All is FLOAT32, and has the shape of the result; where the steps work by rows
// (core/base/row_blocks.h), some have one element for each row of it, and products may be before and after.
#ifndef CORE_BASE_EPILOGUE_H_
#define CORE_BASE_EPILOGUE_H_

#include <stdbool.h>
#include <stddef.h>

#include "core/base/row.h"
#include "core/base/row_product.h"
#include "core/base/shape.h"
#include "tensorflow/lite/c/common.h"

enum { LITE_EPILOGUE_STEPS = 16 };

// Where an operand comes from: the result of an earlier step, by its number, or one of these.
enum { kLiteEpilogueHead = -1, kLiteEpilogueTensor = -2 };

// A tensor that is broadcast to the result of its step: element p of that meets element
// p / outer % count * inner + p % inner.
typedef struct LiteEpilogueOperand {
    const float* data; // of this run
    int source;
    int tensor; // its index in the graph
    int32_t inner, outer, count;
} LiteEpilogueOperand;

// Rows of `channels` elements that follow each other: each becomes one element of `out`.
typedef void (*LiteRowReduction)(const float* rows, int64_t count, int64_t channels, float* out);

// The same where each becomes a row.
typedef void (*LiteRowMap)(const void* params, const float* rows, int64_t count, int64_t channels,
                           float* out);

// One of `function`, `reduce`, `map` and `is_view`. The operand of the latter three has the shape of the
// whole.
typedef struct LiteEpilogueStep {
    LiteRowFunction function; // elementwise
    LiteRowReduction reduce;
    LiteRowMap map;
    LiteRowFunction times;  // gives the function times its one operand; NULL: there is none
    LiteBlockFunction over; // does what the function does; its operands may take turns. NULL: there is none
    LiteBlockFunction times_over; // does what `times` does
    const void* params;           // its node's, valid until that is prepared again
    float* out;                   // of this run: where the tensor `kept` is
    LiteEpilogueOperand* operands;
    int operand_count; // the node's inputs from the first on
    int cost;          // about how many nanoseconds an element takes, at least 1
    int buffer;        // where its result is until it is read, unless it has one element for each row
    int kept;          // tensor that gets it, because others read it later, too; -1: none
    bool is_view;      // the result is the operand, with other dimensions before the last one
    bool is_product;   // the function is that of two operands, and no more
    bool is_merged;    // the next step does its work
    bool swapped;      // operands are the node's inputs in reverse
    bool per_row;      // the result has one element for each row
} LiteEpilogueStep;

// The products whose result the first step reads, and that reads the result of the last one.
typedef struct LiteRowProducts {
    LiteRowProduct source, sink;
} LiteRowProducts;

typedef struct LiteEpilogue {
    int step_count; // at most LITE_EPILOGUE_STEPS
    LiteEpilogueStep* steps;
    bool has_head;
    bool by_rows;              // some steps reduce rows, or have one element for each
    LiteRowProducts* products; // of steps that work by rows; NULL: there are none
    int64_t block;             // rows at a time
    int threads;               // that there is memory for
    char* memory;              // of this run
    int64_t rows;              // of the whole: all dimensions but the last
    int64_t channels;          // the last one
    float* out; // of this run: the result, which is where the head writes, too; with products, the sink's
    LiteBlockFunction over; // of the only step, if it reads the head and at most one tensor of its shape
} LiteEpilogue;

// What element p of the step's result meets.
static inline const float* lite_epilogue_meet(const LiteEpilogueOperand* o, int64_t p) {
    const int64_t turn = o->count == 1 ? 0 : p / o->outer % o->count; // divisions take long
    return o->data + turn * o->inner + p % o->inner;
}

// Describes how a tensor is broadcast to the result. False where that is not simple enough, or the result has
// more than 2^31 elements.
bool lite_epilogue_broadcast(const LiteShape* result, const LiteShape* shape, LiteEpilogueOperand* operand);

// Gives each step a buffer. False when there are not enough.
bool lite_epilogue_plan(LiteEpilogue* epilogue);

// Makes one step of functions and the products of those with their operands, and finds out whether what is
// left can be written over the head. After planning.
void lite_epilogue_merge(LiteEpilogue* epilogue);

// A block of the result: channels [column, column + columns) of rows [row, row + rows), which the head has
// computed. From any thread.
void lite_epilogue_run(const LiteEpilogue* epilogue, int64_t row, int64_t rows, int64_t column,
                       int64_t columns);

// Does what it does read the head alone, and can that be anywhere?
bool lite_epilogue_is_anywhere(const LiteEpilogue* epilogue);
// Such a one, over rows of so many elements that follow each other. From any thread.
void lite_epilogue_run_anywhere(const LiteEpilogue* epilogue, float* out, int64_t rows, int64_t columns);

// All of it, on so many threads, without a head and steps that work by rows.
void lite_epilogue_run_all(const LiteEpilogue* epilogue, int threads);

#endif
