// SPDX-License-Identifier: Apache-2.0
// The arguments of lstm_16.cl.
#ifndef KERNELS_CL_ARGS_LSTM_16_H_
#define KERNELS_CL_ARGS_LSTM_16_H_

#include "kernels-cl/args/common.h"
#include "kernels-cl/args/recurrent.h"

// A cell of integers: like LiteClRecurrentArgs, with gates of 16 bits. Weights are [gates][cells] rows of
// inputs, then of outputs, then [outputs] rows of cells.
typedef struct LiteClLstm16Args {
    int steps, batches;
    int step_rows, batch_rows;
    int gates;
    int cells;
    int outputs;
    int depth; // of the input
    int work;  // ints per batch
    int has_peephole, has_norm, has_projection;
    int peephole_cells; // that have such weights
    int zero_x;
    int zero_state; // of the output
    int zero_hidden;
    int cell_log2;
    int cell_clip; // 0: none
    int proj_clip;
    LiteClMultiplier input[4];
    LiteClMultiplier recurrent[4];
    LiteClMultiplier peephole[4];
    LiteClMultiplier norm[4];
    int variance_guard[4];
    LiteClMultiplier hidden;
    LiteClMultiplier projection;
} LiteClLstm16Args;

#endif
