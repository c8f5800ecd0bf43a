// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/softmax_fixed.h"

bool lite_softmax_fixed_init(double beta, double scale, LiteSoftmaxFixed* fixed) {
    if (!lite_softmax_scale(beta, scale, &fixed->scale)) return false;
    lite_softmax_table(&fixed->scale, &fixed->table);
    fixed->reverse = lite_log_softmax_reverse(&fixed->scale);
    for (int i = 1 - fixed->scale.diff_min; i < 256; i++) fixed->table.scaled[i] = INT32_MIN;
    return true;
}
