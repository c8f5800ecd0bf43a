// SPDX-License-Identifier: Apache-2.0
// Chooses a device: matches a user's words with a list of devices. It works on plain data and returns an
// index.
#ifndef DELEGATE_OPENCL_DEVICE_CHOICE_H_
#define DELEGATE_OPENCL_DEVICE_CHOICE_H_

#include <stdbool.h>

#include "delegate-opencl/device/cl.h"

typedef struct LiteClCandidate {
    cl_platform_id platform;
    cl_device_id device;
    cl_device_type type;
    char name[160];
    char platform_name[96];
    char platform_vendor[96];
    char platform_version[160];
} LiteClCandidate;

// The index of the device that `text` names (see oclite/opencl.h, field `device`), -1 when there is none.
int lite_cl_choose(const char* text, const LiteClCandidate* candidates, int count);

// Whether this means any device.
bool lite_cl_is_any(const char* text);

// The index of the n-th device when all are ordered by preference: GPUs, accelerators, CPUs; -1 when there
// are not so many.
int lite_cl_choose_any(int n, const LiteClCandidate* candidates, int count);

#endif
