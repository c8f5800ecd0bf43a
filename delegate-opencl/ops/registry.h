// SPDX-License-Identifier: Apache-2.0
// All operators of the library that have an OpenCL form, as core/ops.def lists them.
#ifndef DELEGATE_OPENCL_OPS_REGISTRY_H_
#define DELEGATE_OPENCL_OPS_REGISTRY_H_

#include "delegate-opencl/graph/op.h"

// The form of a builtin operator by its name; NULL without one.
const LiteClOp* lite_cl_op_named(const char* name);
// The same of any operator of the library, custom ones included.
const LiteClOp* lite_cl_op_listed(const char* name);
// The names of all that have a form, from 0 on; NULL after the last.
const char* lite_cl_op_name_at(int index);

// Looks up an operator by the fields of its registration.
void lite_cl_op_find(int builtin_code, const char* custom_name, int version, LiteClLookup* lookup);

#endif
