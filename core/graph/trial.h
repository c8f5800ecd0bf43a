// SPDX-License-Identifier: Apache-2.0
// The service of core/base/trial.h, for LiteInterpreterOptions.trial.
#ifndef CORE_GRAPH_TRIAL_H_
#define CORE_GRAPH_TRIAL_H_

#include "core/base/trial.h"

// 0 in programs of selected operators, whose delegate does not ask.
#ifndef LITE_HAS_TRIAL
#define LITE_HAS_TRIAL 1
#endif

const LiteTrialService* lite_trial(void);

#endif
