// SPDX-License-Identifier: Apache-2.0
// What a device may work on until the process ends, as nobody knows whether its commands have.
#ifndef DELEGATE_OPENCL_DEVICE_KEPT_H_
#define DELEGATE_OPENCL_DEVICE_KEPT_H_

#include "delegate-opencl/device/device.h"

// Keeps the device and a copy of the object, whose pointers own what is behind them.
void lite_cl_device_keep(LiteClDevice* device, const void* object, size_t bytes);

#endif
