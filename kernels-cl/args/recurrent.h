// SPDX-License-Identifier: Apache-2.0
// The arguments of recurrent.cl.
#ifndef KERNELS_CL_ARGS_RECURRENT_H_
#define KERNELS_CL_ARGS_RECURRENT_H_

#include "kernels-cl/args/activation.h"
#include "kernels-cl/args/conv.h"

// A recurrent cell that runs over a sequence. Rows of the sequence are steps * step_rows + batches *
// batch_rows; a row of sums holds the gates, `pitch` apart. The last fields are offsets in the constants, in
// floats; vectors are as long as what they are added to, matrices packed like those of LiteClConvArgs.
typedef struct LiteClRecurrentArgs {
    int steps, batches;
    int step_rows, batch_rows;
    int backward; // the last step comes first
    int gates;    // forget, cell, output and, of 4, input; 1 of a plain RNN
    int cells;
    int pitch;
    int width; // of a row of sums
    int outputs;
    int output_pitch; // room for a row of outputs
    int aux_depth;    // 0: no auxiliary input
    int y_width;      // of a row of the operator's output
    int y_offset;     // in it
    int work;         // floats per batch
    int quantizes;
    int takes_update; // without an activation the output comes from the cell gate
    LiteClActivation activation;
    float cell_clip; // 0: none
    float proj_clip;
    int has_peephole, has_norm, has_projection;
    int recurrent, aux, peephole, norm, projection, projection_bias;
    int bias; // of the gates when has_norm, else part of the sums
} LiteClRecurrentArgs;

// The LSTM whose states are passed along: of `count` elements, `cells` in a row.
typedef struct LiteClLstmBasicArgs {
    int count;
    int cells;
} LiteClLstmBasicArgs;

#endif
