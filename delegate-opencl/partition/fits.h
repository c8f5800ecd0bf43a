// SPDX-License-Identifier: Apache-2.0
// Is a node within the limits of the device? What is not goes to the host before the driver is asked.
#ifndef DELEGATE_OPENCL_PARTITION_FITS_H_
#define DELEGATE_OPENCL_PARTITION_FITS_H_

#include "delegate-opencl/device/device.h"
#include "delegate-opencl/graph/graph.h"
#include "delegate-opencl/graph/reason.h"

// Is there anything that the device cannot run at all?
bool lite_cl_device_suits(const LiteClDevice* device, LiteClReason* reason);

// After lite_cl_node_check has agreed. Shapes that are not known yet are looked at when they are.
bool lite_cl_node_fits(const LiteClDevice* device, const LiteClNode* node, LiteClReason* reason);

#endif
