// SPDX-License-Identifier: Apache-2.0
// Which device: a user's words against a list of what is there. Plain data in, an index out.
#ifndef DELEGATE_OPENCL_CHOICE_H_
#define DELEGATE_OPENCL_CHOICE_H_

#include <stdbool.h>

#include "delegate-opencl/cl.h"

typedef struct LiteClCandidate {
    cl_platform_id platform;
    cl_device_id device;
    cl_device_type type;
    char name[160];
    char platform_name[96];
    char platform_vendor[96];
    char platform_version[160];
} LiteClCandidate;

// Index of the device that `text` (see oclite/opencl.h, field `device`) means, -1 when there is none.
int lite_cl_choose(const char* text, const LiteClCandidate* candidates, int count);

#endif
