// SPDX-License-Identifier: Apache-2.0
// A context, device and queue that the program gives.
#ifndef DELEGATE_OPENCL_DEVICE_EXTERNAL_H_
#define DELEGATE_OPENCL_DEVICE_EXTERNAL_H_

#include <stdbool.h>

#include "delegate-opencl/device/cl.h"

// What the program has not given is NULL.
typedef struct LiteClExternal {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    bool timed; // the queue has to know the times of its commands
} LiteClExternal;

static inline bool lite_cl_external_given(const LiteClExternal* external) {
    return external->context != NULL || external->device != NULL || external->queue != NULL;
}

// Checks that the objects belong together, and adds the context and the device that follow from the others. A
// device that is given alone gets no context.
TfLiteStatus lite_cl_external_complete(LiteClExternal* external, const LiteCl* cl,
                                       const LiteReporter* reporter);

#endif
