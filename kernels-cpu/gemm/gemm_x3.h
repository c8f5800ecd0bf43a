// SPDX-License-Identifier: Apache-2.0
// Products of floats as sums of three BFLOAT16 (micro/micro_table.h), where the processor multiplies these
// faster. Rows are split for an item, and panels while the one before them is multiplied.
#ifndef KERNELS_CPU_GEMM_GEMM_X3_H_
#define KERNELS_CPU_GEMM_GEMM_X3_H_

#include "kernels-cpu/gemm/gemm_windows.h"
#include "kernels-cpu/gemm/gemm_x3_plan.h"

// A chunk of the depth of an item's rows in parts, and the panel that is next.
typedef struct LiteX3Block {
    const LiteGemmBlock* rows;
    const LiteGrid* grid; // NULL: rows follow each other
    float* output;        // of the first row, or with a grid of the first of all
    size_t output_step;
    uint16_t* parts;
    uint16_t* panels[2];
    uint8_t* panel_kinds;
    int first_step;
    int end_step;
    int turn;     // which of the panels is next
    bool is_next; // it has been split
    int others;   // how many rows cannot be, as far as is known
    uint8_t kinds[LITE_X3_MOST_TILES][LITE_X3_ROWS];
} LiteX3Block;

// For the rows that block->rows points to. `scratch` has gemm->scratch bytes.
void lite_x3_begin(LiteX3Block* block, char* scratch);
// Splits the next chunk of the rows; false: there is none. Each is multiplied by all panels.
bool lite_x3_next_chunk(LiteX3Block* block);
bool lite_x3_is_last_chunk(const LiteX3Block* block);

// A panel that they are multiplied by.
typedef struct LiteX3Panel {
    const void* b; // packed
    int64_t number;
    bool is_last; // else the one behind it is next
    int columns;
    int first_column;
    const float* bias;
    float low;
    float high;
} LiteX3Panel;
void lite_x3_multiply(LiteX3Block* block, const LiteX3Panel* panel);

#endif
