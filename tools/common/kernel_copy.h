// SPDX-License-Identifier: Apache-2.0
// Copies of the launches that oclite_opencl_delegate_profile reports, which outlive its callback.
#ifndef TOOLS_COMMON_KERNEL_COPY_H_
#define TOOLS_COMMON_KERNEL_COPY_H_

#include <stdbool.h>

#include "oclite/opencl.h"

// Returns false when memory runs out. Release the copy in any case.
bool tool_kernel_copy_make(const OcliteOpenclKernel* kernel, OcliteOpenclKernel* copy);
void tool_kernel_copy_free(OcliteOpenclKernel* copy); // accepts {0}

// Returns whether both launches have the same nodes.
bool tool_kernel_copy_same_nodes(const OcliteOpenclKernel* a, const OcliteOpenclKernel* b);

#endif
