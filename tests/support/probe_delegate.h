// SPDX-License-Identifier: Apache-2.0
// A delegate for tests, in either form. It takes the nodes that it is told to, computes their results (Twice,
// Sum and Scratch of graph_fixture.h), fails where it is told to, and counts its calls.
#ifndef TESTS_SUPPORT_PROBE_DELEGATE_H_
#define TESTS_SUPPORT_PROBE_DELEGATE_H_

#include <stdbool.h>

#include "tensorflow/lite/c/common.h"

typedef struct ProbeDelegate {
    TfLiteDelegate delegate;            // for runtimes
    TfLiteOpaqueDelegateBuilder opaque; // its other form

    // The nodes that it takes: those of the list, or, with NULL, all that it can compute; only those of the
    // operator `takes` unless that is NULL.
    const int* nodes;
    int node_count;
    const char* takes;
    void (*look)(TfLiteContext* context); // called first in Prepare

    // Where and how it fails.
    bool init_fails;             // with TfLiteKernelInitFailed
    bool init_gives_null;        // kernels without data fail in prepare
    bool dynamic_outputs;        // kernels determine the size of outputs in invoke
    bool relies_on_shapes;       // kernels fail unless outputs already have the shape of their inputs
    bool goes_on;                // kernels compute in the function that the host calls later
    bool leaves_in_buffer;       // outputs are only in `buffer`, under handle 7
    TfLiteStatus prepare_status; // of Prepare, after it has replaced the nodes
    TfLiteStatus kernel_prepare_status;
    TfLiteStatus invoke_status;
    TfLiteStatus end_status; // of that function

    // What has happened.
    TfLiteStatus replace_status;
    int prepares, inits, frees, kernel_prepares, invokes, ends, copies, freed_handles;
    float buffer[64];
} ProbeDelegate;

// `flags` are TfLiteDelegateFlags. The probe must not move.
void probe_init(ProbeDelegate* probe, int64_t flags);
void probe_init_opaque(ProbeDelegate* probe, int64_t flags);

#endif
