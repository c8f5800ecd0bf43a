// SPDX-License-Identifier: Apache-2.0
// What operators share whose indices are a tensor (a status says when one is outside).
#ifndef DELEGATE_OPENCL_OPS_COMMON_INDICES_H_
#define DELEGATE_OPENCL_OPS_COMMON_INDICES_H_

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/plan/plan.h"
#include "kernels-cl/args/coordinates.h"

// For kernels that only move elements: TYPE, and I_TYPE … of the indices.
LiteClPrelude lite_cl_index_prelude(const LiteClTensor* elements, const LiteClTensor* indices);

// Rows of coordinates in `indices` that name slices of `whole`.
LiteClCoordinatesArgs lite_cl_coordinates(const LiteClPlan* plan, const LiteClNode* node,
                                          const LiteShape* indices, const LiteShape* whole);

#endif
