// SPDX-License-Identifier: Apache-2.0
// Inferences that run on a thread of the interpreter's own, one after the other.
#include "core/graph/background.h"

#include "core/base/lock.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/state.h"

typedef struct LiteQueued {
    struct LiteQueued* next;
    LiteInvoked invoked; // NULL: nobody is told
    void* user_data;
} LiteQueued;

// The next inference, or NULL when there will be none. The caller holds the lock.
static LiteQueued* take(LiteBackground* background) {
    while (background->first == NULL && !background->stopping)
        pthread_cond_wait(&background->changed, &background->lock);
    LiteQueued* queued = background->first;
    if (queued == NULL) return NULL;
    background->first = queued->next;
    if (background->first == NULL) background->end = &background->first;
    return queued;
}

static void run(LiteInterpreter* interpreter, LiteBackground* background, const LiteQueued* queued,
                bool cancelled) {
    const TfLiteStatus status =
        cancelled ? kTfLiteCancelled : lite_subgraph_invoke(lite_interpreter_subgraph(interpreter, 0));
    if (queued->invoked != NULL) queued->invoked(queued->user_data, status);
    pthread_mutex_lock(&background->lock);
    if (background->status == kTfLiteOk) background->status = status;
    atomic_fetch_sub(&background->pending, 1);
    pthread_cond_broadcast(&background->changed);
    pthread_mutex_unlock(&background->lock);
}

static void* work(void* argument) {
    LiteBackground* background = argument;
    LiteInterpreter* interpreter = background->interpreter;
    for (;;) {
        pthread_mutex_lock(&background->lock); // the starter holds it until `thread` is written
        LiteQueued* queued = take(background);
        const bool cancelled = background->stopping;
        void (*const destroy_interpreter)(LiteInterpreter*) = background->destroy_interpreter;
        pthread_mutex_unlock(&background->lock);
        if (queued == NULL) {
            if (destroy_interpreter != NULL) destroy_interpreter(interpreter);
            return NULL;
        }
        run(interpreter, background, queued, cancelled);
        lite_free(queued);
    }
}

// Makes everything but the thread.
static LiteBackground* create(LiteInterpreter* interpreter) {
    LiteBackground* background = lite_calloc(1, sizeof *background);
    if (background == NULL) return NULL;
    background->interpreter = interpreter;
    background->forks = lite_fork_count();
    atomic_init(&background->pending, 0);
    background->end = &background->first;
    pthread_mutex_init(&background->lock, NULL);
    pthread_cond_init(&background->changed, NULL);
    return background;
}

static void destroy(LiteBackground* background) {
    pthread_cond_destroy(&background->changed);
    pthread_mutex_destroy(&background->lock);
    lite_free(background);
}

// A forked child does not have the thread. What waits for it was asked for by the parent, and is the
// parent's. Neither lock nor condition is destroyed: the thread waits there for ever.
static void forget(LiteInterpreter* interpreter, LiteBackground* background) {
    while (background->first != NULL) {
        LiteQueued* queued = background->first;
        background->first = queued->next;
        lite_free(queued);
    }
    atomic_store(&interpreter->background, NULL);
    lite_free(background);
}

static LiteBackground* find(LiteInterpreter* interpreter) {
    LiteBackground* background = atomic_load(&interpreter->background);
    if (background == NULL || background->forks == lite_fork_count()) return background;
    forget(interpreter, background);
    return NULL;
}

static TfLiteStatus start(LiteInterpreter* interpreter) {
    LiteBackground* background = create(interpreter);
    if (background == NULL) return lite_report(&interpreter->reporter, "out of memory");
    pthread_mutex_lock(&background->lock);
    const int error = pthread_create(&background->thread, NULL, work, background);
    pthread_mutex_unlock(&background->lock);
    if (error == 0) {
        atomic_store(&interpreter->background, background);
        return kTfLiteOk;
    }
    destroy(background);
    return lite_report(&interpreter->reporter, "no thread could be started for asynchronous inferences");
}

// Several threads may be the first one.
static TfLiteStatus start_once(LiteInterpreter* interpreter) {
    static LiteLock starting = LITE_LOCK_INITIALIZER;
    lite_lock(&starting);
    const bool started = find(interpreter) != NULL;
    const TfLiteStatus status = started ? kTfLiteOk : start(interpreter);
    lite_unlock(&starting);
    return status;
}

TfLiteStatus lite_interpreter_invoke_async(LiteInterpreter* interpreter, LiteInvoked invoked,
                                           void* user_data) {
    LITE_TRY(start_once(interpreter));
    LiteBackground* background = atomic_load(&interpreter->background);
    LiteQueued* queued = lite_malloc(sizeof *queued);
    if (queued == NULL) return lite_report(&interpreter->reporter, "out of memory");
    *queued = (LiteQueued){NULL, invoked, user_data};
    pthread_mutex_lock(&background->lock);
    const bool stopping = background->stopping;
    if (!stopping) {
        *background->end = queued;
        background->end = &queued->next;
        atomic_fetch_add(&background->pending, 1);
        pthread_cond_broadcast(&background->changed);
    }
    pthread_mutex_unlock(&background->lock);
    if (!stopping) return kTfLiteOk;
    lite_free(queued);
    return lite_report(&interpreter->reporter, "The interpreter is being deleted");
}

TfLiteStatus lite_interpreter_wait(LiteInterpreter* interpreter) {
    LiteBackground* background = find(interpreter);
    if (background == NULL) return kTfLiteOk;
    if (lite_interpreter_is_own_thread(interpreter))
        return lite_report(&interpreter->reporter, "A callback cannot wait for inferences: they wait for it");
    pthread_mutex_lock(&background->lock);
    while (atomic_load(&background->pending) > 0) pthread_cond_wait(&background->changed, &background->lock);
    const TfLiteStatus status = background->status;
    background->status = kTfLiteOk;
    pthread_mutex_unlock(&background->lock);
    return status;
}

bool lite_background_end(LiteInterpreter* interpreter,
                         void (*destroy_interpreter)(LiteInterpreter* interpreter)) {
    LiteBackground* background = find(interpreter);
    if (background == NULL) return true;
    const bool own = lite_interpreter_is_own_thread(interpreter);
    pthread_mutex_lock(&background->lock);
    const bool again = background->destroy_interpreter != NULL; // the thread calls this at its end
    const bool joined = !own;
    background->stopping = true;
    background->destroy_interpreter = own ? destroy_interpreter : NULL;
    pthread_cond_broadcast(&background->changed);
    const pthread_t thread = background->thread;
    pthread_mutex_unlock(&background->lock);
    if (own && !again) {
        pthread_detach(thread);
        return false;
    }
    if (joined) pthread_join(thread, NULL);
    atomic_store(&interpreter->background, NULL);
    destroy(background);
    return true;
}
