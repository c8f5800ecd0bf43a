// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/indices.h"

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/shape.h"

LiteClPrelude lite_cl_index_prelude(const LiteClTensor* elements, const LiteClTensor* indices) {
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "I_", indices->type);
    lite_cl_define_element(&prelude, elements->type);
    return prelude;
}

LiteClCoordinatesArgs lite_cl_coordinates(const LiteClPlan* plan, const LiteClNode* node,
                                          const LiteShape* indices, const LiteShape* whole) {
    LiteClCoordinatesArgs args = {.depth = indices->rank > 0 ? indices->dims[indices->rank - 1] : 1,
                                  .rows = (int)lite_cl_dims_product(indices, 0, indices->rank - 1),
                                  .chunk = lite_cl_tune(plan->device->class)->chunk,
                                  .node = node->index + 1};
    for (int d = 0; d < args.depth; d++) args.dims[d] = whole->dims[d];
    args.inner = args.row_step = (int)lite_cl_dims_product(whole, args.depth, whole->rank);
    return args;
}
