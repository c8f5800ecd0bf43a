// SPDX-License-Identifier: Apache-2.0
// Models for tests of core/edit to change. A model that cannot be read fails the test.
#ifndef TESTS_SUPPORT_EDIT_CASE_H_
#define TESTS_SUPPORT_EDIT_CASE_H_

#include "core/model/schema.h"
#include "oclite/edit.h"
#include "tests/support/graph_fixture.h"

// Builds y = Sum(Scratch(Twice(x)), Twice(Twice(x))). The nodes are 0 Twice, 1 Scratch, 2 Twice, 3 Sum; the
// tensors are x a b c y, of 4 elements. The model has a signature and metadata.
ModelBuilder* edit_diamond(void);
// Builds a model of node 0, Rich, which has inputs of all kinds, and node 1, Twice.
ModelBuilder* edit_rich(const void* options, size_t options_size);

// Finishes the builder and opens its file. The caller releases *bytes with free(), after the model.
OcliteEdit* edit_open(ModelBuilder* builder, uint8_t** bytes);

// Loads the file as the library does. Release the model before any change.
LiteModel* edit_model(const OcliteEdit* edit);

OcliteEditSubgraph edit_subgraph(const OcliteEdit* edit, int subgraph);
OcliteEditNode edit_node(const OcliteEdit* edit, int subgraph, int node);
OcliteEditTensor edit_tensor(const OcliteEdit* edit, int subgraph, int tensor);
int edit_tensor_named(const OcliteEdit* edit, const char* name); // of subgraph 0

void edit_expect_error(const char* part);
// Asserts that the nodes have these operators.
void edit_expect_ops(const OcliteEdit* edit, int subgraph, int count, const char* const* ops);
// Runs a model of the fixture's operators: fills input 0 with `x` and asserts that output 0 is `y`.
void edit_expect_run(const OcliteEdit* edit, float x, float y);

#endif
