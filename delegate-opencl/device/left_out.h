// SPDX-License-Identifier: Apache-2.0
// The drivers that are left out, because they crash or hang as soon as somebody asks for their devices.
#ifndef DELEGATE_OPENCL_DEVICE_LEFT_OUT_H_
#define DELEGATE_OPENCL_DEVICE_LEFT_OUT_H_

#include <stdbool.h>

// 0 in builds of selected operators: they have no self-test, leave out no driver, and carry nothing for it.
#ifndef LITE_CL_HAS_SELFTEST
#define LITE_CL_HAS_SELFTEST 1
#endif

enum { LITE_CL_MOST_LEFT_OUT = 16, LITE_CL_LEFT_OUT_WHY = 128 };

typedef struct LiteClLeftOut {
    char library[1024]; // as the .icd file names it
    char why[LITE_CL_LEFT_OUT_WHY];
} LiteClLeftOut;

// Leaves a library out, from the first lite_cl_load on; false: there are too many. Not thread safe.
bool lite_cl_leave_out(const char* library, const char* why);
bool lite_cl_is_left_out(const char* library);
// The i-th of them; NULL behind the last one.
const LiteClLeftOut* lite_cl_left_out_at(int i);

#endif
