// SPDX-License-Identifier: Apache-2.0
// What both integer forms of the LSTM cell do alike: products of 8-bit rows, and the order of the steps.
#ifndef KERNELS_CPU_RECURRENT_LSTM_INTEGER_H_
#define KERNELS_CPU_RECURRENT_LSTM_INTEGER_H_

#include "kernels-cpu/gemm/gemm_int.h"
#include "kernels-cpu/recurrent/lstm_types.h"

// Multiplies `rows` rows of the input or the state by the weights of product `product`.
TfLiteStatus lite_lstm_integer_multiply(const LiteLstmRun* run, int product, int32_t rows,
                                        const int8_t* input, LiteTileSink sink, const void* argument);

// A sequence: products of the input for some steps at once, then these steps one after the other.
typedef struct LiteLstmInteger {
    const LiteLstmRun* run;
    int8_t* rows;      // inputs of a chunk of steps
    void* products;    // their products
    size_t step_bytes; // of the products of a step
    TfLiteStatus (*multiply)(const LiteLstmRun* run, int product, int32_t rows, const int8_t* input,
                             void* out);
    TfLiteStatus (*advance)(const LiteLstmRun* run, const void* buffers, int32_t step, void* products);
    const void* buffers; // for `advance`
} LiteLstmInteger;
TfLiteStatus lite_lstm_integer_run(const LiteLstmInteger* integer);

// Copies the output state to the outputs of step `step`.
void lite_lstm_integer_scatter(const LiteLstmRun* run, int32_t step);

// Where row `row` of a tile of the projection is stored.
static inline int8_t* lite_lstm_integer_output(const LiteLstmRun* run, const LiteTile* tile, int row) {
    return (int8_t*)run->views->output_state.data + (size_t)(tile->row + row) * (size_t)run->views->outputs +
           tile->column;
}

#endif
