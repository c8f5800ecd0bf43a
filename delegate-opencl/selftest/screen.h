// SPDX-License-Identifier: Apache-2.0
// Before OpenCL is loaded: finds the drivers that crash or hang when they are opened and asked for their
// devices, and leaves them out (device/left_out.h).
#ifndef DELEGATE_OPENCL_SELFTEST_SCREEN_H_
#define DELEGATE_OPENCL_SELFTEST_SCREEN_H_

#include "delegate-opencl/selftest/selftest.h"

// Once per process. Drivers in known.def, and those that the process has opened already, are trusted; of the
// others each is asked in a child, unless there is a verdict on the file of its library.
void lite_cl_selftest_screen(const LiteClSelftest* selftest);

#endif
