// SPDX-License-Identifier: Apache-2.0
// Inferences that run on a thread of the interpreter's own, one after the other.
#include <pthread.h>

#include "core/graph/graph.h"

typedef struct Queued {
    struct Queued* next;
    LiteInvoked invoked; // NULL: nobody is told
    void* user_data;
} Queued;

// The thread is started by the first inference and ends with the interpreter.
struct LiteBackground {
    LiteInterpreter* interpreter;
    pthread_t thread;
    atomic_int pending;   // inferences that have not been told of
    pthread_mutex_t lock; // of what follows
    pthread_cond_t changed;
    Queued* first;
    Queued** end;
    TfLiteStatus status; // the first failure since the last wait
    bool stopping;       // the rest is cancelled
    bool deleted;        // ... and the thread destroys the interpreter
};

static bool is_own_thread(const LiteBackground* background) {
    return pthread_equal(background->thread, pthread_self()) != 0;
}

TfLiteStatus lite_interpreter_check_idle(const LiteInterpreter* interpreter) {
    const LiteBackground* background = atomic_load(&interpreter->background);
    if (background == NULL || atomic_load(&background->pending) == 0 || is_own_thread(background))
        return kTfLiteOk;
    return lite_report(&interpreter->reporter, "The interpreter is in use: an asynchronous inference has not "
                                               "ended (oclite_invoke_wait waits for it)");
}

// The next inference, or NULL when there will be none. With the lock held.
static Queued* take(LiteBackground* background) {
    while (background->first == NULL && !background->stopping)
        pthread_cond_wait(&background->changed, &background->lock);
    Queued* queued = background->first;
    if (queued == NULL) return NULL;
    background->first = queued->next;
    if (background->first == NULL) background->end = &background->first;
    return queued;
}

static void run(LiteInterpreter* interpreter, LiteBackground* background, const Queued* queued,
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
        pthread_mutex_lock(&background->lock); // also for `thread` to have been written
        Queued* queued = take(background);
        const bool cancelled = background->stopping;
        const bool deleted = background->deleted;
        pthread_mutex_unlock(&background->lock);
        if (queued == NULL) {
            if (deleted) lite_interpreter_destroy(interpreter);
            return NULL;
        }
        run(interpreter, background, queued, cancelled);
        lite_free(queued);
    }
}

// Everything but the thread.
static LiteBackground* create(LiteInterpreter* interpreter) {
    LiteBackground* background = lite_calloc(1, sizeof *background);
    if (background == NULL) return NULL;
    background->interpreter = interpreter;
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
    static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&starting);
    const bool started = atomic_load(&interpreter->background) != NULL;
    const TfLiteStatus status = started ? kTfLiteOk : start(interpreter);
    pthread_mutex_unlock(&starting);
    return status;
}

TfLiteStatus lite_interpreter_invoke_async(LiteInterpreter* interpreter, LiteInvoked invoked,
                                           void* user_data) {
    LITE_TRY(start_once(interpreter));
    LiteBackground* background = atomic_load(&interpreter->background);
    Queued* queued = lite_malloc(sizeof *queued);
    if (queued == NULL) return lite_report(&interpreter->reporter, "out of memory");
    *queued = (Queued){NULL, invoked, user_data};
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
    LiteBackground* background = atomic_load(&interpreter->background);
    if (background == NULL) return kTfLiteOk;
    if (is_own_thread(background))
        return lite_report(&interpreter->reporter, "A callback cannot wait for inferences: they wait for it");
    pthread_mutex_lock(&background->lock);
    while (atomic_load(&background->pending) > 0) pthread_cond_wait(&background->changed, &background->lock);
    const TfLiteStatus status = background->status;
    background->status = kTfLiteOk;
    pthread_mutex_unlock(&background->lock);
    return status;
}

bool lite_background_end(LiteInterpreter* interpreter) {
    LiteBackground* background = atomic_load(&interpreter->background);
    if (background == NULL) return true;
    const bool own = is_own_thread(background);
    pthread_mutex_lock(&background->lock);
    const bool again = background->deleted; // by the thread itself, which is at its end
    const bool joined = !own;
    background->stopping = true;
    background->deleted = own;
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
