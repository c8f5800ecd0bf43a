// SPDX-License-Identifier: Apache-2.0
// A host that says without measuring how long inferences take.
#ifndef TESTS_SUPPORT_TRIAL_ANSWERS_H_
#define TESTS_SUPPORT_TRIAL_ANSWERS_H_

#include "core/base/trial.h"

typedef struct TrialAnswers {
    int64_t host, device, both; // nanoseconds of an inference; `both` at once; in turns 0 is a failure
    int64_t node_ns;            // of every node
    int64_t device_node_ns;     // 0: they are estimated
    int node_count;
    // Called first, which may set the above; NULL: nothing is.
    void (*look)(const TfLiteContext* context);
    int asked[3]; // how often, for each of the three
    int entered;  // that have not left
} TrialAnswers;

extern TrialAnswers trial_answers;
extern const LiteTrialService trial_answering;

#endif
