// SPDX-License-Identifier: Apache-2.0
#include "core/base/cancel.h"

#include <stddef.h>

#include "core/base/system.h"

// The program's function may be slow, and is asked before each node anyway.
enum { kAskNs = 1000000 };

static _Thread_local LiteCancelScope scope_of_thread;

// Threads of an operator's own do not know what they work for.
static bool hook_is_cancelled(const LiteCancelHook* hook) {
    LiteCancellation* cancellation = (LiteCancellation*)(void*)hook;
    if (scope_of_thread.cancellation == cancellation) return lite_cancelled();
    return lite_cancellation_is_asked(cancellation);
}

void lite_cancellation_init(LiteCancellation* cancellation) {
    *cancellation = (LiteCancellation){.hook.is_cancelled = hook_is_cancelled};
    atomic_init(&cancellation->asked, false);
    atomic_init(&cancellation->count, 0);
    atomic_init(&cancellation->stopped, false);
}

void lite_cancellation_begin(LiteCancellation* cancellation) {
    atomic_store(&cancellation->asked, false);
    atomic_store(&cancellation->stopped, false);
    cancellation->told = false;
    cancellation->next_ns = 0;
}

static bool stop(LiteCancellation* cancellation) {
    atomic_store_explicit(&cancellation->stopped, true, memory_order_relaxed);
    return true;
}

bool lite_cancellation_is_asked(LiteCancellation* cancellation) {
    if (lite_cancellation_has_stopped(cancellation)) return true;
    if (!cancellation->enabled) return false;
    return atomic_load_explicit(&cancellation->asked, memory_order_relaxed) && stop(cancellation);
}

bool lite_cancellation_check(LiteCancellation* cancellation) {
    if (lite_cancellation_is_asked(cancellation)) return true;
    if (cancellation->is_cancelled == NULL) return false;
    cancellation->next_ns = lite_clock_ns() + kAskNs;
    return cancellation->is_cancelled(cancellation->user_data) && stop(cancellation);
}

LiteCancelScope lite_cancel_scope(void) {
    return scope_of_thread;
}

LiteCancelScope lite_cancel_set_scope(LiteCancelScope scope) {
    const LiteCancelScope before = scope_of_thread;
    scope_of_thread = scope;
    return before;
}

bool lite_cancelled(void) {
    LiteCancellation* cancellation = scope_of_thread.cancellation;
    if (cancellation == NULL) return false;
    if (lite_cancellation_is_asked(cancellation)) return true;
    if (cancellation->is_cancelled == NULL || !scope_of_thread.is_runner) return false;
    return lite_clock_ns() >= cancellation->next_ns && lite_cancellation_check(cancellation);
}
