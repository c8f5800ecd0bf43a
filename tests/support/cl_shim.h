// SPDX-License-Identifier: Apache-2.0
// A layer between the delegate and OpenCL. It counts calls and live objects, makes the n-th call fail, and
// keeps kernels from ending.
#ifndef TESTS_SUPPORT_CL_SHIM_H_
#define TESTS_SUPPORT_CL_SHIM_H_

#include <stdbool.h>

#include "delegate-opencl/device/cl.h"

// Installs the shim in the delegate's table of functions, without failures, and removes it.
void shim_install(void);
void shim_remove(void);

// Makes the n-th call from now fail (1: the next one; 0: none), and with `all` every later call too.
void shim_fail(int n, bool all);
// Returns how many calls there were since shim_install or shim_fail, and how many of them failed on purpose.
int shim_calls(void);
int shim_failures(void);

// Returns how often some functions were called since shim_install: those that make queues, launch kernels,
// copy buffers between host and device, and copy one buffer to another.
typedef enum ShimCall { kShimQueues, kShimKernels, kShimReads, kShimWrites, kShimMaps, kShimCalls } ShimCall;
int shim_count(ShimCall call);
// Makes these functions take at least so long.
void shim_delay(ShimCall call, int ms);
// Returns how many buffers were made on this memory of the host.
int shim_imports(const void* memory);
// Returns the queue of the last of these commands.
cl_command_queue shim_last_queue(void);

// Returns the number of objects that were created or retained and have not been released.
int shim_live_objects(void);

// Returns the bytes of buffers that were created since shim_install, not on the host's memory, and that
// somebody holds. In one thread.
size_t shim_live_bytes(void);

// Makes kernels wait until shim_let_go, which also ends the holding of later ones.
void shim_hold(void);
void shim_let_go(void);

#endif
