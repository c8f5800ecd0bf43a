// SPDX-License-Identifier: Apache-2.0
// Command queues, with hints where the device understands them.
#ifndef DELEGATE_OPENCL_DEVICE_QUEUE_H_
#define DELEGATE_OPENCL_DEVICE_QUEUE_H_

#include "delegate-opencl/device/device.h"

// Values of cl_khr_priority_hints and cl_khr_throttle_hints, which are the same; 0: none.
typedef struct LiteClQueueHints {
    cl_uint priority;
    cl_uint throttle;
} LiteClQueueHints;

enum { LITE_CL_WARNING = 256 };

// Removes the hints that the device does not understand, and describes them in `warning`, which is "" when
// there are none.
void lite_cl_queue_check_hints(const LiteClDevice* device, LiteClQueueHints* hints,
                               char warning[LITE_CL_WARNING]);

// Creates an in-order queue. The hints have been checked.
TfLiteStatus lite_cl_queue_create(const LiteClDevice* device, cl_command_queue_properties properties,
                                  const LiteClQueueHints* hints, cl_command_queue* queue,
                                  const LiteReporter* reporter);

#endif
