// SPDX-License-Identifier: Apache-2.0
// Work-groups whose items share work: their size is compiled into the program.
#ifndef DELEGATE_OPENCL_OPS_COMMON_GROUP_H_
#define DELEGATE_OPENCL_OPS_COMMON_GROUP_H_

#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/plan/plan.h"

// Defines GROUP: items of a work-group, a power of two, as many as suit the class and the device allows.
void lite_cl_define_group(const LiteClDevice* device, LiteClPrelude* prelude);

// The same for a kernel that is launched in such groups: no more than the compiled kernel allows. Call it
// last, as it compiles the program. *group: GROUP.
TfLiteStatus lite_cl_choose_group(const LiteClPlan* plan, const LiteClSource* family, const char* kernel,
                                  LiteClPrelude* prelude, size_t* group);

#endif
