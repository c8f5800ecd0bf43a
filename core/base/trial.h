// SPDX-License-Identifier: Apache-2.0
// Runs on trial: a delegate that has to decide which nodes to take asks its host how long they take. Our
// interpreters run the same model in an interpreter of the trial's own, of which the program sees nothing.
#ifndef CORE_BASE_TRIAL_H_
#define CORE_BASE_TRIAL_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/c/common.h"

// For this type of external context our contexts return a LiteTrialService; those of a trial's own
// interpreter return NULL, so that no trial begins another one. So do other runtimes, which do not know the
// type. Change the number whenever a struct of this header changes.
enum { kLiteTrialContext = 0x6f6373 };

// The times of one subgraph's nodes.
typedef struct LiteTrialGraph {
    // The graph was run, or is called from the one that was. Of others another trial, which one of their
    // contexts asks for, can say more.
    bool is_covered;
    int node_count; // the model's nodes, then kernels of `delegate`
    // The shortest time of one run of the node, with that of the graphs that it calls. 0: it ran along with
    // another one (fused with it, or in a delegate's kernel), whose time is that of all. -1: it did not run.
    int64_t* node_ns;
} LiteTrialGraph;

typedef struct LiteTrialTimes {
    int64_t
        invoke_ns; // of an inference: the median of those after the first; of that one if there is no other
    // The lower quartile of the same inferences: what they take when nobody disturbs them. The shortest of
    // them can be luck that does not come again.
    int64_t quartile_ns;
    int runs; // how many they are
    int graph_count;
    LiteTrialGraph* graphs; // the model's subgraphs
    int own;                // the one whose context has asked
    int root;               // the one that was run
    uint64_t model;         // the number of the model, which no other one of this process gets
} LiteTrialTimes;

typedef struct LiteTrialLimits {
    int64_t budget_ns; // for the inferences after the first
    int64_t first_ns;  // for that one, in which drivers compile
} LiteTrialLimits;

// An interpreter of a trial's own that stays for a while, to take turns with another one.
typedef struct LiteTrialEntry LiteTrialEntry;

// The first inferences of a graph that have succeeded since it was last given its memory.
enum { LITE_GRAPH_USE_MOST = 1000 };
typedef struct LiteGraphUse {
    int64_t least_ns; // of them
    int runs;
} LiteGraphUse;

// Whether what a delegate has decided about the graph no longer holds.
typedef bool (*LiteIsOutdated)(TfLiteContext* context, TfLiteDelegate* delegate, const LiteGraphUse* use);

typedef struct LiteTrialService {
    TfLiteExternalContext base; // first: a LiteTrialService* is a TfLiteExternalContext*

    // Runs the model in a new interpreter with `delegate` alone (NULL: without any), which is deleted before
    // the call returns. What the program has set (threads, precision, limit of memory) and the shapes of the
    // inputs are those of the asking interpreter. Variables and tables begin as in any new interpreter;
    // packed weights are shared with the model's others. The inputs are made up: floats between -1 and 1,
    // zeros of quantized types and empty strings, other numbers are 0. The graph that runs is 0, unless the
    // asking one is not called from there; then it is the outermost that leads to that.
    //
    // After the first inference others begin until budget_ns is over or enough were measured; without a
    // `delegate` none where the first has taken as long. The first ends after first_ns, in its nodes if need
    // be, which is an error; another one ends after twice budget_ns, and does not count. So does the trial
    // when the program cancels the inference in which the call is made. Preparing does not count.
    //
    // Everything but kTfLiteOk says that there are no times, of which nobody else is told:
    //   - the program has built or changed the graph, or has given operators of its own, whose functions are
    //     not called without its knowledge;
    //   - a node that nobody can run, or fails; an inference that does not end in time;
    //   - `delegate` cannot be applied, or fails in an inference;
    //   - memory has run out, or the program's limit does not allow for a second interpreter.
    //
    // To be called by the thread that works with the interpreter, in a delegate's Prepare as a rule. Others
    // may at the same time do so for other interpreters, also of the same model.
    TfLiteStatus (*run)(TfLiteContext* context, TfLiteDelegate* delegate, const LiteTrialLimits* limits,
                        LiteTrialTimes* times);
    void (*free)(LiteTrialTimes* times); // what run has filled; also after it has failed

    // For comparisons: makes the interpreter that `run` would make, and does its first inference. Several may
    // be there at once, and share what the program's limit leaves. Nodes are not timed, so that kernels may
    // overlap (core/base/overlap.h), and nobody asks within an inference whether it is to end, which takes
    // time: for what has run in a trial before.
    TfLiteStatus (*enter)(TfLiteContext* context, TfLiteDelegate* delegate, LiteTrialEntry** entry);
    // Inferences, one at least, until turn_ns are over. *ns: the median of the last of them, without the
    // first, which finds the caches as the other one has left them, unless there is no other. An error as
    // those of `run`, and when the program cancels, between inferences.
    TfLiteStatus (*take_turn)(LiteTrialEntry* entry, int64_t turn_ns, int64_t* ns);
    void (*leave)(LiteTrialEntry* entry); // before its delegate is deleted, and in the same Prepare; or NULL

    // In a delegate's Prepare: from now on `is_outdated` is asked whenever the program has memory given to
    // the graph anew, as after a resize. When it says so, the delegate is applied again, and those after it
    // are, to a graph of which every operator knows its shapes. Graphs that others call are not asked about.
    void (*watch)(TfLiteContext* context, LiteIsOutdated is_outdated);
} LiteTrialService;

// NULL in other hosts, and in trials.
static inline const LiteTrialService* lite_trial_service(TfLiteContext* context) {
    if (context->GetExternalContext == NULL) return NULL;
    return (const LiteTrialService*)(const void*)context->GetExternalContext(
        context, (TfLiteExternalContextType)kLiteTrialContext);
}

#endif
