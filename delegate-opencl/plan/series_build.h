// SPDX-License-Identifier: Apache-2.0
// Makes series of the steps of a plan. Steps in which each item is a work-group can be part of one: their
// kernels are compiled as functions, and linked. Buffers are found by their addresses (device/shared.h),
// except a few that are arguments.
#ifndef DELEGATE_OPENCL_PLAN_SERIES_BUILD_H_
#define DELEGATE_OPENCL_PLAN_SERIES_BUILD_H_

#include "delegate-opencl/plan/plan.h"

// Storages have their memory. Steps that are left out, for whatever reason, are launched by themselves.
void lite_cl_series_build(LiteClPlan* plan);

#endif
