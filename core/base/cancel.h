// SPDX-License-Identifier: Apache-2.0
// Ending an inference early. Whatever computes for long asks between parts of its work whether to go on.
#ifndef CORE_BASE_CANCEL_H_
#define CORE_BASE_CANCEL_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/c/common.h"

// What operators and delegates outside of the library ask, through the context.

// For this type of external context our contexts return a LiteCancelHook, or NULL where nobody can cancel the
// inference; so do other runtimes, which do not know the type.
enum { kLiteCancelContext = 0x6f636e };

typedef struct LiteCancelHook {
    TfLiteExternalContext base; // first: a LiteCancelHook* is a TfLiteExternalContext*
    // From any thread, as long as the node's invoke runs.
    bool (*is_cancelled)(const struct LiteCancelHook* hook);
} LiteCancelHook;

static inline const LiteCancelHook* lite_cancel_hook(const TfLiteContext* context) {
    if (context->GetExternalContext == NULL) return NULL;
    return (const LiteCancelHook*)(const void*)context->GetExternalContext(
        (TfLiteContext*)context, (TfLiteExternalContextType)kLiteCancelContext);
}

// Ways to end an inference early, and whether that has happened.
typedef struct LiteCancellation {
    LiteCancelHook hook;
    bool enabled;      // another thread may ask
    atomic_bool asked; // it has, since the inference began
    atomic_uint count; // how often it has, ever
    // Somebody was told to stop, so that work may be missing. Until the next inference begins everybody is
    // told the same: no later part of a node works on what an earlier one has left out.
    atomic_bool stopped;
    bool told;                             // the program has got the message
    bool (*is_cancelled)(void* user_data); // the program's function; NULL: none
    void* user_data;
    uint64_t next_ns; // when that is asked again within a node
} LiteCancellation;

// Nothing has been asked, and nobody can ask.
void lite_cancellation_init(LiteCancellation* cancellation);
// Somebody can end the inference.
static inline bool lite_cancellation_is_possible(const LiteCancellation* cancellation) {
    return cancellation->enabled || cancellation->is_cancelled != NULL;
}

// An inference begins.
void lite_cancellation_begin(LiteCancellation* cancellation);
// To be called on the thread that runs the inference: is it to end?
bool lite_cancellation_check(LiteCancellation* cancellation);
// The same from any thread, without asking the program's function.
bool lite_cancellation_is_asked(LiteCancellation* cancellation);
static inline bool lite_cancellation_has_stopped(LiteCancellation* cancellation) {
    return atomic_load_explicit(&cancellation->stopped, memory_order_relaxed);
}

// What a thread works for.
typedef struct LiteCancelScope {
    LiteCancellation* cancellation; // NULL: nothing that could be cancelled
    bool is_runner;                 // the thread runs the inference, and may ask the program's function
} LiteCancelScope;

LiteCancelScope lite_cancel_scope(void);
// Returns what the thread has worked for until now, to be set again afterwards.
LiteCancelScope lite_cancel_set_scope(LiteCancelScope scope);

// Is the inference that this thread works for to end? Then the caller may leave its work as it is: the
// inference fails, whatever its kernel returns. Costs some nanoseconds. The results of what asks must not
// outlive the inference: to be called in invoke alone. In prepare the answer is always no.
bool lite_cancelled(void);
// The same for loops with many short steps: asks in one of 1024 only.
static inline bool lite_cancelled_at(int64_t step) {
    return (step & 1023) == 0 && lite_cancelled();
}

#endif
