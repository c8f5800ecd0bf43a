// SPDX-License-Identifier: Apache-2.0
// Delegates' kernels that work while the host runs nodes that do not wait for them. Such a kernel's invoke
// only begins its work; the host calls another function before anybody touches what the kernel reads or
// writes.
#ifndef CORE_BASE_OVERLAP_H_
#define CORE_BASE_OVERLAP_H_

#include "tensorflow/lite/c/common.h"

// For this type of external context our contexts return a LiteOverlapService; other runtimes, which do not
// know the type, NULL. Change the number whenever the struct changes.
enum { kLiteOverlapContext = 0x6f6370 };

// Waits for what the node's invoke has begun. Its status counts as the node's. Called once after each invoke
// that has returned kTfLiteOk, by the thread that has called that, also when the inference fails or is
// cancelled. Nothing else of the node is called in between.
typedef TfLiteStatus (*LiteOverlapEnd)(TfLiteContext* context, TfLiteNode* node);

typedef struct LiteOverlapService {
    TfLiteExternalContext base; // first: a LiteOverlapService* is a TfLiteExternalContext*

    // In a delegate's Prepare: when it has returned, the plan gets the order in which kernels come as early
    // as they can, what leads to them next, and what waits for them as late as it can.
    void (*order)(TfLiteContext* context);

    // In a kernel's prepare: its invoke may return before its work has ended. Until `end` has returned, the
    // memory of the node's inputs and outputs stays what it is, and no other node writes the former or
    // touches the latter. Where nodes are timed or reported one by one, the host calls `end` right after
    // invoke. Holds until the node is prepared again. Not for nodes with dynamic outputs, or such that write
    // variables.
    void (*offer)(TfLiteContext* context, TfLiteNode* node, LiteOverlapEnd end);
} LiteOverlapService;

// NULL in other hosts.
static inline const LiteOverlapService* lite_overlap_service(TfLiteContext* context) {
    if (context->GetExternalContext == NULL) return NULL;
    return (const LiteOverlapService*)(const void*)context->GetExternalContext(
        context, (TfLiteExternalContextType)kLiteOverlapContext);
}

#endif
