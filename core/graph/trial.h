// SPDX-License-Identifier: Apache-2.0
// The service of core/base/trial.h, for LiteInterpreterOptions.trial.
#ifndef CORE_GRAPH_TRIAL_H_
#define CORE_GRAPH_TRIAL_H_

#include "core/graph/watch.h" // and LITE_HAS_TRIAL

const LiteTrialService* lite_trial(void);

#endif
