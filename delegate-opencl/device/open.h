// SPDX-License-Identifier: Apache-2.0
// The devices that the process has open. All delegates share one counted object per device, because a context
// for each interpreter would cost too much. A device in a context of the program has an object of its own.
#ifndef DELEGATE_OPENCL_DEVICE_OPEN_H_
#define DELEGATE_OPENCL_DEVICE_OPEN_H_

#include "delegate-opencl/device/choice.h"
#include "delegate-opencl/device/device.h"
#include "delegate-opencl/device/external.h"

// In a process whose driver is lost (cl.h) both functions return an object without a device, whose delegates
// take nothing.
//
// Opens the device that `choice` (see oclite/opencl.h) names, or returns it when it is open. NULL after a
// report. Release it with lite_cl_device_release, which accepts NULL.
LiteClDevice* lite_cl_device_acquire(const char* choice, const LiteReporter* reporter);

// Who is asked before a device is opened that is not open yet: false, after a report, forbids it. `number` is
// its index among all devices.
typedef struct LiteClAdmission {
    bool (*admit)(void* user_data, const LiteCl* cl, const LiteClCandidate* candidate, int number,
                  const LiteReporter* reporter);
    void* user_data;
} LiteClAdmission;
// Where `choice` means any device, another one takes the place of one that is not admitted.
LiteClDevice* lite_cl_device_acquire_admitted(const char* choice, const LiteClAdmission* admission,
                                              const LiteReporter* reporter);
// The index of the device among all devices; -1 where OpenCL does not list it (any more).
int lite_cl_device_number(const LiteClDevice* device);

// The same for what the program gives, which is completed (external.h). A device that is given without a
// context gets the context that all delegates share.
LiteClDevice* lite_cl_device_acquire_external(LiteClExternal* external, const LiteReporter* reporter);
void lite_cl_device_release(LiteClDevice* device);

// Keeps built programs in a folder from now on, and creates the folder if need be. The first folder that a
// delegate of the process names counts; NULL names none. A device keeps what it has compiled when its last
// user releases it.
TfLiteStatus lite_cl_device_set_cache(LiteClDevice* device, const char* folder, const LiteReporter* reporter);

// The same in the user's folder (core/base/cache_home.h), if that can be used, until somebody names another.
void lite_cl_device_set_usual_cache(LiteClDevice* device);

// One more reference to an open device.
LiteClDevice* lite_cl_device_retain(LiteClDevice* device);

#endif
