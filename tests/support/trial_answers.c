// SPDX-License-Identifier: Apache-2.0
#include "tests/support/trial_answers.h"

#include <stdlib.h>

#include "core/graph/watch.h"
#include "delegate-opencl/partition/trial.h"

TrialAnswers trial_answers;

struct LiteTrialEntry {
    int64_t ns;
};

// What is asked, and how long it takes.
static int64_t look(TfLiteContext* context, const TfLiteDelegate* delegate) {
    TrialAnswers* answers = &trial_answers;
    if (answers->look != NULL) answers->look(context);
    const int way = delegate == NULL                                               ? 0
                    : lite_cl_shared_of(delegate)->trial->way == kLiteClOverlapped ? 2
                                                                                   : 1;
    const int64_t ns[] = {answers->host, answers->device, answers->both};
    answers->asked[way]++;
    return ns[way];
}

static TfLiteStatus answer(TfLiteContext* context, TfLiteDelegate* delegate, const LiteTrialLimits* limits,
                           LiteTrialTimes* times) {
    (void)limits;
    const int64_t ns = look(context, delegate);
    const TrialAnswers* answers = &trial_answers;
    *times = (LiteTrialTimes){.invoke_ns = ns, .quartile_ns = ns, .runs = 1, .graph_count = 1};
    times->graphs = calloc(1, sizeof *times->graphs);
    if (times->graphs == NULL) return kTfLiteError;
    times->graphs[0] = (LiteTrialGraph){.is_covered = true,
                                        .node_count = answers->node_count,
                                        .node_ns = calloc((size_t)answers->node_count, sizeof(int64_t))};
    if (times->graphs[0].node_ns == NULL) return kTfLiteError;
    const LiteClGraphTrial* trial = delegate != NULL ? lite_cl_shared_of(delegate)->trial : NULL;
    for (int n = 0; n < answers->node_count; n++) {
        times->graphs[0].node_ns[n] = answers->node_ns;
        if (trial != NULL && answers->device_node_ns > 0)
            trial->measured->device[n] = answers->device_node_ns;
    }
    return kTfLiteOk;
}

static void free_answer(LiteTrialTimes* times) {
    if (times->graphs != NULL) free(times->graphs->node_ns);
    free(times->graphs);
}

static TfLiteStatus enter(TfLiteContext* context, TfLiteDelegate* delegate, LiteTrialEntry** entry) {
    *entry = calloc(1, sizeof **entry);
    if (*entry == NULL) return kTfLiteError;
    (*entry)->ns = look(context, delegate);
    trial_answers.entered++;
    return kTfLiteOk;
}

static TfLiteStatus take_turn(LiteTrialEntry* entry, int64_t turn_ns, int64_t* ns) {
    (void)turn_ns;
    if (entry->ns == 0) return kTfLiteError;
    *ns = entry->ns;
    return kTfLiteOk;
}

static void leave(LiteTrialEntry* entry) {
    trial_answers.entered--;
    free(entry);
}

const LiteTrialService trial_answering = {.run = answer,
                                          .free = free_answer,
                                          .enter = enter,
                                          .take_turn = take_turn,
                                          .leave = leave,
                                          .watch = lite_watch_ask};
