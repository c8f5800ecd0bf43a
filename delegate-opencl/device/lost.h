// SPDX-License-Identifier: Apache-2.0
// The table of functions of a process whose driver is lost (see lite_cl_is_forked).
#ifndef DELEGATE_OPENCL_DEVICE_LOST_H_
#define DELEGATE_OPENCL_DEVICE_LOST_H_

#include "delegate-opencl/device/table.h"

extern const LiteCl lite_cl_lost;

#endif
