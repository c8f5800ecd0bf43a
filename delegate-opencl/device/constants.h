// SPDX-License-Identifier: Apache-2.0
// Constants on the device. Interpreters of one model, and other models with the same weights, share them: a
// constant is known by its bytes as the device has them, packed for its kernels.
#ifndef DELEGATE_OPENCL_DEVICE_CONSTANTS_H_
#define DELEGATE_OPENCL_DEVICE_CONSTANTS_H_

#include <stdatomic.h>

#include "delegate-opencl/device/device.h"

typedef struct LiteClConstant LiteClConstant;

// Writes the contents of a constant over zeros.
typedef void (*LiteClPack)(const void* state, float* packed);

// A constant of `bytes` > 0 bytes, which is made when the device has none with the contents that `pack`
// (NULL: zeros) writes. Kernels must not write it. The bytes are added to *counter (NULL: nobody counts)
// unless its delegate has the constant already. Thread safe.
TfLiteStatus lite_cl_constant_acquire(LiteClDevice* device, size_t bytes, LiteClPack pack, const void* state,
                                      atomic_size_t* counter, const LiteReporter* reporter,
                                      LiteClConstant** constant);
// Gives back what acquire with the same counter has returned.
void lite_cl_constant_release(LiteClDevice* device, LiteClConstant* constant, atomic_size_t* counter);

// Keeps it until the process ends, in place of release: the device may be working on it still. It stays
// counted.
void lite_cl_constant_abandon(LiteClDevice* device, LiteClConstant* constant, atomic_size_t* counter);

cl_mem lite_cl_constant_memory(const LiteClConstant* constant);
// Where it is; NULL: that is not known.
void* lite_cl_constant_address(const LiteClConstant* constant);

// How many the device has, for tests.
int lite_cl_constants_count(LiteClDevice* device);

#endif
