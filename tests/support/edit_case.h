// SPDX-License-Identifier: Apache-2.0
// Models to be changed, for tests of core/edit. What cannot be read ends the test.
#ifndef TESTS_SUPPORT_EDIT_CASE_H_
#define TESTS_SUPPORT_EDIT_CASE_H_

#include "core/model/schema.h"
#include "oclite/edit.h"
#include "tests/support/graph_fixture.h"

// y = Sum(Scratch(Twice(x)), Twice(Twice(x))): nodes 0 Twice, 1 Scratch, 2 Twice, 3 Sum; tensors x a b c y,
// of 4 elements. It has a signature and metadata.
ModelBuilder* edit_diamond(void);
// Nodes 0, Rich, with inputs of all sorts, and 1, Twice.
ModelBuilder* edit_rich(const void* options, size_t options_size);

// Ends the builder; *bytes, to be released with free() after the model.
OcliteEdit* edit_open(ModelBuilder* builder, uint8_t** bytes);

// The same as the library reads it, to be released before any change.
LiteModel* edit_model(const OcliteEdit* edit);

OcliteEditSubgraph edit_subgraph(const OcliteEdit* edit, int subgraph);
OcliteEditNode edit_node(const OcliteEdit* edit, int subgraph, int node);
OcliteEditTensor edit_tensor(const OcliteEdit* edit, int subgraph, int tensor);
int edit_tensor_named(const OcliteEdit* edit, const char* name); // of subgraph 0

void edit_expect_error(const char* part);
// The operators of all nodes.
void edit_expect_ops(const OcliteEdit* edit, int subgraph, int count, const char* const* ops);
// Runs a model of the fixture's operators: input 0 is filled with `x`, output 0 is expected to be `y`.
void edit_expect_run(const OcliteEdit* edit, float x, float y);

#endif
