// SPDX-License-Identifier: Apache-2.0
// Graphs of graph_fixture.h for probes of probe_delegate.h.
#ifndef TESTS_SUPPORT_PROBE_GRAPH_H_
#define TESTS_SUPPORT_PROBE_GRAPH_H_

#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"

// One of four kinds of probe, which takes nodes called "Twice": bit 0 of `variant` stands for the opaque
// form, bit 1 for one that allows dynamic tensors.
void probe_init_variant(ProbeDelegate* probe, int variant);

// Creates the fixture with one delegate, and asserts that there is an interpreter.
void probe_create(Fixture* f, ModelBuilder* builder, TfLiteDelegate* delegate);

// 0 -Twice-> 1 -Twice-> 2 -Scratch-> 3 -Twice-> 4: (4 x + 1) * 2
ModelBuilder* probe_mixed_model(void);
// Allocates and runs it with inputs of x, and checks the outputs.
void probe_run_mixed(Fixture* f, float x);

// 0 -Repeat-> 1 -Twice-> 2: what follows a dynamic tensor
ModelBuilder* probe_dynamic_model(void);

// Asserts that these are the nodes to run, in this order.
void probe_expect_plan(Fixture* f, int count, const int* nodes);

#endif
