// SPDX-License-Identifier: Apache-2.0
// Command queues, with hints where the device understands them.
#ifndef DELEGATE_OPENCL_QUEUE_H_
#define DELEGATE_OPENCL_QUEUE_H_

#include "delegate-opencl/device.h"

// Values of cl_khr_priority_hints and cl_khr_throttle_hints, which are the same; 0: none.
typedef struct LiteClQueueHints {
    cl_uint priority;
    cl_uint throttle;
} LiteClQueueHints;

enum { LITE_CL_WARNING = 256 };

// Takes out what the device does not understand, and says so in `warning`, which is "" else.
void lite_cl_queue_check_hints(const LiteClDevice* device, LiteClQueueHints* hints,
                               char warning[LITE_CL_WARNING]);

// A queue in order; the hints have been checked.
TfLiteStatus lite_cl_queue_create(const LiteClDevice* device, cl_command_queue_properties properties,
                                  const LiteClQueueHints* hints, cl_command_queue* queue,
                                  const LiteReporter* reporter);

#endif
