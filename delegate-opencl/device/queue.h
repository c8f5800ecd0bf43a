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

// Can a queue of the device time its commands? Adds to `warning` where it cannot.
bool lite_cl_queue_check_timers(const LiteClDevice* device, char warning[LITE_CL_WARNING]);

// Creates an in-order queue. The hints have been checked.
TfLiteStatus lite_cl_queue_create(const LiteClDevice* device, cl_command_queue_properties properties,
                                  const LiteClQueueHints* hints, cl_command_queue* queue,
                                  const LiteReporter* reporter);

// As clEnqueueMarkerWithWaitList and clEnqueueBarrierWithWaitList, on devices of OpenCL 1.1 too. `event` may
// be NULL for a barrier only.
cl_int lite_cl_queue_marker(const LiteClDevice* device, cl_command_queue queue, cl_uint count,
                            const cl_event* events, cl_event* event);
cl_int lite_cl_queue_barrier(const LiteClDevice* device, cl_command_queue queue, cl_uint count,
                             const cl_event* events, cl_event* event);

#endif
