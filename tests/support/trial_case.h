// SPDX-License-Identifier: Apache-2.0
// Models on trial, and a delegate that asks for it, for tests of core/graph/trial.c.
#ifndef TESTS_SUPPORT_TRIAL_CASE_H_
#define TESTS_SUPPORT_TRIAL_CASE_H_

#include "core/base/trial.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"

typedef struct TrialCase {
    Fixture f;
    ProbeDelegate asks; // in its Prepare, and takes nothing

    // What it asks for.
    int own;
    TfLiteDelegate* child;
    int64_t budget_ns;

    // What it got.
    TfLiteStatus status;
    LiteTrialTimes times;
    int told; // messages, and calls of the profiler, while the trial ran

    TfLiteTelemetryProfilerStruct profiler;
} TrialCase;

// An interpreter that offers trials, whose program has a reporter and a profiler. `options` may be NULL.
void trial_case_create(TrialCase* c, ModelBuilder* builder, const LiteInterpreterOptions* options);
// The same where the program has no operators.
void trial_case_create_without_operators(TrialCase* c, ModelBuilder* builder);
// Applies the delegate that asks. It does so when it is applied to graph `own`.
void trial_case_ask(TrialCase* c, int own, TfLiteDelegate* child);
// Both, for graph 0.
void trial_case_run(TrialCase* c, ModelBuilder* builder, const LiteInterpreterOptions* options,
                    TfLiteDelegate* child);
// Asserts that the last one has failed, and left nothing.
void trial_case_expect_failure(const TrialCase* c);
void trial_case_destroy(TrialCase* c);

// WHILE of an INT32 that counts from the input to `turns`. Graph 1 is the condition, 2 the body.
ModelBuilder* trial_case_loop(int turns);
// IF: graph 1, of two nodes that are fused, where the input is true, else graph 2.
ModelBuilder* trial_case_branches(void);
// Graph 0 calls nobody, graph 1 calls graph 2.
ModelBuilder* trial_case_signatures(void);

#endif
