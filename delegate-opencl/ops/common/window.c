// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/window.h"

bool lite_cl_window(TfLitePadding padding, int in, int filter, int stride, int dilation,
                    LiteAxisPadding* window, LiteClReason* reason) {
    if (padding != kTfLitePaddingSame && padding != kTfLitePaddingValid) {
        return lite_cl_refuse(reason, "padding %d", (int)padding);
    }
    // Upper limits so that kernels may add and multiply these without overflow.
    if (filter < 1 || stride < 1 || stride > 1 << 20 || dilation < 1 ||
        (int64_t)(filter - 1) * dilation >= INT32_MAX / 4) {
        return lite_cl_refuse(reason, "filter length %d, stride %d, dilation %d", filter, stride, dilation);
    }
    *window = lite_axis_padding(padding, in, filter, stride, dilation);
    if (window->out < 1 && (in > 0 || padding == kTfLitePaddingValid))
        return lite_cl_refuse(reason, "filter length %d exceeds input length %d", filter, in);
    return true;
}
