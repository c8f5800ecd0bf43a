// SPDX-License-Identifier: Apache-2.0
// Work-groups whose items share work: their size is compiled into the program.
#ifndef DELEGATE_OPENCL_OPS_COMMON_GROUP_H_
#define DELEGATE_OPENCL_OPS_COMMON_GROUP_H_

#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/plan/plan.h"

// Items of a work-group, a power of two, as many as suit the class and the device allows.
size_t lite_cl_largest_group(const LiteClDevice* device);

// Defines GROUP: so many.
void lite_cl_define_group(const LiteClDevice* device, LiteClPrelude* prelude);

// The same for a kernel that is launched in such groups: no more than the compiled kernel allows. Call it
// last, as it compiles the program. *group: GROUP.
TfLiteStatus lite_cl_choose_group(const LiteClPlan* plan, const LiteClSource* family, const char* kernel,
                                  LiteClPrelude* prelude, size_t* group);

// Defines GROUP, items that go through a row together (lite_cl_tune_group), and how they join what they have.
void lite_cl_define_row_group(const LiteClDevice* device, int group, LiteClPrelude* prelude);

#endif
