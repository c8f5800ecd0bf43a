// SPDX-License-Identifier: Apache-2.0
// A context, device and queue of the program's own.
#ifndef DELEGATE_OPENCL_EXTERNAL_H_
#define DELEGATE_OPENCL_EXTERNAL_H_

#include <stdbool.h>

#include "delegate-opencl/cl.h"

// NULL: not given.
typedef struct LiteClExternal {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    bool timed; // the queue has to know the times of its commands
} LiteClExternal;

static inline bool lite_cl_external_given(const LiteClExternal* external) {
    return external->context != NULL || external->device != NULL || external->queue != NULL;
}

// Checks that what is given goes together, and adds the context and the device that follow from it. A device
// alone stays alone.
TfLiteStatus lite_cl_external_complete(LiteClExternal* external, const LiteCl* cl,
                                       const LiteReporter* reporter);

#endif
