// SPDX-License-Identifier: Apache-2.0
// What oclite_opencl_delegate_profile tells of a launch, kept for longer than its callback.
#ifndef TOOLS_KERNEL_H_
#define TOOLS_KERNEL_H_

#include <stdbool.h>

#include "oclite/opencl.h"

// false: out of memory. To be released in any case.
bool tool_kernel_copy(const OcliteOpenclKernel* kernel, OcliteOpenclKernel* copy);
void tool_kernel_free(OcliteOpenclKernel* copy); // accepts {0}

// Are they of the same nodes?
bool tool_kernel_same_nodes(const OcliteOpenclKernel* a, const OcliteOpenclKernel* b);

#endif
