// SPDX-License-Identifier: Apache-2.0
// What RNN and LSTM operators share: the order in which a sequence is processed, and their matrix products,
// in float or hybrid. The products of inputs are computed for several steps at once, that of the state step
// by step.
#ifndef KERNELS_CPU_RECURRENT_RECURRENT_H_
#define KERNELS_CPU_RECURRENT_RECURRENT_H_

#include "kernels-cpu/gemm/gemm.h"
#include "kernels-cpu/gemm/hybrid.h"

// [steps, batches, ...] when time-major, else [batches, steps, ...].
typedef struct LiteSequence {
    int32_t steps;
    int32_t batches;
    bool time_major;
    bool backward; // the last step comes first
} LiteSequence;

// The sequence of a three-dimensional input.
TfLiteStatus lite_sequence(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                           bool time_major, LiteSequence* sequence);

// Steps whose inputs are multiplied at once.
int32_t lite_sequence_chunk(const LiteSequence* sequence);

// Copies `count` steps from `first` on, as they are processed, to rows [count][batches].
void lite_sequence_gather(const LiteSequence* sequence, int32_t first, int32_t count, const void* from,
                          size_t row_bytes, void* to);

// Copies the rows [batches] of one step to where they belong among rows that are to_row_bytes apart.
void lite_sequence_scatter(const LiteSequence* sequence, int32_t step, const void* from, size_t row_bytes,
                           void* to, size_t to_row_bytes);

// Weights of one product: a matrix [columns, depth] for each gate, the results side by side. A gate that is
// NULL adds nothing; `count` 0: there is no such product.
#define LITE_MAX_GATES 4
typedef struct LiteWeights {
    const LiteView* gates[LITE_MAX_GATES];
    int count;
    int32_t columns;
    int32_t depth;
    LiteGemmForm form;
} LiteWeights;

enum { kLiteOfInput, kLiteOfAux, kLiteOfState, kLiteOfHidden, LITE_PRODUCTS };

typedef struct LiteRecurrent {
    LiteGemm products[LITE_PRODUCTS];
    bool asymmetric; // hybrid: how inputs are quantized
    float limit;     // of products of floats, beyond which they are it
    int scratch;     // temporaries
    int workspace;
} LiteRecurrent;

void lite_recurrent_init(LiteRecurrent* recurrent);
void lite_recurrent_free(LiteRecurrent* recurrent);

// Prepares the products of weights[LITE_PRODUCTS] and packs what is constant, in invoke the rest.
TfLiteStatus lite_recurrent_prepare(TfLiteOpaqueContext* context, const char* op, LiteRecurrent* recurrent,
                                    const LiteWeights* weights);
TfLiteStatus lite_recurrent_pack(TfLiteOpaqueContext* context, const char* op, LiteRecurrent* recurrent,
                                 const LiteWeights* weights);

// A product for `rows` rows; shares its memory with the one of the LiteRecurrent.
LiteGemm lite_recurrent_product(const LiteRecurrent* recurrent, int product, int32_t rows);

// Parts of the workspace. With base NULL only their sum is computed: prepare and invoke take the same parts
// by the same function.
typedef struct LiteCarver {
    char* base;
    size_t used;
    bool overflow;
} LiteCarver;
void* lite_carve(LiteCarver* carver, int64_t rows, int64_t columns, size_t element);
TfLiteStatus lite_carve_prepare(TfLiteOpaqueContext* context, const char* op, const LiteCarver* carver,
                                int* workspace);
TfLiteStatus lite_carve_begin(TfLiteOpaqueContext* context, const char* op, int workspace,
                              LiteCarver* carver);

// Float and hybrid.
typedef struct LiteRecurrentBuffers {
    float* rows;               // inputs of a chunk
    float* input;              // their products
    float* aux;                // those of the auxiliary inputs
    float* state;              // products of the state
    LiteHybridInput quantized; // room for what is multiplied
} LiteRecurrentBuffers;
void lite_recurrent_carve(LiteCarver* carver, const LiteWeights* weights, const LiteSequence* sequence,
                          bool hybrid, LiteRecurrentBuffers* buffers);

// out[row][column] = product of `rows` rows.
TfLiteStatus lite_recurrent_multiply(TfLiteOpaqueContext* context, const char* op,
                                     const LiteRecurrent* recurrent, const LiteWeights* weights, int product,
                                     int32_t rows, const float* input, const LiteRecurrentBuffers* buffers,
                                     float* out);

// Products of one step, [batches][gates * columns]; `input` may be overwritten. NULL: there are none.
typedef struct LiteStep {
    int32_t index;
    float* input;
    const float* aux;
    const float* state;
} LiteStep;
typedef TfLiteStatus (*LiteStepBody)(void* argument, const LiteStep* step);

typedef struct LiteRecurrentRun {
    const LiteRecurrent* recurrent;
    const LiteWeights* weights;
    LiteSequence sequence;
    LiteRecurrentBuffers buffers;
    const float* input;
    const float* aux;   // NULL: none
    const float* state; // [batches][depth of its weights], read before each step
} LiteRecurrentRun;
TfLiteStatus lite_recurrent_run(TfLiteOpaqueContext* context, const char* op, const LiteRecurrentRun* run,
                                LiteStepBody body, void* argument);

// A variable that a cell keeps, with `count` elements. It may be declared with another type that is not
// narrower, as in the reference: the cell keeps elements of `type` in its memory.
TfLiteStatus lite_check_state(TfLiteOpaqueContext* context, const char* op, const char* what,
                              const LiteView* state, TfLiteType type, int64_t count);

#endif
