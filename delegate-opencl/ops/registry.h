// SPDX-License-Identifier: Apache-2.0
// All operators of the library that have an OpenCL form, as core/ops.def lists them.
#ifndef DELEGATE_OPENCL_OPS_REGISTRY_H_
#define DELEGATE_OPENCL_OPS_REGISTRY_H_

#include "delegate-opencl/graph/op.h"

// The form of a builtin operator by its name; NULL without one.
const LiteClOp* lite_cl_op_named(const char* name);

// Looks up an operator by the fields of its registration.
void lite_cl_op_find(int builtin_code, const char* custom_name, int version, LiteClLookup* lookup);

#endif
