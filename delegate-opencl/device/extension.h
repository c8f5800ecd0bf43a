// SPDX-License-Identifier: Apache-2.0
// What a device says that it offers beyond OpenCL's core.
#ifndef DELEGATE_OPENCL_DEVICE_EXTENSION_H_
#define DELEGATE_OPENCL_DEVICE_EXTENSION_H_

#include "delegate-opencl/device/device.h"

// Is `name` one of the words of the device's list?
bool lite_cl_device_has(const LiteClDevice* device, const char* name);

#endif
