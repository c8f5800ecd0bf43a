// SPDX-License-Identifier: Apache-2.0
// Functions of OpenCL C 3.0 that are optional. A device has them where it says so and its compiler takes
// them.
#ifndef DELEGATE_OPENCL_DEVICE_FEATURES_H_
#define DELEGATE_OPENCL_DEVICE_FEATURES_H_

#include "delegate-opencl/device/device.h"

// CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR, which older headers lack.
enum { LITE_CL_BYTE_DOT_SPEEDS = 0x1075 };

// Does the compiler know dot_4x8packed_ss_int()?
bool lite_cl_device_has_byte_dots(const LiteClDevice* device);
// Is that an instruction of the device?
bool lite_cl_device_has_fast_byte_dots(const LiteClDevice* device);

// Does the compiler know sub_group_reduce_add() and its relatives?
// Does it multiply and add four bytes by an instruction of PTX? NVIDIA's OpenCL has no function for that.
bool lite_cl_device_has_nvidia_dots(const LiteClDevice* device);

bool lite_cl_device_has_subgroups(const LiteClDevice* device);

#endif
