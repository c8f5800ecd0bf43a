// SPDX-License-Identifier: Apache-2.0
// Stands between the delegate and OpenCL: counts calls and live objects, makes the n-th call fail, and keeps
// kernels from ending.
#ifndef TESTS_SUPPORT_CL_SHIM_H_
#define TESTS_SUPPORT_CL_SHIM_H_

#include <stdbool.h>

#include "delegate-opencl/cl.h"

// Puts the shim into the delegate's table of functions, nothing failing; takes it out again.
void shim_install(void);
void shim_remove(void);

// The call `n` from now fails (1: the next one; 0: none), and with `all` every one after it.
void shim_fail(int n, bool all);
// How many calls there were since shim_install or shim_fail, and how many of them were made to fail.
int shim_calls(void);
int shim_failures(void);

// How often some of them were called since shim_install: queues that were made, launches, transfers of
// buffers between host and device, and from buffer to buffer.
typedef enum ShimCall { kShimQueues, kShimKernels, kShimReads, kShimWrites, kShimMaps, kShimCalls } ShimCall;
int shim_count(ShimCall call);
// How many buffers were made on this memory of the host.
int shim_imports(const void* memory);
// Where the last of these commands went.
cl_command_queue shim_last_queue(void);

// Objects that were created or retained and have not been released.
int shim_live_objects(void);

// From now on kernels wait for shim_let_go, which also ends the holding.
void shim_hold(void);
void shim_let_go(void);

#endif
