// SPDX-License-Identifier: Apache-2.0
// What kernels of control flow and of resources get from the interpreter beyond the public API: other
// subgraphs of the model, and state that subgraphs share. Only contexts of our own interpreter have it; the
// kernels of kernels-cpu never see others.
#ifndef CORE_BASE_HOST_H_
#define CORE_BASE_HOST_H_

#include <stdbool.h>

#include "core/base/precision.h"
#include "core/base/resource.h"
#include "core/base/shared.h"
#include "core/base/status.h"
#include "tensorflow/lite/c/common.h"

typedef struct LiteHost LiteHost;

struct LiteHost {
    // NULL when there is no such subgraph. Its tensors, inputs and outputs are reached by the public
    // functions.
    TfLiteOpaqueContext* (*subgraph)(LiteHost* host, int index);
    // As lite_subgraph_resize_input and lite_subgraph_invoke; the input also gets the type of elements. A
    // subgraph that is in use, because it contains the calling node, refuses.
    TfLiteStatus (*resize_input)(TfLiteOpaqueContext* subgraph, int tensor, TfLiteType type,
                                 const TfLiteIntArray* dims);
    TfLiteStatus (*invoke)(TfLiteOpaqueContext* subgraph);
    // Prepares the subgraph if it is not ready. *shapes_known: the sizes of all tensors are final, none waits
    // for an invoke.
    TfLiteStatus (*allocate)(TfLiteOpaqueContext* subgraph, bool* shapes_known);
    // What the model says of a subgraph, whatever delegates have made of it: how many operators it has, and
    // the code of the first one, if any. false when there is no such subgraph.
    bool (*operators)(LiteHost* host, int index, int* count, int* first_code);
    // Where is shared what kernels compute from the tensor's contents alone; NULL when these are not the
    // model's.
    LiteShared* (*shared)(TfLiteOpaqueContext* subgraph, const TfLiteOpaqueTensor* tensor);
    LiteResources resources;
    LitePrecision precision; // of packed weights, where they are shared
};

static inline LiteHost* lite_host(const TfLiteOpaqueContext* context) {
    return *(LiteHost**)((const TfLiteContext*)(const void*)context)->impl_;
}

#endif
