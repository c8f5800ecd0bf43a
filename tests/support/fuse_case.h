// SPDX-License-Identifier: Apache-2.0
// Graphs of FLOAT32 nodes that run as one (core/graph/fuse.c), against the same graph whose nodes run one by
// one: the same bits, on one thread, two and three.
#ifndef TESTS_SUPPORT_FUSE_CASE_H_
#define TESTS_SUPPORT_FUSE_CASE_H_

#include "tests/support/model_builder.h"

enum { kFuseNumbers = 64 * 1024, kFuseTensors = 128, kFuseInputs = 8 };

// What constants are made of, from -1 to 1; fuse_fill, a group's setup, makes them.
extern float fuse_numbers[kFuseNumbers];
int fuse_fill(void** state);

// A graph that is being built.
typedef struct FuseGraph {
    ModelBuilder* b;
    int count;
    BuilderTensor tensors[kFuseTensors];
    int inputs[kFuseInputs];
    int input_count;
    int nodes;
    int results[kFuseTensors]; // of the nodes that fuse_node has added: tensors
} FuseGraph;

// They return the tensor that they add, or the result of the node.
int fuse_tensor(FuseGraph* g, BuilderTensor tensor);
int fuse_constant(FuseGraph* g, BuilderTensor tensor); // with fuse_numbers as contents
int fuse_input(FuseGraph* g, BuilderTensor tensor);
int fuse_node(FuseGraph* g, TfLiteBuiltinOperator code, int first, int second, int output); // second -1: none
int fuse_unary(FuseGraph* g, TfLiteBuiltinOperator code, int x);
int fuse_binary(FuseGraph* g, TfLiteBuiltinOperator code, int x, int y); // with the shape of x
int fuse_log_softmax(FuseGraph* g, int x);                               // one that is nobody's step
void fuse_outputs(FuseGraph* g, BuilderInts outputs);

typedef void (*FuseBuild)(FuseGraph* g, const void* state);

// An element of an input: from -3 to 3; the same, or often something special.
typedef float (*FuseValue)(void);
float fuse_plain_value(void);
float fuse_special_value(void);

// Nodes of the graph, how many of them others have run, and how many have nothing to copy, or write over one
// of their inputs (core/graph/alias.c).
typedef struct FuseCounts {
    int nodes;
    int left_out;
    int in_place;
    int over;
} FuseCounts;

// Builds the graph from one and the same random_seed for each run; the next graph gets another. Fails where
// outputs differ; a NaN is as good as another.
FuseCounts fuse_compare(FuseBuild build, const void* state, FuseValue value);

#endif
