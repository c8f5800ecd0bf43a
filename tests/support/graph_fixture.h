// SPDX-License-Identifier: Apache-2.0
// Small graphs of small custom operators, for tests of core/graph.
//
// Operators, all on float32, each counting the calls of its methods in fixture_calls:
//   Twice     y = 2 x
//   Sum       z = x + y, element by element, of x's shape
//   Repeat    y = {x[0], x[0], ...}, x[0] elements: a dynamic output
//   Scratch   y = x + 1, by way of a temporary tensor
//   Count     y = how often it ran, in every element; its second input is the variable that keeps the number
#ifndef TESTS_SUPPORT_GRAPH_FIXTURE_H_
#define TESTS_SUPPORT_GRAPH_FIXTURE_H_

#include "core/graph/interpreter.h"
#include "tests/support/model_builder.h"

typedef struct FixtureCalls {
    int init;
    int free;
    int prepare;
    int invoke;
} FixtureCalls;

extern FixtureCalls fixture_calls;  // since fixture_create
extern int fixture_failing_invokes; // that many next invokes of any fixture operator fail

typedef struct Fixture {
    LiteModel* model;
    LiteInterpreter* interpreter;
    LiteSubgraph* graph; // subgraph 0
    uint8_t* bytes;      // the model's
    char messages[16384];
} Fixture;

// Ends the builder. The model must be well-formed; the interpreter is NULL when it could not be created.
// `options` may be NULL; its reporter is replaced, and the fixture's operators are added behind its own.
void fixture_create(Fixture* fixture, ModelBuilder* builder, const LiteInterpreterOptions* options);
void fixture_destroy(Fixture* fixture);
// Asserts that the graph can be allocated and invoked.
void fixture_run(Fixture* fixture);

// Registration entries of the operators above; their number.
int fixture_operators(const LiteOperatorEntry** entries);

// Shorthands for building: a float tensor of one dimension; a custom operator of one or two inputs.
int fixture_tensor(ModelBuilder* builder, int elements);
void fixture_node(ModelBuilder* builder, const char* op, int input, int output);
void fixture_node2(ModelBuilder* builder, const char* op, int first, int second, int output);

// A chain of `count` operators of that name; tensor 0 is the input, `count` the output, all of 4 elements.
ModelBuilder* fixture_chain(const char* op, int count);

// Writes all elements of a tensor; asserts that a tensor has `count` elements and each is `value`.
void fixture_fill(Fixture* fixture, int tensor, float value);
void fixture_expect(Fixture* fixture, int tensor, int count, float value);
// Asserts that a message was reported since the last call, and forgets all messages.
void fixture_expect_message(Fixture* fixture, const char* part);

#endif
