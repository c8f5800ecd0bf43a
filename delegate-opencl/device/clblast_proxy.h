// SPDX-License-Identifier: Apache-2.0
// What CLBlast is given in place of a queue, so that the programs that it makes come from the folder of built
// programs. CLBlast has no function that takes or gives them.
//
// An ICD loader calls each function by the table that an object's first field points to. A proxy's is ours.
// Queues, contexts and programs have proxies; the functions behind them call the driver with the real object.
// All other objects that CLBlast sees are the driver's.
#ifndef DELEGATE_OPENCL_DEVICE_CLBLAST_PROXY_H_
#define DELEGATE_OPENCL_DEVICE_CLBLAST_PROXY_H_

#include "delegate-opencl/device/device.h"

// Does this function of OpenCL, which CLBlast calls, belong to a loader that calls by tables? True only where
// that is known, and where no layers are between it and its callers: they see the objects, too. Once true, it
// stays loaded, and so does this library: CLBlast releases programs when the process ends.
bool lite_cl_proxy_works(void* function);

typedef struct LiteClProxyQueue {
    const void* table;
    const LiteClDevice* device;
    cl_command_queue queue;
} LiteClProxyQueue;

// Makes the device's `clblast_context` one that can be given away; it has to live until CLBlast has forgotten
// its programs.
void lite_cl_proxy_context(LiteClDevice* device);

// The proxy of a queue of the device, for one call of CLBlast; it lives in *proxy.
cl_command_queue lite_cl_proxy_queue(LiteClProxyQueue* proxy, const LiteClDevice* device,
                                     cl_command_queue queue);

#endif
