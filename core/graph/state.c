// SPDX-License-Identifier: Apache-2.0
// What an interpreter consists of, and what it is doing.
#include "core/graph/state.h"

#include "core/base/lock.h"
#include "core/graph/graph.h"
#include "core/graph/subgraph.h"

const LiteModel* lite_interpreter_model(const LiteInterpreter* interpreter) {
    return interpreter->model;
}

const LiteReporter* lite_interpreter_reporter(const LiteInterpreter* interpreter) {
    return &interpreter->reporter;
}

int lite_interpreter_subgraph_count(const LiteInterpreter* interpreter) {
    return interpreter->subgraph_count;
}

LiteSubgraph* lite_interpreter_subgraph(const LiteInterpreter* interpreter, int index) {
    return index >= 0 && index < interpreter->subgraph_count ? interpreter->subgraphs[index] : NULL;
}

// NULL: there is none, or its thread has stayed behind in the parent of a fork.
static LiteBackground* find_background(const LiteInterpreter* interpreter) {
    LiteBackground* background = atomic_load(&interpreter->background);
    return background != NULL && background->forks == lite_fork_count() ? background : NULL;
}

bool lite_interpreter_is_own_thread(const LiteInterpreter* interpreter) {
    const LiteBackground* background = find_background(interpreter);
    return background != NULL && pthread_equal(background->thread, pthread_self()) != 0;
}

TfLiteStatus lite_interpreter_check_idle(const LiteInterpreter* interpreter) {
    const LiteBackground* background = find_background(interpreter);
    if (background == NULL || atomic_load(&background->pending) == 0) return kTfLiteOk;
    if (lite_interpreter_is_own_thread(interpreter)) return kTfLiteOk;
    return lite_report(&interpreter->reporter, "The interpreter is in use: an asynchronous inference has not "
                                               "ended (oclite_invoke_wait waits for it)");
}

// Each level of nesting takes some of the thread's stack.
enum { kMaxNested = 64 };

TfLiteStatus lite_subgraph_enter(LiteSubgraph* subgraph) {
    if (subgraph->running)
        return lite_subgraph_fail(subgraph, "subgraph %d is already in use", subgraph->index);
    if (subgraph->interpreter->depth >= kMaxNested) {
        return lite_subgraph_fail(subgraph, "subgraphs are nested deeper than %d", kMaxNested);
    }
    if (subgraph->interpreter->depth == 0) subgraph->interpreter->nested_prepares = 0;
    subgraph->running = true;
    subgraph->interpreter->depth++;
    // An operator of an outer subgraph may run: the limit on its pieces is not one for this subgraph.
    subgraph->outer_largest = lite_memory_set_largest(SIZE_MAX);
    return kTfLiteOk;
}

void lite_subgraph_leave(LiteSubgraph* subgraph) {
    subgraph->running = false;
    subgraph->interpreter->depth--;
    lite_memory_set_largest(subgraph->outer_largest);
}
