// SPDX-License-Identifier: Apache-2.0
// How long tensors are on their way between the host's memory and the device's: measured once per device, and
// kept as what graphs have taught is.
#ifndef DELEGATE_OPENCL_COST_TRANSFER_H_
#define DELEGATE_OPENCL_COST_TRANSFER_H_

#include "delegate-opencl/cost/work.h"

// Sets rates->to_device and to_host, some milliseconds the first time. Leaves what was estimated where
// kernels work on the host's memory, and where nothing can be measured.
void lite_cl_transfer_measure(LiteClDevice* device, LiteClRates* rates);

#endif
