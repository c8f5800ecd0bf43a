// SPDX-License-Identifier: Apache-2.0
// Runs oclite_opencl_selftest, which tries a driver in a process of its own: what crashes or hangs there is
// found out, and does no harm.
//
// The child says on its standard output, a line each, what it is doing and what it found:
//     begin NAME
//     WORD NAME [DETAIL]      (verdicts.h)
//     end
// It is believed only what it was asked: the names have to be those asked for, in their order. When it ends
// or hangs after a "begin", or says anything else, that is the verdict on the name; it is then started again
// for what is left.
#ifndef DELEGATE_OPENCL_SELFTEST_CHILD_H_
#define DELEGATE_OPENCL_SELFTEST_CHILD_H_

#include "delegate-opencl/selftest/verdicts.h"

// How long the child may be silent, and on a machine that is too busy for it, how long all of it may take,
// and how many children may come to a bad end. What is left then stays untried.
enum {
    LITE_CL_TRIAL_MS = 10000,
    LITE_CL_STARVED_MS = 40000,
    LITE_CL_ALL_TRIALS_MS = 60000,
    LITE_CL_MOST_BAD_ENDS = 8
};

typedef struct LiteClChild {
    const char* program;
    const char* const* arguments; // before the names; end with NULL
    const char* const* names;
    int count;
    int all_ms;        // 0: LITE_CL_ALL_TRIALS_MS
    int most_bad_ends; // 0: LITE_CL_MOST_BAD_ENDS
} LiteClChild;

// Calls `tell` with the verdicts, in the order of the names. Returns how many there were; -1 when no child
// could be started at all.
int lite_cl_child_try(const LiteClChild* child, void (*tell)(void* user_data, const LiteClVerdict* verdict),
                      void* user_data);

// How many children the process has started.
int lite_cl_children_started(void);

#endif
