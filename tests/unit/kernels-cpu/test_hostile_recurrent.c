// SPDX-License-Identifier: Apache-2.0
// Recurrent layers of two cells that say that each has an output of its own, and have one output, or too few
// inputs: errors, from the OpenCL delegate as from the CPU.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/model/schema.h"
#include "oclite/opencl.h"
#include "tests/support/graph_fixture.h"

enum { kDepth = 4, kCells = 3, kBatches = 2, kLstmInputs = 48, kRnnInputs = 12 };

static const float zeros[kCells * kDepth];
static int32_t inputs[kLstmInputs]; // of the operator

static int tensor(ModelBuilder* b, int rank, int rows, int columns, bool constant) {
    return builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32,
                                             .rank = rank,
                                             .dims = {rows, columns},
                                             .data = constant ? zeros : NULL,
                                             .bytes = constant ? sizeof(zeros) : 0,
                                             .is_variable = !constant});
}

// Weights, recurrent weights and biases of `gates` gates, from inputs[first] on; `hole` absent inputs before
// the biases.
static void add_cell(ModelBuilder* b, int first, int gates, int hole) {
    for (int g = 0; g < gates; g++) {
        inputs[first + g] = tensor(b, 2, kCells, kDepth, true);
        inputs[first + gates + g] = tensor(b, 2, kCells, kCells, true);
        inputs[first + 2 * gates + hole + g] = tensor(b, 1, kCells, 0, true);
    }
}

// With all of the inputs and one output.
static ModelBuilder* bidirectional(bool lstm) {
    static const TfLiteBidirectionalSequenceLSTMParams lstm_params = {.activation = kTfLiteActTanh,
                                                                      .time_major = true};
    static const TfLiteBidirectionalSequenceRNNParams rnn_params = {.activation = kTfLiteActTanh};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < kLstmInputs; i++) inputs[i] = -1;
    const int sequence = builder_tensor(
        b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 3, .dims = {kBatches, kBatches, kDepth}});
    inputs[0] = sequence;
    for (int cell = 0; cell < 2; cell++) {
        add_cell(b, lstm ? 1 + 17 * cell : 1 + 4 * cell, lstm ? 4 : 1, lstm ? 3 : 0);
        if (!lstm) inputs[4 + 4 * cell] = tensor(b, 2, kBatches, kCells, false);
    }
    for (int i = 35; lstm && i < 39; i++) inputs[i] = tensor(b, 2, kBatches, kCells, false);
    const BuilderTensor result = {.type = kTfLiteFloat32, .rank = 3, .dims = {kBatches, kBatches, kCells}};
    const BuilderInts output = {1, {builder_tensor(b, result)}};
    builder_operator(b, (BuilderOperator){.code = lstm ? kTfLiteBuiltinBidirectionalSequenceLstm
                                                       : kTfLiteBuiltinBidirectionalSequenceRnn,
                                          .outputs = output,
                                          .params = lstm ? (const void*)&lstm_params : &rnn_params});
    builder_inputs(b, (BuilderInts){1, {sequence}});
    builder_outputs(b, output);
    return b;
}

static void expect_refused(bool lstm, int input_count, bool opencl) {
    ModelBuilder* b = bidirectional(lstm);
    lite_tree_vector(builder_operator_table(b, 0), kOperatorInputs, inputs, (size_t)input_count, 4, 4);
    TfLiteDelegate* delegate = opencl ? oclite_opencl_delegate_create(NULL) : NULL;
    Fixture f;
    fixture_create(&f, b,
                   &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = delegate != NULL});
    assert_non_null(f.interpreter);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
    fixture_expect_message(&f, lstm ? "BIDIRECTIONAL_SEQUENCE_LSTM: has" : "BIDIRECTIONAL_SEQUENCE_RNN: has");
    fixture_destroy(&f);
    oclite_opencl_delegate_delete(delegate);
}

static void outputs_and_inputs_are_counted(void** state) {
    (void)state;
    for (int opencl = 0; opencl < 2; opencl++) {
        for (int count = 0; count <= kLstmInputs; count++) expect_refused(true, count, opencl);
        for (int count = 0; count <= kRnnInputs; count++) expect_refused(false, count, opencl);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_and_inputs_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
