// SPDX-License-Identifier: Apache-2.0
// What infer has found out, when lower needs it.
#ifndef DELEGATE_OPENCL_OPS_COMMON_AGREED_H_
#define DELEGATE_OPENCL_OPS_COMMON_AGREED_H_

#include <assert.h>
#include <stdbool.h>

// Lower calls the function again with which infer has checked the node. It agrees this time, too: a node is
// only lowered with the shapes and parameters that infer has agreed to.
static inline void lite_cl_agreed(bool agreed) {
    assert(agreed);
    (void)agreed;
}

#endif
