// SPDX-License-Identifier: Apache-2.0
// Elements of one type converted to another (kernels-cl/cast.cl).
#ifndef DELEGATE_OPENCL_OPS_COMMON_CONVERT_H_
#define DELEGATE_OPENCL_OPS_COMMON_CONVERT_H_

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"
#include "kernels-cl/args/cast.h"

// Converts `count` elements from one storage to another, numbers to numbers.
TfLiteStatus lite_cl_cast_storage(LiteClPlan* plan, int64_t count, TfLiteType from_type, int from,
                                  TfLiteType to_type, int to);

// Converts input 0 to the output by a function of cast.cl. `channels`: the scales and zero points of one of
// them, NULL when it has not one for each channel. The arguments lack the counts only.
TfLiteStatus lite_cl_convert(LiteClPlan* plan, const LiteClNode* node, const char* function,
                             const TfLiteAffineQuantization* channels, LiteClCastArgs* args);

#endif
