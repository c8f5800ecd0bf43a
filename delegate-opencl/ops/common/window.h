// SPDX-License-Identifier: Apache-2.0
// Windows that slide along one dimension: pooling and convolutions.
#ifndef DELEGATE_OPENCL_OPS_COMMON_WINDOW_H_
#define DELEGATE_OPENCL_OPS_COMMON_WINDOW_H_

#include "core/base/shape.h"
#include "delegate-opencl/graph/support.h"

// The window along a dimension of `in` elements; false with a reason when the parameters make none.
bool lite_cl_window(TfLitePadding padding, int in, int filter, int stride, int dilation,
                    LiteAxisPadding* window, LiteClReason* reason);

#endif
