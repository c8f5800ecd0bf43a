// SPDX-License-Identifier: Apache-2.0
// A delegate for tests, in either form: takes the nodes it is told to, computes what they would (Twice, Sum
// and Scratch of graph_fixture.h), fails where it is told to, and counts its calls.
#ifndef TESTS_SUPPORT_PROBE_DELEGATE_H_
#define TESTS_SUPPORT_PROBE_DELEGATE_H_

#include <stdbool.h>

#include "tensorflow/lite/c/common.h"

typedef struct ProbeDelegate {
    TfLiteDelegate delegate;            // what runtimes get
    TfLiteOpaqueDelegateBuilder opaque; // its other form

    // Which nodes: those of the list, as it is, or without one all that it can compute, of this operator only
    // where `takes` is not NULL.
    const int* nodes;
    int node_count;
    const char* takes;
    void (*look)(TfLiteContext* context); // called first in Prepare

    // Where it fails, and how.
    bool init_fails;             // with TfLiteKernelInitFailed
    bool init_gives_null;        // kernels without data fail to prepare
    bool dynamic_outputs;        // kernels leave it to their invoke how large outputs are
    bool relies_on_shapes;       // kernels fail when outputs do not have the shape of their inputs already
    bool leaves_in_buffer;       // outputs are only in `buffer`, under handle 7
    TfLiteStatus prepare_status; // of Prepare, after it has replaced the nodes
    TfLiteStatus kernel_prepare_status;
    TfLiteStatus invoke_status;

    // What happened.
    TfLiteStatus replace_status;
    int prepares, inits, frees, kernel_prepares, invokes, copies, freed_handles;
    float buffer[64];
} ProbeDelegate;

// `flags`: TfLiteDelegateFlags. The probe must stay where it is.
void probe_init(ProbeDelegate* probe, int64_t flags);
void probe_init_opaque(ProbeDelegate* probe, int64_t flags);

#endif
