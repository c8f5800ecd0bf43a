// SPDX-License-Identifier: Apache-2.0
// Small graphs of simple custom operators, for tests of core/graph.
//
// The operators compute float32. Each counts the calls of its methods in fixture_calls:
//   Twice     y = 2 x
//   Sum       z = x + y, element by element, with the shape of x
//   Repeat    y = {x[0], x[0], ...}, x[0] elements: a dynamic output
//   Scratch   y = x + 1, by way of a temporary tensor
//   Count     y = how often the operator ran, in every element; its second input is the variable that counts
#ifndef TESTS_SUPPORT_GRAPH_FIXTURE_H_
#define TESTS_SUPPORT_GRAPH_FIXTURE_H_

#include "core/graph/options.h"
#include "core/graph/types.h"
#include "tests/support/model_builder.h"

typedef struct FixtureCalls {
    int init;
    int free;
    int prepare;
    int invoke;
} FixtureCalls;

extern FixtureCalls fixture_calls;  // since fixture_create
extern int fixture_failing_invokes; // so many of the next invokes fail, of any operator

typedef struct Fixture {
    LiteModel* model;
    LiteInterpreter* interpreter;
    LiteSubgraph* graph; // subgraph 0
    uint8_t* bytes;      // the model's
    char messages[16384];
} Fixture;

// Finishes the builder and creates an interpreter. The model must be well-formed. The interpreter is NULL
// when it could not be created. `options` may be NULL; its reporter is replaced, and the fixture's operators
// are added after its own.
void fixture_create(Fixture* fixture, ModelBuilder* builder, const LiteInterpreterOptions* options);
void fixture_destroy(Fixture* fixture);
// Asserts that the graph can be allocated and invoked.
void fixture_run(Fixture* fixture);

// Stores the registration entries of the operators above and returns their number.
int fixture_operators(const LiteOperatorEntry** entries);

// Shorthands for building: they add a float tensor of one dimension, and a custom operator of one or two
// inputs.
int fixture_tensor(ModelBuilder* builder, int elements);
void fixture_node(ModelBuilder* builder, const char* op, int input, int output);
void fixture_node2(ModelBuilder* builder, const char* op, int first, int second, int output);

// Builds a chain of `count` operators of that name. Tensor 0 is the input and tensor `count` the output; all
// have 4 elements.
ModelBuilder* fixture_chain(const char* op, int count);

// Write all elements of a tensor; assert that a tensor has `count` elements that equal `value`.
void fixture_fill(Fixture* fixture, int tensor, float value);
void fixture_expect(Fixture* fixture, int tensor, int count, float value);
// Asserts that a message was reported since the last call, and forgets all messages.
void fixture_expect_message(Fixture* fixture, const char* part);

#endif
